"""Responses to requests that are refused before Django, in the same form as Django's problems."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from uuid import uuid4

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


async def refuse(send: Send, status: int, code: str, title: str, detail: str) -> None:
    """Answer a request with a problem and close the connection; the rest of the request is not read."""
    headers, body = _problem(status, code, title, detail)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def refusal(status: int, code: str, title: str, detail: str) -> bytes:
    """Return the response as bytes, for a connection on which no request was read."""
    headers, body = _problem(status, code, title, detail)
    lines = [f"HTTP/1.1 {status} {title}".encode(), *(name + b": " + value for name, value in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _problem(status: int, code: str, title: str, detail: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
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
    return headers, body
