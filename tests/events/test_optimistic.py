"""An append at an expected version: one trip where the stream is as the caller saw it, else nothing has happened."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Thread
from typing import Any
from uuid import UUID

import psycopg
import pytest

from events import chain, store
from events.optimistic import NotVouchedFor, OptimisticAppend
from events.records import Head, NewEvent, Outcome, Recorded, StreamConflict
from events.store import StreamTransaction
from tests.events.staging import append, counted, keys, locked, new_stream, owner, versions, waits_for_a_lock, whispered
from tests.table_setting import at_once, wait_until

KEPT = {"fingerprint": b"f", "response": lambda rows: b"at %d" % rows[-1].version}


def hurry(
    stream: UUID, events: Sequence[NewEvent], *, head: Head | None = None, at: datetime | None = None, **more: Any
) -> list[Recorded]:
    """Append to the stream as it stands now, or as somebody thinks that it does.

    Without `at` the instant is right: where a busy machine takes more than the 10 ms allowed, it is read once more.
    """
    head = head or store.head(stream)
    assert head is not None
    key, expected = more.pop("key", None), more.pop("expected", head.version)
    while True:
        stream_transaction = OptimisticAppend(stream, head, at or store.clock(), actor="mira", key=key)
        try:
            return stream_transaction.append(events, expected=expected, **more)
        except NotVouchedFor:
            if at:
                raise


def test_what_is_stored_at_once_is_what_a_door_would_have_stored() -> None:
    stream = new_stream(length=2)
    rows = hurry(stream, [counted(3), whispered(4)], key="k", **KEPT)
    assert store.read(stream, after=2) == rows
    assert chain.check(stream, store.read(stream)) == (4, rows[-1].hash, None)
    assert store.head(stream) == Head(4, rows[-1].hash, False)
    with StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
        assert stream_transaction.known == Outcome(b"f", 4, b"at 4")


def assert_nothing_happened(stream: UUID, before: Head | None, length: int, stored_keys: int = 0) -> None:
    """The stream stands as it did, and this thread can go on."""
    assert store.head(stream) == before
    assert versions(stream) == list(range(1, length + 1))
    assert keys(stream) == stored_keys
    append(new_stream(length=1), [counted(2)])


def test_a_head_that_has_moved_on_refuses() -> None:
    stream = new_stream(length=2)
    seen = store.head(stream)
    append(stream, [counted(3)])
    before = store.head(stream)
    with pytest.raises(StreamConflict):
        hurry(stream, [counted(3)], head=seen, key="k", **KEPT)
    assert_nothing_happened(stream, before, length=3)


def test_a_head_of_another_history_refuses_though_its_version_is_the_same() -> None:
    stream = new_stream(length=2)
    before = store.head(stream)
    assert before is not None
    with pytest.raises(StreamConflict):
        hurry(stream, [counted(3)], head=before._replace(hash=b"\0" * 32), key="k", **KEPT)
    assert_nothing_happened(stream, before, length=2)


def test_another_version_than_the_one_decided_on_refuses() -> None:
    stream = new_stream(length=2)
    before = store.head(stream)
    with pytest.raises(StreamConflict):
        hurry(stream, [counted(3)], expected=1)
    assert_nothing_happened(stream, before, length=2)


def test_a_closed_stream_refuses() -> None:
    stream = new_stream(length=1)
    append(stream, [counted(2)], closed=True)
    before = store.head(stream)
    with pytest.raises(StreamConflict):
        hurry(stream, [counted(3)])
    assert_nothing_happened(stream, before, length=2)


def test_a_used_key_refuses_and_keeps_what_it_has_brought() -> None:
    stream = new_stream(length=1)
    hurry(stream, [counted(2)], key="k", **KEPT)
    before = store.head(stream)
    with pytest.raises(StreamConflict):
        hurry(stream, [counted(3)], key="k", **KEPT)
    assert_nothing_happened(stream, before, length=2, stored_keys=1)
    with StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
        assert stream_transaction.known == Outcome(b"f", 2, b"at 2")


@pytest.mark.parametrize("off", [timedelta(seconds=30), timedelta(milliseconds=-10.001), timedelta(days=-1)])
def test_an_instant_that_the_databases_clock_does_not_show_is_refused(off: timedelta) -> None:
    stream = new_stream(length=1)
    before = store.head(stream)
    with pytest.raises(NotVouchedFor):
        hurry(stream, [counted(2)], at=store.clock() + off, key="k", **KEPT)
    assert_nothing_happened(stream, before, length=1)


def test_who_waits_for_a_lock_is_dated_before_the_wait_however_long_it_takes() -> None:
    stream = new_stream(length=1)
    before, results = store.head(stream), []

    def wait_and_append() -> None:
        results.extend(at_once([lambda: hurry(stream, [counted(2)], head=before)]))

    with owner() as watcher, locked(stream):
        waiting = Thread(target=wait_and_append)
        waiting.start()
        wait_until(lambda: waits_for_a_lock(watcher))
        let_go_at = store.clock() + timedelta(milliseconds=20)
        wait_until(lambda: store.clock() > let_go_at)
    waiting.join()
    ((row,),) = results
    assert row.version == 2 and row.at < let_go_at - timedelta(milliseconds=20)


def fail(_: Sequence[Recorded]) -> bytes:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("more", "error"),
    [
        pytest.param({"fingerprint": b"f", "response": fail}, ZeroDivisionError, id="the answer fails"),
        pytest.param({**KEPT, "also": [("SELECT 1/0", ())]}, psycopg.errors.DivisionByZero, id="a statement fails"),
        pytest.param({**KEPT, "fingerprint": None}, psycopg.errors.NotNullViolation, id="the key can't be stored"),
    ],
)
def test_all_is_stored_or_nothing(more: dict[str, Any], error: type[Exception]) -> None:
    stream = new_stream(length=1)
    before = store.head(stream)
    with pytest.raises(error):
        hurry(stream, [counted(2), counted(3)], key="k", **more)
    assert_nothing_happened(stream, before, length=1)


def test_at_a_door_or_in_a_transaction_nobody_hurries() -> None:
    stream, other = new_stream(length=1), new_stream(length=1)
    head, now = store.head(other), store.clock()
    with StreamTransaction(stream, actor="mira") as stream_transaction:
        with pytest.raises(RuntimeError, match="has a stream transaction open already"):
            hurry(other, [counted(2)], head=head, at=now)
        stream_transaction.append([counted(2)], expected=1)
    assert (versions(stream), versions(other)) == ([1, 2], [1])


def test_eight_who_hurry_leave_no_gap_and_no_double() -> None:
    stream = new_stream(length=1)

    def write(name: str) -> int:
        conflicts = 0
        for number in range(10):
            while True:
                try:
                    head = store.head(stream)
                    OptimisticAppend(stream, head, store.clock(), actor=name).append(
                        [counted(number)], expected=head.version
                    )
                    break
                except (StreamConflict, NotVouchedFor):
                    conflicts += 1
        return conflicts

    results = at_once([lambda name=f"writer {n}": write(name) for n in range(8)])
    assert all(isinstance(result, int) for result in results), results
    rows = store.read(stream)
    assert [row.version for row in rows] == list(range(1, 82))
    assert chain.check(stream, rows)[2] is None
    for n in range(8):
        assert [row.public for row in rows if row.actor == f"writer {n}"] == [b'{"n":%d}' % i for i in range(10)]
