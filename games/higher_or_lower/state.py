"""The state of a match for one witness, and the reducer."""

from msgspec import Struct
from msgspec.structs import replace

from games.higher_or_lower.events import (
    BoardChosen,
    BoardDealt,
    CardFlipped,
    CardGuessed,
    ColourChosen,
    GroupAssigned,
    GroupsFilled,
    GroupWithdrawn,
    LockedIn,
    RoundFinished,
    TurnEnded,
)
from games.higher_or_lower.options import Options
from games.higher_or_lower.pieces import SIDE, Call, Colour, Group, Rows, Shape
from games.kernel import Event, FlagFallen, evolve_kernel
from games.kernel import State as KernelState

FACE_DOWN: tuple[str | None, ...] = (None,) * (SIDE * SIDE)


class Turned(Struct, frozen=True):
    """A card that was turned up: the index of its space, and the call, None for a grey card that began a turn."""

    space: int
    call: Call | None = None
    correct: bool = True


class RoundPlayed(Struct, frozen=True):
    """A finished round."""

    board: str
    points: tuple[int, ...]
    winner: int


class State(KernelState, frozen=True, kw_only=True):
    """The state of a match for one witness.

    By seat: `groups` in the order of assignment, empty if they are secret; `completable`, true if the other groups can
    be filled, None if unknown; `filled`, the groups that the dealer assigned, None if unknown. `locked` are the seats
    whose assignment is final, by their command or by the flag. By board: `dealt`, the cards, None if unknown;
    `cards_open`, the open cards of each board begun, from the north-west row by row. The fields from `board` to `idle`
    are the current round: the seat that went `first`, the seat on turn (`mover`), the space of its last card (`at`, an
    index into `cards_open`), the number of cards `turned` in the turn, and the number of consecutive turns without a
    turned card (`idle`). `chain` are the cards of this turn, or of the previous one until a card is turned. `choices`
    counts the choices since the deal.
    """

    options: Options
    colours: tuple[Colour, ...] = ()
    groups: tuple[tuple[Group, ...], ...] = ((), ())
    completable: tuple[bool | None, ...] = (None, None)
    filled: tuple[tuple[Group, ...] | None, ...] = ((), ())
    locked: tuple[int, ...] = ()
    dealt: dict[str, Rows | None] = {}
    cards_open: dict[str, tuple[str | None, ...]] = {}
    chooser: int = 0
    board: str | None = None
    first: int | None = None
    mover: int | None = None
    at: int | None = None
    turned: int = 0
    points: tuple[int, ...] = (0, 0)
    idle: int = 0
    chain: tuple[Turned, ...] = ()
    rounds: tuple[RoundPlayed, ...] = ()
    choices: int = 0

    def group_of(self, seat: int, board: str, shape: str) -> Group | None:
        """Return a seat's assigned group, None if it is missing or unknown."""
        return next((g for g in self.groups[seat] if g.board == board and g.shape == shape), None)

    def is_open(self, space: int) -> bool:
        """True if the card on a space of the round's board is open."""
        return self.board is not None and self.cards_open[self.board][space] is not None


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state before the first choice."""
    return State(seats=seats, priority=priority, options=options, chooser=priority)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, as redacted for the witness."""
    match event:
        case CardGuessed():
            points = _at_seat(state.points, event.seat, state.points[event.seat] + event.correct)
            chain = (*state.chain, Turned(_space(event), event.call, event.correct))
            return _turned(replace(state, points=points, chain=chain), event, state.turned + 1)
        case CardFlipped():
            return _turned(replace(state, idle=0, chain=(Turned(_space(event)),)), event, 1)
        case TurnEnded(seat=seat, reason=reason):
            idle = state.idle + 1 if reason == "flag" and not state.turned else state.idle
            choices = state.choices + 1
            return replace(state, mover=1 - seat, at=None, turned=0, idle=idle, choices=choices)
        case BoardChosen(seat=seat, board=board, order=order):
            first = seat if order == "first" else 1 - seat
            cards_open = {**state.cards_open, board: FACE_DOWN}
            choices = state.choices + 1
            return replace(state, board=board, first=first, mover=first, cards_open=cards_open, choices=choices)
        case RoundFinished(board=board, points=points, winner=winner):
            rounds = (*state.rounds, RoundPlayed(board, points, winner))
            fresh = replace(state, board=None, first=None, mover=None, points=(0, 0), idle=0, chain=())
            return replace(fresh, rounds=rounds, chooser=1 - winner)
        case BoardDealt(board=board, cards=cards):
            return replace(state, dealt={**state.dealt, board: cards})
        case GroupAssigned(seat=seat, board=str(board), shape=shape, cards=cards, completable=completable):
            after = _withdrawn(state, seat, board, shape)
            group = Group(board, shape, cards)  # type: ignore[arg-type]
            groups = _at_seat(after.groups, seat, (*after.groups[seat], group))
            return replace(after, groups=groups, completable=_at_seat(state.completable, seat, completable))
        case GroupWithdrawn(seat=seat, board=str(board), shape=shape):
            # A withdrawal can only help: a completable assignment stays so, an uncompletable one becomes unknown.
            completables = _at_seat(state.completable, seat, state.completable[seat] or None)
            return replace(_withdrawn(state, seat, board, shape), completable=completables)
        case GroupsFilled(seat=seat, groups=groups):
            return replace(state, filled=_at_seat(state.filled, seat, groups))
        case LockedIn(seat=seat) | FlagFallen(seat=seat, clock="setup"):
            return replace(state, locked=(*state.locked, seat))
        case ColourChosen(seat=seat, colour=colour):
            other: Colour = "pink" if colour == "cyan" else "cyan"
            return replace(state, colours=(colour, other) if seat == 0 else (other, colour))
        case _:
            return evolve_kernel(state, event)


def _space(event: CardFlipped | CardGuessed) -> int:
    return (event.row - 1) * SIDE + event.col - 1


def _turned(state: State, event: CardFlipped | CardGuessed, turned: int) -> State:
    space = _space(event)
    board = str(state.board)
    cards = state.cards_open[board]
    cards_open = {**state.cards_open, board: (*cards[:space], event.card, *cards[space + 1 :])}
    return replace(state, cards_open=cards_open, at=space, turned=turned, choices=state.choices + 1)


def _withdrawn(state: State, seat: int, board: str, shape: Shape | None) -> State:
    left = tuple(g for g in state.groups[seat] if (g.board, g.shape) != (board, shape))
    return replace(state, groups=_at_seat(state.groups, seat, left))


def _at_seat(by_seat: tuple, seat: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
