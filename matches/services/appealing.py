"""Appeals by a seat to the match's hosts."""

from uuid import UUID

from matches.domain import host_acts
from matches.domain.events import AppealKind
from matches.services.appending import append, match_at_head, open_transaction, under_key
from matches.services.playing import NotAllowed
from matches.storage import repository


def appeal(*, match_id: UUID, player: UUID, kind: AppealKind, text: str, key: str | None = None) -> int:
    """Ask the hosts to look at something, at any time, and return the appeal's number. A repeated `key` returns the
    number of the first appeal. Raises NotAllowed without a seat."""
    with open_transaction(match_id, actor=str(player), key=key) as transaction:
        if transaction.stored_outcome is not None:
            return len(repository.load(match_id, upto=transaction.stored_outcome.version).lifecycle.appeals)
        match_state = match_at_head(transaction)
        seat = match_state.lifecycle.seat_of(str(player))
        if seat is None:
            raise NotAllowed("You hold no seat at this match.")
        event = host_acts.appeal(match_state.lifecycle, seat, kind, text)
        append(transaction, match_state, [event], **under_key(key, seat))
    return len(match_state.lifecycle.appeals) + 1
