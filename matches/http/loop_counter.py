"""Rate limiting in Redis for the event loop: waiting requests go in one call of `rate_windows`' script."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import redis
from limits import RateLimitItem

from matches.http import rate_windows
from matches.http.rate_windows import CounterAway, Patient, Verdict
from matches.publishing import redis_client

_MOST = 200
_BREATH_SECONDS = 0.001
_FEW = 2
_SHA = hashlib.sha1(rate_windows.SCRIPT.encode(), usedforsecurity=False).hexdigest()

Together = tuple[str, tuple[int, ...]]
"""The properties that requests in one call share: the hash tag of their keys in a cluster, and their
windows' numbers."""


class _Pending(NamedTuple):
    """A request that waits to be counted, with a key for each of its windows."""

    keys: list[str]
    verdict: "asyncio.Future[Verdict]"


class LoopCounter(Patient):
    """Counts the requests of one event loop."""

    def __init__(self, patience: float) -> None:
        super().__init__(patience)
        self._waiting: list[tuple[Together, _Pending]] = []
        self._task: asyncio.Task[None] | None = None
        # The patience is for a whole batch; a timeout of the client would start anew for each response.
        self._client = redis_client.connect_for_loop()

    async def count(self, windows: Sequence[tuple[str, RateLimitItem]]) -> Verdict:
        """Count one request under each key; raise CounterAway."""
        self.refuse_while_away()
        keys = [key for key, _ in windows]
        entry = _Pending(keys, asyncio.get_running_loop().create_future())
        self._waiting.append(((rate_windows.place_of(keys), rate_windows.figures_of(windows)), entry))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="counter")
        return await entry.verdict

    async def _run(self) -> None:
        """Send the waiting requests until there are none."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                try:
                    async with asyncio.timeout(self.patience):
                        await self._send(batch)
                except (redis.RedisError, OSError, TimeoutError) as error:
                    self.note_failure(error)
                finally:
                    for _, entry in batch:
                        if not entry.verdict.done():
                            entry.verdict.set_exception(CounterAway())
                # A call takes as long for one request as for ten. When few arrive each is sent at once; when many
                # arrive they are gathered for a moment, as storing their commands takes longer anyway.
                if len(batch) > _FEW:
                    await asyncio.sleep(_BREATH_SECONDS)
        finally:
            self._task = None

    async def _send(self, batch: Sequence[tuple[Together, _Pending]]) -> None:
        calls: defaultdict[Together, list[_Pending]] = defaultdict(list)
        for together, entry in batch:
            calls[together].append(entry)
        # A pipeline's own overhead is larger than all of this.
        connection = await self._client.connection_pool.get_connection()
        try:
            for (_, figures), those in calls.items():
                keys = [key for it in those for key in it.keys]
                try:
                    await connection.send_command("EVALSHA", _SHA, len(keys), *keys, *figures)
                    answer = await connection.read_response()
                except redis.exceptions.NoScriptError:
                    await connection.send_command("EVAL", rate_windows.SCRIPT, len(keys), *keys, *figures)
                    answer = await connection.read_response()
                _resolve(those, rate_windows.verdicts(answer))
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._client.connection_pool.release(connection)


def _resolve(those: Sequence[_Pending], verdicts: Sequence[Verdict]) -> None:
    for entry, verdict in zip(those, verdicts, strict=True):
        # The caller may be gone.
        if not entry.verdict.done():
            entry.verdict.set_result(verdict)


_counters: dict[asyncio.AbstractEventLoop, LoopCounter] = {}


def of_play() -> LoopCounter:
    """Return this event loop's counter for play, which goes on without Redis and waits only briefly for it."""
    loop = asyncio.get_running_loop()
    if loop not in _counters:
        _counters[loop] = LoopCounter(rate_windows.of_play.patience)
    return _counters[loop]
