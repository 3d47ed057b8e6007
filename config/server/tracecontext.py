"""Believes a traceparent where one of the named proxies sends it, and nobody else's."""

from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from matches.http.request_ids import TRACEPARENT


class TraceContext:
    """ASGI middleware around the one that takes a proxy's word for who its client is, after which nobody knows any more
    who has sent the request."""

    def __init__(self, application: Any, proxies: str) -> None:
        behind = ProxyHeadersMiddleware(application, proxies)
        self._application: Any = behind
        self._trusted = behind.trusted_hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Note what a proxy says of the trace, and go on."""
        sender = (scope.get("client") or ("",))[0]
        if scope["type"] in ("http", "websocket") and sender in self._trusted:
            told = [value for name, value in scope["headers"] if name == b"traceparent"]
            if len(told) == 1:
                scope[TRACEPARENT] = told[0].decode("latin-1")
        await self._application(scope, receive, send)
