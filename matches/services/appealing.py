"""The seats' appeals to the match's hosts."""

from uuid import UUID

from matches.domain import host_acts
from matches.domain.events import AppealKind
from matches.services.appending import append, at_door, open_door
from matches.services.playing import NotAllowed


def appeal(*, match_id: UUID, player: UUID, kind: AppealKind, text: str) -> int:
    """Ask the hosts to look at something, at any time; gives the appeal's number. Raises NotAllowed without a seat."""
    with open_door(match_id, actor=str(player)) as door:
        folded = at_door(door)
        seat = folded.lifecycle.seat_of(str(player))
        if seat is None:
            raise NotAllowed("You hold no seat at this match.")
        append(door, folded, [host_acts.appeal(folded.lifecycle, seat, kind, text)])
    return len(folded.lifecycle.appeals) + 1
