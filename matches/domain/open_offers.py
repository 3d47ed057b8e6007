"""Open offers between the seats of a match since the last move. Pure."""

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event
from matches.domain.events import (
    MatchFinished,
    MatchPaused,
    MatchResumed,
    MatchRewound,
    MatchVoided,
    OfferAccepted,
    OfferDeclined,
    OfferKind,
    OfferMade,
    OfferWithdrawn,
    SeatSubstituted,
    StandInLeft,
    StandInSeated,
)

_CLOSING = (
    MatchPaused, MatchResumed, MatchRewound, MatchVoided, MatchFinished, SeatSubstituted, StandInSeated, StandInLeft,
)  # fmt: skip
"""Events that close all offers, because the position or the seats' holders change."""


class Offer(Struct, frozen=True, kw_only=True):
    """An open offer of a seat; `accepted` are the seats that have accepted it."""

    number: int
    seat: int
    kind: OfferKind
    to_version: int | None = None
    minutes: int | None = None
    accepted: tuple[int, ...] = ()


class LastMove(Struct, frozen=True):
    """A seat's last move on this line of play: the version before its first event, and the version of its last one."""

    seat: int
    before: int
    upto: int


class Offers(Struct, frozen=True, kw_only=True):
    """The offers of a match.

    made: the number of all offers.
    waiting: the open ones.
    since_move: an entry for each offer of a seat since the last move.
    last_moves: the move that a takeback would undo, for each person who has moved.
    pause_ends: the instant until which a pause was agreed, in microseconds since 1970.
    """

    made: int = 0
    waiting: tuple[Offer, ...] = ()
    since_move: tuple[tuple[int, OfferKind], ...] = ()
    last_moves: tuple[LastMove, ...] = ()
    pause_ends: int | None = None

    def before_last_move(self, seat: int) -> int | None:
        """Return the version before the seat's last move; None if it hasn't moved."""
        return next((it.before for it in self.last_moves if it.seat == seat), None)


def evolve(state: Offers, event: Event) -> Offers:
    """Return the offers after one of the lifecycle's events."""
    match event:
        case OfferMade(kind="time", seat=seat):
            # A gift needs no answer.
            return replace(state, made=state.made + 1, since_move=(*state.since_move, (seat, "time")))
        case OfferMade(number=number, seat=seat, kind=kind, to_version=to_version, minutes=minutes):
            offer = Offer(number=number, seat=seat, kind=kind, to_version=to_version, minutes=minutes)
            since_move = (*state.since_move, (seat, kind))
            return replace(state, made=number, waiting=(*state.waiting, offer), since_move=since_move)
        case OfferAccepted(number=number, seat=seat):
            waiting = tuple(
                replace(it, accepted=(*it.accepted, seat)) if it.number == number else it for it in state.waiting
            )
            return replace(state, waiting=waiting)
        case OfferDeclined(number=number) | OfferWithdrawn(number=number):
            return replace(state, waiting=tuple(it for it in state.waiting if it.number != number))
    if not isinstance(event, _CLOSING):
        return state
    pause_ends = event.until if isinstance(event, MatchPaused) else state.pause_ends
    if isinstance(event, MatchResumed):
        pause_ends = None
    last_moves = state.last_moves
    if isinstance(event, SeatSubstituted):
        last_moves = tuple(it for it in last_moves if it.seat != event.seat)
    return replace(state, waiting=(), since_move=(), last_moves=last_moves, pause_ends=pause_ends)


def moved(state: Offers, seat: int | None, version: int, *, goes_on: bool) -> Offers:
    """Return the offers after one of the game's events, which closes all open ones. `seat` is that of the person who
    caused it; None for the dealer, a program or a flag. With `goes_on` the event belongs to the same act as the one
    before."""
    last_moves = state.last_moves
    if seat is not None:
        last_move = next((it for it in last_moves if it.seat == seat), None)
        before = last_move.before if last_move and goes_on and last_move.upto == version - 1 else version - 1
        last_moves = (*(it for it in last_moves if it.seat != seat), LastMove(seat, before, version))
    elif not state.waiting and not state.since_move:
        return state
    return replace(state, waiting=(), since_move=(), last_moves=last_moves)
