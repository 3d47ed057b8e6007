"""Holds: periods in which one match was locked by another transaction, so that its clocks shouldn't have run.

A hold begins when somebody waits for the match in vain, and ends when somebody reaches it; `outages` gives the time
back. Other matches continue meanwhile.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import structlog

from events import database_errors
from events.log_throttle import LogThrottle
from events.pipeline import roundtrip
from events.store import idle_connection, raw_connection

log = structlog.get_logger(__name__)

LEAST_SECONDS = 1.0
"""A shorter wait doesn't count as a hold; a transaction with a short timeout proves nothing."""
BEFORE_SECONDS = 1.0
"""A hold had begun before anybody noticed it. A seat with a second left when it began has one when it is over."""
_throttle = LogThrottle(seconds=60)
_NOTE = """
INSERT INTO matches_hold (match_id, began_at) VALUES ($1, clock_timestamp() - make_interval(secs => $2))
ON CONFLICT (match_id) WHERE ended_at IS NULL DO UPDATE SET began_at = least(matches_hold.began_at, excluded.began_at)
"""
_OPEN = "SELECT match_id FROM matches_hold WHERE ended_at IS NULL ORDER BY id LIMIT $1"


@contextmanager
def recording_hold(match_id: UUID, since: float | None = None) -> Iterator[None]:
    """Record a hold if the body waits for the match in vain, and raise its error again.

    The hold begins at `since` by this process's monotonic clock, by default when the body begins.
    """
    began = time.monotonic() if since is None else since
    try:
        yield
    except database_errors.HELD:
        waited = time.monotonic() - began
        if waited >= LEAST_SECONDS:
            _note(match_id, waited + BEFORE_SECONDS)
        raise


def open_ones(most: int = 100) -> list[UUID]:
    """Return the matches with an open hold, the oldest hold first."""
    (rows,) = roundtrip(raw_connection(), [(_OPEN, (most,))])
    return [match_id for (match_id,) in rows]


def _note(match_id: UUID, seconds: float) -> None:
    try:
        roundtrip(idle_connection(), [(_NOTE, (match_id, seconds))])
    except (*database_errors.ERRORS, RuntimeError) as error:
        if _throttle.is_due():
            log.warning("hold_not_noted", match=str(match_id), error=type(error).__name__)
