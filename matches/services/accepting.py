"""A person's answer to a seat that somebody has given them."""

from uuid import UUID

from events.pipeline import Statement
from matches.domain import acceptance
from matches.domain.match_state import Folded
from matches.services.appending import append, at_door, open_door
from matches.services.playing import NotAllowed
from matches.services.timing import catch_up_clock
from matches.storage import seeds

_LEAVE_SEAT = "UPDATE matches_seat SET account_id = NULL WHERE match_id = $1 AND number = $2"


def accept(*, match_id: UUID, player: UUID) -> None:
    """Say that one plays; saying it again changes nothing. Raises NotAllowed without a seat, match_over."""
    catch_up_clock(match_id=match_id)
    with open_door(match_id, actor=str(player)) as door:
        folded = at_door(door)
        if events := acceptance.accept(folded.lifecycle, _seat_of(folded, player)):
            append(door, folded, events)


def decline(*, match_id: UUID, player: UUID, reason: str) -> None:
    """Say that one doesn't play: before the start the seat is open again, afterwards the match is void. Raises
    NotAllowed without a seat, match_over, already_accepted."""
    catch_up_clock(match_id=match_id)
    with open_door(match_id, actor=str(player)) as door:
        folded = at_door(door)
        seat = _seat_of(folded, player)
        events = acceptance.decline(folded.lifecycle, seat, reason, seeds.seed_of(match_id))
        leaving: list[Statement] = [] if folded.lifecycle.started else [(_LEAVE_SEAT, (match_id, seat))]
        append(door, folded, events, also=leaving)


def _seat_of(folded: Folded, player: UUID) -> int:
    seat = folded.lifecycle.seat_of(str(player))
    if seat is None:
        raise NotAllowed("You hold no seat at this match.")
    return seat
