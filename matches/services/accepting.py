"""A person's answer to a seat that somebody has given them."""

from uuid import UUID

from events.pipeline import Statement
from matches.domain import acceptance
from matches.domain.match_state import MatchState
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.playing import NotAllowed
from matches.services.timing import catch_up_clock
from matches.storage import seeds

_LEAVE_SEAT = "UPDATE matches_seat SET account_id = NULL WHERE match_id = $1 AND number = $2"


def accept(*, match_id: UUID, player: UUID) -> None:
    """Say that one plays; saying it again changes nothing. Raises NotAllowed without a seat, match_over."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        if events := acceptance.accept(match_state.lifecycle, _seat_of(match_state, player)):
            append(transaction, match_state, events)


def decline(*, match_id: UUID, player: UUID, reason: str) -> None:
    """Say that one doesn't play: before the start the seat is open again, afterwards the match is void. Raises
    NotAllowed without a seat, match_over, already_accepted."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        seat = _seat_of(match_state, player)
        events = acceptance.decline(match_state.lifecycle, seat, reason, seeds.seed_of(match_id))
        leaving: list[Statement] = [] if match_state.lifecycle.started else [(_LEAVE_SEAT, (match_id, seat))]
        append(transaction, match_state, events, also=leaving)


def _seat_of(match_state: MatchState, player: UUID) -> int:
    seat = match_state.lifecycle.seat_of(str(player))
    if seat is None:
        raise NotAllowed("You hold no seat at this match.")
    return seat
