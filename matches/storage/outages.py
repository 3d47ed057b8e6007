"""Outages: while nobody can reach the service no clock should run, so the time is given back.

Every web process writes a beat into one row once a second. If two beats are more than `settings.OUTAGE_SECONDS` apart
by the database's clock, there was an outage between them: the service or its database was away. A match with a running
clock gets a credit for it, as an event before any other. The same applies to a match that alone was unreachable, for
the time of its holds.

Each beat also sends what `settling` reports about waiting commands.
"""

import atexit
import math
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from events import distribution
from events.chain import instant
from events.log_throttle import LogThrottle
from events.pipeline import Statement, roundtrip
from events.store import raw_connection
from matches.domain import clocks
from matches.domain.events import TimeCredited
from matches.domain.match_state import MatchState
from matches.storage import settling
from matches.storage.settling import SETTLED

log = structlog.get_logger(__name__)

AWAY = (psycopg.Error, DatabaseError, InterfaceError)
"""Exceptions raised when the database is away."""

_throttle = LogThrottle(seconds=60)
_MOMENT = 0.1
_SHORTEST_SECONDS = 0.1
_TAIL_SECONDS = 1.0

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
_SILENCE = f"""
SELECT extract(epoch FROM clock_timestamp() - (SELECT beaten_at FROM matches_pulse WHERE id = 1))::float8,
       newest, extract(epoch FROM clock_timestamp() - newest)::float8,
       greatest(last_held, CASE WHEN is_held THEN clock_timestamp() END), is_held, {SETTLED}, clock_timestamp()
FROM (SELECT max(ended_at) AS newest FROM matches_outage) outages,
     (SELECT max(ended_at) AS last_held FROM matches_hold) holds,
     (SELECT EXISTS (SELECT FROM matches_hold WHERE ended_at IS NULL) AS is_held) open_holds
"""  # noqa: S608  (a piece of the statement)
# As _LOOK, including the outages of single nodes, by the shards stored there.
_SILENCE_OF_NODES = f"""
SELECT extract(epoch FROM clock_timestamp() - (SELECT beaten_at FROM matches_pulse WHERE id = 1))::float8,
       newest, extract(epoch FROM clock_timestamp() - newest)::float8,
       greatest(last_held, CASE WHEN is_held THEN clock_timestamp() END), is_held, {SETTLED}, clock_timestamp()
FROM (SELECT max(ended_at) AS newest FROM matches_outage) outages,
     (SELECT greatest((SELECT max(ended_at) FROM matches_hold), (SELECT max(ended_at) FROM matches_nodeoutage))
         AS last_held) holds,
     (SELECT EXISTS (SELECT FROM matches_hold WHERE ended_at IS NULL)
         OR EXISTS (SELECT FROM matches_nodeoutage WHERE ended_at IS NULL) AS is_held) open_holds
"""  # noqa: S608  (a piece of the statement)
_REACH = "UPDATE matches_hold SET ended_at = clock_timestamp() WHERE match_id = $1 AND ended_at IS NULL"
# An outage and a hold may overlap. Time after the instant of the act is credited by the next act.
_SINCE = """
WITH span AS (
    SELECT unnest(range_agg(tstzrange(greatest(began_at, $1), least(ended_at, $2)))) AS away FROM (
        SELECT began_at, ended_at FROM matches_outage WHERE ended_at > $1 AND began_at < $2
        UNION ALL
        SELECT began_at, coalesce(ended_at, 'infinity') FROM matches_hold
        WHERE match_id = $3 AND coalesce(ended_at, 'infinity') > $1 AND began_at < $2
    ) spans
)
SELECT coalesce(sum(extract(epoch FROM upper(away) - lower(away))), 0)::float8, min(lower(away)), max(upper(away)),
       EXISTS (SELECT FROM matches_outage WHERE ended_at > $1 AND began_at < $2)
FROM span
"""
_OF_HOLDS = """
        WHERE match_id = $3 AND coalesce(ended_at, 'infinity') > $1 AND began_at < $2
"""
_SINCE_WITH_NODES = _SINCE.replace(
    _OF_HOLDS,
    f"""{_OF_HOLDS}
        UNION ALL
        SELECT began_at, coalesce(ended_at, 'infinity') FROM matches_nodeoutage
        WHERE shard = get_shard_id_for_distribution_column('matches_deadline', $3::uuid)
            AND coalesce(ended_at, 'infinity') > $1 AND began_at < $2
""",  # noqa: S608  (a piece of the statement)
)


class _CachedOutages:
    """The newest outage and hold that this process has loaded, when it loaded them, and when its last beat was
    committed, by its monotonic clock."""

    def __init__(self) -> None:
        self.read_at = -math.inf
        self.newest: datetime | None = None
        self.held: datetime | None = None
        self.is_held = False
        self.is_web_process = False
        self.beaten_at = 0.0


_cached = _CachedOutages()


class Silence(NamedTuple):
    """The result of `load_silence`: seconds since the last beat of any process (None without any) and since the end
    of the newest outage; when a match was last held, and whether one is now; the instant until which all web
    processes have settled (None if none runs); the database's clock."""

    seconds: float | None
    newest: datetime | None
    newest_seconds: float | None
    held: datetime | None = None
    is_held: bool = False
    settled: datetime | None = None
    clock: datetime | None = None

    @property
    def is_outage(self) -> bool:
        """True during an outage, when no flag may fall."""
        return self.seconds is not None and self.seconds > settings.OUTAGE_SECONDS


def load_silence(connection: psycopg.Connection[Any] | None = None) -> Silence:
    """Load the last beat, the newest outage and whether a match is held."""
    ((row,),) = roundtrip(
        connection or raw_connection(), [(_SILENCE_OF_NODES if distribution.is_distributed() else _SILENCE, ())]
    )
    silence = Silence(*row)
    _cached.newest, _cached.read_at = silence.newest, time.monotonic()
    _cached.held, _cached.is_held = silence.held, silence.is_held
    settling.note(silence.settled, silence.clock)
    return silence


