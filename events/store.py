"""The event store: a transaction on one stream, and reads in version order.

`events.writer` is the other way in: what an event loop has decided from memory, many streams in one statement.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple, Self
from uuid import UUID

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections

from events import archived, estimated_clock
from events.appending import commit, sealed
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
# What is in the archive alone has been there for days.
_AGED = """
SELECT coalesce(
    (SELECT version FROM events_event WHERE stream = $1 AND at <= clock_timestamp() - $2 * interval '1 second'
        ORDER BY version DESC LIMIT 1),
    (SELECT last_version FROM events_archived WHERE stream = $1 ORDER BY last_version DESC LIMIT 1),
    0)
"""
# Other rows that an append changes may be locked while the stream is free; with `wait` off none is waited for.
_IN_A_HURRY = ("SET LOCAL lock_timeout = '50ms'", ())
LAST_VERSION = 2**31 - 1
"""Above every version."""


class Earlier(NamedTuple):
    """Where rows of a stream up to a version may be read instead: `read` gives what such a connection answers, or None
    where there is none."""

    stream: UUID
    version: int
    read: Callable[[Callable[[psycopg.Connection[Any]], list[Recorded]]], list[Recorded] | None]


earlier: ContextVar[Earlier | None] = ContextVar("earlier", default=None)
"""Set while a whole stream is read that may be read elsewhere; see `events.replica`."""


def raw_connection() -> psycopg.Connection[Any]:
    """The psycopg connection that Django holds for this thread; a broken one is replaced."""
    return connection_of(connections[DEFAULT_DB_ALIAS])


def connection_of(wrapper: Any) -> psycopg.Connection[Any]:
    """The psycopg connection of a Django connection; a broken one is replaced."""
    if wrapper.connection is not None and wrapper.connection.closed:
        wrapper.close()
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    raw: psycopg.Connection[Any] = wrapper.connection
    succeed_pending(raw)
    return raw


def idle_connection() -> psycopg.Connection[Any]:
    """The thread's connection, on which no transaction is open."""
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
    """A transaction on one stream: it locks the stream's head, so that nobody else can append until it ends.

    Entering takes the database's clock as `arrived_at` before it waits for the lock, then the head and, for a
    `key`, the outcome already stored under it. `append` commits; leaving without it rolls back. With `wait` off a
    stream that somebody else has locked counts as one without a head, and no lock of the transaction is waited for.

    Entering sends the query and doesn't wait for its result, which is read with the first of these properties; the
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
        self._asked = Exchange(self._connection, [*beginning, entering])
        return self

    def _entered(self) -> tuple[datetime, Head | None, Outcome | None]:
        if self._answer is None:
            *_, ((arrived_at, version, hash, closed, fingerprint, reached, response),) = self._asked.results()
            estimated_clock.read_off(arrived_at)
            head = Head(version, hash, closed) if version is not None else None
            known = Outcome(fingerprint, reached, response) if reached is not None else None
            self._answer = arrived_at, head, known
        return self._answer

    @property
    def arrived_at(self) -> datetime:
        """The database's clock when the transaction was entered, or the earlier instant given to `date_back`."""
        return self._entered()[0]

    def date_back(self, arrived_at: datetime) -> None:
        """Append as of an earlier instant: that at which a request arrived which has waited since."""
        entered_at, head, known = self._entered()
        self._answer = min(arrived_at, entered_at), head, known

    @property
    def head(self) -> Head | None:
        """Where the stream stands while it is locked; None for a stream that doesn't exist yet."""
        return self._head or self._entered()[1]

    @property
    def known(self) -> Outcome | None:
        """The outcome stored under the idempotency key, if any."""
        return self._entered()[2]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        roll_back(self._connection)

    @property
    def version(self) -> int:
        """The stream's version as this transaction sees it; 0 for a stream that doesn't exist yet."""
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
        """Append all events of one command after version `expected` and commit.

        Raises StreamConflict or StreamClosed. With a key, `fingerprint` and what `response` makes of the rows are
        stored for the retry. `also` are statements of the same transaction and round trip.
        """
        if self.head is not None and self.head.closed:
            raise StreamClosed(f"Stream {self.stream} is closed.")
        if self.version != expected:
            raise StreamConflict(self.stream, expected)
        rows = sealed(events, self.head, stream=self.stream, actor=self.actor, at=self.arrived_at)
        answer = response(rows) if response else None
        commit(
            self._connection, self.stream, rows,
            closed=closed, key=self._key, fingerprint=fingerprint, answer=answer, also=also,
        )  # fmt: skip
        self._head = Head(rows[-1].version, rows[-1].hash, closed)
        return rows

    def run(self, *statements: Statement) -> list[list[tuple[Any, ...]]]:
        """Other statements of the same transaction, in one round trip."""
        return roundtrip(self._connection, statements)

    def commit(self) -> None:
        """Commit what `run` has changed, where nothing is appended."""
        roundtrip(self._connection, [("COMMIT", ())])


