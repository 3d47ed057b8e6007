"""Refuses requests in a version of HTTP that isn't spoken here; the parser takes any that has two digits."""

from config.server.refusing import Application, Message, Receive, Send, refuse

_SPOKEN = ("1.0", "1.1")


class KnownVersion:
    """ASGI middleware: 400 for any other version."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["http_version"] not in _SPOKEN:
            detail = "This server speaks HTTP/1.0 and HTTP/1.1."
            await refuse(send, 400, "malformed", "Malformed request", detail)
        else:
            await self.application(scope, receive, send)
