"""Verification names the first bad version, whatever the owner has done behind the triggers' back."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from events import chain, store, verifying
from events.records import Recorded
from tests.events.staging import append, counted, new_stream, tamper

LENGTH = 6
Act = Callable[[psycopg.Connection[Any], UUID], object]


def statement(sql: str) -> Act:
    """One statement about the stream."""
    return lambda connection, stream: connection.execute(sql, {"stream": stream})


def swap(connection: psycopg.Connection[Any], stream: UUID) -> None:
    """Versions 2 and 3 change places."""
    move = "UPDATE events_event SET version = %s WHERE stream = %s AND version = %s"
    for was, will in ((2, 99), (3, 2), (99, 3)):
        connection.execute(move, (will, stream, was))


def rewrite_and_relink(connection: psycopg.Connection[Any], stream: UUID) -> None:
    """Event 3 is another one, and every hash from there on is made anew; the head is forgotten."""
    rows = store.read(stream)
    previous = rows[1].hash
    for row in rows[2:]:
        changed = row._replace(public=b'{"n":1000}') if row.version == 3 else row
        previous = chain.relink(previous, stream, changed)
        connection.execute(
            "UPDATE events_event SET public = %s, hash = %s WHERE stream = %s AND version = %s",
            (changed.public, previous, stream, row.version),
        )


def forge(connection: psycopg.Connection[Any], stream: UUID) -> None:
    """An event with the right hash is put after the last without moving the head."""
    last = store.read(stream)[-1]
    row = last._replace(version=LENGTH + 1, secret=None, salt=None, audience=None)
    hash = chain.relink(last.hash, stream, row)
    connection.execute(
        "INSERT INTO events_event (stream, version, type, schema, public, actor, at, hash)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        (stream, row.version, row.type, row.schema, row.public, row.actor, row.at, hash),
    )


FAULTS: dict[str, tuple[int, Act]] = {
    "a gap": (3, statement("DELETE FROM events_event WHERE stream = %(stream)s AND version = 3")),
    "a gap at the front": (1, statement("DELETE FROM events_event WHERE stream = %(stream)s AND version = 1")),
    "a truncated tail": (5, statement("DELETE FROM events_event WHERE stream = %(stream)s AND version > 4")),
    "everything gone": (1, statement("DELETE FROM events_event WHERE stream = %(stream)s")),
    "swapped rows": (2, swap),
    "a head with another hash": (6, statement("UPDATE events_head SET hash = 'x' WHERE stream = %(stream)s")),
    "a head too far": (7, statement("UPDATE events_head SET version = 9 WHERE stream = %(stream)s")),
    "a head set back": (
        5,
        statement(
            "UPDATE events_head SET version = 4, hash = (SELECT hash FROM events_event"
            " WHERE stream = %(stream)s AND version = 4) WHERE stream = %(stream)s"
        ),
    ),
    "a head removed": (1, statement("DELETE FROM events_head WHERE stream = %(stream)s")),
    "an event rewritten with the hashes after it": (6, rewrite_and_relink),
    "an event forged at the end": (7, forge),
} | {
    f"a rewritten {column}": (
        5,
        statement(f"UPDATE events_event SET {column} = {value} WHERE stream = %(stream)s AND version = 5"),  # noqa: S608
    )
    for column, value in {
        "type": "'counted'",
        "schema": "2",
        "public": "'{\"n\":7}'",
        "secret": "'{\"n\":7}'",
        "audience": "'seat:1'",
        "salt": "'0123456789abcdef'",
        "actor": "'mallory'",
        "at": "at - interval '1 microsecond'",
        "hash": "sha256(hash)",
    }.items()
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_bad_version_is_named(fault: str) -> None:
    version, act = FAULTS[fault]
    stream, untouched = new_stream(LENGTH), new_stream(LENGTH)
    assert verifying.verify(stream) is None
    tamper(lambda connection: act(connection, stream))
    broken = verifying.verify(stream)
    assert broken is not None and (broken.stream, broken.version) == (stream, version)
    assert f"version {version}: " in str(broken)
    assert verifying.verify(untouched) is None


def test_streams_of_any_length_hold_while_they_grow() -> None:
    stream = new_stream()
    assert verifying.verify(stream) is None
    for number in range(1, 5):
        append(stream, [counted(number)])
        assert verifying.verify(stream) is None


def test_a_stream_that_grows_while_it_is_verified_raises_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The head is read twice; between, others append."""
    stream = new_stream(LENGTH)
    read = store.read_in_pages

    def grow_and_read(*details: Any, **more: Any) -> Any:
        append(stream, [counted(1)])
        yield from list(read(*details, **more))
        append(stream, [counted(1)])

    monkeypatch.setattr(store, "read_in_pages", grow_and_read)
    assert verifying.verify(stream) is None


def test_long_streams_are_verified_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = new_stream(LENGTH)
    pages: list[list[Recorded]] = []
    read = store.read_in_pages

    def small_pages(stream: UUID) -> Any:
        for page in read(stream, page=4):
            pages.append(page)
            yield page

    monkeypatch.setattr(store, "read_in_pages", small_pages)
    assert verifying.verify(stream) is None
    assert [len(page) for page in pages] == [4, 2]


def test_every_stream_is_listed_once_in_the_order_of_its_id() -> None:
    streams = sorted((new_stream(1), new_stream(1), new_stream(2)), key=lambda stream: stream.bytes)
    listed = list(verifying.streams())
    assert len(set(listed)) == len(listed) == verifying.count()
    assert [stream for stream in listed if stream in streams] == streams
    assert uuid4() not in listed
