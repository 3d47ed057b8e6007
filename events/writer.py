"""The writer: what an event loop's commands store together, one statement and one commit for all that wait.

What is put into it goes to the database as soon as the batch before has landed. So batches form by themselves where
much happens, and where little does nobody waits for anybody. A command that can't be stored so, whatever the reason, is
handed back to whoever has put it, who goes on with a `StreamTransaction`: that has the last word. By the key it finds
what came of a command whose answer was lost.
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
from events.appending import note_commit
from events.batches import BatchStatement, Command, outcome
from events.log_throttle import LogThrottle
from events.loop_connection import LoopConnection, LoopStatement

log = structlog.get_logger(__name__)

MOST = 200
"""How many commands one batch holds at most."""
_BELIEVED = timedelta(seconds=9)
"""How long ago a command may have arrived: a second less than the database allows, for the way there."""
_FRESH = timedelta(milliseconds=50)
"""A command that was sealed longer ago is sealed again: who waits for it begins their turn when it is stored."""
_REST_SECONDS = 1.0
_MOST_LOCKED = 4
_CLOCK = LoopStatement("SELECT clock_timestamp()")
_throttle = LogThrottle()

Seal = Callable[[datetime, datetime], Command | None]
"""Makes the command that arrived at the first instant and is stored at the second, by the database's clock, dated
anywhere between them; None where it can't be stored so."""
Landed = Callable[[Command | None], None]
"""Called once: with the command after its commit, or with None where it isn't stored, or nobody knows."""


class _Entry:
    """A command that waits. When it arrived is an estimate, which the database checks."""

    __slots__ = ("_seal", "_sealed_at", "arrived_at", "command", "context", "landed", "stream")

    def __init__(self, stream: UUID, seal: Seal, landed: Landed) -> None:
        self.stream, self._seal, self.landed = stream, seal, landed
        self.arrived_at = arrivals.arrived_at()
        # What comes of it belongs to the request that has put it.
        self.context = copy_context()
        self.command: Command | None = None
        self._sealed_at: datetime

    def stands(self, now: datetime) -> bool:
        """True if it can be stored as of its arrival. One that has waited for longer than the database accepts counts
        as having arrived as early as it accepts."""
        if self.command is None or self._sealed_at < now - _FRESH:
            waited = timedelta(seconds=time.monotonic() - self.arrived_at)
            self.command, self._sealed_at = self._seal(now - min(waited, _BELIEVED), now), now
        return self.command is not None


class Writer:
    """The writer of one event loop; of a stream it has one command at a time."""

    def __init__(self, statement: BatchStatement) -> None:
        self._statement = statement
        self._line = LoopConnection()
        self._urgent: list[_Entry] = []
        self._waiting: list[_Entry] = []
        self._streams: dict[UUID, _Entry] = {}
        self._wanted = asyncio.Event()
        self._away_until = 0.0
        self._task = asyncio.create_task(self._run(), name="writer", context=Context())

    def put(self, stream: UUID, seal: Seal, landed: Landed, *, urgent: bool = False) -> bool:
        """Store what `seal` makes, together with what others put, and before them if it is `urgent`; False, and nothing
        happens, where a command of the stream is on its way already, the database was away a moment ago, or the command
        can't be stored so."""
        if stream in self._streams or time.monotonic() < self._away_until:
            return False
        entry, now = _Entry(stream, seal, landed), estimated_clock.now()
        # Sealed while the batch before is on its way, so that it needn't be when its turn comes.
        if now is not None and not entry.stands(now):
            return False
        self._streams[stream] = entry
        (self._urgent if urgent else self._waiting).append(entry)
        self._wanted.set()
        return True

    def longest_wait(self) -> float:
        """For how many seconds the oldest of the commands has waited; 0 where none waits."""
        oldest = next(iter(self._streams.values()), None)
        return 0.0 if oldest is None else time.monotonic() - oldest.arrived_at

    async def close(self) -> None:
        """Stop; whatever waits is handed back."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._hand_back([*self._urgent, *self._waiting])
        await self._line.close()

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
        """Store a batch; where it is refused as a whole each command is tried by itself, so that one can't spoil the
        others. Whoever finds a lock is handed back, and so is the rest where many do."""
        if not await self._refused(batch) or len(batch) == 1:
            return
        locked = 0
        for entry in batch:
            locked += isinstance(await self._refused([entry]), psycopg.errors.LockNotAvailable)
            if locked == _MOST_LOCKED:
                return

    async def _refused(self, batch: Sequence[_Entry]) -> Exception | None:
        """Send a batch and hand on what came of it; gives the error with which it was refused, so that nothing has
        happened."""
        try:
            # Before it is settled when they arrived: to connect may take longer than the database believes.
            await self._line.be_ready(self._statement.statement)
            now = estimated_clock.now() or await self._read_clock()
            standing = [entry for entry in batch if self._waits(entry) and entry.stands(now)]
            commands = [entry.command for entry in standing if entry.command is not None]
            if not commands:
                return None
            values = self._statement.values(commands)
        except psycopg.Error as error:
            self._note_away(error)
            return None
        except Exception as error:  # what can't be written, or sealed
            log.warning("batch_unwritten", commands=len(batch), error=type(error).__name__)
            return error
        begun = time.perf_counter()
        try:
            shown, stored = outcome(await self._line.run(self._statement.statement, values))
        except psycopg.Error as error:
            if self._line.is_lost:
                self._note_away(error)
                return None
            self._note_refused(error, standing)
            return error
        estimated_clock.read_off(shown)
        metrics.committed(time.perf_counter() - begun, len(stored))
        for number, entry in enumerate(standing, 1):
            if number in stored and entry.command is not None:
                entry.context.run(_note, entry.command, begun, len(stored))
            self._land(entry, entry.command if number in stored else None)
        return None

    async def _read_clock(self) -> datetime:
        ((now,),) = await self._line.run(_CLOCK)
        estimated_clock.read_off(now)
        return now

    def _note_away(self, error: psycopg.Error) -> None:
        """The database is away: nobody knows what came of what was sent, so all of it is handed back."""
        self._away_until = time.monotonic() + _REST_SECONDS
        if _throttle.is_due("away"):
            log.warning("writer_away", error=type(error).__name__)

    def _note_refused(self, error: psycopg.Error, batch: Sequence[_Entry]) -> None:
        if _throttle.is_due(error.sqlstate or ""):
            streams = [str(entry.stream) for entry in batch[:1]]
            log.warning("batch_refused", commands=len(batch), first=streams, sqlstate=error.sqlstate)

    def _waits(self, entry: _Entry) -> bool:
        return self._streams.get(entry.stream) is entry

    def _hand_back(self, entries: Sequence[_Entry]) -> None:
        for entry in entries:
            self._land(entry, None)

    def _land(self, entry: _Entry, command: Command | None) -> None:
        """Tell whoever has put it, once."""
        if not self._waits(entry):
            return
        del self._streams[entry.stream]
        try:
            entry.context.run(entry.landed, command)
        except Exception as error:  # it is stored all the same, and the others must be told
            log.error("landing_failed", stream=str(entry.stream), exc_info=error)


def _note(command: Command, begun: float, together: int) -> None:
    """That a command was committed, in the context of whoever has put it."""
    rows = command.sealed.rows
    note_commit(command.stream, rows)
    parent, version = tracing.traceparent(), rows[-1].version
    if span := tracing.later("commit", parent, begun, stream=command.stream, version=version, commands=together):
        span.end()
