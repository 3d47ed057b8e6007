"""Offers between the seats of a friendly, and their responses: each act decided into events. Pure."""

from games.kernel import Event, Illegal
from matches.domain.clocks import HOST_NUMBER, SECOND, Clocks, in_utc
from matches.domain.events import (
    BOT,
    MatchPaused,
    MatchResumed,
    MatchRewound,
    OfferAccepted,
    OfferDeclined,
    OfferKind,
    OfferMade,
    OfferWithdrawn,
    TimeGiven,
)
from matches.domain.host_acts import MOST_GIVEN_SECONDS
from matches.domain.lifecycle import Lifecycle, refuse_unless_on, refuse_unless_running
from matches.domain.open_offers import Offer

MOST_SINCE_MOVE = 2
"""Maximum of equal offers by a seat between two moves."""
PAUSE_MINUTES = 15
"""Duration of a pause that is offered without one."""
MOST_PAUSE_MINUTES = 7 * 24 * 60
"""Maximum duration of a pause; after it any seat may end the pause alone."""
_GIFT = "A gift from another seat."


def offer(
    state: Lifecycle, seat: int, kind: OfferKind, minutes: int | None, clocks: Clocks, at: int
) -> tuple[Event, ...]:
    """Make an offer at the instant `at`, in microseconds since 1970. A gift of time takes effect at once, and so does
    an offer to resume after the agreed pause.

    Raises not_started, match_over, no_offers_in_season, match_paused, not_paused, stand_in_seated, nobody_to_ask,
    already_offered, offered_enough, nothing_to_take_back, no_prompt, too_much_time.
    """
    refuse_unless_on(state)
    _refuse_unless_open(state, seat, kind)
    offer_made = OfferMade(number=state.offers.made + 1, seat=seat, kind=kind)
    if kind == "time":
        return offer_made, *_gifts(state, seat, clocks)
    if kind == "pause":
        return (OfferMade(offer_made.number, seat, kind, minutes=minutes or PAUSE_MINUTES),)
    if kind == "resume":
        has_expired = at >= (state.offers.pause_ends or 0)
        return (
            (offer_made, MatchResumed(reason="The pause has lasted as long as was agreed."))
            if has_expired
            else (offer_made,)
        )
    before = state.offers.before_last_move(seat)
    if before is None:
        raise Illegal("nothing_to_take_back", "You haven't moved yet.")
    return (OfferMade(offer_made.number, seat, kind, to_version=before),)


def accept(state: Lifecycle, seat: int, number: int, at: int) -> tuple[Event, ...]:
    """Accept another seat's offer; with the last seat it takes effect. No event if the seat has accepted already.
    Raises no_such_offer, offer_closed, own_offer."""
    open_offer = _open_offer(state, number)
    if seat in open_offer.accepted:
        return ()
    if seat not in awaited(state, open_offer):
        raise Illegal("own_offer", "This offer is your own: withdraw it, or wait for the others' answer.")
    accepted = OfferAccepted(number=number, seat=seat, kind=open_offer.kind)
    return (accepted, _effect(open_offer, at)) if awaited(state, open_offer) == (seat,) else (accepted,)


def decline(state: Lifecycle, seat: int, number: int) -> tuple[Event, ...]:
    """Decline another seat's offer for all, or withdraw one's own. Raises no_such_offer, offer_closed."""
    open_offer = _open_offer(state, number)
    if open_offer.seat == seat:
        return (OfferWithdrawn(number=number, seat=seat, kind=open_offer.kind),)
    return (OfferDeclined(number=number, seat=seat, kind=open_offer.kind),)


def awaited(state: Lifecycle, offer: Offer) -> tuple[int, ...]:
    """Return the seats that an open offer waits for."""
    return tuple(seat for seat in range(len(state.players)) if seat not in (offer.seat, *offer.accepted))


def is_open(state: Lifecycle, seat: int, kind: OfferKind, clocks: Clocks) -> bool:
    """True if the seat may make this offer now."""
    try:
        offer(state, seat, kind, None, clocks, 0)
    except Illegal:
        return False
    return True


def _refuse_unless_open(state: Lifecycle, seat: int, kind: OfferKind) -> None:
    if state.opened.season is not None:
        raise Illegal("no_offers_in_season", "A season's match is played as its rules say: ask its officials.")
    if kind != "resume" or (state.paused and state.offers.pause_ends is None):
        refuse_unless_running(state)
    if kind == "resume" and not state.paused:
        raise Illegal("not_paused", "The match isn't paused.")
    if seat in dict(state.stand_ins):
        raise Illegal("stand_in_seated", "Somebody stands in for you; say that you are back, then offer.")
    if len(state.players) < 2 or _has_program(state, seat):
        raise Illegal("nobody_to_ask", "A program plays at this match, or nobody else, and a program declines.")
    if any((it.seat, it.kind) == (seat, kind) for it in state.offers.waiting):
        raise Illegal("already_offered", "You have offered that; the answer is still to come.")
    if state.offers.since_move.count((seat, kind)) >= MOST_SINCE_MOVE:
        raise Illegal("offered_enough", f"You have offered that {MOST_SINCE_MOVE} times since the last move.")


def _has_program(state: Lifecycle, seat: int) -> bool:
    """True if a program plays another seat."""
    others = (it for it in range(len(state.players)) if it != seat)
    return any(state.players[it] in (None, BOT) or it in dict(state.stand_ins) for it in others)


def _gifts(state: Lifecycle, seat: int, clocks: Clocks) -> tuple[Event, ...]:
    """Return the gifts: a turn's base time for each other seat whose clock runs."""
    seconds: dict[int, int] = {}
    for run in clocks.runs:
        if run.seat in (seat, HOST_NUMBER):
            continue
        if run.stood + clocks.times[run.clock].base * SECOND > MOST_GIVEN_SECONDS * SECOND:
            raise Illegal("too_much_time", "A turn can't be held up for more than ten years.")
        seconds[run.seat] = max(seconds.get(run.seat, 0), clocks.times[run.clock].base)
    if not seconds:
        raise Illegal("no_prompt", "No other seat has a running clock.")
    return tuple(
        TimeGiven(seat=other, seconds=gift_seconds, reason=_GIFT) for other, gift_seconds in sorted(seconds.items())
    )


def _open_offer(state: Lifecycle, number: int) -> Offer:
    open_offer = next((it for it in state.offers.waiting if it.number == number), None)
    if open_offer is not None:
        return open_offer
    if 1 <= number <= state.offers.made:
        raise Illegal(
            "offer_closed", f"Offer {number} is no longer open: it was answered, withdrawn, or somebody moved."
        )
    raise Illegal("no_such_offer", f"There is no offer {number}.")


def _effect(offer: Offer, at: int) -> Event:
    """Return the event that follows when all seats have accepted an offer."""
    if offer.kind == "takeback" and offer.to_version is not None:
        return MatchRewound(to_version=offer.to_version, reason="All seats agreed to take the last move back.")
    if offer.kind == "pause" and offer.minutes is not None:
        until = at + offer.minutes * 60 * SECOND
        return MatchPaused(reason=f"All seats agreed, until {in_utc(until)}.", until=until)
    return MatchResumed(reason="All seats agreed to go on.")
