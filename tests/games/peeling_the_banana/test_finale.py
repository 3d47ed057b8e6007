"""Both bananas counted: what is told of their sums, whose is gold, and what decides between equal ones."""

from xml.etree import ElementTree

from games.drawing.themes import HOUSE
from games.kernel import Table
from games.peeling_the_banana.board import BOARD
from tests.games.peeling_the_banana.staged import play, staged

NAMES = ("Ada", "Ben")


def finale_of(table: Table) -> ElementTree.Element:
    drawn = BOARD.finale(table.state, viewer=1, theme=HOUSE, names=NAMES)
    assert drawn is not None
    return ElementTree.fromstring(drawn)  # noqa: S314


def golden(root: ElementTree.Element) -> list[str]:
    return [it.text or "" for it in root.iter("{http://www.w3.org/2000/svg}text") if it.attrib["fill"] == HOUSE.gold]


def test_the_bananas_are_counted_and_the_winners_sum_is_gold() -> None:
    table = staged("coins2#1 coins2#2", filled=("a1", "a1 b1 c1 d1 a2 b2"), turns=1)
    assert BOARD.finale(table.state, viewer=1, theme=HOUSE, names=NAMES) is None
    play(table, "1", "end", "1", "end")
    root = finale_of(table)
    assert root.attrib["aria-label"] == (
        "The bananas counted. Ada: 1 filled less 9 empty is -8 points. Ben: 6 filled less 4 empty is 2 points."
    )
    assert golden(root) == ["Ben", "2", "points"]
    assert BOARD.score(table.state, table.outcome) == "2 points to -8"


def test_equal_sums_show_who_went_second() -> None:
    table = staged("domino#1 domino#2", turns=1)
    play(table, "1 @a1", "end", "1 @a2", "end")
    assert golden(finale_of(table))[-1] == "Equal points: Ben went second"
    assert BOARD.score(table.state, table.outcome) == "-6 points each, having gone second"
