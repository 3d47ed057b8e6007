"""Tests of contents as TOML: what is written is read again exactly."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.contest.presets import PRESETS, load
from games.contest.reading import Faulty
from games.kernel import to_json
from matches.contests.domain.drafts import faults_of_values, read_draft
from matches.contests.domain.toml_files import read_toml, write_toml
from tests.contests.contents import content
from tests.games.contest.contents import content_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
BLOCKS = st.lists(st.sampled_from(['"', "\\", "\n", "\r", "\t", " ", "a", '"""', "#", "'''", "\x7f"])).map("".join)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS | BLOCKS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(TEXTS | st.just("rules"), VALUES, max_size=5))
def test_any_data_are_read_as_they_were_written(data: dict[str, Any]) -> None:
    assert list(faults_of_values(data)) or read_toml(write_toml(data)) == data


@pytest.mark.parametrize("seed", range(60))
def test_random_content_survives_toml_and_json(seed: int) -> None:
    original = read_draft(to_json(content_of(Random(seed))))
    assert original.content is not None
    again = read_draft(read_toml(write_toml(original.data)))
    assert (again.data, again.digest, again.content) == (original.data, original.digest, original.content)


@pytest.mark.parametrize("name", PRESETS)
def test_preset_survives_toml_with_its_rules(name: str) -> None:
    data = to_json(load(name))
    text = write_toml(data)
    assert read_toml(text) == data
    assert 'rules = """\n' in text and "\\n" not in text


def test_rules_keep_quotes_backslashes_and_line_ends() -> None:
    rules = 'He said "no".\n\n| a | b |\n"""\nC:\\new\\\n  trailing  \n"'
    assert read_toml(write_toml(content(rules=rules)))["rules"] == rules


def test_rounds_are_tables_for_people_to_read() -> None:
    text = write_toml(content(least_seats=3))
    assert text.startswith('title = "The Fork"\nrules = """\nChoose a side.\nThe fewer win."""\nleast_seats = 3\n')
    assert '\n[[rounds]]\nname = "one"\n' in text


@pytest.mark.parametrize("text", ["title = ", "a = 1\na = 2", "[" * 2000, 'title = "\x00"'])
def test_text_that_is_not_toml_is_one_fault_of_the_file(text: str) -> None:
    with pytest.raises(Faulty) as refused:
        read_toml(text)
    assert [it.place for it in refused.value.faults] == ["file"]


def test_all_values_that_no_content_has_are_faults_at_once() -> None:
    with pytest.raises(Faulty) as refused:
        read_toml('title = 1.5\nrules = "\\u0000"\n[[rounds]]\nseconds = 2030-01-01\n')
    assert [it.place for it in refused.value.faults] == ["title", "rules", "rounds.0.seconds"]


@pytest.mark.parametrize(
    "text",
    [
        f"{'.'.join('a' * 3_000)} = 1", f"x = {{{'.'.join('a' * 3_000)} = 1}}", '[' + ' . '.join(['"a"'] * 3_000) + ']',
        f"a = ['''b''''', '''c'''''',]\n{'.'.join('a' * 3_000)} = 1",
    ],
)  # fmt: skip
def test_name_of_very_many_parts_is_refused_before_it_is_parsed(text: str) -> None:
    with pytest.raises(Faulty) as refused:
        read_toml(text)
    (fault,) = refused.value.faults
    assert fault.place == "file" and "too many parts" in fault.sentence


def test_texts_and_comments_have_as_many_dots_as_their_author_likes() -> None:
    dots = "a." * 3_000
    text = f'# {dots}\none = "{dots}\\""\nthree = """{dots}\n"{dots}""""\n'
    text += f"two = '{dots}'\nfour = '''{dots}\n{dots}''''\n"
    assert read_toml(text)["three"] == f'{dots}\n"{dots}"'