def beat(connection: psycopg.Connection[Any] | None = None) -> Silence:
    """Write a beat, and load what `load_silence` does. A gap between beats that is too long becomes an outage."""
    settled = settling.settle() if _cached.is_web_process else []
    roundtrip(connection or raw_connection(), [(_BEAT, (float(settings.OUTAGE_SECONDS),)), *settled])
    _cached.beaten_at = time.monotonic()
    return load_silence(connection)


def unacknowledged() -> float | None:
    """Return for how many seconds no beat of this process was committed, though it tries each second; None if it
    doesn't beat. A commit may wait for a frozen standby while reads still work."""
    return time.monotonic() - _cached.beaten_at if _cached.is_web_process else None


def keep_beating() -> None:
    """Beat now, before this process serves its first request, and then once a second."""
    _cached.is_web_process, _cached.beaten_at = True, time.monotonic()
    pulse = _Pulse()
    _execute_once(settling.enter())
    pulse.try_beat()
    threading.Thread(target=pulse.beat_for_ever, name="outage", daemon=True).start()
    atexit.register(_execute_once, settling.remove())


def refresh_if_stale() -> None:
    """Load an outage that may just have ended, before a clock is read; no query if the last one is recent."""
    if not is_current():
        refresh()


def is_current() -> bool:
    """True if an outage that has just ended would be loaded. No query."""
    return time.monotonic() - _cached.read_at <= settings.OUTAGE_SECONDS / 2


def may_concern(match_state: MatchState, at: int) -> bool:
    """True if a match may be owed a credit at an instant (microseconds), or a hold is open. No query."""
    return _cached.is_held or _span(match_state, at) is not None


def refresh() -> Silence:
    """Load the outages now. A machine that slept wakes with its clock hours ahead, and a request may come before the
    next beat."""
    return beat() if _cached.is_web_process else load_silence()


def owed_to(match_id: UUID, match_state: MatchState, at: int) -> TimeCredited | None:
    """Return the credit that a match's running clocks are owed at an instant, in microseconds; None without any."""
    span = _span(match_state, at)
    if span is None:
        return None
    ((row,),) = roundtrip(raw_connection(), [(_since(), (*span, match_id))])
    seconds, first, last, of_the_service = row
    # The act that credited an outage or a hold is dated before its end, by the time the act took. So the rest of an
    # outage that began before the last act counts only from one second on, as a wait for a lock does.
    if seconds < (_TAIL_SECONDS if first == instant(match_state.at) else _MOMENT):
        return None
    cause = "The service was away" if of_the_service else "This match could not be reached"
    return TimeCredited(seconds=math.ceil(seconds), reason=f"{cause} from {_in_utc(first)} to {_in_utc(last)}.")


def _span(match_state: MatchState, at: int) -> tuple[datetime, datetime] | None:
    """Return the time before an instant for which a credit may be owed."""
    began = clocks.began(match_state.clocks)
    if began is None:
        return None
    # A turn that begins when the match opens isn't affected by earlier outages.
    since, until = instant(max(match_state.at, began)), instant(at)
    return None if until <= since or not _may_be_owed(since) else (since, until)


def close_hold_sql(match_id: UUID) -> list[Statement]:
    """Return the statement that closes the match's hold, if one may be open. Run it last, with all locks held."""
    return [(_REACH, (match_id,))] if _cached.is_held else []


def _may_be_owed(since: datetime) -> bool:
    return any(ended is not None and ended > since for ended in (_cached.newest, _cached.held))


def taken_since(match_id: UUID, since: int, until: int) -> int:
    """Return how long the match was unreachable between two instants; all in microseconds."""
    began, ended = instant(since), instant(until)
    if ended <= began or not _may_be_owed(began):
        return 0
    ((row,),) = roundtrip(raw_connection(), [(_since(), (began, ended, match_id))])
    return math.ceil(row[0] * 1_000_000)


def _since() -> str:
    return _SINCE_WITH_NODES if distribution.is_distributed() else _SINCE


def _in_utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


class _Pulse:
    """Beats on its own connection, because all of the pool's may be waiting for one match's lock."""

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] | None = None
        self._next_flag: float | None = None

    def beat_for_ever(self) -> None:
        """Beat once a second, and once more when a flag is to fall."""
        while True:
            time.sleep(self._until_next())
            self.try_beat()

    def _until_next(self) -> float:
        """Return the seconds until the next beat: one, or fewer if a flag falls earlier."""
        flag = self._next_flag
        return 1.0 if flag is None else min(1.0, max(_SHORTEST_SECONDS, flag + settling.SETTLING_SECONDS))

    def try_beat(self) -> None:
        """Beat; a connection that fails is replaced at the next beat."""
        try:
            if self._connection is None:
                login = settings.DATABASE_LOGINS.app
                self._connection = psycopg.connect(login, autocommit=True, connect_timeout=5)
            beat(self._connection)
            self._next_flag = None
            if not distribution.is_distributed():
                (((self._next_flag,),),) = roundtrip(
                    self._connection, [(settling.NEXT_FLAG, (settling.SETTLING_SECONDS,))]
                )
        except AWAY as error:
            self.stop()
            if _throttle.is_due():
                log.warning("beat_lost", error=type(error).__name__)

    def stop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _execute_once(statement: Statement) -> None:
    login = settings.DATABASE_LOGINS.app
    with suppress(*AWAY), psycopg.connect(login, autocommit=True, connect_timeout=5) as connection:
        roundtrip(connection, [statement])
