"""An estimate of the database's clock, from its last answer.

A reading is the database's time as an answer brought it; what has passed since then is counted on this process's own
monotonic clock. The answer took its time to come, so the result lies a little behind the database's clock. It is an
estimate all the same, and the database checks it before it is stored (`events_append`).
"""

from datetime import datetime, timedelta
from time import monotonic
from typing import NamedTuple

_TRUSTED_SECONDS = 1.0
"""Two clocks drift apart by half a millisecond a second at the worst."""


class _Reading(NamedTuple):
    """The database's time, and this process's monotonic seconds when it was read."""

    at: datetime
    read_at: float

    def estimate_at(self, moment: float) -> datetime:
        return self.at + timedelta(seconds=moment - self.read_at)


_reading: _Reading | None = None


def read_off(at: datetime) -> None:
    """The database's clock has just shown `at`; of two recent readings the later estimate is kept."""
    global _reading
    read_at, known = monotonic(), _reading
    if known is None or read_at - known.read_at > _TRUSTED_SECONDS / 2 or known.estimate_at(read_at) < at:
        _reading = _Reading(at, read_at)


def now() -> datetime | None:
    """The estimated time of the database; None where the last reading is too old."""
    moment, known = monotonic(), _reading
    return known.estimate_at(moment) if known and moment - known.read_at < _TRUSTED_SECONDS else None
