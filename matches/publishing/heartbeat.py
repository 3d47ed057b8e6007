"""Heartbeats of the service's own processes, for the readiness page, by the database's clock."""

import threading
import time
from datetime import datetime
from typing import NamedTuple

import structlog
from django.db import connections

from events import database_errors
from events.log_throttle import LogThrottle
from events.pipeline import roundtrip
from events.store import raw_connection

WORKER, BEAT = "worker", "beat"
"""The processes with heartbeats: a worker beats when it runs a tick, beat while it runs."""

_throttle = LogThrottle(seconds=60)
log = structlog.get_logger(__name__)

_BEAT = """
INSERT INTO matches_heartbeat (part, beaten_at) VALUES ($1, clock_timestamp())
ON CONFLICT (part) DO UPDATE SET beaten_at = excluded.beaten_at
"""
_LOOK = "SELECT part, beaten_at, extract(epoch FROM clock_timestamp() - beaten_at)::float8 FROM matches_heartbeat"


class Heartbeat(NamedTuple):
    """A part's last heartbeat: its instant and its age in seconds."""

    at: datetime
    seconds: float


def beat(part: str) -> None:
    """Record that this part is alive; a failure is logged and raises nothing."""
    try:
        roundtrip(raw_connection(), [(_BEAT, (part,))])
    except database_errors.ERRORS as error:
        if _throttle.is_due():
            log.warning("heartbeat_lost", error=type(error).__name__)


def last() -> dict[str, Heartbeat]:
    """Return the last heartbeat of each part."""
    (rows,) = roundtrip(raw_connection(), [(_LOOK, ())])
    return {part: Heartbeat(at, seconds) for part, at, seconds in rows}


def keep_beating(part: str) -> None:
    """Beat once a second from now on, in a thread."""
    threading.Thread(target=_keep_beating, args=(part,), name="heartbeat", daemon=True).start()


def _keep_beating(part: str) -> None:
    while True:
        beat(part)
        # Return the connection to the pool.
        connections.close_all()
        time.sleep(1)
