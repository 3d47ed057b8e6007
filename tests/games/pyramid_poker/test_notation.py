"""The short text of each command, both ways, and what events say."""

import pytest

from games.kernel import Command, FlagFallen, Illegal, Resign, Resigned
from games.pyramid_poker import GAME
from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.events import (
    BrickAssigned,
    BrickDealt,
    BrickDrawn,
    BrickPlaced,
    ConstructionFinished,
    FirstChosen,
    HandResult,
    HandsCompared,
)
from tests.games.pyramid_poker.built import built, construction

CHOICE, BUILDING, STANDING = GAME.open({}, 2, 0), construction().state, built().state


@pytest.mark.parametrize(
    ("state", "text", "command"),
    [
        (CHOICE, "first 0", ChooseFirst(0)), (CHOICE, "first me", ChooseFirst(1)),
        (CHOICE, "First YOU", ChooseFirst(0)),
        (CHOICE, "first 7", ChooseFirst(7)), (BUILDING, "place C3", Place("C3")), (BUILDING, " c3 ", Place("C3")),
        (BUILDING, "draw C3", Draw("C3")), (STANDING, "C3", Draw("C3")), (STANDING, "draw  l12", Draw("L12")),
        (STANDING, "place C3", Place("C3")), (STANDING, "hand 2", Assign(2)), (STANDING, "2", Assign(2)),
        (STANDING, "resign", Resign()), (CHOICE, "RESIGN", Resign()),
    ],
)  # fmt: skip
def test_text_is_read_as_a_command(state: object, text: str, command: Command) -> None:
    assert GAME.notation.parse(state, 1, text) == command


@pytest.mark.parametrize("state", [CHOICE, BUILDING, STANDING])
@pytest.mark.parametrize(
    "text", ["", "C", "CC3", "place", "place 3", "hand", "hand two", "first", "first C3", "draw C333", "²", "٣"]
)
def test_other_text_is_malformed_and_answered_with_an_example(state: object, text: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.notation.parse(state, 0, text)
    assert refused.value.code == "malformed" and "Write" in refused.value.message


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (ChooseFirst(1), "first 1"), (Place("A1"), "place A1"), (Draw("C3"), "draw C3"), (Assign(3), "hand 3"),
        (Resign(), "resign"),
    ],
)  # fmt: skip
def test_a_command_is_written_in_full(command: Command, text: str) -> None:
    assert GAME.notation.form(command) == text
    assert GAME.notation.parse(STANDING, 0, text) == command


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (FirstChosen(1), "Ben starts."),
        (BrickDealt(0, "7D"), "Ada gets the 7 of diamonds from the bag."),
        (BrickDealt(0, None), "Ada gets a brick from the bag."),
        (BrickPlaced(0, "C3"), "Ada places the brick on C3."),
        (ConstructionFinished(), "The pyramid stands; now it is taken down."),
        (BrickDrawn(1, "C3", "7D"), "Ben draws the 7 of diamonds from C3."),
        (BrickAssigned(1, 2), "Ben puts it into hand 2."),
        (
            HandsCompared((HandResult(1, ("two_pair", "pair"), 0), HandResult(2, ("four", "four"), None)), (1, 0)),
            "Hand 1: two pair against pair, Ada wins it. Hand 2: four against four, a tie. Hands won: 1-0.",
        ),
        (Resigned(0), "Ada resigns."),
        (FlagFallen(0, "turn"), "Ada's time runs out."),
    ],
)
def test_event_has_a_sentence(event: object, sentence: str) -> None:
    assert GAME.notation.sentence(event, ("Ada", "Ben")) == sentence
