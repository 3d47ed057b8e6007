"""Until when each web process has settled the commands that had arrived, so that no flag overtakes one that waits.

With each beat a process that lets people in writes an instant, by the database's clock: each command that arrived
before it has been stored or refused. A flag falls once all processes have passed it.
"""

import time
from datetime import datetime, timedelta
from uuid import uuid4

from events import arrivals, chain
from events.pipeline import Statement

SETTLED = """(SELECT min(settled_at) FROM matches_webprocess WHERE beaten_at > clock_timestamp() - interval '5 seconds')
"""
"""Until when all of them have settled; one that hasn't beaten for so long isn't waited for."""
SETTLING_SECONDS = 0.3
"""So long after a flag a process that isn't busy has settled what arrived before it."""
NEXT_FLAG = """
SELECT extract(epoch FROM min(falls_at) - clock_timestamp())::float8 FROM matches_deadline
WHERE falls_at > clock_timestamp() - make_interval(secs => $1)
"""
_ENTER = """
INSERT INTO matches_webprocess (id, beaten_at, settled_at) VALUES ($1, clock_timestamp(), clock_timestamp())
ON CONFLICT (id) DO NOTHING
"""
_SETTLE = """
INSERT INTO matches_webprocess (id, beaten_at, settled_at) VALUES ($1, clock_timestamp(), $2)
ON CONFLICT (id) DO UPDATE SET beaten_at = excluded.beaten_at,
    settled_at = greatest(matches_webprocess.settled_at, excluded.settled_at)
"""
_LEAVE = "DELETE FROM matches_webprocess WHERE id = $1 OR beaten_at < clock_timestamp() - interval '1 hour'"

_process = uuid4()


class _Known:
    """The last answer of the database: the instant, its clock, and this process's monotonic seconds at the answer."""

    def __init__(self) -> None:
        self.settled: datetime | None = None
        self.clock: tuple[datetime, float] | None = None


_known = _Known()


def note(settled: datetime | None, clock: datetime | None) -> None:
    """Note what the database has just said."""
    _known.settled = settled
    _known.clock = (clock, time.monotonic()) if clock is not None else None


def have_settled(at: int) -> bool:
    """True if, when last asked, all web processes had settled what arrived before this instant, in microseconds; also
    where none runs. No I/O."""
    return _known.settled is None or chain.microseconds(_known.settled) >= at


def enter() -> Statement:
    """Announce this process before it accepts connections."""
    return _ENTER, (_process,)


def settle() -> list[Statement]:
    """Report with each heartbeat; do nothing in a process without an event loop."""
    until = arrivals.settled_until()
    if until is None or _known.clock is None:
        return []
    clock, read_at = _known.clock
    # The clock was read before its answer came, so this lies a little before the true instant, and never behind it.
    return [(_SETTLE, (_process, clock + timedelta(seconds=until - read_at)))]


def leave() -> Statement:
    """Report the end of this process, so that no flag waits for it."""
    return _LEAVE, (_process,)
