"""The store's one entry: all or nothing, at the version expected, once a key."""

from threading import Event as Signal
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from django.db import connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events import access, chain, store
from events.records import Head, NewEvent, Outcome, StreamClosed, StreamConflict
from events.store import StreamTransaction
from tests.events.staging import (
    append,
    counted,
    keys,
    locked,
    new_stream,
    one,
    owner,
    versions,
    waits_for_a_lock,
    whispered,
)
from tests.table_setting import at_once, wait_until

NOTED = "INSERT INTO events_access (stream, actor, kind) VALUES ($1, 'mira', 'tried')"
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
EVENTS = st.builds(
    lambda type, public, hidden, schema: NewEvent(type, public, *(hidden or (None, None)), schema),
    TEXTS,
    TEXTS.map(msgspec.json.encode),
    st.none() | st.tuples(st.binary(max_size=60), TEXTS),
    st.integers(1, 32767),
)


@settings(max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(events=st.lists(EVENTS, min_size=1, max_size=5), actor=TEXTS)
def test_stored_events_equal_the_appended_ones_to_the_byte(events: list[NewEvent], actor: str) -> None:
    stream = new_stream()
    sealed = append(stream, events, actor=actor)
    stored = store.read(stream)
    assert stored == sealed
    as_appended = [NewEvent(row.type, row.public, row.secret, row.audience, row.schema) for row in stored]
    assert as_appended == events
    assert {row.actor for row in stored} == {actor}
    assert chain.check(stream, stored) == (len(events), stored[-1].hash, None)


def test_all_events_of_a_command_get_one_instant_and_versions_in_order() -> None:
    stream = new_stream(length=2)
    rows = append(stream, [counted(3), whispered(4), counted(5)])
    assert [row.version for row in rows] == [3, 4, 5]
    assert len({row.at for row in rows}) == 1
    assert store.head(stream) == Head(5, rows[-1].hash, False)


@pytest.mark.parametrize(("length", "expected"), [(0, 1), (0, 7), (3, 0), (3, 2), (3, 4)])
def test_an_append_at_another_version_is_refused_and_leaves_nothing(length: int, expected: int) -> None:
    stream = new_stream(length)
    before = store.head(stream)
    with pytest.raises(StreamConflict), StreamTransaction(stream, actor="late", key="k") as stream_transaction:
        stream_transaction.append([counted(9)], expected=expected, fingerprint=b"f", response=lambda _: b"r")
    assert versions(stream) == list(range(1, length + 1))
    assert store.head(stream) == before
    assert keys(stream) == 0


def test_database_refuses_a_version_the_transaction_did_not_see() -> None:
    """Two doors see a new stream at once: it has no head yet that could be locked."""
    stream = new_stream()
    with StreamTransaction(stream, actor="first") as stream_transaction:
        (other,) = at_once([lambda: append(stream, [counted(1)])])
        assert [row.version for row in other] == [1]
        with pytest.raises(StreamConflict):
            stream_transaction.append([counted(2)], expected=0)
    assert [row.actor for row in store.read(stream)] == ["tester"]


@pytest.mark.parametrize(
    "wrong_head", [Head(1, b"x" * 32, False), Head(2, b"x" * 32, False), Head(4, b"x" * 32, False)]
)
def test_database_refuses_a_wrong_head(wrong_head: Head, monkeypatch: pytest.MonkeyPatch) -> None:
    """Append past the lock: with another version than the head's, or to a closed stream."""
    stream = new_stream(length=1)
    append(stream, [counted(2)], closed=True)
    with pytest.raises(StreamConflict), StreamTransaction(stream, actor="blind") as stream_transaction:
        monkeypatch.setattr(StreamTransaction, "head", wrong_head)
        stream_transaction.append([counted(9)], expected=wrong_head.version)
    assert versions(stream) == [1, 2]


def test_queries_before_the_transaction_was_answered_wait_for_it() -> None:
    stream, other = new_stream(length=1), new_stream(length=2)
    with StreamTransaction(stream, actor="tester") as stream_transaction:
        assert versions(other) == [1, 2]
        assert store.raw_connection().execute("SELECT 3").fetchone() == (3,)
        assert stream_transaction.version == 1
        stream_transaction.append([counted(2)], expected=1)
    assert versions(stream) == [1, 2]


def test_transaction_left_before_its_answer_holds_no_lock() -> None:
    stream = new_stream(length=1)
    with StreamTransaction(stream, actor="tester"):
        pass
    append(stream, [counted(2)])
    assert versions(stream) == [1, 2]


def test_lock_timeout_raises_and_the_thread_can_continue() -> None:
    held, free = new_stream(length=1), new_stream(length=1)

    def be_impatient() -> bool:
        store.raw_connection().execute("SET lock_timeout = '20ms'")
        with (
            pytest.raises(psycopg.errors.LockNotAvailable),
            StreamTransaction(held, actor="impatient") as stream_transaction,
        ):
            assert stream_transaction.version
        append(free, [counted(2)])
        store.raw_connection().execute("RESET lock_timeout")
        return True

    with locked(held):
        assert at_once([be_impatient]) == [True]
    assert (versions(held), versions(free)) == ([1], [1, 2])


def test_a_closed_stream_takes_no_more_events() -> None:
    stream = new_stream(length=1)
    append(stream, [counted(2)], closed=True)
    assert store.head(stream).closed
    with pytest.raises(StreamClosed):
        append(stream, [counted(3)])
    assert versions(stream) == [1, 2]


@pytest.mark.parametrize(
    "also",
    [
        pytest.param([], id="an event is refused"),
        pytest.param([("SELECT 1/0", ())], id="a statement beside them fails"),
    ],
)
def test_all_events_of_a_command_are_stored_or_none(also: list[Any]) -> None:
    stream = new_stream(length=2)
    head = store.head(stream)
    broken = [counted(3), counted(4) if also else NewEvent("counted", b"{}", schema=0)]
    with pytest.raises(psycopg.Error), StreamTransaction(stream, actor="a", key="k") as stream_transaction:
        stream_transaction.append(broken, expected=2, fingerprint=b"f", response=lambda _: b"r", also=also)
    assert versions(stream) == [1, 2]
    assert store.head(stream) == head
    assert keys(stream) == 0
    append(stream, [counted(3)])
    assert versions(stream) == [1, 2, 3]


def test_a_key_brings_back_the_outcome_that_was_stored_with_the_events() -> None:
    stream = new_stream(length=1)
    with StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
        assert stream_transaction.stored_outcome is None
        stream_transaction.append(
            [counted(2)], expected=1, fingerprint=b"f", response=lambda rows: b"at %d" % rows[-1].version
        )
    with StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
        assert stream_transaction.stored_outcome == Outcome(b"f", 2, b"at 2")
    for actor, key, other in (("tobias", "k", stream), ("mira", "K", stream), ("mira", "k", new_stream(1))):
        with StreamTransaction(other, actor=actor, key=key) as stream_transaction:
            assert stream_transaction.stored_outcome is None


def test_exception_in_the_transaction_stores_nothing_and_the_retry_succeeds() -> None:
    stream = new_stream(length=1)

    def fail(_: object) -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
        stream_transaction.run(("DELETE FROM events_key WHERE stream = $1", (stream,)))
        stream_transaction.append([counted(2)], expected=1, fingerprint=b"f", response=fail)
    assert (versions(stream), keys(stream)) == ([1], 0)
    with StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
        assert stream_transaction.stored_outcome is None
        stream_transaction.append([counted(2)], expected=1, fingerprint=b"f", response=lambda _: b"r")
    assert (versions(stream), keys(stream)) == ([1, 2], 1)


def test_leaving_without_an_append_rolls_back_and_releases_the_stream() -> None:
    stream = new_stream(length=1)
    with StreamTransaction(stream, actor="mira") as stream_transaction:
        stream_transaction.run((NOTED, (stream,)))
    assert access.of(stream) == []
    assert isinstance(at_once([lambda: append(stream, [counted(2)])])[0], list)


def test_a_commit_keeps_what_was_run_where_nothing_is_appended() -> None:
    stream = new_stream(length=1)
    with StreamTransaction(stream, actor="mira") as stream_transaction:
        stream_transaction.run((NOTED, (stream,)))
        stream_transaction.commit()
    assert [it.actor for it in access.of(stream)] == ["mira"]


def test_nested_stream_transaction_is_refused() -> None:
    stream = new_stream(length=1)
    with transaction.atomic(), pytest.raises(RuntimeError), StreamTransaction(stream, actor="mira"):
        pass
    with StreamTransaction(stream, actor="mira") as outer:
        with pytest.raises(RuntimeError), StreamTransaction(new_stream(), actor="mira"):
            pass
        outer.append([counted(2)], expected=1)
    assert versions(stream) == [1, 2]


def test_transaction_without_waiting_treats_a_locked_stream_as_absent() -> None:
    stream = new_stream(length=1)

    def version_seen() -> int:
        with StreamTransaction(stream, actor="impatient", wait=False) as stream_transaction:
            return stream_transaction.version

    with locked(stream):
        assert at_once([version_seen]) == [0]
    assert at_once([version_seen]) == [1]


def test_thread_waiting_for_a_stream_lets_others_run_and_keeps_its_arrival() -> None:
    stream = new_stream(length=1)
    results: list[Any] = []

    def wait_and_append() -> None:
        results.extend(at_once([lambda: append(stream, [counted(3)], actor="waited")]))

    with owner() as watcher, locked(stream) as stream_transaction:
        waiting = Thread(target=wait_and_append)
        waiting.start()
        wait_until(lambda: waits_for_a_lock(watcher))
        let_go_at = one(watcher, "SELECT clock_timestamp()")
        stream_transaction.append([counted(2)], expected=1)
        waiting.join()
    assert isinstance(results[0], list), f"the waiting thread stopped the process until it gave up: {results[0]!r}"
    assert [row.version for row in results[0]] == [3]
    assert results[0][0].at < let_go_at


def test_eight_writers_on_one_stream_leave_no_gap_and_no_double() -> None:
    stream = new_stream(length=1)

    def write(name: str) -> int:
        conflicts = 0
        for number in range(10):
            while True:
                try:
                    with StreamTransaction(stream, actor=name) as stream_transaction:
                        stream_transaction.append([counted(number)], expected=store.head(stream).version)
                    break
                except StreamConflict:
                    conflicts += 1
        return conflicts

    results = at_once([lambda name=f"writer {n}": write(name) for n in range(8)])
    assert all(isinstance(result, int) for result in results), results
    rows = store.read(stream)
    assert [row.version for row in rows] == list(range(1, 82))
    for n in range(8):
        assert [row.public for row in rows if row.actor == f"writer {n}"] == [b'{"n":%d}' % i for i in range(10)]
    assert chain.check(stream, rows)[2] is None


def test_one_key_sent_by_twenty_at_once_brings_one_event() -> None:
    stream = new_stream(length=1)

    def send() -> bytes:
        with StreamTransaction(stream, actor="mira", key="k") as stream_transaction:
            if stream_transaction.stored_outcome:
                return stream_transaction.stored_outcome.response
            stream_transaction.append(
                [counted(2)], expected=stream_transaction.version, fingerprint=b"f", response=lambda rows: rows[0].hash
            )
            return stream_transaction.head.hash

    answers = at_once([send] * 20)
    assert versions(stream) == [1, 2]
    assert set(answers) == {store.head(stream).hash}


def test_reads_give_the_range_that_was_asked_for() -> None:
    stream = new_stream(length=7)

    def read(**bounds: int) -> list[int]:
        return [row.version for row in store.read(stream, **bounds)]

    assert read() == [1, 2, 3, 4, 5, 6, 7]
    assert read(after=5) == [6, 7]
    assert read(upto=2) == [1, 2]
    assert read(after=2, upto=5, limit=2) == [3, 4]
    assert read(after=7) == read(upto=0) == read(limit=0) == []
    assert store.read(new_stream()) == []
    pages = [[row.version for row in page] for page in store.read_in_pages(stream, after=1, page=4)]
    assert pages == [[2, 3, 4, 5], [6, 7]]


def test_a_stream_that_is_not_there_has_no_head() -> None:
    assert store.head(uuid4()) is None


def test_lost_connection_raises_and_the_next_transaction_works() -> None:
    stream = new_stream(length=1)
    with pytest.raises(psycopg.OperationalError), StreamTransaction(stream, actor="mira") as stream_transaction:
        _cut_off(store.raw_connection().info.backend_pid)
        stream_transaction.append([counted(2)], expected=1)
    assert versions(stream) == [1]
    append(stream, [counted(2)])
    assert versions(stream) == [1, 2]


def test_a_connection_that_died_in_the_pool_is_replaced() -> None:
    stream = new_stream(length=1)
    pid = store.raw_connection().info.backend_pid
    connections.close_all()
    _cut_off(pid)
    assert versions(stream) == [1]


def test_two_streams_do_not_wait_for_each_other() -> None:
    held, free = new_stream(length=1), new_stream(length=1)
    done = Signal()

    def write(stream: UUID) -> None:
        append(stream, [counted(2)])
        done.set()

    with locked(held):
        at_once([lambda: write(free)])
        assert done.is_set()


def _cut_off(pid: int) -> None:
    with owner() as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", [pid])
        wait_until(lambda: not one(connection, "SELECT count(*) FROM pg_stat_activity WHERE pid = %s", pid))
