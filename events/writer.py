"""The writer: stores all waiting commands of an event loop with one statement and one commit.

A command is sent as soon as the previous batch is stored. Under load, batches therefore form by themselves; otherwise
no command waits for another. A command that can't be stored this way, for whatever reason, is handed back, and its
caller uses a `StreamTransaction`, whose result is final. If the result of a batch was lost, that transaction finds the
stored outcome by the key.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
import structlog

from events import arrivals, estimated_clock, metrics, tracing
from events.appending import SealedCommand, note_commit
from events.batches import BatchStatement, outcome
from events.log_throttle import LogThrottle
from events.loop_connection import LoopConnection
from events.pipeline import BinaryStatement

log = structlog.get_logger(__name__)

MOST = 200
"""The most commands in one batch."""
_LONGEST_WAIT = timedelta(seconds=9)
"""The longest wait of a command: a second less than the database allows, to leave time for the transfer."""
_FRESH = timedelta(milliseconds=50)
"""After this time a command is sealed again, because a player whose turn it starts gets time from the instant of
storage."""
_REST_SECONDS = 1.0
_MOST_LOCKED = 4
_CLOCK = BinaryStatement("SELECT clock_timestamp()")
_throttle = LogThrottle()

Seal = Callable[[datetime, datetime], SealedCommand | None]
"""Makes the command that arrived at the first instant and is stored at the second, by the database's clock, with a date
between them; returns None if it can't be stored this way."""
Landed = Callable[[SealedCommand | None], None]
"""Called once: with the command after its commit, or with None if it isn't stored or the result is unknown."""


class _Entry:
    """A waiting command. Its arrival is an estimate, which the database checks."""

    __slots__ = ("_seal", "_sealed_at", "arrived_at", "command", "context", "landed", "stream")

    def __init__(self, stream: UUID, seal: Seal, landed: Landed) -> None:
        self.stream, self._seal, self.landed = stream, seal, landed
        self.arrived_at = arrivals.arrived_at()
        # Callbacks run in the context of the request that put the command.
        self.context = copy_context()
        self.command: SealedCommand | None = None
        self._sealed_at: datetime

    def can_store(self, now: datetime) -> bool:
        """True if the command can be stored as of its arrival, or as of the earliest arrival that the database accepts,
        if it has waited longer."""
        if self.command is None or self._sealed_at < now - _FRESH:
            waited = timedelta(seconds=time.monotonic() - self.arrived_at)
            self.command, self._sealed_at = self._seal(now - min(waited, _LONGEST_WAIT), now), now
        return self.command is not None


