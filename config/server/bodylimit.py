"""Refuses a request body above the limit before anything reads it, whatever its headers claim."""

from config.server.refusing import Application, Message, Receive, Send, refuse


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
        detail = f"A request body holds at most {self.limit} bytes."
        await refuse(send, 413, "too_large", "Content too large", detail)
