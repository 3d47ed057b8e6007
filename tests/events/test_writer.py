"""The writer: what is in a batch succeeds or fails each by itself, and whoever isn't stored is handed back once."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from events import estimated_clock, store, verifying
from events.appending import Command, Sealed, sealed
from events.arrays import INTEGERS, UUIDS
from events.batches import Addition, BatchStatement, Gate
from events.loop_connection import LoopConnection
from events.pipeline import BinaryStatement
from events.records import Head, NewEvent, Outcome, Recorded
from events.store import StreamTransaction
from events.writer import Writer, _Entry
from tests.events.staging import append, counted, keys, locked, new_stream, one, owner, versions, whispered
from tests.waiting import PATIENCE

SIZE = 3
"""Commands of a batch; each trouble is tried at each of these places."""
GATE = Gate("SELECT n FROM {rows} AS c (n, number) WHERE number < 10", (INTEGERS,))
NOTE = Addition(
    """INSERT INTO events_snapshot (stream, reducer, version, hash, state)
    SELECT {stream}, 'noted', 100 / {number}, '', '' {rows}""",
    stream=UUIDS,
    number=INTEGERS,
)


class Asked:
    """One who puts a command into the writer: what is put, and what they were told."""

    def __init__(self, stream: UUID, key: str = "k", events: Sequence[NewEvent] | None = None) -> None:
        self.stream, self.key = stream, key
        self.events = [counted(2), whispered(3)] if events is None else events
        self.head = store.head(stream)
        self.off = timedelta()
        self.forge: Callable[[list[Recorded]], list[Recorded]] = lambda rows: rows
        self.number = 1
        self.told: list[Command | None] = []

    def seal(self, at: datetime, _now: datetime) -> Command:
        assert self.head is not None
        rows = self.forge(sealed(self.events, self.head, stream=self.stream, actor="mira", at=at + self.off))
        beside = ((self.stream, self.number),)
        return Command(self.stream, self.head, "mira", self.key, b"f", Sealed(rows, b"answer", beside), (self.number,))

    @property
    def accepted(self) -> bool:
        """True if the caller was told that the command is stored."""
        (command,) = self.told
        return command is not None


def put(*commands: Asked, line: LoopConnection | None = None, meanwhile: Callable[[], Any] | None = None) -> None:
    """Put all of these into one batch and wait until everybody was told."""

    async def moment() -> None:
        writer = Writer(BatchStatement(GATE, [NOTE]))
        if line is not None:
            writer._connection = line
        for it in commands:
            assert writer.put(it.stream, it.seal, it.told.append)
        act = asyncio.to_thread(meanwhile) if meanwhile else asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await act
            while not all(it.told for it in commands):
                await asyncio.sleep(0.002)
        await writer.close()

    estimated_clock.read_off(store.clock())
    asyncio.run(moment())


@pytest.fixture
def batch(request: pytest.FixtureRequest) -> list[Asked]:
    """Commands on streams of one event each."""
    return [Asked(new_stream(length=1)) for _ in range(getattr(request, "param", SIZE))]


each_size = pytest.mark.parametrize("batch", [1, SIZE], indirect=True)
each_place = pytest.mark.parametrize(
    ("batch", "place"), [(size, place) for size in (1, SIZE) for place in range(size)], indirect=["batch"]
)
"""Postgres stores a command that is alone by other statements than several."""


def assert_stored(it: Asked, length: int = 3) -> None:
    """The command is in the log, once, with its key and what it brought beside."""
    assert it.accepted and versions(it.stream) == list(range(1, length + 1))
    assert verifying.verify(it.stream) is None
    assert store.stored_under(it.stream, "mira", it.key) == Outcome(b"f", length, b"answer")
    with owner() as hand:
        assert one(hand, "SELECT version FROM events_snapshot WHERE stream = %s", it.stream) == 100 // it.number


def assert_untouched(it: Asked, before: Head | None, length: int = 1) -> None:
    """They were told that it isn't stored, and it isn't."""
    assert not it.accepted and store.head(it.stream) == before
    assert versions(it.stream) == list(range(1, length + 1))


@each_size
def test_a_batch_stores_what_stream_transactions_would_have_stored(batch: list[Asked]) -> None:
    put(*batch)
    for it in batch:
        assert_stored(it)
        command = it.told[0]
        assert command is not None and store.read(it.stream, after=1) == command.sealed.rows
        last = command.sealed.rows[-1]
        assert store.head(it.stream) == Head(3, last.hash, closed=False)


def stale(it: Asked) -> None:
    append(it.stream, [counted(9)])


def of_another_past(it: Asked) -> None:
    assert it.head is not None
    it.head = it.head._replace(hash=b"\0" * 32)


def closed(it: Asked) -> None:
    append(it.stream, [counted(9)], closed=True)
    it.head = store.head(it.stream)


def used_key(it: Asked, fingerprint: bytes = b"f") -> None:
    with StreamTransaction(it.stream, actor="mira", key="k") as transaction:
        transaction.append([counted(9)], expected=1, fingerprint=fingerprint, response=lambda _: b"first")
    it.head = store.head(it.stream)


def used_otherwise(it: Asked) -> None:
    used_key(it, b"another")


def forged_hash(it: Asked) -> None:
    it.forge = lambda rows: [rows[0], rows[1]._replace(hash=b"x" * 32)]


def forged_first_hash(it: Asked) -> None:
    it.forge = lambda rows: [rows[0]._replace(hash=b"x" * 32), rows[1]]


def another_fact(it: Asked) -> None:
    it.forge = lambda rows: [rows[0]._replace(public=b"{}"), rows[1]]


def another_secret(it: Asked) -> None:
    it.forge = lambda rows: [rows[0], rows[1]._replace(secret=b"{}")]


def ahead(it: Asked) -> None:
    it.off = timedelta(seconds=30)


def behind(it: Asked) -> None:
    it.off = timedelta(seconds=-11)


def not_let_in(it: Asked) -> None:
    it.number = 10


LEFT_OUT = [
    stale, of_another_past, closed, used_key, used_otherwise, forged_hash, forged_first_hash, another_fact,
    another_secret, ahead, behind, not_let_in,
]  # fmt: skip


def no_type(it: Asked) -> None:
    it.forge = lambda rows: [rows[0]._replace(type=None), rows[1]]


def a_shape_below_one(it: Asked) -> None:
    it.events = [NewEvent("counted", b"{}", schema=0)]


def not_text(it: Asked) -> None:
    it.forge = lambda rows: [rows[0]._replace(type="\ud800"), rows[1]]


def fails_beside(it: Asked) -> None:
    it.number = 0


REFUSED = [no_type, a_shape_below_one, not_text, fails_beside]
"""Commands that make the whole statement fail."""


@each_place
@pytest.mark.parametrize("trouble", [*LEFT_OUT, *REFUSED], ids=lambda it: it.__name__)
def test_one_that_can_not_be_stored_harms_no_other(
    batch: list[Asked], trouble: Callable[[Asked], None], place: int
) -> None:
    trouble(batch[place])
    before, length = store.head(batch[place].stream), len(versions(batch[place].stream))
    put(*batch)
    for it in batch:
        if it is batch[place]:
            assert_untouched(it, before, length)
        else:
            assert_stored(it)


@each_place
def test_a_stream_that_somebody_else_holds_is_not_waited_for(batch: list[Asked], place: int) -> None:
    before = store.head(batch[place].stream)
    with locked(batch[place].stream):
        put(*batch)
    for it in batch:
        if it is batch[place]:
            assert_untouched(it, before)
        else:
            assert_stored(it)


@each_place
def test_a_row_beside_that_somebody_else_holds_delays_its_own_command_alone(batch: list[Asked], place: int) -> None:
    held = batch[place]
    before = store.head(held.stream)
    taken = "INSERT INTO events_snapshot VALUES (%s, 'noted', 1, '', '')"
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute(taken, [held.stream])
        put(*batch)
    for it in batch:
        if it is held:
            assert_untouched(it, before)
        else:
            assert_stored(it)


class Troubled(LoopConnection):
    """Something happens to the connection once, before or after a batch is on its way."""

    def __init__(self, trouble: Callable[[psycopg.AsyncConnection[Any]], None], *, after: bool) -> None:
        super().__init__()
        self._trouble, self._after, self._done = trouble, after, False

    async def run(self, statement: Any, values: Sequence[bytes | None] = ()) -> Any:
        if not values or self._done:
            return await super().run(statement, values)
        self._done = True
        await super().run(BinaryStatement("SELECT 1"))
        assert self._connection is not None
        if not self._after:
            self._trouble(self._connection)
            return await super().run(statement, values)
        await super().run(statement, values)
        await self._connection.close()
        raise psycopg.OperationalError("the answer was lost")


def kill(connection: psycopg.AsyncConnection[Any]) -> None:
    with owner() as hand:
        hand.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])


def demote(connection: psycopg.AsyncConnection[Any]) -> None:
    connection.pgconn.exec_(b"SET default_transaction_read_only = on")


def resolve(it: Asked) -> Outcome | None:
    """Return the outcome that a stream transaction finds under the key of a command that was handed back."""
    with StreamTransaction(it.stream, actor="mira", key=it.key) as transaction:
        return transaction.known


@each_size
@pytest.mark.parametrize("trouble", [kill, demote])
def test_batch_is_not_stored_on_a_lost_server_and_the_next_one_reconnects(
    batch: list[Asked], trouble: Callable[[psycopg.AsyncConnection[Any]], None]
) -> None:
    heads = [store.head(it.stream) for it in batch]
    line = Troubled(trouble, after=False)
    put(*batch, line=line)
    assert line.is_lost
    for it, before in zip(batch, heads, strict=True):
        assert_untouched(it, before)
        assert resolve(it) is None
    again = [Asked(it.stream) for it in batch]
    put(*again)
    for it in again:
        assert_stored(it)


@each_size
def test_an_answer_that_was_lost_is_found_by_its_key(batch: list[Asked]) -> None:
    put(*batch, line=Troubled(lambda _: None, after=True))
    for it in batch:
        assert not it.accepted and versions(it.stream) == [1, 2, 3]
        assert resolve(it) == Outcome(b"f", 3, b"answer")
        assert keys(it.stream) == 1


def stop(how: str) -> None:
    """Stop the first session of the service that waits for a lock."""
    question = "SELECT pid FROM pg_stat_activity WHERE application_name = 'croupier' AND wait_event_type = 'Lock'"
    with owner() as watcher:
        for _ in range(2000):
            if (pid := one(watcher, question)) is not None:
                watcher.execute(f"SELECT {how}(%s)", [pid])
                return


@pytest.mark.parametrize("how", ["pg_cancel_backend", "pg_terminate_backend"])
@each_place
def test_batch_stopped_midway_is_stored_as_a_whole_or_not_at_all(batch: list[Asked], how: str, place: int) -> None:
    """The batch waits for a row that somebody holds, and is stopped meanwhile."""
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute("INSERT INTO events_snapshot VALUES (%s, 'noted', 1, '', '')", [batch[place].stream])
        put(*batch, meanwhile=lambda: stop(how))
    for it in batch:
        assert versions(it.stream) == ([1, 2, 3] if it.accepted else [1])
        assert (resolve(it) is not None) == it.accepted
    assert not batch[place].accepted


def test_writer_takes_one_command_per_stream_at_a_time(batch: list[Asked]) -> None:
    first, second = batch[0], Asked(batch[0].stream, key="other")

    async def moment() -> None:
        writer = Writer(BatchStatement(GATE, [NOTE]))
        assert writer.put(first.stream, first.seal, first.told.append)
        assert not writer.put(second.stream, second.seal, second.told.append)
        while not first.told:
            await asyncio.sleep(0.002)
        assert second.told == []
        await writer.close()

    asyncio.run(moment())
    assert len(first.told) == 1


def test_the_database_stores_one_of_two_commands_of_a_stream_in_a_batch() -> None:
    """The writer sends none such; the database wouldn't be led to store both."""
    stream = new_stream(length=1)
    first, second = Asked(stream, key="a"), Asked(stream, key="b", events=[counted(7)])
    statement = BatchStatement()

    async def moment() -> set[int]:
        line = LoopConnection()
        await line.be_ready(statement.statement)
        ((at,),) = await line.run(BinaryStatement("SELECT clock_timestamp()"))
        commands = [it.seal(at, at) for it in (first, second)]
        ((_, stored),) = await line.run(statement.statement, statement.values(commands))
        await line.close()
        return set(stored)

    stored = asyncio.run(moment())
    # On a very busy machine the instant may be too old by then.
    assert len(stored) == keys(stream) <= 1 and verifying.verify(stream) is None


