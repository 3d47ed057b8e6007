"""The coins counted at the end: the score in words, and what decided between equal ones."""

from typing import Any
from xml.etree import ElementTree

import pytest

from games.drawing.themes import HOUSE
from games.kernel import Table
from games.pentagram.board import BOARD
from tests.games.pentagram.stacked import play, table_with

NAMES = ("Ada", "Ben", "Cleo")
WEAKEST = (
    "orange>yellow+", "orange>blue+", "orange>black+", "blue>yellow+", "orange>purple+",
    "black>orange+", "orange>blue+", "black>purple+", "yellow>orange+", "black>blue+",
)  # fmt: skip
MORE = ("orange>blue+", "orange>black+", "orange>yellow+", "yellow>black+")


def ended(*cards: str, **options: Any) -> Table:
    """A match in which those cards paid whoever laid them, and no other did."""
    table = table_with(*cards, **options)
    play(table, *["O0 w"] * len(cards))
    assert BOARD.finale(table.state, viewer=0, theme=HOUSE, names=NAMES) is None
    while table.outcome is None:
        play(table, "K0")
    return table


def finale_of(table: Table) -> ElementTree.Element:
    drawn = BOARD.finale(table.state, viewer=0, theme=HOUSE, names=NAMES)
    assert drawn is not None
    return ElementTree.fromstring(drawn)  # noqa: S314


@pytest.mark.parametrize(
    ("cards", "options", "score", "rule"),
    [
        (("orange>blue+",), {}, "6 coins to 5", "All coins together count."),
        (WEAKEST, {}, "11 coins each, by the larger weakest colour", "Equal: Ada wins by the larger weakest colour."),
        (MORE, {}, "7 coins each, by more colours above 1", "Equal: Ada wins by more colours above 1."),
        ((), {}, "5 coins each, by the later turn", "Equal: Ben wins by the later turn."),
        (WEAKEST, {"score": "weakest"}, "weakest colour 2 to 1", "The weakest colour counts."),
        (WEAKEST, {"score": "product"}, "product 48 to 36", "The five colours multiplied count."),
        (WEAKEST, {"score": "strongest"}, "strongest colour 3 each, by the larger weakest colour", "Equal: Ada wins"),
        (("orange>blue+",), {"score": "strongest"}, "strongest colour 2 to 1", "The strongest colour counts."),
        (("orange>blue+",), {"score": "first", "target": 6}, "first to 6 coins", "Ada was the first with 6 coins."),
        (("orange>blue+",), {"score": "first", "target": 99}, "6 coins to 5", "All coins together count."),
    ],
)
def test_score_and_deciding_rule_are_shown(
    cards: tuple[str, ...], options: dict[str, str], score: str, rule: str
) -> None:
    table = ended(*cards, **options)
    assert table.outcome is not None and BOARD.score(table.state, table.outcome) == score
    assert finale_of(table).attrib["aria-label"].startswith(f"The coins counted. {rule}")


def test_the_weakest_colours_are_ringed_only_where_they_count() -> None:
    rings = [
        sum("stroke-dasharray" in it.attrib for it in finale_of(ended(*WEAKEST, **options)).iter())
        for options in ({}, {"score": "product"})
    ]
    assert rings == [5, 0]
