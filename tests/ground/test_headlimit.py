"""A request's line and headers have a limit, whatever the parser lets through."""

import asyncio
import json

import pytest

from config.headlimit import HEAD_LIMIT, HeadLimit
from config.refusing import Message, Receive, Send


def answered(headers: list[tuple[bytes, bytes]], query: bytes = b"") -> list[Message]:
    """What a client with these headers is sent."""
    sent: list[Message] = []

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "raw_path": b"/", "query_string": query, "headers": headers}
    asyncio.run(HeadLimit(application)(scope, receive, send))
    return sent


def test_what_is_within_the_limit_passes() -> None:
    assert [it["status"] for it in answered([(b"x", b"a" * (HEAD_LIMIT - 2))])] == [204]


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ([(b"x", b"a" * (HEAD_LIMIT - 1))], b""),
        ([(b"x", b"a")] * HEAD_LIMIT, b""),
        ([], b"q" * HEAD_LIMIT),
    ],
    ids=["a long header", "many headers", "a long query"],
)
def test_what_is_above_it_is_refused_in_words(headers: list[tuple[bytes, bytes]], query: bytes) -> None:
    start, body = answered(headers, query)
    told = json.loads(body["body"])
    assert start["status"] == told["status"] == 431
    assert told["code"] == "headers_too_large" and str(HEAD_LIMIT) in told["detail"]
