"""The event store: a transaction on one stream, and reads in version order.

`events.writer` is the other way to append: one statement for many streams, with commands that an event loop decided
from memory.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple, Self
from uuid import UUID

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections

from events import archived, chain, estimated_clock
from events.appending import Sealed, SealedCommand, commit, sealed
from events.pipeline import Exchange, Statement, array, finish_pending, roundtrip, succeed_pending
from events.records import Head, NewEvent, Outcome, Recorded, StreamClosed, StreamConflict

_ENTER = "SELECT * FROM events_enter($1, $2, $3, $4)"
_HEAD = "SELECT version, hash, closed FROM events_head WHERE stream = $1"
_HEADS = "SELECT stream, version, hash, closed FROM events_head WHERE stream = ANY($1)"
_READ = """
SELECT version, type, schema, public, secret, audience, salt, actor, at, hash FROM events_event
WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT $4
"""
_READ_AT = """
SELECT version, type, schema, public, secret, audience, salt, actor, at, hash FROM events_event
WHERE stream = $1 AND version = ANY($2) ORDER BY version
"""
_OUTCOME = "SELECT fingerprint, version, response FROM events_key WHERE stream = $1 AND actor = $2 AND key = $3"
_KEYS = "SELECT key FROM events_key WHERE stream = $1 AND actor = $2 AND key = ANY($3)"
_MOVED = "SELECT stream, max(version) FROM events_event WHERE at > $1 GROUP BY stream"
# Events that are only in the archive have been there for days.
_AGED = """
SELECT coalesce(
    (SELECT version FROM events_event WHERE stream = $1 AND at <= clock_timestamp() - $2 * interval '1 second'
        ORDER BY version DESC LIMIT 1),
    (SELECT last_version FROM events_archived WHERE stream = $1 ORDER BY last_version DESC LIMIT 1),
    0)
"""
# An append also changes other rows, which may be locked while the stream is free. Without `wait`, no lock is waited
# for.
_IN_A_HURRY = ("SET LOCAL lock_timeout = '50ms'", ())
_NO_HEAD = Head(0, chain.GENESIS, closed=False)
LAST_VERSION = 2**31 - 1
"""A bound above every version."""


class Earlier(NamedTuple):
    """Another source for rows of a stream up to a version. `read` calls its argument with a connection and returns the
    result, or None if that source is unavailable."""

    stream: UUID
    version: int
    read: Callable[[Callable[[psycopg.Connection[Any]], list[Recorded]]], list[Recorded] | None]


earlier: ContextVar[Earlier | None] = ContextVar("earlier", default=None)
"""The other source while a whole stream is read; see `events.replica`."""


def raw_connection() -> psycopg.Connection[Any]:
    """Return the psycopg connection that Django holds for this thread; replace a broken one."""
    return connection_of(connections[DEFAULT_DB_ALIAS])


def connection_of(wrapper: Any) -> psycopg.Connection[Any]:
    """Return the psycopg connection of a Django connection; replace a broken one."""
    if wrapper.connection is not None and wrapper.connection.closed:
        wrapper.close()
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    raw: psycopg.Connection[Any] = wrapper.connection
    succeed_pending(raw)
    return raw


def idle_connection() -> psycopg.Connection[Any]:
    """Return the thread's connection if no transaction is open on it; else raise RuntimeError."""
    wrapper = connections[DEFAULT_DB_ALIAS]
    if wrapper.in_atomic_block:
        raise RuntimeError("The store commits by itself; call it outside transaction.atomic.")
    connection = connection_of(wrapper)
    if not _is_idle(connection):
        raise RuntimeError("This thread has a stream transaction open already; one transaction holds one stream.")
    return connection


def roll_back(connection: psycopg.Connection[Any]) -> None:
    """End the transaction that is open on a connection, if any."""
    finish_pending(connection)
    if not connection.closed and not _is_idle(connection):
        connection.execute("ROLLBACK")


def _is_idle(connection: psycopg.Connection[Any]) -> bool:
    return connection.pgconn.transaction_status == psycopg.pq.TransactionStatus.IDLE


