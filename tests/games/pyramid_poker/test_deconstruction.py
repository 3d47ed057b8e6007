"""The deconstruction of the pyramid into hands."""

import pytest

from games.kernel import HOST, SPECTATOR
from games.pyramid_poker.events import BrickAssigned, BrickDrawn
from tests.games.pyramid_poker.built import built, refusal, taken_down, types

LEFT = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S AH 2H 3H 4H 5H"
RIGHT = "AD 2D 3D 4D 5D 6D 7D 8D 9D 10D AC 2C 3C 4C 5C"


def draw(cell: str) -> dict[str, object]:
    """The command to draw from a space."""
    return {"type": "draw", "cell": cell}


def assign(hand: object) -> dict[str, object]:
    """The command to put the drawn brick into a hand."""
    return {"type": "assign", "hand": hand}


@pytest.mark.parametrize("first", [0, 1])
def test_r8_the_seat_that_started_draws_first(first: int) -> None:
    table = built(first=first)
    assert refusal(table, 1 - first, draw("E4")) == "not_your_turn"
    assert types(table.act(first, draw("E4"))) == ["BrickDrawn"]
    assert types(table.act(first, assign(1))) == ["BrickAssigned"]
    assert [prompt.seat for prompt in table.due.prompts] == [1 - first]


def test_r8_a_draw_comes_before_its_assign_and_only_once() -> None:
    table = built()
    assert refusal(table, 0, assign(1)) == "not_now"
    table.act(0, draw("E4"))
    assert refusal(table, 0, draw("E3")) == "not_now"


def test_r9_a_brick_is_exposed_when_none_rests_on_it() -> None:
    table = built()
    assert [command.cell for command in table.legal(0)] == ["E1", "E2", "E3", "E4"]
    assert refusal(table, 0, draw("D5")) == "not_exposed"
    table.act(0, draw("E4"))
    table.act(0, assign(1))
    assert [command.cell for command in table.legal(1)] == ["D5", "E1", "E2", "E3"]


def test_r9_one_brick_above_is_enough_to_cover() -> None:
    table = taken_down(LEFT, RIGHT, left_over=28)
    assert refusal(table, 0, draw("D3")) == "not_exposed"
    assert types(table.act(0, draw("D4"))) == ["BrickDrawn"]


@pytest.mark.parametrize("cell", ["H1", "F1"])
def test_ruling_5_an_empty_space_has_no_brick_to_draw(cell: str) -> None:
    assert refusal(built(), 0, draw(cell)) == "not_exposed"


@pytest.mark.parametrize("cell", ["A9", "Z1", "e1", ""])
def test_r2_other_names_are_no_spaces(cell: str) -> None:
    assert refusal(built(), 0, draw(cell)) == "no_such_cell"


def test_r10_a_drawn_brick_is_shown_to_all() -> None:
    table = built()
    (drawn,) = table.act(0, draw("E4"))
    assert drawn == BrickDrawn(0, "E4", "10D")
    for witness in (0, 1, SPECTATOR, HOST):
        assert table.events(witness)[-1] == {"type": "brick_drawn", "seat": 0, "cell": "E4", "brick": "10D"}
        assert table.witness(witness).held.brick == "10D"


def test_r10_the_hands_are_open() -> None:
    table = built()
    table.act(0, draw("E4"))
    assert table.act(0, assign(2)) == (BrickAssigned(0, 2),)
    assert table.witness(1).hands == table.witness(SPECTATOR).hands == (((), ("10D",), ()), ((), (), ()))


@pytest.mark.parametrize("hand", [0, 4, -1, 10**30])
def test_r8_there_are_three_hands(hand: int) -> None:
    table = built()
    table.act(0, draw("E4"))
    assert refusal(table, 0, assign(hand)) == "no_such_hand"


def test_r11_a_full_hand_takes_no_sixth_brick() -> None:
    table = taken_down(LEFT, RIGHT, left_over=20)
    table.act(0, draw("C5"))
    assert refusal(table, 0, assign(1)) == "hand_full"
    assert [command.hand for command in table.legal(0)] == [2, 3]


def test_r17_a_draw_and_its_assign_are_one_turn_of_the_clock() -> None:
    table = built()
    turns = [table.due.prompts[0].turn]
    table.act(0, draw("E4"))
    turns.append(table.due.prompts[0].turn)
    table.act(0, assign(1))
    turns.append(table.due.prompts[0].turn)
    assert turns == ["deconstruction 1", "deconstruction 1", "deconstruction 2"]
