"""Refuses a request whose line and headers are above the limit, however they arrive.

A connection counts only the bytes of an unfinished head, so a long head in one piece isn't noticed there.
"""

from config.server.refusing import Application, Message, Receive, Send, refuse

HEAD_LIMIT = 16 * 1024
"""The limit in bytes."""
DETAIL = f"A request's line and headers hold at most {HEAD_LIMIT} bytes."
"""The explanation in the response to a longer one."""


class HeadLimit:
    """ASGI middleware that answers 431 for a longer head."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _length(scope) > HEAD_LIMIT:
            await refuse(send, 431, "headers_too_large", "Headers too large", DETAIL)
        else:
            await self.application(scope, receive, send)


def _length(scope: Message) -> int:
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") + headers
