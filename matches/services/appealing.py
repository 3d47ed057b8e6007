"""The seats' appeals to the match's hosts."""

from uuid import UUID

from matches.domain import host_acts
from matches.domain.events import AppealKind
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.playing import NotAllowed


def appeal(*, match_id: UUID, player: UUID, kind: AppealKind, text: str) -> int:
    """Ask the hosts to look at something, at any time; gives the appeal's number. Raises NotAllowed without a seat."""
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        seat = match_state.lifecycle.seat_of(str(player))
        if seat is None:
            raise NotAllowed("You hold no seat at this match.")
        append(transaction, match_state, [host_acts.appeal(match_state.lifecycle, seat, kind, text)])
    return len(match_state.lifecycle.appeals) + 1
