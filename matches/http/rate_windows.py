"""Rate limits in Redis, for all processes together: one script, one round trip; each request counts in all its windows
or none.

docs/decisions/0023 says why this isn't a strategy of `limits`.
"""

import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import redis
import structlog
from limits import RateLimitItem

from events.log_throttle import LogThrottle
from matches.publishing import redis_client

logger = structlog.get_logger(__name__)

SCRIPT = Path(__file__).with_suffix(".lua").read_text()
_BACK = Path(__file__).with_name("rate_windows_back.lua").read_text()
_REST_SECONDS = 1.0
_throttle = LogThrottle(seconds=60)


class Verdict(NamedTuple):
    """The result of the tightest window; `wait` is in milliseconds, 0 if the request was counted."""

    allowed: bool
    limit: int
    left: int
    wait: int


class CounterAway(Exception):
    """Redis doesn't answer."""


def figures_of(windows: Sequence[tuple[str, RateLimitItem]]) -> tuple[int, ...]:
    """Return the script's arguments for a request's windows: for each its limit, and its length in milliseconds."""
    return tuple([figure for _, rate in windows for figure in (rate.amount, rate.get_expiry() * 1000)])


def place_of(keys: Sequence[str]) -> str:
    """Return the hash tag by which a Redis cluster places these keys: what precedes the end of their braces."""
    return keys[0].partition("}")[0]


def verdicts(reply: bytes) -> list[Verdict]:
    """Return the script's results, one for each request."""
    figures = [int(figure) for figure in reply.split()]
    return [Verdict(bool(figures[i]), *figures[i + 1 : i + 4]) for i in range(0, len(figures), 4)]


class Patient:
    """Calls Redis as long as it answers within `patience` seconds.

    After a failure Redis is not called for a moment, so that its absence costs requests nothing.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.away_until = 0.0

    def refuse_while_away(self) -> None:
        """Raise CounterAway for a moment after a failure. No I/O."""
        if time.monotonic() < self.away_until:
            raise CounterAway

    def note_failure(self, error: Exception) -> None:
        """Call Redis no more for a moment, and log the failure."""
        self.away_until = time.monotonic() + _REST_SECONDS
        if _throttle.is_due():
            logger.warning("limits without redis", error=type(error).__name__)


class Counter(Patient):
    """Counts the requests of threads. `loop_counter` counts those of the event loop by the same script."""

    def count(self, windows: Sequence[tuple[str, RateLimitItem]]) -> Verdict:
        """Count one request under each key; raise CounterAway."""
        return verdicts(self._run(self._script, [key for key, _ in windows], figures_of(windows)))[0]

    def give_back(self, keys: Sequence[str]) -> None:
        """Undo the count of the latest request under each key; raise CounterAway."""
        self._run(self._back, keys)

    def _run(self, script: redis.commands.core.Script, keys: Sequence[str], figures: Sequence[int] = ()) -> Any:
        self.refuse_while_away()
        try:
            return script(keys=keys, args=figures)
        except redis.RedisError as error:
            self.note_failure(error)
            raise CounterAway from error

    @cached_property
    def _script(self) -> redis.commands.core.Script:
        return self._client.register_script(SCRIPT)

    @cached_property
    def _back(self) -> redis.commands.core.Script:
        return self._client.register_script(_BACK)

    @cached_property
    def _client(self) -> redis.Redis:
        return redis_client.connect(self.patience)


# Play goes on without Redis and waits only briefly for it; sign-ins, which would be refused, wait longer.
of_play = Counter(patience=0.1)
of_entries = Counter(patience=1.0)
