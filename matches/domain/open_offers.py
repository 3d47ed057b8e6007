"""What the seats of a match have offered each other since somebody last moved. Pure."""

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

_ENDING = (
    MatchPaused, MatchResumed, MatchRewound, MatchVoided, MatchFinished, SeatSubstituted, StandInSeated, StandInLeft,
)  # fmt: skip
"""What leaves nothing to answer: whatever was offered was offered in another position, or to somebody else."""


class Offer(Struct, frozen=True, kw_only=True):
    """What a seat has offered and the others haven't answered yet; `accepted` are those who have."""

    number: int
    seat: int
    kind: OfferKind
    to_version: int | None = None
    minutes: int | None = None
    accepted: tuple[int, ...] = ()


class LastMove(Struct, frozen=True):
    """A seat's last move on this line of play: the version before it, and its last."""

    seat: int
    before: int
    upto: int


class Offers(Struct, frozen=True, kw_only=True):
    """`made` counts all offers of the match, `waiting` are the open ones. `since_move` has an entry for each offer of
    a seat since the last move. `last_moves` has what a takeback would take back, of each person who has moved.
    `pause_ends` is the instant, in microseconds since 1970, that a pause was agreed on until."""

    made: int = 0
    waiting: tuple[Offer, ...] = ()
    since_move: tuple[tuple[int, OfferKind], ...] = ()
    last_moves: tuple[LastMove, ...] = ()
    pause_ends: int | None = None

    def before_last_move(self, seat: int) -> int | None:
        """The version before what the seat moved last; None where it hasn't moved."""
        return next((it.before for it in self.last_moves if it.seat == seat), None)


def evolve(state: Offers, event: Event) -> Offers:
    """The offers after one of the lifecycle's events."""
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
    if not isinstance(event, _ENDING):
        return state
    pause_ends = event.until if isinstance(event, MatchPaused) else state.pause_ends
    if isinstance(event, MatchResumed):
        pause_ends = None
    last_moves = state.last_moves
    if isinstance(event, SeatSubstituted):
        last_moves = tuple(it for it in last_moves if it.seat != event.seat)
    return replace(state, waiting=(), since_move=(), last_moves=last_moves, pause_ends=pause_ends)


def moved(state: Offers, seat: int | None, version: int, *, goes_on: bool) -> Offers:
    """The offers after one event of the game, at a version: all that were open are gone. `seat` is the person's who
    brought it about; None for the dealer, a program or a flag. The event `goes_on` with the act of the one before."""
    last_moves = state.last_moves
    if seat is not None:
        known = next((it for it in last_moves if it.seat == seat), None)
        before = known.before if known and goes_on and known.upto == version - 1 else version - 1
        last_moves = (*(it for it in last_moves if it.seat != seat), LastMove(seat, before, version))
    elif not state.waiting and not state.since_move:
        return state
    return replace(state, waiting=(), since_move=(), last_moves=last_moves)
