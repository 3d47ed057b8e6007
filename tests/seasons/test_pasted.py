"""Pasted lists and tables as other tools write them: everybody is read, or their line is named with the remedy."""

from contextlib import suppress
from time import thread_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.seasons import pasted, pasted_people
from matches.seasons.pasted import Unreadable
from matches.seasons.pasted_people import Person
from tests.seasons import pasted_samples as samples

JO, JUN, MINA = Person("Jo Park", "jo@example.org"), Person("Jun Lee", "jun@example.org"), Person("Mina", "")


def people(text: str) -> list[Person]:
    first, *others = pasted.rows(text)
    columns = pasted_people.columns_of(first)
    if columns is None:
        return [person for row in (first, *others) for person in pasted_people.people_in(row)]
    return [pasted_people.person_in(row, columns) for row in others]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (samples.EXCEL_GERMAN, [JO, Person("Lee; Jun", JUN.address), MINA]),
        (samples.SHEETS_CSV, [JO, JUN]),
        (samples.SHEETS_COPIED, [JO, JUN, MINA]),
        (samples.FORMS_EXPORT, [JO, JUN]),
        (samples.CONTACTS, [JO, JUN]),
        (samples.OUTLOOK, [
            Person("Park, Jo", JO.address), Person("Lee, Jun", JUN.address), Person("", "mina@example.org"),
        ]),
        (samples.GMAIL, [JO, Person("Lee, Jun", JUN.address), Person("", "mina@example.org")]),
        (samples.WHATSAPP, [Person("Jo Park", ""), Person("Jun", ""), MINA]),
        (samples.DISCORD, [Person("Jo Park", ""), Person("Jun", ""), MINA]),
        (samples.BULLETS, [
            Person("Jo Park", ""), Person("Jun", ""), MINA, Person("Bo", ""), Person("Cy", "cy@example.org"),
            Person("Di", "di@example.org"),
        ]),
        ("jo@example.org, jun@example.org", [Person("", JO.address), Person("", JUN.address)]),
        ("jo@example.org jun@example.org", [Person("", JO.address), Person("", JUN.address)]),
        ("Jo Park <jo@example.org>", [JO]),
        ("Park, Jo <jo@example.org>", [Person("Park, Jo", JO.address)]),
        ("jo@example.org\tJo Park", [JO]),
        ("Jo Park jo@example.org", [JO]),
        ("Jo Park, jo@example.org, Jun Lee, jun@example.org", [JO, JUN]),
        ("Mina, Bo; ", [Person("Mina, Bo", "")]),
        ("Mina, Bo", [MINA, Person("Bo", "")]),
        ("-jo\n1.jo\n+jo", [Person("-jo", ""), Person("1.jo", ""), Person("+jo", "")]),
    ],
)  # fmt: skip
def test_pasted_lists_of_common_tools_are_read(text: str, expected: list[Person]) -> None:
    assert people(text) == expected


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("Jo, Park, jo@example.org", "write one person a line"),
        ("Park, Jo <jo@example.org>, Lee, Jun <jun@example.org>", "write one person a line"),
        ("Jo <jo@example.org> Jun", "write one person a line"),
        ('"Jo Park, jo@example.org', "add it or delete it"),
        ('"Jo" Park, jo@example.org', "add it or delete it"),
        ("Jo\x07 Park", "Remove it"),
        ("Jo\x07 <jo@example.org>", "Remove it"),
        ("name,player\nJo,Park", "keep one column of names"),
        ("name,email\nJo,jo@example.org,late", "quotation marks round its commas"),
        ("name,email,team\n,,Red", "one name, one address or both"),
        ("name,email\nJo,jo@example.org jun@example.org", "one name, one address or both"),
    ],
)
def test_ambiguous_row_is_refused_with_a_remedy(text: str, remedy: str) -> None:
    with pytest.raises(Unreadable, match=remedy):
        people(text)


def test_unread_columns_are_named() -> None:
    columns = pasted_people.columns_of(next(pasted.rows(samples.FORMS_EXPORT)))
    assert columns and columns.unread == ["Timestamp", "Which evenings suit you?"]


def test_rows_keep_their_line_numbers_across_quoted_line_breaks() -> None:
    rows = list(pasted.rows('\n"a\r\nb",c\r\n;;\n"d\n"e" f\u2028g'))
    assert [(it.number, it.last) for it in rows] == [(2, 3), (5, 5), (6, 6), (7, 7)]
    assert rows[0].cells() == ["a b", "c"]


CELLS = st.lists(st.text('aé" \n;,\t<', max_size=8), min_size=1, max_size=4).filter(lambda it: any(map(str.split, it)))
HOSTILE = st.text(st.sampled_from('aB1 @.<>,;\t\n"()[]-•\x07\u2068'), max_size=60)
OFTEN = settings(
    max_examples=100, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@OFTEN
@given(st.lists(CELLS, min_size=1, max_size=4), st.sampled_from("\t;,"))
def test_quoted_cells_are_read_back_whatever_they_hold(table: list[list[str]], delimiter: str) -> None:
    quoted = (delimiter.join('"{}"'.format(cell.replace('"', '""')) for cell in row) for row in table)
    read = [row.cells(delimiter) for row in pasted.rows("\n".join(quoted))]
    cells = ([" ".join(cell.split()) for cell in row] for row in table)
    assert read == [row[: max(number for number, cell in enumerate(row, 1) if cell)] for row in cells]


@OFTEN
@given(HOSTILE)
def test_parser_keeps_every_letter_of_any_text(text: str) -> None:
    for row in pasted.rows(text):
        try:
            read_people = pasted_people.people_in(row)
        except Unreadable:
            continue
        read = "".join(it.name + it.address for it in read_people)
        assert sorted(filter(str.isalpha, read)) == sorted(filter(str.isalpha, row.text))


@pytest.mark.parametrize("text", [f"{'a' * 25_000}<{'@' * 24_999}", f"{'x' * 49_990} y@z", "a@" * 25_000])
def test_a_long_text_is_read_in_time_proportional_to_its_length(text: str) -> None:
    # Of this thread's work, which no other process makes longer; what grows with the square takes seconds.
    began = thread_time()
    for row in pasted.rows(text):
        with suppress(Unreadable):
            pasted_people.people_in(row)
    assert thread_time() - began < 1
