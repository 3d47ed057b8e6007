"""HTTP connections that say when they close: a proxy's idle ones stay for a while after the process was told to end."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

DRAIN_SECONDS = 2.0
"""The proxies of docs/deploy lead nobody here any more by then."""


class DrainedConnection(HttpToolsProtocol):
    """Answers what still comes by an idle connection of a proxy, and says with that answer that it closes.

    A proxy keeps connections for whatever comes next. If one is closed as idle just as a request comes by it, the
    request has no answer, and the proxy must not send it a second time.
    """

    is_of_proxy = False
    _closing: asyncio.TimerHandle | None = None

    def shutdown(self) -> None:
        is_idle = self.cycle is None or self.cycle.response_complete
        if self.is_of_proxy and is_idle and self._closing is None:
            self._closing = self.loop.call_later(DRAIN_SECONDS, self.shutdown)
        else:
            super().shutdown()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self._closing is not None and self.cycle is not None:
            self.cycle.keep_alive = False

    def handle_websocket_upgrade(self) -> None:
        if self._closing is None:
            super().handle_websocket_upgrade()
        else:
            # The socket would be asked to come again at once.
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._closing is not None:
            self._closing.cancel()
        super().connection_lost(exc)
