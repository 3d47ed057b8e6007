"""Statements in one round trip: values as they were given, errors of the class that the rest of the house knows."""

import os
import socket
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from events import access
from events.pipeline import Exchange, error_of, roundtrip
from events.store import raw_connection
from tests.events.staging import new_stream


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("text", "ä 'quoted' \\ back"), ("text", ""), ("text", None), ("integer", -5), ("bigint", 2**60),
        ("boolean", True), ("boolean", False), ("bytea", b"\0\\\xff"), ("bytea", b""), ("float8", 0.125),
        ("uuid", UUID(int=7)), ("timestamptz", datetime(2026, 2, 28, 23, 59, 59, 999999, tzinfo=UTC)),
    ],
)  # fmt: skip
def test_a_value_comes_back_as_it_was_given(kind: str, value: Any) -> None:
    ((row,),) = roundtrip(raw_connection(), [(f"SELECT $1::{kind}", (value,))])
    assert row == (value,)


def test_a_text_with_nul_is_refused_and_not_cut_short() -> None:
    with pytest.raises(psycopg.DataError, match="NUL"):
        roundtrip(raw_connection(), [("SELECT $1::text", ("a\0b",))])
    assert roundtrip(raw_connection(), [("SELECT 1", ())]) == [[(1,)]]


def test_pipeline_with_a_refused_value_carries_out_nothing() -> None:
    stream = new_stream()
    note = "INSERT INTO events_access (stream, actor, kind) VALUES ($1, $2, 'exported')"
    with pytest.raises(psycopg.DataError, match="NUL"):
        roundtrip(raw_connection(), [(note, (stream, "mira")), (note, (stream, "to\0bias"))])
    assert access.of(stream) == []


def test_a_server_that_goes_while_it_is_waited_for_is_a_lost_connection() -> None:
    connection = raw_connection()
    exchange = Exchange(connection, [("SELECT pg_sleep($1)", (30.0,))])
    with socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
    with pytest.raises(psycopg.OperationalError):
        exchange.results()
    assert roundtrip(raw_connection(), [("SELECT 1", ())]) == [[(1,)]]


def test_a_server_that_takes_no_writes_any_more_is_left() -> None:
    connection = raw_connection()
    roundtrip(connection, [("SET default_transaction_read_only = on", ())])
    with pytest.raises(psycopg.OperationalError, match="takes no writes"):
        roundtrip(
            connection, [("INSERT INTO events_access (stream, actor, kind) VALUES ($1, 'a', 'b')", (UUID(int=1),))]
        )
    assert connection.closed
    assert roundtrip(raw_connection(), [("SHOW transaction_read_only", ())]) == [[("off",)]]


def test_an_error_that_no_server_has_given_is_a_lost_connection() -> None:
    nobodys = raw_connection().pgconn.make_empty_result(psycopg.pq.ExecStatus.FATAL_ERROR)
    assert isinstance(error_of(nobodys), psycopg.OperationalError)