def test_command_that_cannot_be_sealed_is_not_taken() -> None:
    async def moment() -> None:
        writer = Writer(BatchStatement())
        assert not writer.put(stream, lambda *_: None, outcomes.append)
        await writer.close()

    stream, outcomes = new_stream(length=1), list[Command | None]()
    estimated_clock.read_off(store.clock())
    asyncio.run(moment())
    assert outcomes == []


def test_writer_without_a_recent_clock_asks_for_the_time(monkeypatch: pytest.MonkeyPatch, batch: list[Asked]) -> None:
    monkeypatch.setattr(estimated_clock, "_reading", None)
    monkeypatch.setattr(estimated_clock, "read_off", lambda _: None)
    put(*batch)
    for it in batch:
        assert_stored(it)


def test_writer_seals_a_waiting_command_again_with_its_arrival_and_the_current_time() -> None:
    stream, instants = new_stream(length=1), list[tuple[datetime, datetime]]()
    request_made = Asked(stream)

    def seal(arrived_at: datetime, now: datetime) -> Command:
        instants.append((arrived_at, now))
        return request_made.seal(arrived_at, now)

    now = store.clock()
    entry = _Entry(stream, seal, request_made.told.append)
    entry.arrived_at -= 3
    assert entry.can_store(now)
    ((arrived_at, sealed_at),) = instants
    assert sealed_at == now and arrived_at <= now - timedelta(seconds=3)
    assert entry.can_store(now + timedelta(milliseconds=40)) and len(instants) == 1, "what is fresh isn't sealed again"
    later = now + timedelta(milliseconds=60)
    assert entry.can_store(later) and instants[-1][1] == later


