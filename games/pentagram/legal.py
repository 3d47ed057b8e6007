"""The legal placements of a seat, from its witness state."""

from collections.abc import Iterator
from random import Random

from games.pentagram.commands import Place
from games.pentagram.pieces import COLOURS, LEFT_TO_RIGHT, ROW, Colour
from games.pentagram.state import State, empty_spaces


def legal(state: State, seat: int) -> Iterator[Place]:
    """Yield every placement, row by row and from left to right, each without a worker first."""
    for row, colour in enumerate(COLOURS):
        for space in LEFT_TO_RIGHT:
            if state.cards[row][space] is None:
                yield Place(colour=colour, space=space)
                if affords_worker(state, seat, colour, space):
                    yield Place(colour=colour, space=space, worker=True)


def sample(state: State, seat: int, rng: Random) -> Place:
    """Return a random space, with a worker in half of the cases in which it is possible."""
    colour, space = rng.choice(empty_spaces(state))
    worker = affords_worker(state, seat, colour, space) and rng.random() < 0.5
    return Place(colour=colour, space=space, worker=worker)


def affords_worker(state: State, seat: int, colour: Colour, space: int) -> bool:
    """True if the seat has a worker in hand and keeps a coin of the row's colour."""  # R5
    return state.hands[seat] > 0 and state.coins[seat][ROW[colour]] - space >= 1
