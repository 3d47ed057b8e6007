"""What is refused before Django has it, in the words that its own refusals have."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from uuid import uuid4

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


async def refuse(send: Send, status: int, code: str, title: str, detail: str) -> None:
    """Answer a request with a problem and close the connection: what is still on its way is not read."""
    request_id = str(uuid4())
    problem = {
        "type": f"/problems/{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
    }
    body = json.dumps(problem).encode()
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"x-request-id", request_id.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
