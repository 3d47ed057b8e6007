"""Refuses a request body above the limit before anything reads it, whatever its headers claim."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from uuid import uuid4

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class BodyLimit:
    """ASGI middleware: 413 by Content-Length, else by counting what arrives."""

    def __init__(self, application: Application, *, limit: int) -> None:
        self.application = application
        self.limit = limit

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
        elif self._announces_too_much(scope):
            await self._refuse(send)
        else:
            await self._count(scope, receive, send)

    def _announces_too_much(self, scope: Message) -> bool:
        return any(
            name.lower() == b"content-length" and (not value.isdigit() or int(value[:20]) > self.limit)
            for name, value in scope["headers"]
        )

    async def _count(self, scope: Message, receive: Receive, send: Send) -> None:
        received = 0
        answering = refused = False

        async def counted() -> Message:
            nonlocal received, refused
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
            if received <= self.limit:
                return message
            if not answering and not refused:
                refused = True
                await self._refuse(send)
            # To the application the client is gone, so it drops what it has read.
            return {"type": "http.disconnect"}

        async def unless_refused(message: Message) -> None:
            nonlocal answering
            if not refused:
                answering = True
                await send(message)

        await self.application(scope, counted, unless_refused)

    async def _refuse(self, send: Send) -> None:
        request_id = str(uuid4())
        problem = {
            "type": "/problems/too_large",
            "title": "Content too large",
            "status": 413,
            "detail": f"A request body holds at most {self.limit} bytes.",
            "code": "too_large",
            "request_id": request_id,
        }
        body = json.dumps(problem).encode()
        headers = [
            (b"content-type", b"application/problem+json"),
            (b"x-request-id", request_id.encode()),
            (b"content-length", str(len(body)).encode()),
            # What is still on its way is not read.
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": body})
