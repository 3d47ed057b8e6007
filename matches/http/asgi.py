"""ASGI types, and a request that can be received again."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class ReplayableReceive:
    """A receive function that stores the messages, so that another application can receive them again."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: list[Message] = []

    async def __call__(self) -> Message:
        message = await self._receive()
        self._messages.append(message)
        return message

    async def body(self) -> bytes | None:
        """Return the whole body; None if the client disconnects before its end."""
        parts = []
        while True:
            message = await self()
            if message["type"] == "http.disconnect":
                return None
            parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                return b"".join(parts)

    def again(self) -> Receive:
        """Return a receive function that starts from the first message."""
        left = list(self._messages)

        async def receive() -> Message:
            return left.pop(0) if left else await self()

        return receive