class StreamTransaction:
    """A transaction on one stream, with the stream's head locked so that nothing else is appended until it ends.

    Entering reads the database's clock as `arrived_at` before it waits for the lock, then reads the head and, for a
    `key`, the outcome already stored under it. `append` commits; leaving without an append rolls back. Without `wait`,
    a locked stream looks like one without a head, and the transaction waits for no lock.

    Entering sends the query without waiting for the result, which is read with the first of these properties. The
    caller can compute meanwhile.
    """

    def __init__(self, stream: UUID, *, actor: str, key: str | None = None, wait: bool = True) -> None:
        self.stream = stream
        self.actor = actor
        self._key = key
        self._wait = wait
        self._answer: tuple[datetime, Head | None, Outcome | None] | None = None
        self._head: Head | None = None

    def __enter__(self) -> Self:
        self._connection = idle_connection()
        entering = (_ENTER, (self.stream, self.actor, self._key, self._wait))
        beginning = [("BEGIN", ())] if self._wait else [("BEGIN", ()), _IN_A_HURRY]
        self._entering = Exchange(self._connection, [*beginning, entering])
        return self

    def _entered(self) -> tuple[datetime, Head | None, Outcome | None]:
        if self._answer is None:
            *_, ((arrived_at, version, hash, closed, fingerprint, reached, response),) = self._entering.results()
            estimated_clock.record_reading(arrived_at)
            head = Head(version, hash, closed) if version is not None else None
            outcome = Outcome(fingerprint, reached, response) if reached is not None else None
            self._answer = arrived_at, head, outcome
        return self._answer

    @property
    def arrived_at(self) -> datetime:
        """The database's clock when the transaction was entered, or the earlier instant given to `date_back`."""
        return self._entered()[0]

    def date_back(self, arrived_at: datetime) -> None:
        """Append as of an earlier instant: the arrival of a request that has waited since."""
        entered_at, head, outcome = self._entered()
        self._answer = min(arrived_at, entered_at), head, outcome

    @property
    def head(self) -> Head | None:
        """The head of the locked stream; None for a stream that doesn't exist yet."""
        return self._head or self._entered()[1]

    @property
    def stored_outcome(self) -> Outcome | None:
        """The outcome stored under the idempotency key, if any."""
        return self._entered()[2]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        roll_back(self._connection)

    @property
    def version(self) -> int:
        """The stream's version in this transaction; 0 for a stream that doesn't exist yet."""
        return self.head.version if self.head else 0

    def append(
        self,
        events: Sequence[NewEvent],
        *,
        expected: int,
        fingerprint: bytes | None = None,
        response: Callable[[Sequence[Recorded]], bytes | None] | None = None,
        closed: bool = False,
        also: Sequence[Statement] = (),
    ) -> list[Recorded]:
        """Append all events of one command after version `expected`, and commit.

        Raise StreamConflict or StreamClosed. With a key, store `fingerprint` and the result of `response(rows)` for
        retries. `also` are statements for the same transaction and round trip.
        """
        if self.head is not None and self.head.closed:
            raise StreamClosed(f"Stream {self.stream} is closed.")
        if self.version != expected:
            raise StreamConflict(self.stream, expected)
        rows = sealed(events, self.head, stream=self.stream, actor=self.actor, at=self.arrived_at)
        answer = response(rows) if response else None
        command = SealedCommand(
            self.stream, self.head or _NO_HEAD, self.actor, self._key, fingerprint, Sealed(rows, answer), closing=closed
        )
        commit(self._connection, command, also)
        self._head = Head(rows[-1].version, rows[-1].hash, closed)
        return rows

    def run(self, *statements: Statement) -> list[list[tuple[Any, ...]]]:
        """Run other statements of the same transaction in one round trip, and return their rows."""
        return roundtrip(self._connection, statements)

    def commit(self) -> None:
        """Commit the changes of `run` when nothing is appended."""
        roundtrip(self._connection, [("COMMIT", ())])


def head(stream: UUID) -> Head | None:
    """Return the stream's head now; None for a stream that doesn't exist."""
    ((*rows,),) = roundtrip(raw_connection(), [(_HEAD, (stream,))])
    return Head._make(rows[0]) if rows else None


def heads(streams: Iterable[UUID]) -> dict[UUID, Head]:
    """Return the present heads of these streams, without streams that don't exist."""
    (rows,) = roundtrip(raw_connection(), [(_HEADS, (array(map(str, streams)),))])
    return {stream: Head(*head) for stream, *head in rows}


