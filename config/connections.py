"""uvicorn's connections with a bound: what a client doesn't read takes little memory, and not for long."""

import asyncio
import os
import socket
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

UNREAD_SECONDS = float(os.environ.get("CROUPIER_UNREAD_SECONDS", "30"))
"""A client that has read nothing of what waits for it for so long is cut off."""
_KERNEL_BYTES = 64 * 1024
_STREAM = "croupier.stream"
"""Where a view leaves word that its answer goes on."""


class _CutOff:
    """Cuts the connection off where its buffer isn't emptied in time.

    The buffer counts as full as soon as the kernel's is, so the application has at most one message waiting in it; and
    a connection that is closing is cut off too, which would otherwise wait for its reader for ever.
    """

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _cutting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        transport.set_write_buffer_limits(high=0)
        line = transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        super().connection_made(transport)  # type: ignore[misc]

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        if self._cutting is None:
            self._cutting = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._spare()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self._spare()
        super().connection_lost(exc)  # type: ignore[misc]

    def _spare(self) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None


class HTTPConnection(_CutOff, H11Protocol):
    """HTTP/1.1 by h11, whose headers are bounded."""

    def shutdown(self) -> None:
        super().shutdown()
        # A stream has no end to wait for; its reader comes again from the last version.
        if self.scope is not None and _STREAM in self.scope:
            self.transport.close()


class SocketConnection(_CutOff, WebSocketsSansIOProtocol):
    """A WebSocket."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # A handshake that was refused with an answer is over too; uvicorn would log it as a fault.
            self.handshake_complete = True
