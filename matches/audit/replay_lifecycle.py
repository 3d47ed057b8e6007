"""Lifecycle acts decided again by the lifecycle's own rules. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from games.kernel import Event, Illegal
from matches.domain import acceptance, host_acts, impartiality, lifecycle, nonces, offers, openings
from matches.domain.declared_host_acts import HOST_ACTS
from matches.domain.events import (
    HOUSE,
    AppealAnswered,
    AppealOpened,
    MatchAdjudicated,
    MatchOpened,
    MatchPaused,
    MatchRescheduled,
    MatchResumed,
    MatchRewound,
    MatchStarted,
    MatchVoided,
    NonceAdded,
    NonceCommitted,
    NonceLeftOut,
    NonceRevealed,
    NoncesCalled,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferWithdrawn,
    ResultApproved,
    RulingPosted,
    SeatAccepted,
    SeatDeclined,
    SeatSubstituted,
    SeatTaken,
    SeedRevealed,
    StandInLeft,
    StandInSeated,
    TextWithdrawn,
    TimeCredited,
    TimeGiven,
    TruthViewed,
)
from matches.domain.match_state import MatchState
from matches.domain.openings import CLOCK as CLOCK
from matches.storage import seeds


class Impossible(Illegal):
    """A recorded act that no rule allows. It is never a response to a command, so it has no code of its own."""

    def __init__(self, message: str) -> None:
        super().__init__("impossible", message)


class Circumstances(NamedTuple):
    """The inputs for judging an act of a match: its id, its current seed, the instant in microseconds, the match at
    each version."""

    match_id: UUID
    seed: bytes
    instant: int
    at: Mapping[int, MatchState]


def decided(now: MatchState | None, actor: str, events: Sequence[Event], by: Circumstances) -> Sequence[Event]:
    """Return the events of an act that begins with a lifecycle event; raise Illegal if it could not be."""
    first = events[0]
    if isinstance(first, MatchOpened) != (now is None):
        raise Impossible("a match is opened once, by its first event.")
    if now is None:
        assert isinstance(first, MatchOpened)  # noqa: S101  seen just above
        return _opening(first, actor, events[1:], by.seed)
    if isinstance(first, MatchRescheduled) and len(events) > 1:
        return tuple(openings.start(now.lifecycle, actor, first.reason, by.instant))
    given = _act(now, actor, first, by)
    return given if isinstance(given, tuple) else (given,)


def _opening(opened: MatchOpened, actor: str, taken: Sequence[Event], seed: bytes) -> Sequence[Event]:
    if opened.opened_by != actor or opened.seed_commitment != seeds.commitment(seed):
        raise Impossible("the opening names another opener or another seed.")
    if opened.nonces not in (None, seeds.NONCES):
        raise Impossible("the opening names a way of mixing nonces that isn't known here.")
    current, given = lifecycle.opening(opened), []
    for event in taken:
        if not isinstance(event, SeatTaken):
            raise Impossible("an opening seats players and does nothing else.")
        given.append(lifecycle.take_seat(current, event.seat, event.player))
        current = lifecycle.evolve(current, event)
    return (opened, *given)


def _act(now: MatchState, actor: str, event: Event, by: Circumstances) -> Event | tuple[Event, ...]:
    current, at, seed = now.lifecycle, by.at, by.seed
    if current.opened.acceptance and (act := _HOST_ACTS.get(type(event))):
        impartiality.refuse_player(current, actor, act, getattr(event, "seat", None))
    match event:
        case SeatTaken(seat=seat):
            return lifecycle.take_seat(current, seat, actor)
        case SeatAccepted():
            return acceptance.accept(current, _seat(now, actor))
        case SeatDeclined(reason=reason):
            return acceptance.decline(current, _seat(now, actor), reason, seed)
        case NonceAdded(nonce=nonce):
            return lifecycle.add_nonce(current, _seat(now, actor), nonce)
        case NonceCommitted(commitment=commitment):
            return nonces.commit(current, _seat(now, actor), commitment)
        case NonceRevealed(nonce=nonce):
            return nonces.reveal(current, by.match_id, _seat(now, actor), nonce)
        case NonceLeftOut() if actor == CLOCK and current.called is not None and by.instant > current.called.until:
            return nonces.leave_out(current)
        case MatchStarted(reason=reason) | NoncesCalled(reason=reason):
            return nonces.start(current, reason, by.instant)
        case MatchRescheduled(opens_at=opens_at, reason=reason):
            return openings.reschedule(current, opens_at, reason)
        case MatchPaused(reason=reason):
            return host_acts.pause(current, reason)
        case MatchResumed(reason=reason):
            return host_acts.resume(current, reason)
        case TimeGiven(seat=seat, seconds=seconds, reason=reason):
            return host_acts.give_time(current, seat, seconds, now.clocks, reason)
        case TimeCredited(seconds=seconds) if seconds > 0:
            return event
        case MatchVoided(reason=reason):
            return host_acts.void(current, reason, seed)
        case MatchAdjudicated(winners=winners, reason=reason):
            return host_acts.adjudicate(current, winners, reason, seed)
        case SeatSubstituted(seat=seat, player=player, reason=reason):
            return host_acts.substitute(current, seat, player, reason)
        case StandInSeated(seat=seat, player=player, reason=reason):
            return host_acts.seat_stand_in(current, seat, player, reason)
        case StandInLeft(seat=seat, reason=reason):
            return host_acts.end_stand_in(current, seat, reason)
        case MatchRewound(to_version=to_version, reason=reason):
            if to_version not in at:
                raise Illegal("no_such_version", "it leads to a version that isn't current it.")
            decide = host_acts.reopen if current.over else host_acts.rewind
            given = decide(current, now.version, to_version, reason)
            earlier = at[to_version]
            amid = to_version + 1 in at and at[to_version + 1].at == earlier.at
            host_acts.refuse_rewinding_into(earlier.lifecycle, to_version, amid_an_act=amid)
            return given
        case RulingPosted() | TextWithdrawn():
            return event
        case AppealOpened(kind=kind, text=text):
            return host_acts.appeal(current, _seat(now, actor), kind, text)
        case AppealAnswered(number=number, decision=decision, reason=reason):
            return host_acts.answer_appeal(current, number, decision, reason)
        case OfferMade(kind=kind, minutes=minutes):
            return offers.offer(current, _seat(now, actor), kind, minutes, now.clocks, by.instant)
        case OfferAccepted(number=number):
            return offers.accept(current, _seat(now, actor), number, by.instant)
        case OfferDeclined(number=number) | OfferWithdrawn(number=number):
            return offers.decline(current, _seat(now, actor), number)
        case ResultApproved(reason=reason):
            return host_acts.approve(current, reason)
        case TruthViewed() if not current.is_open and current.seat_of(actor) is None:
            return TruthViewed(by=actor)
        case SeedRevealed() if actor == HOUSE and current.over and not current.is_open:
            return SeedRevealed(seed.hex())
    raise Impossible("no act begins with this event.")


# Records from before this rule, and those of seasons, which have acts of their own, are exempt.
_HOST_ACTS: Mapping[type[Event], str] = {act.appends[0]: act.name for act in HOST_ACTS} | {TruthViewed: "look"}


def _seat(now: MatchState, actor: str) -> int:
    seat = now.lifecycle.seat_of(actor)
    if seat is None:
        raise Impossible("its actor holds no seat.")
    return seat