def head(stream: UUID) -> Head | None:
    """Where the stream stands now, or None for a stream that doesn't exist."""
    ((*rows,),) = roundtrip(raw_connection(), [(_HEAD, (stream,))])
    return Head._make(rows[0]) if rows else None


def heads(streams: Iterable[UUID]) -> dict[UUID, Head]:
    """Where these streams stand now, those that there are."""
    (rows,) = roundtrip(raw_connection(), [(_HEADS, (array(map(str, streams)),))])
    return {stream: Head(*head) for stream, *head in rows}


def stored_under(stream: UUID, actor: str, key: str) -> Outcome | None:
    """The outcome of an actor's command that is stored under this key, if any; waits for no lock."""
    ((*rows,),) = roundtrip(raw_connection(), [(_OUTCOME, (stream, actor, key))])
    return Outcome._make(rows[0]) if rows else None


def keys_stored(stream: UUID, actor: str, keys: Sequence[str]) -> set[str]:
    """Those of these keys under which a command of this actor is stored."""
    ((*rows,),) = roundtrip(raw_connection(), [(_KEYS, (stream, actor, array(keys)))])
    return {key for (key,) in rows}


def clock() -> datetime:
    """The database's clock at this moment."""
    (((now,),),) = roundtrip(raw_connection(), [("SELECT clock_timestamp()", ())])
    estimated_clock.read_off(now)
    return now


def aged(stream: UUID, seconds: int) -> int:
    """The newest version of a stream that is at least so many seconds old by the database's clock; 0 for none."""
    (((version,),),) = roundtrip(raw_connection(), [(_AGED, (stream, seconds))])
    return int(version)


def moved_since(at: datetime) -> dict[UUID, int]:
    """The streams with events after an instant, and the newest version of each."""
    (rows,) = roundtrip(raw_connection(), [(_MOVED, (at,))])
    return dict(rows)


def read(
    stream: UUID, *, after: int = 0, upto: int | None = None, limit: int | None = None,
    connection: psycopg.Connection[Any] | None = None,
) -> list[Recorded]:  # fmt: skip
    """The events of a stream with versions above `after` and at most `upto`, ascending, at most `limit` of them; from
    the archive those that the log has no more. Raises ArchiveUnavailable."""
    elsewhere = earlier.get()
    if connection is None and elsewhere is not None and _reaches(elsewhere, stream, after, upto, limit):
        least = min(elsewhere.version, LAST_VERSION if upto is None else upto)
        if (rows := elsewhere.read(lambda it: _rows(it, stream, after, least, limit))) is not None:
            return rows
    return _rows(connection or raw_connection(), stream, after, LAST_VERSION if upto is None else upto, limit)


def _reaches(elsewhere: Earlier, stream: UUID, after: int, upto: int | None, limit: int | None) -> bool:
    """Whether what is asked for lies before that version; who reads on in pages asks again for what comes after it."""
    is_before = after < elsewhere.version if limit is not None else upto is not None and upto <= elsewhere.version
    return stream == elsewhere.stream and is_before


def _rows(
    connection: psycopg.Connection[Any], stream: UUID, after: int, upto: int, limit: int | None
) -> list[Recorded]:
    (rows,) = roundtrip(connection, [(_READ, (stream, after, upto, limit))])
    return archived.completed(connection, stream, list(map(Recorded._make, rows)), after, upto, limit)


def read_all(after: Mapping[UUID, int], *, limit: int) -> dict[UUID, list[Recorded]]:
    """The events of several streams above a version of each, ascending, at most `limit` of a stream, in one round trip.
    What is in the archive alone is missing."""
    asked = [(_READ, (stream, version, LAST_VERSION, limit)) for stream, version in after.items()]
    found = roundtrip(raw_connection(), asked)
    return {stream: list(map(Recorded._make, rows)) for stream, rows in zip(after, found, strict=True)}


def read_at(places: Mapping[UUID, Collection[int]]) -> dict[UUID, list[Recorded]]:
    """The events of several streams at these versions, ascending, in one round trip, and more for those that are in
    the archive alone. Raises ArchiveUnavailable."""
    asked = [(_READ_AT, (stream, array(versions))) for stream, versions in places.items()]
    found = roundtrip(raw_connection(), asked) if asked else []
    told = {stream: list(map(Recorded._make, rows)) for stream, rows in zip(places, found, strict=True)}
    for stream, versions in places.items():
        if len(told[stream]) < len(set(versions)):
            rows = read(stream, after=min(versions) - 1, upto=max(versions))
            told[stream] = [row for row in rows if row.version in versions]
    return told


def read_in_pages(
    stream: UUID, *, after: int = 0, page: int = 2000, connection: psycopg.Connection[Any] | None = None
) -> Iterator[list[Recorded]]:
    """The whole stream in pages, so that a long one is never held in memory at once."""
    while rows := read(stream, after=after, limit=page, connection=connection):
        yield rows
        after = rows[-1].version
