"""The host's acts on a match: each with a reason, each an event."""

from uuid import UUID

from events.store import Door
from matches import lifecycle
from matches.services.appending import append, at_door
from matches.services.timing import catch_up_clock


def pause(*, match_id: UUID, by: UUID, reason: str) -> None:
    """Stop all clocks; nobody may move until `resume`."""
    catch_up_clock(match_id=match_id)
    with Door(match_id, actor=str(by)) as door:
        folded = at_door(door)
        append(door, folded, [lifecycle.pause(folded.lifecycle, reason)])


def resume(*, match_id: UUID, by: UUID, reason: str) -> None:
    """Let a paused match go on."""
    with Door(match_id, actor=str(by)) as door:
        folded = at_door(door)
        append(door, folded, [lifecycle.resume(folded.lifecycle, reason)])


def extend(*, match_id: UUID, by: UUID, seat: int, seconds: int, reason: str) -> None:
    """Give a seat's running turn more time."""
    catch_up_clock(match_id=match_id)
    with Door(match_id, actor=str(by)) as door:
        folded = at_door(door)
        on_the_clock = {run.seat for run in folded.clocks.runs}
        append(door, folded, [lifecycle.give_time(folded.lifecycle, seat, seconds, on_the_clock, reason)])
