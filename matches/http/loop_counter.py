"""Counts requests in Redis for the event loop: what waits goes in one round trip, by the script of `rate_windows`."""

import asyncio
import hashlib
import time
from collections.abc import Sequence

import redis
import structlog
from django.conf import settings
from limits import RateLimitItem
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection

from events.log_throttle import LogThrottle
from matches.http import rate_windows
from matches.http.rate_windows import CounterAway, Verdict

log = structlog.get_logger(__name__)

_MOST = 200
_REST_SECONDS = 1.0
_SHA = hashlib.sha1(rate_windows.SCRIPT.encode(), usedforsecurity=False).hexdigest()
_throttle = LogThrottle(seconds=60)

Asked = tuple[list[str | int], asyncio.Future[Verdict]]


class LoopCounter:
    """Counts as long as Redis answers within its patience, in seconds; after a failure it is left alone for a while."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._waiting: list[Asked] = []
        self._task: asyncio.Task[None] | None = None
        # The patience is for a whole batch; a limit of the client's own would be set anew for each answer.
        self._client = Redis.from_url(settings.REDIS_URL, socket_timeout=None)
        self._away_until = 0.0

    async def count(self, windows: Sequence[tuple[str, RateLimitItem]]) -> Verdict:
        """Count one request under each key; raises CounterAway."""
        if time.monotonic() < self._away_until:
            raise CounterAway
        figures = [figure for _, rate in windows for figure in (rate.amount, rate.get_expiry() * 1000)]
        command: list[str | int] = ["EVALSHA", _SHA, len(windows), *(key for key, _ in windows), *figures]
        told: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, told))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="counter")
        return await told

    async def _run(self) -> None:
        """Send what waits until nothing does."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                try:
                    async with asyncio.timeout(self._patience):
                        await self._send(batch)
                except (redis.RedisError, OSError, TimeoutError) as error:
                    self._away_until = time.monotonic() + _REST_SECONDS
                    if _throttle.is_due():
                        log.warning("limits without redis", error=type(error).__name__)
                finally:
                    for _, told in batch:
                        if not told.done():
                            told.set_exception(CounterAway())
        finally:
            self._task = None

    async def _send(self, batch: Sequence[Asked]) -> None:
        # A pipeline's own bookkeeping takes longer than all of this.
        connection = await self._client.connection_pool.get_connection()
        try:
            for command, told in await self._unknown(connection, batch):
                await connection.send_command("EVAL", rate_windows.SCRIPT, *command[2:])
                _tell(told, await connection.read_response())
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._client.connection_pool.release(connection)

    async def _unknown(self, connection: AbstractConnection, batch: Sequence[Asked]) -> list[Asked]:
        """Count a batch; gives what Redis hasn't counted, as it didn't know the script yet."""
        packed = connection.pack_commands([command for command, _ in batch])
        await connection.send_packed_command(packed)
        unknown = []
        for asked in batch:
            try:
                _tell(asked[1], await connection.read_response())
            except redis.exceptions.NoScriptError:
                unknown.append(asked)
        return unknown


def _tell(told: "asyncio.Future[Verdict]", answer: Sequence[int]) -> None:
    allowed, limit, left, wait = answer
    # Whoever asked may have left.
    if not told.done():
        told.set_result(Verdict(bool(allowed), limit, left, wait))


_counters: dict[asyncio.AbstractEventLoop, LoopCounter] = {}


def of_play() -> LoopCounter:
    """The counter of this event loop's play, which goes on without Redis and hardly waits for it."""
    loop = asyncio.get_running_loop()
    if loop not in _counters:
        _counters[loop] = LoopCounter(rate_windows.of_play.patience)
    return _counters[loop]
