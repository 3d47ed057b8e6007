"""Offers between the seats of a friendly: a takeback, a pause, to resume, more time; and the responses."""

from collections.abc import Callable, Sequence
from uuid import UUID

from events import chain
from games.kernel import Event
from matches.domain import offers
from matches.domain.events import MatchRewound, OfferKind
from matches.domain.match_state import MatchState
from matches.services.appending import append, match_at_head, open_transaction, under_key
from matches.services.playing import NotAllowed
from matches.services.timing import catch_up_clock
from matches.storage import repository

Decider = Callable[[MatchState, int, int], Sequence[Event]]
"""A function from a match, a seat and an instant (microseconds since 1970) to the events of the seat's act."""


def make_offer(
    *, match_id: UUID, player: UUID, kind: OfferKind, minutes: int | None = None, key: str | None = None
) -> None:
    """Make an offer to the other seats, or give them time; only once per `key`. Raises NotAllowed without a seat, and
    Illegal as `matches.domain.offers.offer`."""
    _act(match_id, player, lambda it, seat, at: offers.offer(it.lifecycle, seat, kind, minutes, it.clocks, at), key)


def accept_offer(*, match_id: UUID, player: UUID, number: int) -> None:
    """Accept another seat's offer. It takes effect when the last seat accepts. Raises NotAllowed without a seat, and
    Illegal as `matches.domain.offers.accept`."""
    _act(match_id, player, lambda it, seat, at: offers.accept(it.lifecycle, seat, number, at))


def decline_offer(*, match_id: UUID, player: UUID, number: int) -> None:
    """Decline another seat's offer, or withdraw one's own. Raises NotAllowed without a seat, and Illegal as
    `matches.domain.offers.decline`."""
    _act(match_id, player, lambda it, seat, _: offers.decline(it.lifecycle, seat, number))


def _act(match_id: UUID, player: UUID, decide: Decider, key: str | None = None) -> None:
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player), key=key) as transaction:
        if transaction.stored_outcome is not None:
            return
        match_state = match_at_head(transaction)
        seat = match_state.lifecycle.seat_of(str(player))
        if seat is None:
            raise NotAllowed("You hold no seat at this match.")
        events = decide(match_state, seat, chain.microseconds(transaction.arrived_at))
        if not events:
            return
        rewound_to = next((it.to_version for it in events if isinstance(it, MatchRewound)), None)
        earlier = None if rewound_to is None else repository.load(match_id, upto=rewound_to)
        append(transaction, match_state, events, earlier=earlier, **under_key(key, seat))
