"""uvicorn's connections with a bound: an address holds so many and no more; what a client doesn't read takes little
memory, and not for long; nor does a request that never comes to its end."""

import asyncio
import os
import socket
from typing import Any

import structlog
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from config.deployment.environment import flag, seconds, whole
from config.server.connection_limits import ConnectionLimits
from config.server.draining import DrainedConnection
from config.server.headlimit import DETAIL, HEAD_LIMIT
from config.server.refusing import refusal
from config.server.text_frames import framed
from events.log_throttle import LogThrottle
from matches.http.addresses import network

log = structlog.get_logger(__name__)

UNREAD_SECONDS = seconds("CROUPIER_UNREAD_SECONDS", 15)
"""A client that for so long takes nothing of what waits for it, doesn't answer a ping, or leaves its request unfinished
is cut off.

Pings come often enough that a socket which stops reading is closed within twice this time, whether much is said on it
and the kernel's buffers run full, or little.
"""
PING_SECONDS = UNREAD_SECONDS * 2 / 3
CONCURRENCY = whole("CROUPIER_CONCURRENCY", 1000)
"""From so many connections on requests are answered with 503."""
PROXIES = os.environ.get("FORWARDED_ALLOW_IPS", "")
"""The addresses whose X-Forwarded-* headers count. Without a proxy named, anybody could claim any address by one."""
# One below what is answered with 503: whoever comes last is served as long as another can be cut.
_PER_ADDRESS = whole("CROUPIER_CONNECTIONS_PER_ADDRESS", 200)
LIMITS = ConnectionLimits(
    per_address=_PER_ADDRESS if flag("CROUPIER_LIMITS", default=True) else CONCURRENCY,
    in_all=max(1, CONCURRENCY - 1),
)
"""The connections of this process."""
_LEAST_BYTES = 16 * 1024
_KERNEL_BYTES = 64 * 1024
_AT_ONCE = "croupier.at_once"
"""How an application writes a text without waiting."""
_STREAM = "croupier.stream"
"""Where a view leaves word that its answer goes on."""
_TOO_MANY = (
    f"Your address holds more than {LIMITS.per_address} connections whose requests are being answered. Use fewer, and "
    "each for many requests."
)
_throttle = LogThrottle(seconds=60)


class _CutOff:
    """Cuts the connection off where what waits in its buffer isn't taken.

    The buffer counts as full with so many bytes more than the kernel's holds (`room`); the application has at most one
    message waiting beside those. A connection that is closing is cut off too, which would otherwise wait for its reader
    for ever. Whoever takes a long answer slowly, but takes it, keeps the connection.
    """

    room = 0
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _cutting: asyncio.TimerHandle | None = None
    _waiting = 0

    def connection_made(self, transport: Any) -> None:
        transport.set_write_buffer_limits(high=self.room)
        line = transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        super().connection_made(transport)  # type: ignore[misc]

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        if self._cutting is None:
            self._watch()

    def resume_writing(self) -> None:
        if not self.transport.is_closing():
            self._spare()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self._spare()
        LIMITS.leave(self.transport)
        super().connection_lost(exc)  # type: ignore[misc]

    def _watch(self) -> None:
        self._waiting = self.transport.get_write_buffer_size()
        self._cutting = self.loop.call_later(UNREAD_SECONDS, self._cut)

    def _cut(self) -> None:
        if self._waiting - self.transport.get_write_buffer_size() < _LEAST_BYTES:
            self.transport.abort()
        else:
            self._watch()

    def _spare(self) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None


