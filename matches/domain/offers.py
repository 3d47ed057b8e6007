"""What the seats of a friendly offer each other, and answer: each act decided into events. Pure."""

from games.kernel import Event, Illegal
from matches.domain.clocks import SECOND, Clocks, in_utc
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
"""How often a seat may offer the same between two moves."""
PAUSE_MINUTES = 15
"""How long a pause lasts that is offered without saying how long."""
MOST_PAUSE_MINUTES = 7 * 24 * 60
"""How long a pause lasts at most before any seat may end it alone."""
_GIFT = "A gift from another seat."


def offer(
    state: Lifecycle, seat: int, kind: OfferKind, minutes: int | None, clocks: Clocks, at: int
) -> tuple[Event, ...]:
    """A seat offers something at the instant `at`, in microseconds since 1970. Time needs no answer, and neither does
    going on after the pause has lasted as long as was agreed.

    Raises not_started, match_over, no_offers_in_season, match_paused, not_paused, stand_in_seated, nobody_to_ask,
    already_offered, offered_enough, nothing_to_take_back, no_prompt, too_much_time.
    """
    refuse_unless_on(state)
    _refuse_unless_open(state, seat, kind)
    made = OfferMade(number=state.offers.made + 1, seat=seat, kind=kind)
    if kind == "time":
        return made, *_gifts(state, seat, clocks)
    if kind == "pause":
        return (OfferMade(made.number, seat, kind, minutes=minutes or PAUSE_MINUTES),)
    if kind == "resume":
        is_over = at >= (state.offers.pause_ends or 0)
        return (made, MatchResumed(reason="The pause has lasted as long as was agreed.")) if is_over else (made,)
    before = state.offers.before_last_move(seat)
    if before is None:
        raise Illegal("nothing_to_take_back", "You haven't moved yet.")
    return (OfferMade(made.number, seat, kind, to_version=before),)


def accept(state: Lifecycle, seat: int, number: int, at: int) -> tuple[Event, ...]:
    """A seat accepts what another has offered; with the last of them it takes place. Nothing where it has accepted
    already. Raises no_such_offer, offer_closed, own_offer."""
    found = _waiting(state, number)
    if seat in found.accepted:
        return ()
    if seat not in awaited(state, found):
        raise Illegal("own_offer", "This offer is your own: withdraw it, or wait for the others' answer.")
    accepted = OfferAccepted(number=number, seat=seat, kind=found.kind)
    return (accepted, _agreed(found, at)) if awaited(state, found) == (seat,) else (accepted,)


def decline(state: Lifecycle, seat: int, number: int) -> tuple[Event, ...]:
    """A seat declines what another has offered, for all; who has offered it withdraws it. Raises no_such_offer,
    offer_closed."""
    found = _waiting(state, number)
    if found.seat == seat:
        return (OfferWithdrawn(number=number, seat=seat, kind=found.kind),)
    return (OfferDeclined(number=number, seat=seat, kind=found.kind),)


def awaited(state: Lifecycle, offer: Offer) -> tuple[int, ...]:
    """The seats whose answer an open offer waits for."""
    return tuple(seat for seat in range(len(state.players)) if seat not in (offer.seat, *offer.accepted))


def is_open(state: Lifecycle, seat: int, kind: OfferKind, clocks: Clocks) -> bool:
    """Whether the seat may offer this now."""
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
    if len(state.players) < 2 or _programs(state, seat):
        raise Illegal("nobody_to_ask", "A program plays at this match, or nobody else, and a program declines.")
    if any((it.seat, it.kind) == (seat, kind) for it in state.offers.waiting):
        raise Illegal("already_offered", "You have offered that; the answer is still to come.")
    if state.offers.since_move.count((seat, kind)) >= MOST_SINCE_MOVE:
        raise Illegal("offered_enough", f"You have offered that {MOST_SINCE_MOVE} times since the last move.")


def _programs(state: Lifecycle, seat: int) -> bool:
    """Whether a program plays another seat."""
    others = (it for it in range(len(state.players)) if it != seat)
    return any(state.players[it] in (None, BOT) or it in dict(state.stand_ins) for it in others)


def _gifts(state: Lifecycle, seat: int, clocks: Clocks) -> tuple[Event, ...]:
    """As much time as a turn has, for each other seat whose time runs."""
    seconds: dict[int, int] = {}
    for run in clocks.runs:
        if run.seat == seat:
            continue
        if run.stood + clocks.times[run.clock].base * SECOND > MOST_GIVEN_SECONDS * SECOND:
            raise Illegal("too_much_time", "A turn can't be held up for more than ten years.")
        seconds[run.seat] = max(seconds.get(run.seat, 0), clocks.times[run.clock].base)
    if not seconds:
        raise Illegal("no_prompt", "No other seat has a running clock.")
    return tuple(TimeGiven(seat=other, seconds=given, reason=_GIFT) for other, given in sorted(seconds.items()))


def _waiting(state: Lifecycle, number: int) -> Offer:
    found = next((it for it in state.offers.waiting if it.number == number), None)
    if found is not None:
        return found
    if 1 <= number <= state.offers.made:
        raise Illegal(
            "offer_closed", f"Offer {number} is no longer open: it was answered, withdrawn, or somebody moved."
        )
    raise Illegal("no_such_offer", f"There is no offer {number}.")


def _agreed(offer: Offer, at: int) -> Event:
    """What an offer brings that everybody has accepted."""
    if offer.kind == "takeback" and offer.to_version is not None:
        return MatchRewound(to_version=offer.to_version, reason="All seats agreed to take the last move back.")
    if offer.kind == "pause" and offer.minutes is not None:
        until = at + offer.minutes * 60 * SECOND
        return MatchPaused(reason=f"All seats agreed, until {in_utc(until)}.", until=until)
    return MatchResumed(reason="All seats agreed to go on.")
