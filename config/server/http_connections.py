"""HTTP/1.1 connections: uvicorn's protocol on httptools, with limits on what it reads from a client."""

import asyncio
from collections.abc import Callable
from typing import Any

import httptools
import structlog
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from config.server.connections import LIMITS, PROXIES, Bounded, State
from config.server.headlimit import DETAIL, HEAD_LIMIT
from config.server.refusing import refusal
from config.server.socket_connections import SocketConnection
from events.log_throttle import LogThrottle
from matches.http.addresses import network

log = structlog.get_logger(__name__)

MOST_HEADERS = 256
"""Even a header of four bytes takes some two hundred in memory."""
_BLANK_LINE = b"\r\n\r\n"
_STREAM = "croupier.stream"
"""The scope's key that a view sets if its response is a stream."""
_TOO_MANY = (
    f"Your address holds more than {LIMITS.per_address} connections whose requests are being answered. Use fewer, and "
    "each for many requests."
)
_UNREADABLE = "Invalid HTTP request received."
_throttle = LogThrottle(seconds=60)


class _Flow(FlowControl):
    """Flow control where the connection decides when reading continues, even if the application asks for more of a
    body."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self.connection: HTTPConnection | None = None

    def resume_reading(self) -> None:
        if self.read_paused and self.connection is not None:
            self.connection.read_on()

    def set_reading(self, reads: bool) -> None:
        if reads:
            super().resume_reading()
        else:
            self.pause_reading()


class HTTPConnection(Bounded, HttpToolsProtocol):
    """Reads one request at a time. Later requests stay unparsed, and reading pauses, until the response is sent and
    read. A connection thereby has at most one request in progress, an upgrade's response can't overtake another one,
    and a client that leaves has only one request to cancel.

    The size of a head and its number of headers are limited, and so are the bytes between the pieces of a body.
    Trailers after a body are ignored.

    At the end of the process, a request that still arrives on a proxy's idle connection is answered with `Connection:
    close`. A proxy keeps idle connections; if one were closed just as a request arrives, the request would stay
    unanswered, and the proxy must not repeat it.
    """

    _proxies = ProxyHeadersMiddleware(None, PROXIES).trusted_hosts  # type: ignore[arg-type]
    flow: _Flow
    _is_of_proxy = False
    _is_draining = False
    _is_upgrade = False
    _is_whole = True
    _is_head = False
    _is_body = False
    _has_too_many_headers = False
    _pending = b""
    _position = 0
    _tail = b""
    _unfinished = 0
    _body_left = 0
    _body_size = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.flow = _Flow(transport)
        self.flow.connection = self
        # LIMITS knows if there is room; it doesn't count closed connections.
        self.limit_concurrency = None
        host = self.client[0] if self.client else ""
        address = network(host)
        # A proxy serves many clients, and so does a client without an address; their callers are counted by the proxy.
        self._is_of_proxy = host in self._proxies
        if not LIMITS.admit(transport, address, capped=address != "unknown" and not self._is_of_proxy):
            if _throttle.is_due(address):
                log.warning("too_many_connections", address=address, most=LIMITS.per_address)
            self._refuse(429, "too_many_connections", "Too many connections", _TOO_MANY)
        self.settle()

    def connection_lost(self, exc: Exception | None) -> None:
        self.flow.connection = None
        self._pending = b""
        super().connection_lost(exc)

    # The state

    def current_state(self) -> State:
        if self.transport.is_closing():
            return State.CLOSING
        if self._is_draining and self._is_answered:
            return State.DRAINING
        if not self._is_whole or self.cycle is None:
            return State.REQUEST
        if self.flow.write_paused:
            return State.UNREAD
        return State.IDLE if self.cycle.response_complete else State.ANSWERING

    def bytes_held(self) -> int:
        unread = self.transport.get_write_buffer_size() if self.flow.write_paused else 0
        return len(self._pending) + self._body_size + unread

    @property
    def _is_answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    # Reading

    def data_received(self, data: bytes) -> None:
        if self._pending:
            data = self._pending[self._position :] + data
        self._pending, self._position = data, 0
        self.read_on()

    def read_on(self) -> None:
        """Parse what has arrived up to the end of the current request, and start the next one if the current one is
        answered."""
        while self._position < len(self._pending) and self._may_parse():
            self._parse(self._next_piece())
            if self._is_upgrade:
                self._switch_to_websocket()
                return
        if self._position >= len(self._pending):
            self._pending, self._position = b"", 0
        if not self.transport.is_closing():
            self.flow.set_reading(not self._pending and not self._has_full_body())
        self.settle()

    def _may_parse(self) -> bool:
        if self.transport.is_closing():
            return False
        if not self._is_whole:
            return not self._has_full_body()
        return self.cycle is None or (
            self.cycle.response_complete and self.cycle.keep_alive and not self.flow.write_paused
        )

    def _has_full_body(self) -> bool:
        """True if the application hasn't read the part of the body that may wait for it."""
        return not self._is_answered and len(self.cycle.body) > HIGH_WATER_LIMIT

    def _next_piece(self) -> bytes:
        """Return the bytes that may be parsed at once: none beyond the end of a head or of a body."""
        if self._body_left:
            piece = self._pending[self._position : self._position + min(self._body_left, HIGH_WATER_LIMIT)]
        else:
            # A head and a chunked body both end with a blank line, which may begin in the previous piece.
            window = self._tail + self._pending[self._position : self._position + HEAD_LIMIT]
            end = window.find(_BLANK_LINE)
            piece = window[len(self._tail) : end + len(_BLANK_LINE) if end >= 0 else None]
            self._tail = b"" if end >= 0 else window[1 - len(_BLANK_LINE) :]
        self._position += len(piece)
        return piece

    def _parse(self, piece: bytes) -> None:
        self._unfinished += len(piece)
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            self._is_upgrade = self._should_upgrade()
        except httptools.HttpParserError:
            if self._has_too_many_headers:
                detail = f"A request has at most {MOST_HEADERS} headers."
                self._refuse(431, "headers_too_large", "Headers too large", detail)
            else:
                self._refuse_unreadable()
        else:
            if self._unfinished > HEAD_LIMIT:
                self._refuse(431, "headers_too_large", "Headers too large", DETAIL)

    def on_message_begin(self) -> None:
        if not self._is_answered:
            raise ValueError("A request is in progress.")
        super().on_message_begin()
        self._is_whole, self._is_head, self._is_body = False, True, False
        self._body_left = self._body_size = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_head:
            return
        if len(self.headers) >= MOST_HEADERS:
            self._has_too_many_headers = True
            raise ValueError("A request has too many headers.")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_head, self._unfinished = False, 0
        hosts = chunked = 0
        for name, value in self.headers:
            if name == b"host":
                hosts += 1
            elif name == b"content-length":
                self._body_left = int(value)
            elif name == b"transfer-encoding":
                chunked += 1
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise ValueError("A request names one host.")
        # With this limit uvicorn answers 503.
        self.limit_concurrency = 0 if LIMITS.is_full else None
        is_upgrade = self.parser.should_upgrade()
        if is_upgrade and self._should_upgrade():
            if self.parser.get_method() != b"GET" or self._body_left or chunked:
                raise ValueError("A handshake is a GET without a body.")
            return
        super().on_headers_complete()
        self._is_body = True
        if is_upgrade or self._is_draining:
            # The parser stops after a request for another protocol.
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        self._body_left = max(0, self._body_left - len(body))
        if not self._is_answered:
            self._body_size += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_whole, self._unfinished = True, 0
        super().on_message_complete()

    # Answering

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        self._body_size = 0
        self.read_on()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.settle()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.read_on()

    def _refuse(self, status: int, code: str, title: str, detail: str) -> None:
        self._end_with(refusal(status, code, title, detail))

    def _refuse_unreadable(self) -> None:
        if _throttle.is_due("unreadable"):
            log.warning("unreadable_request")
        if self._cancel_request():
            self.send_400_response(_UNREADABLE)

    def _end_with(self, response: bytes) -> None:
        if self._cancel_request():
            self.transport.write(response)
            self.transport.close()

    def _cancel_request(self) -> bool:
        """Cancel the request in progress. If its response has begun, close the connection and return False."""
        if not self._is_body:
            return True
        has_response: bool = self.cycle.response_started
        if not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if has_response:
            self.transport.abort()
        return not has_response

    # Ending

    def shutdown(self) -> None:
        if self._is_of_proxy and self._is_answered and not self._is_draining:
            self._is_draining = True
        else:
            super().shutdown()
            # A stream has no end to wait for; its client reconnects from its last version.
            if self.scope is not None and _STREAM in self.scope:
                self.transport.close()
        self.settle()

    # Upgrading

    def _should_upgrade(self) -> bool:
        """True for a WebSocket. HTTP/1.0 has no upgrades, and without room the request is answered with 503."""
        return self.limit_concurrency is None and self.parser.get_http_version() == "1.1" and super()._should_upgrade()

    def _switch_to_websocket(self) -> None:
        """Pass the connection to the WebSocket protocol, with the bytes that arrived after the handshake."""
        if self._is_draining:
            # The socket would be told to reconnect at once.
            self.transport.close()
            self.settle()
            return
        rest = self._pending[self._position :]
        self.end()
        self.connections.discard(self)
        self.flow.connection = None
        # They refer to each other, so they would only be freed by a garbage collection.
        self.parser = None  # type: ignore[assignment]
        make: Callable[..., SocketConnection] = self.config.ws_protocol_class  # type: ignore[assignment]
        connection = make(self.config, self.server_state, self.app_state, self.loop)
        connection.connection_made(self.transport)
        self.transport.set_protocol(connection)
        connection.begin(self.url, self.headers, rest)
