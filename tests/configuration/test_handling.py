"""Requests are answered each in one thread, which the next one finds free again."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator

import httpx
import pytest
from django.core.signals import request_finished, request_started

from config.server import handling


@pytest.fixture
def seen() -> Iterator[list[int]]:
    """The threads in which requests begin and end."""
    threads: list[int] = []

    def note(**_: object) -> None:
        threads.append(threading.get_ident())

    for signal in (request_started, request_finished):
        signal.connect(note)
    yield threads
    for signal in (request_started, request_finished):
        signal.disconnect(note)


Asking = Callable[[httpx.AsyncClient], Awaitable[list[httpx.Response]]]


def answers(handler: handling.Handler, asking: Asking) -> set[int]:
    """The statuses of what is asked for."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app=handler)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await asking(client)

    return {response.status_code for response in asyncio.run(ask())}


def test_requests_that_follow_each_other_share_a_thread(seen: list[int]) -> None:
    handler = handling.Handler()

    async def one_by_one(client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get("/healthz") for _ in range(5)]

    assert answers(handler, one_by_one) == {200}
    assert len(seen) == 10 and len(set(seen)) == 1
    assert threading.get_ident() not in seen


def test_requests_at_once_do_not_wait_for_each_other_and_few_threads_are_kept(
    seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handling, "_IDLE_KEPT", 2)
    handler = handling.Handler()

    async def at_once(client: httpx.AsyncClient) -> list[httpx.Response]:
        return list(await asyncio.gather(*(client.get("/healthz") for _ in range(6))))

    assert answers(handler, at_once) == {200}
    assert len(set(seen)) > 1
    assert answers(handler, at_once) == {200}
    assert len(handler._idle) == 2


def test_a_view_that_fails_is_answered_and_its_thread_goes_on(seen: list[int]) -> None:
    handler = handling.Handler()

    async def nowhere(client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get(path) for path in ("/api/v1/nowhere", "/api/v1/me")]

    assert answers(handler, nowhere) == {404, 401}
    assert len(set(seen)) == 1