class HTTPConnection(_CutOff, DrainedConnection):
    """HTTP/1.1 by httptools, which keeps what it waits for however long that gets: so that is bounded here, in the head
    and between the pieces of a body. Headers that come after a body are left out.

    A request is to arrive whole within `UNREAD_SECONDS` of the connection or of its own first byte: a house that lets
    so many in would be shut by whoever opens as many connections and says little on them. Between two requests
    uvicorn's own patience counts. Both are shorter for an address that holds as many connections as it may.
    """

    _proxies = ProxyHeadersMiddleware(None, PROXIES).trusted_hosts  # type: ignore[arg-type]
    _hurrying: asyncio.TimerHandle | None = None
    _is_whole = True
    _is_head = False
    _unfinished = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        address = network(host)
        # A proxy stands for many, and so does a socket that has no address: what counts its callers stands before it.
        self.is_of_proxy = host in self._proxies
        capped = address != "unknown" and not self.is_of_proxy
        if LIMITS.admit(transport, address, capped=capped):
            self._hurry()
            self._place()
        else:
            if _throttle.is_due(address):
                log.warning("too_many_connections", address=address, most=LIMITS.per_address)
            self._refuse(429, "too_many_connections", "Too many connections", _TOO_MANY)

    def data_received(self, data: bytes) -> None:
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > HEAD_LIMIT and self.transport.get_protocol() is self:
            self._refuse(431, "headers_too_large", "Headers too large", DETAIL)
        self._hurry()
        self._place()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_whole, self._is_head = False, True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_head, self._unfinished = False, 0
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise ValueError("A request names one host.")
        super().on_headers_complete()
        if self.parser.should_upgrade() and not self._should_upgrade():
            # The parser reads nothing after it.
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_whole, self._unfinished = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._place()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._place()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._place()

    def connection_lost(self, exc: Exception | None) -> None:
        self._relax()
        super().connection_lost(exc)

    def _refuse(self, status: int, code: str, title: str, detail: str) -> None:
        self.transport.write(refusal(status, code, title, detail))
        self.transport.close()

    def _place(self) -> None:
        """Say whether the connection waits for its client, who then also has all that it was answered."""
        if self._is_open and not self.flow.write_paused:
            LIMITS.wait(self.transport, self._make_room)
        else:
            LIMITS.work(self.transport)

    def _make_room(self) -> None:
        self.connections.discard(self)
        self.transport.abort()

    @property
    def _is_open(self) -> bool:
        """Whether a request, or the rest of one, is still to come. A WebSocket takes the connection over."""
        answered = self.cycle is None or self.cycle.response_complete
        return (answered or not self._is_whole) and self.transport.get_protocol() is self

    def _hurry(self) -> None:
        if not self._is_open:
            self._relax()
        elif self._hurrying is None:
            self._hurrying = self.loop.call_later(UNREAD_SECONDS, self.transport.close)

    def _relax(self) -> None:
        if self._hurrying is not None:
            self._hurrying.cancel()
            self._hurrying = None

    def shutdown(self) -> None:
        super().shutdown()
        # A stream has no end to wait for; its reader comes again from the last version.
        if self.scope is not None and _STREAM in self.scope:
            self.transport.close()


class SocketConnection(_CutOff, WebSocketsSansIOProtocol):
    """A WebSocket. Its frames are short, and each that found the buffer full would set a timer; so it has some room.
    Who doesn't take even that doesn't answer pings either."""

    room = _LEAST_BYTES

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # They refer to the protocol that holds them, so nothing of the connection would be freed until garbage is
        # sought.
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(_AT_ONCE, None)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_the_end()

    def shutdown(self) -> None:
        super().shutdown()
        self._watch_the_end()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._watch_the_end()

    def keepalive_timeout(self) -> None:
        if self.read_paused and self.writable.is_set():
            # The answer may have come; it waits behind a message that the application is busy with.
            self.pong_timer = self.loop.call_later(UNREAD_SECONDS, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        # Who doesn't answer doesn't read the farewell either, so nothing waits for that.
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send" and self.handshake_complete and message.get("text") is not None:
            await self._send_text(message["text"])
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # A handshake that was refused with an answer is over too; uvicorn would log it as a fault.
            self.handshake_complete = True
        self._watch_the_end()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            # The application begins with the loop's next turn.
            self.scope["extensions"][_AT_ONCE] = {"write": self._write_at_once}

    def _write_at_once(self, text: str) -> bool:
        """Write the text as one frame without waiting; False, and nothing is written, where the buffer is full, or the
        connection isn't open."""
        if not self.writable.is_set() or not self._is_open:
            return False
        self.transport.write(framed(text))
        return True

    async def _send_text(self, text: str) -> None:
        """The text as one frame, as the library would send it."""
        await self.writable.wait()
        if not self._is_open:
            raise ClientDisconnected
        self.transport.write(framed(text))

    @property
    def _is_open(self) -> bool:
        return not self.disconnected and not self.close_sent and self.conn.state is State.OPEN

    def _watch_the_end(self) -> None:
        """See to it that what the client is still owed keeps no connection open that is over."""
        is_over = self.close_sent or self.transport.is_closing()
        if is_over and self._cutting is None and self.transport.get_write_buffer_size():
            self._watch()
