"""Deadlines of an act: whether it comes in time, and what falls due by it without being asked for. Pure."""

from collections.abc import Sequence
from datetime import datetime

from games.kernel import Event
from matches.seasons.domain import attendance, deadlines, features, intake, notice, scheduling
from matches.seasons.domain.deciding import Batch
from matches.seasons.domain.state import Season


def refuse_untimely(season: Season, events: Sequence[Event], now: datetime) -> None:
    """Raise what an act is refused with that comes too early or lets something fall due too soon: bad_opening_time,
    bad_deadline, check_in_not_open, and what joining links and features refuse with."""
    scheduling.refuse_untimely(events, now)
    deadlines.refuse_untimely_deadline(events, now)
    attendance.refuse_untimely_check_in(season, events, now)
    attendance.refuse_untimely_agreement(season, events, now)
    notice.refuse_short_notice(season, events, now)
    notice.refuse_quiet_hours(season, events)
    intake.refuse_untimely_joining(season, events, now)
    features.refuse_untimely(season.feature_states, events, now)


def announced(season: Season, events: Sequence[Event], now: datetime) -> Sequence[Event]:
    """The events that follow from these by the clock: check-ins that go on, deadlines that begin."""
    batch = Batch(season)
    batch.add(*events)
    batch.add(*attendance.extended(season, batch.season, now))
    batch.add(*deadlines.armed(batch.season, now))
    return batch.events[len(events) :]
