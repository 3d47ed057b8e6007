"""Counting in the event loop: it shares the counts with all processes, and play continues without Redis."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.http import HttpRequest
from limits import parse_many
from redis.asyncio.connection import AbstractConnection

from config.deployment import brokers
from matches.http import limits, loop_counter, rate_windows
from matches.http.loop_counter import LoopCounter
from matches.http.problems import Problem
from matches.http.rate_windows import CounterAway, Verdict
from matches.publishing import redis_client

PATIENCE = 30.0


def windows(rates: str = "5/minute") -> list[tuple[str, object]]:
    """The counters of somebody new."""
    key = uuid4()
    return [(f"croupier:limit:{{t}}:{key}:{rate.get_expiry()}", rate) for rate in parse_many(rates)]


@asynccontextmanager
async def counting(patience: float = PATIENCE) -> AsyncIterator[LoopCounter]:
    """A counter of this loop, whose connections to Redis end before the loop does."""
    counter = LoopCounter(patience)
    try:
        yield counter
    finally:
        await counter._client.aclose()


async def count(counter: LoopCounter, windows_counted: list[tuple[str, object]], times: int) -> list[Verdict]:
    """Count so many at once."""
    return list(await asyncio.gather(*(counter.count(windows_counted) for _ in range(times))))  # type: ignore[arg-type]


@pytest.mark.parametrize("is_known", [True, False])
def test_concurrent_counts_stay_within_the_limit(is_known: bool) -> None:
    windows_counted = windows("5/minute;100/hour")
    rate_windows.of_play.count(windows_counted)  # type: ignore[arg-type]
    if not is_known:
        redis.Redis.from_url(settings.REDIS_URL).script_flush()

    async def ten() -> list[Verdict]:
        async with counting() as counter:
            return await count(counter, windows_counted, 10)

    verdicts = asyncio.run(ten())
    assert [it.allowed for it in verdicts] == [True] * 4 + [False] * 6
    assert not rate_windows.of_play.count(windows_counted).allowed  # type: ignore[arg-type]


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that the event loop sends to a Redis that knows the script."""
    sent: list[str] = []
    send = AbstractConnection.send_command

    async def record_and_send(self: AbstractConnection, *command: object, **options: object) -> None:
        sent.append(str(command[0]))
        await send(self, *command, **options)

    rate_windows.of_play.count(windows())  # type: ignore[arg-type]
    monkeypatch.setattr(AbstractConnection, "send_command", record_and_send)
    return sent


def test_waiting_counts_take_one_call_per_kind_of_window(called: list[str]) -> None:
    accounts = [windows("2/minute;100/hour") for _ in range(3)]
    windows_counted = [*accounts, *accounts, windows("9/minute"), *accounts]

    async def together() -> list[Verdict]:
        async with counting() as counter:
            return list(await asyncio.gather(*(counter.count(it) for it in windows_counted)))  # type: ignore[arg-type]

    verdicts = asyncio.run(together())
    assert [(it.allowed, it.limit, it.left) for it in verdicts] == (
        [(True, 2, 1)] * 3 + [(True, 2, 0)] * 3 + [(True, 9, 8)] + [(False, 2, 0)] * 3
    )
    assert called.count("EVALSHA") == 2


@pytest.mark.parametrize(("many", "calls"), [(2, 3), (3, 2)])
def test_counts_of_a_busy_moment_are_batched(
    called: list[str], monkeypatch: pytest.MonkeyPatch, many: int, calls: int
) -> None:
    monkeypatch.setattr(loop_counter, "_BREATH_SECONDS", 0.2)

    async def moment() -> None:
        async with counting() as counter:
            await count(counter, windows(), many)
            first = asyncio.create_task(counter.count(windows()))  # type: ignore[arg-type]
            # By then a call for the first one has begun, where nothing waits.
            for _ in range(5):
                await asyncio.sleep(0)
            await asyncio.gather(first, counter.count(windows()))  # type: ignore[arg-type]

    asyncio.run(moment())
    assert called.count("EVALSHA") == calls


def test_counter_asks_the_sentinels_for_the_master(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "REDIS_SENTINELS", brokers.sentinels("REDIS_URL", "sentinel://one,two:26380/house/3"))

    async def sentinel_hosts() -> list[str]:
        pool = redis_client.connect_for_loop().connection_pool
        return [sentinel.connection_pool.connection_kwargs["host"] for sentinel in pool.sentinel_manager.sentinels]

    assert asyncio.run(sentinel_hosts()) == ["one", "two"]


def test_unreachable_redis_is_not_asked_again_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        monkeypatch.setattr(settings, "REDIS_URL", f"redis://127.0.0.1:{frozen.getsockname()[1]}/0")

        async def moment() -> float:
            async with counting(0.2) as counter:
                for _ in range(2):
                    with pytest.raises(CounterAway):
                        await counter.count(windows())  # type: ignore[arg-type]
                began = time.monotonic()
                with pytest.raises(CounterAway):
                    await counter.count(windows())  # type: ignore[arg-type]
                return time.monotonic() - began

        assert asyncio.run(moment()) < 0.1


def test_threads_and_event_loop_count_against_one_limit_and_answer_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LIMITS", True)
    monkeypatch.setattr(settings, "LIMIT_RATES", settings.LIMIT_RATES | {"commands": "3/minute"})
    account, by_thread = uuid4(), HttpRequest()

    async def at_once() -> dict[str, str] | None:
        headers = await limits.spend_at_once("commands", account, "127.0.0.1")
        await loop_counter.of_play()._client.aclose()
        return headers

    first = asyncio.run(at_once())
    limits.spend("commands", account, "127.0.0.1", by_thread)
    answers = [first, by_thread.limit_headers, asyncio.run(at_once())]
    assert answers == [{"RateLimit-Limit": "3", "RateLimit-Remaining": left} for left in ("2", "1", "0")]
    assert asyncio.run(at_once()) is None
    with pytest.raises(Problem, match="too_many_requests"):
        limits.spend("commands", account, "127.0.0.1", by_thread)


def test_commands_continue_without_redis_and_are_limited_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LIMITS", True)
    monkeypatch.setattr(settings, "LIMIT_RATES", settings.LIMIT_RATES | {"commands": "2/minute"})
    account = uuid4()

    async def three() -> list[bool]:
        headers_of_each = [await limits.spend_at_once("commands", account, "127.0.0.1") for _ in range(3)]
        await loop_counter.of_play()._client.aclose()
        return [headers is not None for headers in headers_of_each]

    assert asyncio.run(three()) == [True, True, False]

    class Away(LoopCounter):
        async def count(self, windows: object) -> Verdict:
            raise CounterAway

    monkeypatch.setattr(loop_counter, "of_play", lambda: Away(PATIENCE))
    assert asyncio.run(three()) == [True, True, True]
