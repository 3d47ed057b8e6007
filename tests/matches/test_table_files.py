"""Tables as CSV and XLSX: what is read back is what was written, and no cell is a formula."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from games.kernel import Illegal
from matches.domain import tables
from matches.domain.tables import Cell, Column, Table, is_formula, marked, unmarked
from matches.http.table_files import XLSX, accepted_form, as_csv, as_xlsx, table_tag
from tests.spreadsheets import ATTACKS, csv_rows, workbook, xlsx_rows

VIENNA = "Europe/Vienna"
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]) | st.just("\n"), min_size=1, max_size=30)
TIMES = st.integers(0, 10**10).map(lambda seconds: datetime.fromtimestamp(seconds / 7, UTC))
ROWS = st.lists(
    st.tuples(
        st.none() | TEXTS | st.sampled_from(ATTACKS), st.none() | st.integers(-(10**9), 10**9), st.none() | TIMES
    ),
    max_size=6,
)


def table(rows: Sequence[tuple[Cell, Cell, Cell]]) -> Table:
    columns: list[Column[tuple[Cell, Cell, Cell]]] = [
        Column("Name", lambda it: it[0]),
        Column("Points", lambda it: it[1], "number"),
        Column("At", lambda it: it[2], "time"),
    ]
    return Table("things", "Things", columns, rows)


@settings(deadline=None, max_examples=50)
@given(ROWS)
@example([(text, -1, None) for text in ATTACKS])
def test_table_is_read_back_from_csv_as_it_was_written(rows: list[tuple[Any, Any, Any]]) -> None:
    headings, *cells = csv_rows(as_csv(table(rows)))
    assert headings == ["Name", "Points", "At (UTC)"]
    for (name, points, at), (text, number, time) in zip(rows, cells, strict=True):
        assert (text, number) == (name or "", "" if points is None else str(points))
        assert at is None or (datetime.fromisoformat(time) == at and time.endswith("Z"))


@settings(deadline=None, max_examples=50)
@given(ROWS)
@example([(text, -1, None) for text in ATTACKS])
def test_table_is_read_back_from_xlsx_with_types_as_it_was_written(rows: list[tuple[Any, Any, Any]]) -> None:
    headings, *cells = xlsx_rows(as_xlsx(table(rows), VIENNA))
    assert headings == ["Name", "Points", f"At ({VIENNA})"]
    # Rows at the end of which nothing is written aren't in the file.
    for (name, points, at), (text, number, time) in zip(rows, cells + [[None] * 3] * len(rows), strict=False):
        assert (text, number) == (name, points)
        assert (time is None) == (at is None)
        if at is not None:
            local = at.astimezone(ZoneInfo(VIENNA)).replace(tzinfo=None)
            assert abs(time - local) < timedelta(seconds=1)


@given(TEXTS | st.sampled_from(ATTACKS) | TEXTS.map("'".__add__))
def test_marked_text_begins_with_no_sign_of_a_formula_and_is_unmarked_again(text: str) -> None:
    cell = marked(text)
    assert unmarked(cell) == text
    assert not cell.lstrip()[:1] or cell.lstrip()[0] not in "=+-@\uff1d\uff0b\uff0d\uff20"
    assert marked(cell) == (f"'{cell}" if is_formula(text) else cell)


def test_number_below_zero_stays_a_number_in_csv() -> None:
    assert csv_rows(as_csv(table([("-5", -5, None)])))[1] == ["-5", "-5", ""]
    assert as_csv(table([("-5", -5, None)])).endswith(b"'-5,-5,\r\n")


def test_workbook_has_a_frozen_heading_and_widths_within_bounds() -> None:
    (sheet,) = workbook(as_xlsx(table([("x" * 500, 1, None), ("\u6f22" * 20, 1, None)]), "UTC")).worksheets
    assert (sheet.title, sheet.freeze_panes) == ("Things", "A2")
    assert all(sheet.cell(1, place).font.bold for place in (1, 2, 3))
    widths = [sheet.column_dimensions[it].width for it in "ABC"]
    assert 60 <= widths[0] <= 61 and 8 <= widths[1] <= 12


def test_text_that_looks_like_a_formula_stays_a_text_when_its_cell_is_edited() -> None:
    (sheet,) = workbook(as_xlsx(table([("=1+1", 1, None), ("Jo", 1, None)]), "UTC")).worksheets
    assert sheet["A2"].quotePrefix and not sheet["A3"].quotePrefix


def test_workbook_of_a_table_is_always_the_same() -> None:
    at = datetime(2026, 3, 5, 17, 30, tzinfo=timezone(timedelta(hours=2)))
    assert as_xlsx(table([("Jo", 1, at)]), VIENNA) == as_xlsx(table([("Jo", 1, at)]), VIENNA)


def test_table_with_too_many_rows_is_refused_in_both_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_ROWS", 2)
    rows: list[tuple[Cell, Cell, Cell]] = [("Jo", 1, None)] * 3
    for write in (as_csv, lambda it: as_xlsx(it, "UTC")):
        assert write(table(rows[:2]))
        with pytest.raises(Illegal, match="has 3 rows") as refused:
            write(table(rows))
        assert refused.value.code == "too_many_rows"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", None),
        ("*/*", None),
        ("text/html,application/xhtml+xml,*/*;q=0.8", None),
        ("application/json, text/csv", None),
        ("text/csv;q=0.5, application/json", None),
        ("text/csv;q=0", None),
        ("text/csv", "csv"),
        ("TEXT/CSV; charset=utf-8", "csv"),
        (f"text/csv;q=0.5, {XLSX}", "xlsx"),
        (f"{XLSX}, */*;q=0.1", "xlsx"),
        ("text/csv;q=high", "csv"),
    ],
)
def test_form_is_what_the_accept_header_prefers(accept: str, form: str | None) -> None:
    assert accepted_form(Request(APIRequestFactory().get("/", headers={"accept": accept}))) == form


def test_tags_of_forms_and_zones_differ() -> None:
    tags = {'"v3"', *(table_tag('"v3"', "xlsx", zone) for zone in ("UTC", VIENNA)), table_tag('"v3"', "csv", "UTC")}
    assert len(tags) == 4 and table_tag('"v3"', "csv", "UTC") == table_tag('"v3"', "csv", VIENNA)
