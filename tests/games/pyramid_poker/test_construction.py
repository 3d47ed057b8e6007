"""The choice of who starts, and how the pyramid is built."""

from random import Random

import pytest

from games.kernel import HOST, SPECTATOR, Chance, Illegal, Table
from games.pyramid_poker import GAME
from games.pyramid_poker.events import BrickDealt, BrickPlaced, ConstructionFinished, FirstChosen
from games.pyramid_poker.pieces import BRICKS, BUILT
from games.pyramid_poker.pyramid import pyramid_of
from tests.games.pyramid_poker.built import CELLS, built, construction, refusal, types


def fresh(**settings: int) -> Table:
    """A table at its first choice."""
    return Table(GAME, chance=Chance(seed=b"pyramid"), **settings)


def place(cell: str) -> dict[str, object]:
    """The command to place on a space."""
    return {"type": "place", "cell": cell}


def test_r1_forty_bricks_differ() -> None:
    assert len(set(BRICKS)) == 40
    assert {"AS", "7D", "10C"} < set(BRICKS)


def test_r1_the_bag_never_deals_a_brick_twice() -> None:
    for seed in range(20):
        table = Table(GAME, chance=Chance(seed=bytes([seed])))
        table.act(0, {"type": "choose_first", "seat": 0})
        while not isinstance(table.log[-1], ConstructionFinished):
            seat = table.state.turn
            table.act(seat, table.sample(seat, Random(table.version)))
        dealt = [event.brick for event in table.log if isinstance(event, BrickDealt)]
        assert len(dealt) == len(set(dealt)) == BUILT and set(dealt) < set(BRICKS)


@pytest.mark.parametrize(("base", "spaces"), [(8, 36), (9, 45), (12, 78)])
def test_r2_the_pyramid_is_a_triangle(base: int, spaces: int) -> None:
    pyramid = pyramid_of(base)
    assert [len(row) for row in pyramid.rows] == list(range(base, 0, -1))
    assert len(pyramid.below) == spaces
    assert pyramid.rows[0][0] == "A1" and pyramid.rows[-1] == ("ABCDEFGHIJKL"[base - 1] + "1",)


def test_r2_a_space_rests_on_two() -> None:
    pyramid = pyramid_of(8)
    assert pyramid.below["C3"] == ("B3", "B4") and pyramid.below["A3"] == ()
    assert pyramid.above["B3"] == ("C2", "C3") and pyramid.above["B1"] == ("C1",) and pyramid.above["H1"] == ()


@pytest.mark.parametrize("base", [7, 13, -1, "8", None, 8.5])
def test_r2_a_base_of_another_size_is_refused(base: object) -> None:
    with pytest.raises(Illegal) as refused:
        Table(GAME, options={"base": base})
    assert refused.value.code == "bad_options"


@pytest.mark.parametrize("priority", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_r3_the_priority_seat_says_who_starts(priority: int, first: int) -> None:
    table = fresh(priority=priority)
    assert refusal(table, 1 - priority, {"type": "choose_first", "seat": first}) == "not_your_turn"
    chosen, dealt = table.act(priority, {"type": "choose_first", "seat": first})
    assert chosen == FirstChosen(first)
    assert isinstance(dealt, BrickDealt) and dealt.seat == first
    assert [prompt.seat for prompt in table.due.prompts] == [first]


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_ruling_5_only_a_seat_at_the_table_can_start(seat: int) -> None:
    assert refusal(fresh(), 0, {"type": "choose_first", "seat": seat}) == "no_such_seat"


def test_r4_a_placed_brick_brings_the_other_seat_its_own() -> None:
    table = fresh()
    table.act(0, {"type": "choose_first", "seat": 0})
    placed, dealt = table.act(0, place("A4"))
    assert placed == BrickPlaced(0, "A4")
    assert isinstance(dealt, BrickDealt) and dealt.seat == 1
    assert refusal(table, 0, place("A5")) == "not_your_turn"


def test_r4_a_brick_from_the_bag_is_its_seats_secret() -> None:
    table = fresh()
    table.act(0, {"type": "choose_first", "seat": 0})
    brick = table.log[-1].brick
    assert [table.events(witness)[-1]["brick"] for witness in (0, 1, SPECTATOR, HOST)] == [brick, None, None, brick]


def test_r4_construction_knows_no_draw() -> None:
    table = fresh()
    table.act(0, {"type": "choose_first", "seat": 0})
    assert refusal(table, 0, {"type": "draw", "cell": "A1"}) == "not_now"
    assert refusal(table, 0, {"type": "assign", "hand": 1}) == "not_now"


def test_r5_row_a_is_open_from_the_start() -> None:
    table = construction()
    assert [command.cell for command in table.legal(0)] == [f"A{column}" for column in range(1, 9)]


def test_r5_a_brick_needs_both_below_it() -> None:
    table = construction("AS A1", "2S A3")
    assert refusal(table, 0, place("B1")) == "unsupported"
    table = construction("AS A1", "2S A3", "3S A2")
    assert [command.cell for command in table.legal(1)] == ["A4", "A5", "A6", "A7", "A8", "B1", "B2"]


def test_r5_a_filled_space_takes_no_other() -> None:
    assert refusal(construction("AS A1"), 1, place("A1")) == "not_empty"


@pytest.mark.parametrize("cell", ["", "A0", "A9", "B8", "H2", "I1", "a1", "A01", "A1 ", "7", "\ud800"])
def test_r2_other_names_are_no_spaces(cell: str) -> None:
    assert refusal(construction(), 0, place(cell)) == "no_such_cell"


def test_r6_a_seat_knows_the_bricks_that_it_placed() -> None:
    table = construction("AS A1", "2S A3", "3S A2")
    bricks = [[table.witness(witness).spaces[cell].brick for cell in ("A1", "A3", "A2")] for witness in (0, 1, HOST)]
    assert bricks == [["AS", None, "3S"], [None, "2S", None], ["AS", "2S", "3S"]]
    assert [table.witness(1).spaces[cell].seat for cell in ("A1", "A3")] == [0, 1]


def test_r6_seat_still_knows_its_bricks_in_the_finished_pyramid() -> None:
    spaces = built().witness(1).spaces
    assert all((spaces[cell].brick is not None) == (number % 2 == 1) for number, cell in enumerate(CELLS))


def test_ruling_4_spectators_see_no_brick() -> None:
    assert {standing.brick for standing in built().witness(SPECTATOR).spaces.values()} == {None}


def test_r7_construction_ends_with_the_thirtieth_brick() -> None:
    table = fresh()
    table.act(0, {"type": "choose_first", "seat": 1})
    for number, cell in enumerate(CELLS):
        events = table.act((1 + number) % 2, place(cell))
    assert types(events) == ["BrickPlaced", "ConstructionFinished"]
    assert table.due.prompts[0].commands == ("draw",)
    assert refusal(table, 1, place("E1")) == "not_now"


def test_ruling_1_six_spaces_of_the_smallest_pyramid_stay_empty() -> None:
    assert len(pyramid_of(8).below) - len(built().state.spaces) == 6
