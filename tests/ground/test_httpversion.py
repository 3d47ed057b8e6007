"""Only the versions of HTTP that are spoken here reach the application."""

import asyncio
import json

import pytest

from config.httpversion import KnownVersion
from config.refusing import Message, Receive, Send


def answered(version: str) -> list[Message]:
    """What a client of this version is sent."""
    sent: list[Message] = []

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(KnownVersion(application)({"type": "http", "http_version": version}, receive, send))
    return sent


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_version_that_is_spoken_passes(version: str) -> None:
    assert [message.get("status") for message in answered(version)] == [204]


@pytest.mark.parametrize("version", ["0.9", "1.2", "2.0", "7.9"])
def test_any_other_is_refused_in_words(version: str) -> None:
    start, body = answered(version)
    told = json.loads(body["body"])
    assert start["status"] == told["status"] == 400
    assert told["code"] == "malformed" and "HTTP/1.1" in told["detail"]