def stored_under(stream: UUID, actor: str, key: str) -> Outcome | None:
    """Return the outcome stored under an actor's key, if any; wait for no lock."""
    ((*rows,),) = roundtrip(raw_connection(), [(_OUTCOME, (stream, actor, key))])
    return Outcome._make(rows[0]) if rows else None


def keys_stored(stream: UUID, actor: str, keys: Sequence[str]) -> set[str]:
    """Return those of these keys under which a command of this actor is stored."""
    ((*rows,),) = roundtrip(raw_connection(), [(_KEYS, (stream, actor, array(keys)))])
    return {key for (key,) in rows}


def clock() -> datetime:
    """Return the present time of the database's clock."""
    (((now,),),) = roundtrip(raw_connection(), [("SELECT clock_timestamp()", ())])
    estimated_clock.record_reading(now)
    return now


def aged(stream: UUID, seconds: int) -> int:
    """Return the newest version of a stream that is at least `seconds` old by the database's clock; 0 if there is
    none."""
    (((version,),),) = roundtrip(raw_connection(), [(_AGED, (stream, seconds))])
    return int(version)


def moved_since(at: datetime) -> dict[UUID, int]:
    """Return the streams with events after an instant, and the newest version of each."""
    (rows,) = roundtrip(raw_connection(), [(_MOVED, (at,))])
    return dict(rows)


def read(
    stream: UUID, *, after: int = 0, upto: int | None = None, limit: int | None = None,
    connection: psycopg.Connection[Any] | None = None,
) -> list[Recorded]:  # fmt: skip
    """Return at most `limit` events of a stream with versions above `after` and up to `upto`, ascending. Events that
    the log no longer holds come from the archive.

    Raise ArchiveUnavailable.
    """
    other_source = earlier.get()
    if connection is None and other_source is not None and _reaches(other_source, stream, after, upto, limit):
        last = min(other_source.version, LAST_VERSION if upto is None else upto)
        if (rows := other_source.read(lambda it: _rows(it, stream, after, last, limit))) is not None:
            return rows
    return _rows(connection or raw_connection(), stream, after, LAST_VERSION if upto is None else upto, limit)


def _reaches(other_source: Earlier, stream: UUID, after: int, upto: int | None, limit: int | None) -> bool:
    """True if the other source can serve the request. A reader of pages asks again for the events after its last
    version."""
    is_before = after < other_source.version if limit is not None else upto is not None and upto <= other_source.version
    return stream == other_source.stream and is_before


def _rows(
    connection: psycopg.Connection[Any], stream: UUID, after: int, upto: int, limit: int | None
) -> list[Recorded]:
    (rows,) = roundtrip(connection, [(_READ, (stream, after, upto, limit))])
    return archived.completed(connection, stream, list(map(Recorded._make, rows)), after, upto, limit)


def read_all(after: Mapping[UUID, int], *, limit: int) -> dict[UUID, list[Recorded]]:
    """Return the events of several streams, each above its version, ascending, at most `limit` per stream, in one round
    trip. Events that are only in the archive are missing."""
    queries = [(_READ, (stream, version, LAST_VERSION, limit)) for stream, version in after.items()]
    results = roundtrip(raw_connection(), queries)
    return {stream: list(map(Recorded._make, rows)) for stream, rows in zip(after, results, strict=True)}


def read_at(places: Mapping[UUID, Collection[int]]) -> dict[UUID, list[Recorded]]:
    """Return the events of several streams at these versions, ascending. The log is read in one round trip, each stream
    with archived events in one more.

    Raise ArchiveUnavailable.
    """
    queries = [(_READ_AT, (stream, array(versions))) for stream, versions in places.items()]
    results = roundtrip(raw_connection(), queries) if queries else []
    events = {stream: list(map(Recorded._make, rows)) for stream, rows in zip(places, results, strict=True)}
    for stream, versions in places.items():
        if len(events[stream]) < len(set(versions)):
            rows = read(stream, after=min(versions) - 1, upto=max(versions))
            events[stream] = [row for row in rows if row.version in versions]
    return events


def read_in_pages(
    stream: UUID, *, after: int = 0, page: int = 2000, connection: psycopg.Connection[Any] | None = None
) -> Iterator[list[Recorded]]:
    """Yield the whole stream in pages, so that a long one is never in memory at once."""
    while rows := read(stream, after=after, limit=page, connection=connection):
        yield rows
        after = rows[-1].version
