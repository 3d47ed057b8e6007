"""Holds: while one match couldn't be reached, as somebody else had it locked, its clocks should not have run.

A hold begins with whoever has waited for the match in vain, and ends with whoever reaches it next; `outage` beside it
gives the time back. Other matches go on meanwhile.
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
"""Who has waited for less wasn't kept from anything; a visit that is in a hurry proves nothing."""
BEFORE_SECONDS = 1.0
"""A hold was there before anybody met it; who had a second left when it began has one when it is over."""
_throttle = LogThrottle(seconds=60)
_NOTE = """
INSERT INTO matches_hold (match_id, began_at) VALUES ($1, clock_timestamp() - make_interval(secs => $2))
ON CONFLICT (match_id) WHERE ended_at IS NULL DO UPDATE SET began_at = least(matches_hold.began_at, excluded.began_at)
"""
_OPEN = "SELECT match_id FROM matches_hold WHERE ended_at IS NULL ORDER BY id LIMIT $1"


@contextmanager
def noted(match_id: UUID, since: float | None = None) -> Iterator[None]:
    """Note a hold where what is done here has waited for the match in vain; the error goes on its way.

    It has lasted from `since` on, by this process's monotonic clock, or from the beginning of the wait.
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
    """The matches that nobody has reached yet since a hold began, the longest held first."""
    (rows,) = roundtrip(raw_connection(), [(_OPEN, (most,))])
    return [match_id for (match_id,) in rows]


def _note(match_id: UUID, seconds: float) -> None:
    try:
        roundtrip(idle_connection(), [(_NOTE, (match_id, seconds))])
    except (*database_errors.ERRORS, RuntimeError) as error:
        if _throttle.is_due():
            log.warning("hold_not_noted", match=str(match_id), error=type(error).__name__)
