"""Accept or decline a seat that somebody else has assigned to one."""

from uuid import UUID

from events import chain
from events.pipeline import Statement
from matches.domain import acceptance, nonces
from matches.domain.events import HOUSE
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.opening import refuse_gone
from matches.services.playing import NotAllowed
from matches.services.timing import catch_up_clock
from matches.storage import seeds

_ALL_PLAY = "Everybody plays again."
_LAPSED = "Nobody has answered in time."
_LEAVE_SEAT = "UPDATE matches_seat SET account_id = NULL WHERE match_id = $1 AND number = $2"


def accept(*, match_id: UUID, player: UUID) -> None:
    """Accept the player's seat; repeating it changes nothing. A rematch starts when its last player accepts. Raises
    NotAllowed without a seat, match_over, and player_gone if a rematch would start without one of its players."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        lifecycle, seat = match_state.lifecycle, _seat_of(match_state, player)
        events = [*acceptance.accept(lifecycle, seat)]
        if _starts_with(match_id, lifecycle, seat):
            refuse_gone(transaction)
            events.append(nonces.start(lifecycle, _ALL_PLAY, chain.microseconds(transaction.arrived_at)))
        if events:
            append(transaction, match_state, events)


def decline(*, match_id: UUID, player: UUID, reason: str) -> None:
    """Decline the player's seat. Before the start the seat becomes open again, afterwards the match is void. A rematch
    that hasn't started is void at once, also if its opener withdraws it. Raises NotAllowed without a seat, match_over,
    already_accepted."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        seat = _seat_of(match_state, player)
        if _is_offered_rematch(match_id, match_state.lifecycle):
            append(transaction, match_state, acceptance.call_off(reason, seeds.seed_of(match_id)))
            return
        events = acceptance.decline(match_state.lifecycle, seat, reason, seeds.seed_of(match_id))
        seat_updates: list[Statement] = [] if match_state.lifecycle.started else [(_LEAVE_SEAT, (match_id, seat))]
        append(transaction, match_state, events, also=seat_updates)


def let_lapse(*, match_id: UUID) -> None:
    """Cancel a rematch that not all players have accepted in time. Does nothing if it has started or is over."""
    with open_transaction(match_id, actor=HOUSE) as transaction:
        match_state = match_at_head(transaction)
        if _is_offered_rematch(match_id, match_state.lifecycle):
            append(transaction, match_state, acceptance.call_off(_LAPSED, seeds.seed_of(match_id)))


def _starts_with(match_id: UUID, lifecycle: Lifecycle, seat: int) -> bool:
    """True if this is a rematch that only waits for this seat's answer."""
    return lifecycle.may_start and not set(lifecycle.awaited) - {seat} and _is_offered_rematch(match_id, lifecycle)


def _is_offered_rematch(match_id: UUID, lifecycle: Lifecycle) -> bool:
    """True if this is a rematch whose start hasn't been called."""
    if lifecycle.status != "waiting" or lifecycle.called is not None:
        return False
    return Match.objects.filter(id=match_id).exclude(rematch_of=None).exists()


def _seat_of(match_state: MatchState, player: UUID) -> int:
    seat = match_state.lifecycle.seat_of(str(player))
    if seat is None:
        raise NotAllowed("You hold no seat at this match.")
    return seat
