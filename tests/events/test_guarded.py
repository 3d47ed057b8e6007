"""The log is moved by its append alone, and that believes nobody: it works out every hash of the service again."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.errors import IntegrityError

from events import store, verifying
from events.appending import sealed
from events.records import Head, Recorded
from tests.events.staging import counted, new_stream, one, owner, versions, whispered
from tests.events.test_roles import service

CALL = """
SELECT events_append_many(ARRAY[1], ARRAY[%(stream)s]::uuid[], ARRAY[%(expected)s]::integer[], ARRAY['mallory'],
    ARRAY[%(at)s]::timestamptz[], ARRAY[NULL]::text[], ARRAY[NULL]::bytea[], ARRAY[NULL]::bytea[],
    ARRAY[%(closing)s]::boolean[], %(owners)s::integer[], %(types)s::text[], %(schemas)s::integer[],
    %(publics)s::bytea[], %(secrets)s::bytea[], %(audiences)s::text[], %(salts)s::bytea[], %(hashes)s::bytea[],
    '{}', '{}', %(required)s)
"""
LENGTH = 3


def call(stream: UUID, rows: list[Recorded], **other: Any) -> dict[str, Any]:
    """Return the arguments of `events_append_many` for these rows, some of them replaced by `other`."""
    columns = {
        "owners": [1] * len(rows), "types": [row.type for row in rows], "schemas": [row.schema for row in rows],
        "publics": [row.public for row in rows], "secrets": [row.secret for row in rows],
        "audiences": [row.audience for row in rows], "salts": [row.salt for row in rows],
        "hashes": [row.hash for row in rows],
    }  # fmt: skip
    command = {"stream": stream, "expected": LENGTH, "at": rows[0].at, "closing": False, "required": True}
    return command | columns | other


def rows_after(stream: UUID, head: Head | None, at: datetime) -> list[Recorded]:
    """Two events, the second with a secret, chained to this head."""
    return sealed([counted(4), whispered(5)], head, stream=stream, actor="mallory", at=at)


def clock_of(connection: psycopg.Connection[Any]) -> datetime:
    """The clock as this connection's transaction sees it."""
    at: datetime = one(connection, "SELECT clock_timestamp()")
    return at


def literal(values: list[bytes | None], lower: int) -> str:
    """An array whose first place has another number."""
    inner = ",".join("NULL" if value is None else f'"\\\\x{value.hex()}"' for value in values)
    return f"[{lower}:{lower + len(values) - 1}]={{{inner}}}"


FORGERIES: dict[str, Any] = {
    "a hash of one's own": lambda it: {"hashes": [it[0].hash, b"x" * 32]},
    "another fact than was hashed": lambda it: {"publics": [b'{"n":9}', it[1].public]},
    "another secret than was promised": lambda it: {"secrets": [None, b'{"n":9}']},
    "another audience": lambda it: {"audiences": [None, "seat:1"]},
    "a secret without its salt": lambda it: {"salts": [None, None]},
    "no hash": lambda it: {"hashes": [it[0].hash, None]},
    "too many hashes": lambda it: {"hashes": [it[0].hash, it[1].hash, b"x" * 32]},
    "the stream closed with nothing brought": lambda it: {
        name: [] for name in ("owners", "types", "schemas", "publics", "secrets", "audiences", "salts", "hashes")
    } | {"closing": True},
    "secrets in an array that begins elsewhere": lambda it: {"secrets": literal([b'{"n":9}', it[1].secret], 0)},
    "hashes in an array that begins elsewhere": lambda it: {"hashes": literal([b"x" * 32, it[0].hash], 0)},
    "another version": lambda it: {"expected": LENGTH - 1},
    "a version below the first": lambda it: {"expected": -1},
    "no version": lambda it: {"expected": None},
    "a stream begun anew": lambda it: {"expected": 0},
    "an event of another command": lambda it: {"owners": [1, 2]},
    "secrets in two dimensions": lambda it: {"secrets": "{{\"\\\\x39\"},{\"\\\\x39\"}}"},
}  # fmt: skip


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_the_service_itself_can_not_forge_an_append(forgery: str, required: bool) -> None:
    stream = new_stream(LENGTH)
    head = store.head(stream)
    fails = pytest.raises(IntegrityError) if required else suppress(IntegrityError)
    with service() as connection, fails, connection.transaction():
        rows = rows_after(stream, head, clock_of(connection))
        connection.execute(CALL, call(stream, rows, required=required, **FORGERIES[forgery](rows)))
    assert (versions(stream), store.head(stream)) == ([1, 2, 3], head)
    with service() as connection, connection.transaction():
        connection.execute(CALL, call(stream, rows_after(stream, head, clock_of(connection)), required=required))
    assert verifying.verify(stream) is None and len(versions(stream)) == LENGTH + 2


