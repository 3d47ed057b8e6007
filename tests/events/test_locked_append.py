"""A stream transaction stores what a batch stores, and raises where a batch leaves a command out."""

from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest

from events import appending, store
from events.appending import commit
from events.batches import BatchStatement
from events.pipeline import Rows, Statement, roundtrip
from events.records import Outcome, StreamConflict
from events.store import StreamTransaction
from tests.events.staging import keys, new_stream, one, owner, versions
from tests.events.test_writer import (
    GATE,
    LEFT_OUT,
    NOTE,
    REFUSED,
    Asked,
    ahead,
    assert_stored,
    behind,
    closed,
    not_let_in,
    resolve,
    stale,
    stop,
    used_key,
    used_otherwise,
)  # fmt: skip
from tests.table_setting import at_once

CONFLICTS = [stale, closed, used_key, used_otherwise, ahead, behind]
"""Faults after which the caller may retry."""


def commit_under_lock(it: Asked) -> None:
    """Store the command as a stream transaction does, without its own look at the head."""
    with StreamTransaction(it.stream, actor="mira") as transaction:
        command = it.seal(transaction.arrived_at, transaction.arrived_at)
        commit(store.raw_connection(), command, BatchStatement(GATE, [NOTE]).changes(command.sealed.beside))
    it.told.append(command)


def assert_nothing_beside(it: Asked) -> None:
    with owner() as hand:
        assert one(hand, "SELECT count(*) FROM events_snapshot WHERE stream = %s", it.stream) == 0


def test_stream_transaction_stores_what_a_batch_stores() -> None:
    it = Asked(new_stream(length=1))
    commit_under_lock(it)
    assert_stored(it)
    command = it.told[0]
    assert command is not None and store.read(it.stream, after=1) == command.sealed.rows


@pytest.mark.parametrize(
    "trouble", [it for it in (*LEFT_OUT, *REFUSED) if it is not not_let_in], ids=lambda it: it.__name__
)
def test_stream_transaction_raises_where_a_batch_leaves_out(trouble: Callable[[Asked], None]) -> None:
    it = Asked(new_stream(length=1))
    trouble(it)
    before, length, key_count = store.head(it.stream), versions(it.stream), keys(it.stream)
    with pytest.raises(StreamConflict if trouble in CONFLICTS else (psycopg.Error, UnicodeEncodeError)):
        commit_under_lock(it)
    assert (store.head(it.stream), versions(it.stream), keys(it.stream)) == (before, length, key_count)
    assert_nothing_beside(it)


@pytest.mark.parametrize("how", ["pg_cancel_backend", "pg_terminate_backend"])
def test_stream_transaction_stores_nothing_when_it_is_stopped(how: str) -> None:
    it = Asked(new_stream(length=1))
    before = store.head(it.stream)
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute("INSERT INTO events_snapshot VALUES (%s, 'noted', 1, '', '')", [it.stream])
        error, _ = at_once([lambda: commit_under_lock(it), lambda: stop(how)])
    assert isinstance(error, psycopg.Error)
    assert store.head(it.stream) == before and versions(it.stream) == [1]
    assert resolve(it) is None


def test_stream_transaction_whose_answer_was_lost_is_found_by_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> list[Rows]:
        roundtrip(connection, statements)
        connection.close()
        raise psycopg.OperationalError("the answer was lost")

    it = Asked(new_stream(length=1))
    with monkeypatch.context() as patched, pytest.raises(psycopg.OperationalError, match="lost"):
        patched.setattr(appending, "roundtrip", lose)
        commit_under_lock(it)
    assert versions(it.stream) == [1, 2, 3]
    assert resolve(it) == Outcome(b"f", 3, b"answer")
