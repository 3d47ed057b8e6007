"""The laws of lessons: every game has one, its script is a match by the rules, and it speaks to people."""

import re
from itertools import pairwise
from xml.etree.ElementTree import fromstring

import pytest

from games import catalogue
from games.drawing.themes import LIGHT
from games.kernel import LEARNER, Lesson, Table
from games.kernel.teaching import brings_the_same, read, tables

NAMES = ("Ada", "Nim")
MOST_CHARACTERS = 160
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_IDENTIFIER = re.compile(r"#|_|\w>\w|=|\binfinite\b|\b[a-z]+\d+\b")
EVERY_GAME = pytest.mark.parametrize("slug", catalogue)


def lesson_of(slug: str) -> Lesson:
    """The lesson that every game of the catalogue has."""
    lesson = catalogue[slug].lesson
    assert lesson is not None, f"games/{slug}/lesson.py is missing"
    return lesson


def names_in_pictures(table: Table) -> set[str]:
    """Return the cells, places and parts (as `part NAME`) of the learner's pictures."""
    names: set[str] = set()
    for part in table.game.board.parts(table.witness(LEARNER), viewer=LEARNER, theme=LIGHT, names=NAMES):
        names.add(f"part {part.name}")
        for element in fromstring(part.drawn).iter():  # noqa: S314
            names |= {element.attrib[name] for name in ("data-cell", "data-place") if name in element.attrib}
    return names


@EVERY_GAME
def test_a_lesson_has_eight_to_fifteen_steps_and_ends_with_something_to_read(slug: str) -> None:
    steps = lesson_of(slug).steps
    assert 8 <= len(steps) <= 15
    assert sum(bool(step.does) for step in steps) >= 3
    assert not steps[-1].does
    assert all(bool(step.ask) == bool(step.does) for step in steps)


@EVERY_GAME
def test_each_asked_command_is_allowed_to_the_learner_and_the_script_runs_to_its_end(slug: str) -> None:
    lesson = lesson_of(slug)
    for step, table in zip(lesson.steps, tables(catalogue[slug], lesson), strict=True):
        if step.does:
            command = read(table, step.does)
            assert brings_the_same(table, lesson, command, command), step.title


@EVERY_GAME
def test_a_step_that_asks_moves_the_match_on_and_one_to_read_is_never_passed_by(slug: str) -> None:
    lesson = lesson_of(slug)
    for (step, table), (_, later) in pairwise(zip(lesson.steps, tables(catalogue[slug], lesson), strict=True)):
        assert (later.version > table.version) == bool(step.does or step.then), step.title


@EVERY_GAME
def test_a_lesson_is_the_same_each_time(slug: str) -> None:
    game, lesson = catalogue[slug], lesson_of(slug)
    assert [table.log for table in tables(game, lesson)] == [table.log for table in tables(game, lesson)]


@EVERY_GAME
def test_subject_of_a_step_is_in_the_learners_pictures(slug: str) -> None:
    lesson = lesson_of(slug)
    for step, table in zip(lesson.steps, tables(catalogue[slug], lesson), strict=True):
        missing = set(step.points) - names_in_pictures(table)
        assert not missing, f"{slug}, {step.title}: no picture has {sorted(missing)}"


@EVERY_GAME
def test_a_lesson_speaks_in_short_sentences_of_peoples_words(slug: str) -> None:
    for step in lesson_of(slug).steps:
        sentences = [step.title, *([step.ask] if step.ask else []), *_SENTENCE.split(step.says)]
        for sentence in sentences:
            assert len(sentence) <= MOST_CHARACTERS, sentence
            assert not _IDENTIFIER.search(sentence), sentence
        assert len(_SENTENCE.split(step.says)) <= 3, step.says
        assert not step.ask.endswith("."), step.ask
