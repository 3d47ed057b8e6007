"""Accepts a traceparent from the configured proxies only."""

from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from matches.http.request_ids import TRACEPARENT


class TraceContext:
    """ASGI middleware around uvicorn's proxy middleware, which replaces the address of the sender with the client's."""

    def __init__(self, application: Any, proxies: str) -> None:
        behind = ProxyHeadersMiddleware(application, proxies)
        self._application: Any = behind
        self._trusted = behind.trusted_hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Store a proxy's traceparent in the scope, and continue."""
        sender = (scope.get("client") or ("",))[0]
        if scope["type"] in ("http", "websocket") and sender in self._trusted:
            values = [value for name, value in scope["headers"] if name == b"traceparent"]
            if len(values) == 1:
                scope[TRACEPARENT] = values[0].decode("latin-1")
        await self._application(scope, receive, send)
