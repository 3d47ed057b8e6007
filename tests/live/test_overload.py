"""Refusals of an overloaded service, before any work is done: over REST and over sockets."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from events import arrivals
from matches.api.at_once import AtOnce
from matches.http import limits, overload
from matches.http.arrivals import Arrivals
from matches.http.overload import Overloaded
from matches.realtime import inbound, sockets


@pytest.fixture(autouse=True)
def overloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command is admitted."""

    def refuse(_: Any) -> None:
        raise Overloaded(3)

    monkeypatch.setattr(overload, "refuse_beyond_capacity", refuse)
    monkeypatch.setattr(sockets, "refuse_beyond_capacity", refuse)


def command(body: bytes) -> dict[str, Any]:
    headers = {
        "host": "localhost", "authorization": "Bearer nobody's", "content-type": "application/json",
        "idempotency-key": "k", "content-length": str(len(body)), "x-request-id": "overloaded-1",
    }  # fmt: skip
    return {
        "type": "http", "method": "POST", "path": f"/api/v1/matches/{uuid4()}/commands", "query_string": b"",
        "scheme": "http", "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip


def test_rest_refuses_a_command_with_retry_after_and_counts_nothing() -> None:
    body, sent = b'{"type":"resign"}', list[Any]()
    scope = command(body)

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    async def django(*_: Any) -> None:
        pytest.fail("Django isn't asked")

    asyncio.run(AtOnce(django)(scope, receive, send))
    start, end = sent
    headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    assert (start["status"], headers["retry-after"]) == (503, "3")
    assert headers["content-type"] == "application/problem+json" and headers["x-request-id"] == "overloaded-1"
    document = json.loads(end["body"])
    assert (document["code"], document["retry_after"], document["request_id"]) == ("overloaded", 3, "overloaded-1")
    assert limits.COUNTED not in scope


def test_socket_refuses_a_command_by_its_id_and_stays_open() -> None:
    async def nothing(*_: Any) -> Any:
        pytest.fail("a refused command is neither read on nor written by hand")

    socket = sockets.Socket(nothing, nothing, "192.0.2.1")
    watch: Any = SimpleNamespace(hub=SimpleNamespace(match_id=uuid4()))
    message = inbound.CommandMessage(id="k1", command={"type": "resign"})
    answer = asyncio.run(socket._admitted(message, watch, SimpleNamespace()))  # type: ignore[arg-type]
    frame = json.loads(answer.frame)
    assert (frame["kind"], frame["id"], answer.code) == ("refused", "k1", "overloaded")
    assert frame["problem"]["status"] == 503 and frame["problem"]["retry_after"] == 3


@pytest.mark.parametrize(
    ("more", "is_stamped"), [([False], True), ([True, False], True), ([True], False)], ids=["whole", "parts", "slow"]
)
def test_command_is_stamped_once_its_body_has_arrived(more: list[bool], is_stamped: bool) -> None:
    messages = iter([{"type": "http.request", "body": b"{", "more_body": it} for it in more])
    stamps = list[bool]()

    async def receive() -> Any:
        return next(messages)

    async def application(_: Any, receive: Any, __: Any) -> None:
        for _ in more:
            await receive()
        arrival = arrivals._current.get()
        assert arrival is not None
        stamps.append(arrival.at is not None)

    async def send(_: Any) -> None:
        pytest.fail("the middleware answers nothing")

    asyncio.run(Arrivals(application)(command(b"{"), receive, send))
    assert stamps == [is_stamped]


def test_command_is_settled_before_its_client_reads_the_answer() -> None:
    waiting = list[int]()

    async def receive() -> Any:
        return {"type": "http.request", "body": b"{", "more_body": False}

    async def application(_: Any, receive: Any, send: Any) -> None:
        await receive()
        waiting.append(len(arrivals._waiting))
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def send(_: Any) -> None:
        waiting.append(len(arrivals._waiting))

    asyncio.run(Arrivals(application)(command(b"{"), receive, send))
    assert waiting == [1, 0]
