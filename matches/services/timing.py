"""The clock's acts: a flag that falls, on time by a worker or late by whoever comes next."""

from uuid import UUID

from events import chain
from games.kernel import judge
from matches import outage, seeds
from matches.clocks import Deadline
from matches.services.appending import append, at_door, open_door, overdue
from matches.services.opening import begin

CLOCK = "clock"
"""The actor of fallen flags."""


def let_flag_fall(*, match_id: UUID, by: int | None = None, wait: bool = True) -> Deadline | None:
    """Let the first overdue flag fall; gives it, or None where none is overdue.

    Overdue is judged at the instant `by` (microseconds), else at the database's clock. With `wait` off a match that
    somebody else has at hand is left to them.
    """
    with open_door(match_id, actor=CLOCK, wait=wait) as door:
        if door.head is None and not wait:
            return None
        folded = at_door(door)
        late = overdue(folded, by or chain.microseconds(door.arrived_at))
        if late is None:
            if outage.owed_to(folded):
                append(door, folded, [])
            return None
        chance = seeds.chance_of(match_id, folded.lifecycle, folded.game_version)
        append(door, folded, judge.flag(folded.game, folded.state, late.seat, chance))
    return late


def start_scheduled(*, match_id: UUID) -> None:
    """Begin a scheduled match, or its set-up, whose time has come; refused as any start is."""
    begin(match_id=match_id, actor=CLOCK, reason="The match was scheduled for this time.")


def catch_up_clock(*, match_id: UUID) -> int:
    """Let every overdue flag of a match fall, in order; gives how many fell."""
    fallen = 0
    while let_flag_fall(match_id=match_id) is not None:
        fallen += 1
    return fallen
