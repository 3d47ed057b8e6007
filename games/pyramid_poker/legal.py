"""The legal commands of a seat, from its witness state: all of them, or one at random."""

from collections.abc import Iterator
from random import Random

from games.kernel import Command
from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.pieces import HAND_SIZE
from games.pyramid_poker.rules import exposed, open_spaces
from games.pyramid_poker.state import State


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every legal command of the seat, none if it isn't on turn."""
    match state.phase:
        case "choice" if seat == state.priority:
            yield from map(ChooseFirst, range(state.seats))
        case "construction" if seat == state.turn:
            yield from map(Place, open_spaces(state))
        case "deconstruction" if seat == state.turn and state.held is None:
            yield from map(Draw, exposed(state))
        case "deconstruction" if seat == state.turn:
            yield from map(Assign, open_hands(state, seat))


def sample(state: State, seat: int, rng: Random) -> Command:
    """Return a random legal command."""
    return rng.choice(list(legal(state, seat)))


def open_hands(state: State, seat: int) -> Iterator[int]:
    """Yield the numbers of the seat's hands that have room for another brick."""
    for number, hand in enumerate(state.hands[seat], start=1):
        if len(hand) < HAND_SIZE:
            yield number
