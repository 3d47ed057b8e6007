"""The state of a match for one witness, and the reducer."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, FlagFallen, evolve_kernel
from games.kernel import State as KernelState
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
from games.pyramid_poker.options import Options
from games.pyramid_poker.pieces import HANDS

Hands = tuple[tuple[str, ...], ...]


class Standing(Struct, frozen=True):
    """A brick that `seat` has placed on the pyramid or holds; its value is None if unknown."""

    seat: int
    brick: str | None


class State(KernelState, frozen=True, kw_only=True):
    """`spaces` are the bricks on the pyramid, by space; `held` is the brick that `turn` must place or assign.

    `hands` are the poker hands by seat; `results` and `wins` are set once the hands have been compared.
    """

    options: Options
    phase: Literal["choice", "construction", "deconstruction", "over"] = "choice"
    first: int | None = None
    turn: int | None = None
    spaces: dict[str, Standing] = {}
    held: Standing | None = None
    hands: tuple[Hands, ...] = (((),) * HANDS,) * 2
    results: tuple[HandResult, ...] = ()
    wins: tuple[int, ...] = (0, 0)
    flagged: int | None = None


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state before the priority seat has chosen who starts."""
    return State(seats=seats, priority=priority, options=options)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, as redacted for the witness."""
    match event:
        case FirstChosen(seat=seat):
            return replace(state, phase="construction", first=seat, turn=seat)
        case BrickDealt(seat=seat, brick=brick):
            return replace(state, turn=seat, held=Standing(seat, brick))
        case BrickPlaced(seat=seat, cell=cell):
            spaces = state.spaces | {cell: state.held or Standing(seat, None)}
            return replace(state, turn=1 - seat, spaces=spaces, held=None)
        case ConstructionFinished():
            return replace(state, phase="deconstruction", turn=state.first)
        case BrickDrawn(seat=seat, cell=drawn, brick=brick):
            left = {cell: standing for cell, standing in state.spaces.items() if cell != drawn}
            return replace(state, spaces=left, held=Standing(seat, brick))
        case BrickAssigned(seat=seat, hand=hand):
            return replace(state, turn=1 - seat, held=None, hands=_assigned(state, seat, hand))
        case HandsCompared(hands=results, wins=wins):
            return replace(state, phase="over", turn=None, results=results, wins=wins)
        case FlagFallen(seat=seat, clock="turn"):
            return replace(state, flagged=seat)
        case _:
            return evolve_kernel(state, event)


def _assigned(state: State, seat: int, number: int) -> tuple[Hands, ...]:
    brick = () if state.held is None or state.held.brick is None else (state.held.brick,)
    own = tuple(hand + brick if index == number else hand for index, hand in enumerate(state.hands[seat], start=1))
    return (own, state.hands[1]) if seat == 0 else (state.hands[0], own)
