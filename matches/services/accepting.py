"""A person's answer to a seat that somebody has given them."""

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
    """Say that one plays; saying it again changes nothing. A rematch begins with the last of them. Raises NotAllowed
    without a seat, match_over; player_gone where a rematch would begin without one of its players."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        story, seat = match_state.lifecycle, _seat_of(match_state, player)
        events = [*acceptance.accept(story, seat)]
        if _begins_with(match_id, story, seat):
            refuse_gone(transaction)
            events.append(nonces.start(story, _ALL_PLAY, chain.microseconds(transaction.arrived_at)))
        if events:
            append(transaction, match_state, events)


def decline(*, match_id: UUID, player: UUID, reason: str) -> None:
    """Say that one doesn't play: before the start the seat is open again, afterwards the match is void. A rematch is
    void at once, also where its opener takes the offer back. Raises NotAllowed without a seat, match_over,
    already_accepted."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        seat = _seat_of(match_state, player)
        if _is_offered(match_id, match_state.lifecycle):
            append(transaction, match_state, acceptance.call_off(reason, seeds.seed_of(match_id)))
            return
        events = acceptance.decline(match_state.lifecycle, seat, reason, seeds.seed_of(match_id))
        leaving: list[Statement] = [] if match_state.lifecycle.started else [(_LEAVE_SEAT, (match_id, seat))]
        append(transaction, match_state, events, also=leaving)


def let_lapse(*, match_id: UUID) -> None:
    """Call a rematch off that nobody has answered; nothing where it has begun, or is over."""
    with open_transaction(match_id, actor=HOUSE) as transaction:
        match_state = match_at_head(transaction)
        if _is_offered(match_id, match_state.lifecycle):
            append(transaction, match_state, acceptance.call_off(_LAPSED, seeds.seed_of(match_id)))


def _begins_with(match_id: UUID, story: Lifecycle, seat: int) -> bool:
    """Whether nobody else's answer is awaited at a rematch."""
    return story.may_start and not set(story.awaited) - {seat} and _is_offered(match_id, story)


def _is_offered(match_id: UUID, story: Lifecycle) -> bool:
    """Whether this is a rematch whose start is still to be called."""
    if story.status != "waiting" or story.called is not None:
        return False
    return Match.objects.filter(id=match_id).exclude(rematch_of=None).exists()


def _seat_of(match_state: MatchState, player: UUID) -> int:
    seat = match_state.lifecycle.seat_of(str(player))
    if seat is None:
        raise NotAllowed("You hold no seat at this match.")
    return seat
