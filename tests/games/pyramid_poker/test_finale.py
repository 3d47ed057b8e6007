"""Three hands compared: what each makes in words, which one decided, and what lies dim."""

from xml.etree import ElementTree

import pytest

from games.drawing.themes import HOUSE
from games.pyramid_poker.board import BOARD
from games.pyramid_poker.finale import score, worth
from tests.games.pyramid_poker.built import compared

LEFT = "2S 2H 3D 3C AD 5S 6D 7H 8S 9H 10S 9S 7S 5D 3S"
RIGHT = "10H 10D 6S 4S 2D 4C 4D 4H 7D 7C 10C 8C 6C 5C 2C"
NAMES = ("Ada", "Ben")


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("5C 6C 7C 8C 9C", ("Straight flush to the 9", "")),
        ("AS AH AD AC 2S", ("Four aces", "")),
        ("4C 4D 4H 2S 2H", ("Full house", "fours over twos")),
        ("2C 5C 6C 9C 10C", ("Flush of clubs", "")),
        ("5S 6D 7H 8S 9H", ("Straight to the 9", "")),
        ("3S 3H 3D 8C 5D", ("Three threes", "")),
        ("9S 9D 6S 6H AH", ("Two pair", "nines and sixes")),
        ("10S 10D 7S 3C AD", ("Pair of tens", "")),
        ("10S 9D 7S 3C AD", ("High card", "the 10")),
    ],
)
def test_hand_is_named_in_ordinary_words(hand: str, name: tuple[str, str]) -> None:
    assert worth(hand.split()) == name


def test_the_hands_are_compared_and_the_deciding_one_is_framed() -> None:
    state = compared(LEFT, RIGHT).state
    drawn = BOARD.finale(state, viewer=0, theme=HOUSE, names=NAMES)
    assert drawn is not None
    root = ElementTree.fromstring(drawn)  # noqa: S314
    assert root.attrib["aria-label"].split(". ") == [
        "The hands compared",
        "Hand 1: Two pair, threes and twos against Pair of tens, Ada takes it",
        "Hand 2: Straight to the 9 against Full house, fours over sevens, Ben takes it",
        "Hand 3: High card, the 10 against Flush of clubs, Ben takes it.",
    ]
    framed = [it for it in root.iter("{http://www.w3.org/2000/svg}rect") if it.attrib.get("stroke") == HOUSE.gold]
    assert len(framed) == 1
    # Below the two hands before it.
    assert float(framed[0].attrib["y"]) > 200
    assert score(state) == "two hands to one"


def test_a_long_name_between_the_hands_is_written_smaller_and_whole() -> None:
    drawn = BOARD.finale(compared(LEFT, RIGHT).state, viewer=0, theme=HOUSE, names=("Evangeline", "Bartholome"))
    assert drawn is not None and ">Evangeline<" in drawn and drawn.count(">Bartholome<") == 2


def test_hands_that_are_worth_the_same_are_tied_and_the_priority_decides() -> None:
    tied = "2S 2H 3D 3C AD 5S 6D 7H 8S 9H 10S 9S 7S 5H 4S"
    same = "2D 2C 3S 3H AC 5D 6S 7D 8C 9D 10H 9C 7C 5C 4D"
    state = compared(tied, same).state
    drawn = BOARD.finale(state, viewer=0, theme=HOUSE, names=NAMES)
    assert drawn is not None and drawn.count(">tied<") == 3 and HOUSE.gold not in drawn
    assert score(state) == "no hands each, by the priority"
