"""Refuses unsupported versions of HTTP; the parser accepts any version of two digits."""

from config.server.refusing import Application, Message, Receive, Send, refuse

_SUPPORTED = ("1.0", "1.1")


class SupportedVersion:
    """ASGI middleware that answers 400 for other versions."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["http_version"] not in _SUPPORTED:
            detail = "This server speaks HTTP/1.0 and HTTP/1.1."
            await refuse(send, 400, "malformed", "Malformed request", detail)
        else:
            await self.application(scope, receive, send)
