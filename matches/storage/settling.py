"""The instant until which each web process has settled the commands that arrived, so that no flag overtakes a waiting
one.

With each heartbeat a web process writes an instant by the database's clock: every command that arrived before it has
been stored or refused. A flag falls once all web processes have passed it.
"""

import time
from datetime import datetime, timedelta
from uuid import uuid4

from events import arrivals, chain
from events.pipeline import Statement

SETTLED = """(SELECT min(settled_at) FROM matches_webprocess WHERE beaten_at > clock_timestamp() - interval '5 seconds')
"""
"""The instant until which all web processes have settled; those without a heartbeat in the last 5 seconds are
ignored."""
SETTLING_SECONDS = 0.3
"""After this time a process that isn't busy has settled all that arrived before the flag."""
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


class _Answer:
    """The database's last answer: the instant, its clock, and this process's monotonic seconds at that time."""

    def __init__(self) -> None:
        self.settled: datetime | None = None
        self.clock: tuple[datetime, float] | None = None


_answer = _Answer()


def note(settled: datetime | None, clock: datetime | None) -> None:
    """Store the database's last answer."""
    _answer.settled = settled
    _answer.clock = (clock, time.monotonic()) if clock is not None else None


def have_settled(at: int) -> bool:
    """True if, by the database's last answer, all web processes have settled what arrived before this instant
    (microseconds), or none runs. No I/O."""
    return _answer.settled is None or chain.microseconds(_answer.settled) >= at


def enter() -> Statement:
    """Return the statement that announces this process, before it accepts connections."""
    return _ENTER, (_process,)


def settle() -> list[Statement]:
    """Return the statements to send with each heartbeat; none in a process without an event loop."""
    until = arrivals.settled_until()
    if until is None or _answer.clock is None:
        return []
    clock, read_at = _answer.clock
    # The clock was read before the answer arrived, so the result is slightly early and never late.
    return [(_SETTLE, (_process, clock + timedelta(seconds=until - read_at)))]


def remove() -> Statement:
    """Return the statement that removes this process, so that no flag waits for it."""
    return _LEAVE, (_process,)
