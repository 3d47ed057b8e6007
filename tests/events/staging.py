"""Streams to try the store on, and the owner's hand in them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import psycopg
from django.conf import settings

from events import store
from events.records import NewEvent, Recorded
from events.store import StreamTransaction

TRIGGERS = ("events_event_append_only", "events_event_no_truncate", "events_event_only_archived")


def counted(number: int, type: str = "counted") -> NewEvent:
    """An event that everyone may read."""
    return NewEvent(type, b'{"n":%d}' % number)


def whispered(number: int) -> NewEvent:
    """An event with a secret for seat 0."""
    return NewEvent("whispered", b'{"n":null}', b'{"n":%d}' % number, "seat:0")


def append(stream: UUID, events: Sequence[NewEvent], *, actor: str = "tester", **more: Any) -> list[Recorded]:
    """Append at the stream's end, whatever it is."""
    with StreamTransaction(stream, actor=actor) as stream_transaction:
        return stream_transaction.append(events, expected=stream_transaction.version, **more)


def new_stream(length: int = 0) -> UUID:
    """A stream with so many events, every third with a secret."""
    stream = uuid4()
    if length:
        append(stream, [whispered(n) if n % 3 == 2 else counted(n) for n in range(1, length + 1)])
    return stream


def versions(stream: UUID) -> list[int]:
    """The versions that are stored."""
    return [row.version for row in store.read(stream)]


def keys(stream: UUID) -> int:
    """Return the number of commands that are stored under a key."""
    with owner() as connection:
        return one(connection, "SELECT count(*) FROM events_key WHERE stream = %s", stream)


def one(connection: psycopg.Connection[Any], question: str, *values: object) -> Any:
    """The first value of the answer."""
    row = connection.execute(question, values or None).fetchone()
    return row and row[0]


@contextmanager
def owner() -> Iterator[psycopg.Connection[Any]]:
    """A connection of the tables' owner, every statement a transaction of its own."""
    with psycopg.connect(settings.DATABASE_LOGINS.owner, autocommit=True) as connection:
        yield connection


def tamper(act: Callable[[psycopg.Connection[Any]], object]) -> None:
    """Let the owner do what the triggers forbid, in one transaction that puts them back."""
    with owner() as connection, connection.transaction():
        for name in TRIGGERS:
            connection.execute(f"ALTER TABLE events_event DISABLE TRIGGER {name}")
        act(connection)
        for name in TRIGGERS:
            connection.execute(f"ALTER TABLE events_event ENABLE ALWAYS TRIGGER {name}")


def waits_for_a_lock(connection: psycopg.Connection[Any]) -> bool:
    """True if a session of the service waits for a lock."""
    question = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'croupier' AND wait_event_type = 'Lock'"
    return bool(one(connection, question))


@contextmanager
def locked(stream: UUID) -> Iterator[StreamTransaction]:
    """A transaction that surely holds its lock: nobody else can append to the stream."""
    with StreamTransaction(stream, actor="mira") as stream_transaction:
        assert stream_transaction.version
        yield stream_transaction