def test_writer_dates_a_command_no_earlier_than_the_database_accepts() -> None:
    instants = list[timedelta]()

    def seal(arrived_at: datetime, now: datetime) -> None:
        instants.append(now - arrived_at)

    entry = _Entry(new_stream(length=1), seal, lambda _: None)
    entry.arrived_at -= 60
    assert not entry.can_store(store.clock()) and instants == [timedelta(seconds=9)]


@each_size
def test_batch_stores_a_command_that_has_waited_for_seconds(batch: list[Asked]) -> None:
    for it in batch:
        it.off = timedelta(seconds=-8)
    put(*batch)
    for it in batch:
        assert_stored(it)


def test_urgent_commands_are_stored_in_their_order_before_those_that_wait(
    monkeypatch: pytest.MonkeyPatch, batch: list[Asked]
) -> None:
    monkeypatch.setattr("events.writer.MOST", 1)
    landed = list[UUID]()

    async def moment() -> None:
        writer = Writer(BatchStatement(GATE, [NOTE]))
        for it in batch:
            writer.put(it.stream, it.seal, lambda _, it=it: landed.append(it.stream), urgent=it is not batch[0])
        assert writer.longest_wait() > 0
        async with asyncio.timeout(20):
            while len(landed) < SIZE:
                await asyncio.sleep(0.002)
        assert writer.longest_wait() == 0
        await writer.close()

    asyncio.run(moment())
    assert landed == [*(it.stream for it in batch[1:]), batch[0].stream]
