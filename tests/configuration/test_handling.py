"""Requests are answered each in one thread, which the next one finds free again."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse

from config.server import handling
from matches.http.talk_paths import is_talk
from tests.waiting import PATIENCE


@pytest.fixture
def threads_used() -> Iterator[list[int]]:
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


def test_requests_that_follow_each_other_share_a_thread(threads_used: list[int]) -> None:
    handler = handling.Handler()

    async def one_by_one(client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get("/healthz") for _ in range(5)]

    assert answers(handler, one_by_one) == {200}
    assert len(threads_used) == 10 and len(set(threads_used)) == 1
    assert threading.get_ident() not in threads_used


def test_requests_at_once_do_not_wait_for_each_other_and_few_threads_are_kept(
    threads_used: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handling, "_IDLE_KEPT", 2)
    handler = handling.Handler()

    async def at_once(client: httpx.AsyncClient) -> list[httpx.Response]:
        return list(await asyncio.gather(*(client.get("/healthz") for _ in range(6))))

    assert answers(handler, at_once) == {200}
    assert len(set(threads_used)) > 1
    assert answers(handler, at_once) == {200}
    assert len(handler._idle) == 2


@pytest.mark.parametrize(
    ("path", "gives_way"),
    [
        ("/api/v1/matches/p1/remarks", True), ("/api/v1/matches/p1/remarks/table/7/hide", True),
        ("/api/v1/seasons/s1/board/2", True), ("/m/p1/talk", True), ("/seasons/s1/board", True),
        ("/api/v1/matches/p1/commands", False), ("/api/v1/matches/p1/board.svg", False), ("/m/talk", False),
        ("/m/p1/commands", False), ("/seasons/s1", False),
    ],
)  # fmt: skip
def test_talk_alone_gives_way(path: str, gives_way: bool) -> None:
    assert is_talk(path) == gives_way


def test_remarks_use_few_threads_however_many_accounts_write() -> None:
    handler = handling.Handler()
    speaking: list[str] = []
    is_over = threading.Event()

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path.endswith("/remarks"):
            speaking.append(request.path)
            assert is_over.wait(PATIENCE)
        return HttpResponse(status=204)

    handler._middleware_chain = sync_to_async(answer)

    async def crowd(client: httpx.AsyncClient) -> list[httpx.Response]:
        talk = [asyncio.create_task(client.post("/api/v1/matches/p1/remarks")) for _ in range(9)]
        while len(speaking) < 2:
            await asyncio.sleep(0.001)
        moves = [await client.post("/api/v1/matches/p1/commands") for _ in range(9)]
        assert len(speaking) == 2, "all nine moves were answered while two of nine remarks had a thread"
        is_over.set()
        return [*moves, *await asyncio.gather(*talk)]

    assert answers(handler, crowd) == {204}
    assert len(speaking) == 9


def test_a_view_that_fails_is_answered_and_its_thread_goes_on(threads_used: list[int]) -> None:
    handler = handling.Handler()

    async def nowhere(client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get(path) for path in ("/api/v1/nowhere", "/api/v1/me")]

    assert answers(handler, nowhere) == {404, 401}
    assert len(set(threads_used)) == 1