def test_events_chained_to_a_false_head_are_refused() -> None:
    """The head's own hash counts, and not the one that the caller names."""
    stream = new_stream(LENGTH)
    with service() as connection, connection.transaction():
        rows = rows_after(stream, Head(LENGTH, b"x" * 32, False), clock_of(connection))
        with pytest.raises(IntegrityError, match="does not go on from the head"), connection.transaction():
            connection.execute(CALL, call(stream, rows))
    assert versions(stream) == [1, 2, 3]


@pytest.mark.parametrize("seconds", [-11, 5, None])
def test_an_append_dated_outside_its_transaction_is_refused(seconds: int | None) -> None:
    stream = new_stream(LENGTH)
    head = store.head(stream)
    with service() as connection:
        with pytest.raises(IntegrityError), connection.transaction():
            at = clock_of(connection) + timedelta(seconds=seconds or 0)
            values = call(stream, rows_after(stream, head, at))
            connection.execute(CALL, values if seconds else values | {"at": None})
        with connection.transaction():
            rows = rows_after(stream, head, clock_of(connection))
            connection.execute(CALL, call(stream, rows))
    assert versions(stream) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("at", ["1970-01-01T00:00:00Z", "2026-11-23T12:00:00.000001Z", "9999-12-31T23:59:59Z"])
def test_the_database_works_out_the_hash_that_the_service_does(at: str) -> None:
    """It refuses another time than its transaction's, so the function under test is one without that check."""
    stream, moment = uuid4(), datetime.fromisoformat(at)
    rows = sealed([counted(1, "gezählt☃"), whispered(2)], None, stream=stream, actor="mallory", at=moment)
    with owner() as hand, hand.transaction(force_rollback=True):
        definition = one(hand, "SELECT pg_get_functiondef('events_append_many'::regproc)")
        undated = definition.replace(
            "(dated BETWEEN transaction_timestamp() - interval '10 seconds' AND shown) IS NOT TRUE", "false"
        )
        assert undated != definition
        hand.execute(undated)
        hand.execute(CALL, call(stream, rows, expected=0))
        stored = hand.execute("SELECT hash FROM events_event WHERE stream = %s ORDER BY version", [stream]).fetchall()
    assert [hash for (hash,) in stored] == [row.hash for row in rows]


def test_a_name_that_hides_another_is_not_looked_at() -> None:
    """A function that runs as its owner must not be led to somebody's own tables."""
    stream = new_stream(LENGTH)
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute("CREATE TEMP TABLE events_head (LIKE public.events_head)")
        hand.execute("INSERT INTO events_head VALUES (%s, 99, 'x', false)", [stream])
        row = hand.execute("SELECT head_version FROM events_enter(%s, 'mira', NULL, true)", [stream]).fetchone()
        assert row == (LENGTH,)


def test_nobody_else_who_may_connect_can_append() -> None:
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute("CREATE ROLE passer_by")
        hand.execute("SET LOCAL ROLE passer_by")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            hand.execute("SELECT * FROM events_enter(%s, 'mira', NULL, true)", [uuid4()])
