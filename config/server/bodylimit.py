"""Refuses a request body above the limit before it is read, whatever its headers say."""

from collections.abc import Mapping

from config.server.refusing import Application, Message, Receive, Send, refuse


class BodyLimit:
    """ASGI middleware that answers 413, by Content-Length or by counting what arrives. Paths in `wider` have limits of
    their own, and so have all below one that ends with a slash."""

    def __init__(self, application: Application, *, limit: int, wider: Mapping[str, int] | None = None) -> None:
        self.application = application
        self.limit = limit
        self.wider = wider or {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        limit = self._limit_of(scope.get("path", ""))
        if self._announces_too_much(scope, limit):
            await self._refuse(send, limit)
        else:
            await self._count(scope, receive, send, limit)

    def _limit_of(self, path: str) -> int:
        if path in self.wider:
            return self.wider[path]
        return next(
            (it for folder, it in self.wider.items() if folder[-1] == "/" and path.startswith(folder)), self.limit
        )

    def _announces_too_much(self, scope: Message, limit: int) -> bool:
        return any(
            name.lower() == b"content-length" and (not value.isdigit() or int(value[:20]) > limit)
            for name, value in scope["headers"]
        )

    async def _count(self, scope: Message, receive: Receive, send: Send, limit: int) -> None:
        received = 0
        answering = refused = False

        async def counted() -> Message:
            nonlocal received, refused
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
            if received <= limit:
                return message
            if not answering and not refused:
                refused = True
                await self._refuse(send, limit)
            # Report the client as gone, so that the application drops what it has read.
            return {"type": "http.disconnect"}

        async def unless_refused(message: Message) -> None:
            nonlocal answering
            if not refused:
                answering = True
                await send(message)

        await self.application(scope, counted, unless_refused)

    async def _refuse(self, send: Send, limit: int) -> None:
        detail = f"A request body holds at most {limit} bytes."
        await refuse(send, 413, "too_large", "Content too large", detail)
