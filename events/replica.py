"""A read replica, for what is long and may be a moment old: records to take away, rebuilds, the panel's searches.

No view reads from it: what it lacks would be told as never having happened. Rows of a stream are taken from it where it
holds the stream's own hash at the version that is asked for, and so all of its history up to there; all that it lacks,
and everything where it is away, is read from the primary.
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
_KNOWN_SECONDS = 1.0
_ANSWER_SECONDS = 2.0
_PATIENCE_SECONDS = 20.0
_LEFT_SECONDS = 10.0
"""For how long one that is away, too late or of another history isn't asked again."""

_Found = TypeVar("_Found")
_throttle = LogThrottle(seconds=60)


class Standing(NamedTuple):
    """Whether the replica is to be used now, and how many seconds it is behind."""

    serves: bool
    seconds: float


class _Known:
    """What was last found out about it, and until when that holds, by this process's clock."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.until = 0.0
        self.standing = Standing(False, 0.0)


_known = _Known()


def standing() -> Standing:
    """How the replica stands now; not in use where there is none."""
    if ALIAS not in settings.DATABASES:
        return Standing(False, 0.0)
    with _known.lock:
        if time.monotonic() >= _known.until:
            _known.standing = _ask()
            _known.until = time.monotonic() + (_KNOWN_SECONDS if _known.standing.serves else _LEFT_SECONDS)
        return _known.standing


def search(look: Callable[[str], _Found]) -> _Found:
    """What `look` finds in the database that it is given: the replica while it is of use, else the primary."""
    if standing().serves:
        try:
            with answered_within(_connection(), _PATIENCE_SECONDS):
                return look(ALIAS)
        except ERRORS as error:
            # One that was too much for the replica isn't put to the primary.
            if not is_away(error):
                raise
            _give_up(error)
    return look(DEFAULT_DB_ALIAS)


def pages(stream: UUID, upto: Point) -> Iterator[list[Recorded]]:
    """A stream's rows up to a point that it holds, in pages."""
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
    """Within this, `store.read` takes earlier rows of a stream from the replica; where it began to end, from the
    primary."""
    head = store.head(stream)
    if head is None or not _holds(stream, Point(head.version, head.hash)):
        yield
        return
    token = store.earlier.set(store.Earlier(stream, head.version, _read))
    try:
        yield
    finally:
        store.earlier.reset(token)


def _read(ask: Callable[[psycopg.Connection[Any]], list[Recorded]]) -> list[Recorded] | None:
    """What the replica answers; None where it is away."""
    if not standing().serves:
        return None
    try:
        connection = _connection()
        with answered_within(connection, _PATIENCE_SECONDS):
            return ask(connection)
    except ERRORS as error:
        _give_up(error)
        return None


def _give_up(error: BaseException) -> None:
    """It has failed amid a question: for a while the primary is asked."""
    connections[ALIAS].close()
    with _known.lock:
        _known.standing, _known.until = Standing(False, 0.0), time.monotonic() + _LEFT_SECONDS
    _complain("away", error=type(error).__name__)


def _page(stream: UUID, after: int, upto: int) -> list[Recorded] | None:
    return _read(lambda connection: store.read(stream, after=after, upto=upto, limit=_PAGE, connection=connection))


def _holds(stream: UUID, point: Point) -> bool:
    """Whether the replica has come as far in this stream, and the same way."""
    rows = _read(
        lambda connection: store.read(stream, after=point.version - 1, upto=point.version, connection=connection)
    )
    return bool(rows) and rows[0].hash == point.hash  # type: ignore[index]


def _connection() -> psycopg.Connection[Any]:
    return store.connection_of(connections[ALIAS])


def _ask() -> Standing:
    here, now = _row(store.raw_connection(), _PRIMARY)
    try:
        replica = _connection()
        with answered_within(replica, _ANSWER_SECONDS):
            is_level, seconds = _row(replica, _REPLICA, here, now)
            newest = _row(replica, _NEWEST)
    except ERRORS as error:
        connections[ALIAS].close()
        _complain("away", error=type(error).__name__)
        return Standing(False, 0.0)
    behind = 0.0 if is_level or seconds is None else seconds
    if behind > settings.REPLICA_SECONDS:
        _complain("behind", seconds=round(behind))
        return Standing(False, behind)
    if newest and not _is_of_the_log(*newest):
        _complain("of another history", stream=str(newest[0]), version=newest[1])
        return Standing(False, behind)
    return Standing(True, behind)


def _is_of_the_log(stream: UUID, version: int, hash: bytes) -> bool:
    """Whether the primary holds this event: a replica may follow a server that a failover has left behind."""
    rows = store.read(stream, after=version - 1, upto=version)
    return bool(rows) and rows[0].hash == hash


def _row(connection: psycopg.Connection[Any], question: str, *values: Any) -> Any:
    return connection.execute(question.encode(), values or None).fetchone()


def _complain(how: str, **more: Any) -> None:
    if _throttle.is_due(how):
        log.warning("replica_left", how=how, **more)