class Writer:
    """The writer of an event loop. It accepts one command per stream at a time."""

    def __init__(self, statement: BatchStatement) -> None:
        self._statement = statement
        self._connection = LoopConnection()
        self._urgent: list[_Entry] = []
        self._waiting: list[_Entry] = []
        self._streams: dict[UUID, _Entry] = {}
        self._wanted = asyncio.Event()
        self._away_until = 0.0
        self._task = asyncio.create_task(self._run(), name="writer", context=Context())

    def put(self, stream: UUID, seal: Seal, landed: Landed, *, urgent: bool = False) -> bool:
        """Store the command that `seal` makes in the next batch, before others if `urgent`.

        Return False and do nothing if a command of the stream is already waiting, the database was unavailable a moment
        ago, or the command can't be stored this way.
        """
        if stream in self._streams or time.monotonic() < self._away_until:
            return False
        entry, now = _Entry(stream, seal, landed), estimated_clock.now()
        # Seal now, while the previous batch is in progress, to save the time later.
        if now is not None and not entry.can_store(now):
            return False
        self._streams[stream] = entry
        (self._urgent if urgent else self._waiting).append(entry)
        self._wanted.set()
        return True

    def longest_wait(self) -> float:
        """Return for how many seconds the oldest command has waited; 0 if none waits."""
        oldest = next(iter(self._streams.values()), None)
        return 0.0 if oldest is None else time.monotonic() - oldest.arrived_at

    async def close(self) -> None:
        """Stop, and hand back all waiting commands."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._hand_back([*self._urgent, *self._waiting])
        await self._connection.close()

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while batch := self._next_batch():
                try:
                    await self._store(batch)
                except Exception as error:  # the next batch goes on
                    log.error("batch_failed", exc_info=error)
                finally:
                    self._hand_back(batch)

    def _next_batch(self) -> list[_Entry]:
        urgent = self._urgent[:MOST]
        others = self._waiting[: MOST - len(urgent)]
        del self._urgent[: len(urgent)], self._waiting[: len(others)]
        return urgent + others

    async def _store(self, batch: list[_Entry]) -> None:
        """Store a batch. If it is refused as a whole, try each command by itself, so that one can't fail the others.
        Hand back commands whose rows are locked, and after a few of those the rest as well."""
        if not await self._try_store(batch) or len(batch) == 1:
            return
        locked = 0
        for entry in batch:
            locked += isinstance(await self._try_store([entry]), psycopg.errors.LockNotAvailable)
            if locked == _MOST_LOCKED:
                return

    async def _try_store(self, batch: Sequence[_Entry]) -> Exception | None:
        """Send a batch and pass on its results. Return the error if the batch was refused and nothing was stored."""
        try:
            # Connect before the arrivals are determined: connecting may take longer than the database allows for a
            # wait.
            await self._connection.be_ready(self._statement.statement)
            now = estimated_clock.now() or await self._read_clock()
            storable = [entry for entry in batch if self._is_waiting(entry) and entry.can_store(now)]
            commands = [entry.command for entry in storable if entry.command is not None]
            if not commands:
                return None
            values = self._statement.values(commands)
        except psycopg.Error as error:
            self._pause(error)
            return None
        except Exception as error:  # a command can't be encoded or sealed
            log.warning("batch_unwritten", commands=len(batch), error=type(error).__name__)
            return error
        begun = time.perf_counter()
        try:
            shown, stored = outcome(await self._connection.run(self._statement.statement, values))
        except psycopg.Error as error:
            if self._connection.is_lost:
                self._pause(error)
                return None
            self._log_refused(error, storable)
            return error
        estimated_clock.record_reading(shown)
        metrics.committed(time.perf_counter() - begun, len(stored))
        for number, entry in enumerate(storable, 1):
            if number in stored and entry.command is not None:
                entry.context.run(_record_commit, entry.command, begun, len(stored))
            self._land(entry, entry.command if number in stored else None)
        return None

    async def _read_clock(self) -> datetime:
        ((now,),) = await self._connection.run(_CLOCK)
        estimated_clock.record_reading(now)
        return now

    def _pause(self, error: psycopg.Error) -> None:
        """Send nothing for a while, because the database is unavailable. The result of what was sent is unknown, so
        callers hand all of it back."""
        self._away_until = time.monotonic() + _REST_SECONDS
        if _throttle.is_due("away"):
            log.warning("writer_away", error=type(error).__name__)

    def _log_refused(self, error: psycopg.Error, batch: Sequence[_Entry]) -> None:
        if _throttle.is_due(error.sqlstate or ""):
            streams = [str(entry.stream) for entry in batch[:1]]
            log.warning("batch_refused", commands=len(batch), first=streams, sqlstate=error.sqlstate)

    def _is_waiting(self, entry: _Entry) -> bool:
        return self._streams.get(entry.stream) is entry

    def _hand_back(self, entries: Sequence[_Entry]) -> None:
        for entry in entries:
            self._land(entry, None)

    def _land(self, entry: _Entry, command: SealedCommand | None) -> None:
        """Call the command's callback, once."""
        if not self._is_waiting(entry):
            return
        del self._streams[entry.stream]
        try:
            entry.context.run(entry.landed, command)
        except Exception as error:  # the command stays stored, and the other callbacks must run
            log.error("landing_failed", stream=str(entry.stream), exc_info=error)


def _record_commit(command: SealedCommand, begun: float, together: int) -> None:
    """Log and trace a commit, in the context of the request that put the command."""
    rows = command.sealed.rows
    note_commit(command.stream, rows)
    parent, version = tracing.traceparent(), rows[-1].version
    if span := tracing.later("commit", parent, begun, stream=command.stream, version=version, commands=together):
        span.end()
