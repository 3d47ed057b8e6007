"""Outages: while nobody could reach the house, no clock should have run; the time is given back.

Every process that lets people in says so once a second in one row. Two beats that lie more than
`settings.OUTAGE_SECONDS` apart, by the database's clock, leave an outage between them: the service or its database was
away. A match on a running clock is credited with it by an event, before anything else happens to it.
"""

import math
import threading
import time
from datetime import UTC, datetime
from typing import NamedTuple

import psycopg
import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections

from events.chain import instant
from events.complaints import Complaints
from events.roundtrip import roundtrip
from events.store import raw_connection
from matches import clocks
from matches.folded import Folded
from matches.happenings import TimeCredited

log = structlog.get_logger(__name__)

AWAY = (psycopg.Error, DatabaseError, InterfaceError)
"""What a database that is away raises."""

_complaints = Complaints(seconds=60)
_MOMENT = 0.1

_BEAT = """
WITH before AS (SELECT beaten_at FROM matches_pulse WHERE id = 1 FOR UPDATE),
     beat AS (
        INSERT INTO matches_pulse (id, beaten_at) VALUES (1, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET beaten_at = excluded.beaten_at RETURNING beaten_at
     )
INSERT INTO matches_outage (began_at, ended_at)
SELECT before.beaten_at, beat.beaten_at FROM before, beat
WHERE beat.beaten_at - before.beaten_at > make_interval(secs => $1)
"""
_LOOK = """
SELECT extract(epoch FROM clock_timestamp() - (SELECT beaten_at FROM matches_pulse WHERE id = 1))::float8,
       newest, extract(epoch FROM clock_timestamp() - newest)::float8
FROM (SELECT max(ended_at) AS newest FROM matches_outage) outages
"""
_SINCE = """
SELECT coalesce(sum(extract(epoch FROM ended_at - greatest(began_at, $1))), 0)::float8,
       min(greatest(began_at, $1)), max(ended_at)
FROM matches_outage WHERE ended_at > $1
"""


class _Known:
    """What this process knows of outages: the end of the newest one, and when it looked, by its own clock."""

    def __init__(self) -> None:
        self.looked_at = -math.inf
        self.newest: datetime | None = None
        self.lets_people_in = False


_known = _Known()


class Silence(NamedTuple):
    """How many seconds ago a door last said that it was open (None: none ever did), and the newest outage ended."""

    seconds: float | None
    newest: datetime | None
    newest_seconds: float | None

    @property
    def is_outage(self) -> bool:
        """Whether nobody can be in the house now, so that no flag may fall."""
        return self.seconds is not None and self.seconds > settings.OUTAGE_SECONDS


def look() -> Silence:
    """Ask the database whether the house is open, and how the newest outage ended."""
    ((row,),) = roundtrip(raw_connection(), [(_LOOK, ())])
    silence = Silence(*row)
    _known.newest, _known.looked_at = silence.newest, time.monotonic()
    return silence


def beat() -> Silence:
    """Say that people can come in, and look; a silence that was too long becomes an outage."""
    roundtrip(raw_connection(), [(_BEAT, (float(settings.OUTAGE_SECONDS),))])
    return look()


def keep_beating() -> None:
    """This process lets people in: beat now, before the first of them, and once a second from now on."""
    _known.lets_people_in = True
    _beat_or_complain()
    threading.Thread(target=_beat_for_ever, name="outage", daemon=True).start()


def be_current() -> None:
    """Make sure that an outage which has just ended is known, before a clock is read."""
    if time.monotonic() - _known.looked_at > settings.OUTAGE_SECONDS / 2:
        be_sure()


def be_sure() -> Silence:
    """Know of an outage that has ended only now: a machine that slept wakes with its clock hours ahead, and a request
    may come before the next beat."""
    return beat() if _known.lets_people_in else look()


def owed_to(folded: Folded) -> TimeCredited | None:
    """The credit that a match's running clocks are still owed, None where there is none."""
    newest, began = _known.newest, clocks.began(folded.clocks)
    if newest is None or began is None:
        return None
    # A turn that begins when the match opens loses nothing to what was before.
    since = instant(max(folded.at, began))
    if newest <= since:
        return None
    ((row,),) = roundtrip(raw_connection(), [(_SINCE, (since,))])
    seconds, first, last = row
    # The act that found an outage out, and gave it back, is dated a moment before its end.
    if seconds < _MOMENT:
        return None
    reason = f"The service was away from {_told(first)} to {_told(last)}."
    return TimeCredited(seconds=math.ceil(seconds), reason=reason)


def _told(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _beat_for_ever() -> None:
    while True:
        time.sleep(1)
        _beat_or_complain()


def _beat_or_complain() -> None:
    try:
        beat()
    except AWAY as error:
        if _complaints.is_due():
            log.warning("beat_lost", error=type(error).__name__)
    finally:
        # The thread that serves gets the connection back to the pool.
        connections.close_all()
