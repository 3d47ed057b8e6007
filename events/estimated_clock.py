"""An estimate of the database's clock, made from its last answer.

A reading is the time in a database answer. The time since then is measured by this process's monotonic clock. The
answer takes time to arrive, so the estimate is a little behind the database's clock. The database checks an estimate
before it stores it (`events_append_many`).
"""

from datetime import datetime, timedelta
from time import monotonic
from typing import NamedTuple

_TRUSTED_SECONDS = 1.0
"""A reading is used for so long: two clocks drift apart by at most half a millisecond per second."""


class _Reading(NamedTuple):
    """The database's time, and this process's monotonic seconds when it was read."""

    at: datetime
    read_at: float

    def estimate_at(self, seconds: float) -> datetime:
        """Return the database's time at a reading of this process's monotonic clock."""
        return self.at + timedelta(seconds=seconds - self.read_at)


_reading: _Reading | None = None


def record_reading(at: datetime) -> None:
    """Record that the database's clock has just shown `at`; of two recent readings keep the one with the later
    estimate."""
    global _reading
    read_at, last = monotonic(), _reading
    if last is None or read_at - last.read_at > _TRUSTED_SECONDS / 2 or last.estimate_at(read_at) < at:
        _reading = _Reading(at, read_at)


def now() -> datetime | None:
    """Return the estimated time of the database; None if the last reading is too old."""
    seconds, last = monotonic(), _reading
    return last.estimate_at(seconds) if last and seconds - last.read_at < _TRUSTED_SECONDS else None
