"""A seat's view of its own bricks without aids: as much as the rules show it."""

from games.kernel import Table
from games.pyramid_poker import GAME
from tests.games.pyramid_poker.built import CELLS, built, construction


def visible_bricks(at: Table, seat: int) -> dict[str, str | None]:
    """Return the bricks on the pyramid by space, as a match without aids shows them to a seat."""
    return {cell: standing.brick for cell, standing in GAME.forget(at.witness(seat)).spaces.items()}


def test_ruling_6_a_seat_sees_the_bricks_that_it_placed_during_construction() -> None:
    at = construction("7D A1", "AS A2", "10C A3")
    assert visible_bricks(at, 0) == {"A1": "7D", "A2": None, "A3": "10C"}
    assert visible_bricks(at, 1) == {"A1": None, "A2": "AS", "A3": None}


def test_ruling_6_a_seat_sees_all_its_bricks_at_the_end_of_construction() -> None:
    at = built()
    for seat in (0, 1):
        own = {cell for cell, brick in visible_bricks(at, seat).items() if brick}
        assert own == set(CELLS[seat::2]) and len(own) == 15


def test_ruling_6_from_the_first_draw_on_all_bricks_are_hidden() -> None:
    at = built()
    at.act(0, {"type": "draw", "cell": CELLS[-1]})
    for seat in (0, 1):
        assert set(visible_bricks(at, seat).values()) == {None}
    at.act(0, {"type": "assign", "hand": 1})
    assert set(visible_bricks(at, 1).values()) == {None}
