"""Requests put to one piece of ASGI middleware, before an application that answers everything with 204."""

import asyncio
from collections.abc import Callable
from typing import Any

from config.server.refusing import Application, Message, Receive, Send


def answered(middleware: Callable[[Application], Application], **scope: Any) -> list[Message]:
    """Return the messages that a client with this HTTP scope receives."""
    sent: list[Message] = []

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(middleware(application)({"type": "http", **scope}, receive, send))
    return sent
