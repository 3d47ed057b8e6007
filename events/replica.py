"""A read replica for long reads that may be slightly out of date: exports of records, rebuilds, searches of the panel.

Views don't read from it, because they would show missing events as never having happened. Rows of a stream come from
the replica if it holds the right hash at the version asked for, which proves all of the stream's history up to there.
Rows that it lacks are read from the primary, and so is everything while the replica is unavailable.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from events import store
from events.answering import answered_within
from events.database_errors import ERRORS, is_away
from events.log_throttle import LogThrottle
from events.records import Point, Recorded

log = structlog.get_logger(__name__)

ALIAS = "replica"
_PRIMARY = "SELECT pg_current_wal_lsn(), clock_timestamp()"
_REPLICA = """
SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= %s::pg_lsn,
       greatest(extract(epoch FROM %s - pg_last_xact_replay_timestamp()), 0)::float8
"""
_NEWEST = "SELECT stream, version, hash FROM events_event ORDER BY at DESC LIMIT 1"
_PAGE = 2000
_CACHED_SECONDS = 1.0
_ANSWER_SECONDS = 2.0
_PATIENCE_SECONDS = 20.0
_UNUSED_SECONDS = 10.0
"""For how long a replica isn't queried again that was unavailable, too far behind or of another history."""

_Result = TypeVar("_Result")
_throttle = LogThrottle(seconds=60)


class Standing(NamedTuple):
    """The state of the replica: `serves` is True if it is to be used now, `seconds` is how far it is behind."""

    serves: bool
    seconds: float


class _CachedState:
    """The last known state of the replica, and until when it is used, by this process's monotonic clock."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.until = 0.0
        self.standing = Standing(False, 0.0)


_cached = _CachedState()


def standing() -> Standing:
    """Return the present state of the replica; not in use if there is none."""
    if ALIAS not in settings.DATABASES:
        return Standing(False, 0.0)
    with _cached.lock:
        if time.monotonic() >= _cached.until:
            _cached.standing = _query_state()
            _cached.until = time.monotonic() + (_CACHED_SECONDS if _cached.standing.serves else _UNUSED_SECONDS)
        return _cached.standing


def search(search_in: Callable[[str], _Result]) -> _Result:
    """Return the result of `search_in` for a database alias: the replica if it is usable, else the primary."""
    if standing().serves:
        try:
            with answered_within(_connection(), _PATIENCE_SECONDS):
                return search_in(ALIAS)
        except ERRORS as error:
            # A query that takes too long on the replica is not repeated on the primary.
            if not is_away(error):
                raise
            _stop_using(error)
    return search_in(DEFAULT_DB_ALIAS)


def pages(stream: UUID, upto: Point) -> Iterator[list[Recorded]]:
    """Yield a stream's rows, in pages, up to a point that the stream holds."""
    version, has_them = 0, _holds(stream, upto)
    while has_them and version < upto.version:
        rows = _page(stream, version, upto.version)
        if not rows:
            break
        yield rows
        version = rows[-1].version
    if version < upto.version:
        yield from store.read_in_pages(stream, after=version)


@contextmanager
def reading(stream: UUID) -> Iterator[None]:
    """Within this block, `store.read` takes a stream's rows up to its present head from the replica, and later rows
    from the primary."""
    head = store.head(stream)
    if head is None or not _holds(stream, Point(head.version, head.hash)):
        yield
        return
    token = store.earlier.set(store.Earlier(stream, head.version, _read))
    try:
        yield
    finally:
        store.earlier.reset(token)


def _read(read_from: Callable[[psycopg.Connection[Any]], list[Recorded]]) -> list[Recorded] | None:
    """Return the result from the replica; None if it is unavailable."""
    if not standing().serves:
        return None
    try:
        connection = _connection()
        with answered_within(connection, _PATIENCE_SECONDS):
            return read_from(connection)
    except ERRORS as error:
        _stop_using(error)
        return None


def _stop_using(error: BaseException) -> None:
    """Query the primary for a while, after the replica failed during a query."""
    connections[ALIAS].close()
    with _cached.lock:
        _cached.standing, _cached.until = Standing(False, 0.0), time.monotonic() + _UNUSED_SECONDS
    _warn("away", error=type(error).__name__)


def _page(stream: UUID, after: int, upto: int) -> list[Recorded] | None:
    return _read(lambda connection: store.read(stream, after=after, upto=upto, limit=_PAGE, connection=connection))


def _holds(stream: UUID, point: Point) -> bool:
    """True if the replica holds this event of the stream, and so the same history up to it."""
    rows = _read(
        lambda connection: store.read(stream, after=point.version - 1, upto=point.version, connection=connection)
    )
    return bool(rows) and rows[0].hash == point.hash  # type: ignore[index]


def _connection() -> psycopg.Connection[Any]:
    return store.connection_of(connections[ALIAS])


def _query_state() -> Standing:
    primary_lsn, now = _row(store.raw_connection(), _PRIMARY)
    try:
        replica = _connection()
        with answered_within(replica, _ANSWER_SECONDS):
            is_caught_up, seconds = _row(replica, _REPLICA, primary_lsn, now)
            newest = _row(replica, _NEWEST)
    except ERRORS as error:
        connections[ALIAS].close()
        _warn("away", error=type(error).__name__)
        return Standing(False, 0.0)
    behind = 0.0 if is_caught_up or seconds is None else seconds
    if behind > settings.REPLICA_SECONDS:
        _warn("behind", seconds=round(behind))
        return Standing(False, behind)
    if newest and not _is_of_the_log(*newest):
        _warn("of another history", stream=str(newest[0]), version=newest[1])
        return Standing(False, behind)
    return Standing(True, behind)


def _is_of_the_log(stream: UUID, version: int, hash: bytes) -> bool:
    """True if the primary holds this event. A replica may follow a server that a failover has left behind."""
    rows = store.read(stream, after=version - 1, upto=version)
    return bool(rows) and rows[0].hash == hash


def _row(connection: psycopg.Connection[Any], query: str, *values: Any) -> Any:
    return connection.execute(query.encode(), values or None).fetchone()


def _warn(reason: str, **more: Any) -> None:
    if _throttle.is_due(reason):
        log.warning("replica_left", how=reason, **more)
