"""The database's clock, carried on by this process from one answer to the next.

A reading is the database's time as an answer brought it; what has passed since then is counted on this process's own
monotonic clock. The answer took its time to come, so the result lies a little behind the database's clock. It is a
guess all the same, and the database checks it before it is stored (`events_append`).
"""

from datetime import datetime, timedelta
from time import monotonic
from typing import NamedTuple

_TRUSTED_SECONDS = 1.0
"""Two clocks drift apart by half a millisecond a second at the worst."""


class _Reading(NamedTuple):
    """The database's time, and this process's monotonic seconds when it was told."""

    at: datetime
    told: float

    def carried_to(self, moment: float) -> datetime:
        return self.at + timedelta(seconds=moment - self.told)


_reading: _Reading | None = None


def read_off(at: datetime) -> None:
    """The database's clock has just been seen at `at`; one that was slow to come gives way to a better one."""
    global _reading
    told, known = monotonic(), _reading
    if known is None or told - known.told > _TRUSTED_SECONDS / 2 or known.carried_to(told) < at:
        _reading = _Reading(at, told)


def now() -> datetime | None:
    """The database's time at this moment as far as it is known here; None where it was last told too long ago."""
    moment, known = monotonic(), _reading
    return known.carried_to(moment) if known and moment - known.told < _TRUSTED_SECONDS else None
