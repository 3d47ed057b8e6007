"""WebSocket connections: uvicorn's protocol on websockets, with limits on what it reads from a client."""

import asyncio
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State as Phase

from config.server import connections
from config.server.connections import LEAST_BYTES, Bounded, State
from config.server.text_frames import framed

_PARSED_AT_ONCE = 1024
"""The bytes that are parsed at once, with at least six per frame. A usual message is shorter."""
_MOST_FRAGMENTS = 256
"""The most fragments of a message. The library limits a message's bytes, but empty fragments have none."""
_AT_ONCE = "croupier.at_once"
"""The scope's extension for writing a text without waiting."""
_ADMITTED = "croupier.admitted"
"""The scope's extension for reporting that the client is authenticated."""


class SocketConnection(Bounded, WebSocketsSansIOProtocol):
    """A WebSocket. Messages are parsed as the application takes them, and not while the client doesn't read.

    Frames are short, and each one that found the write buffer full would set a timer, so the buffer gets some room. A
    client that reads less than that doesn't answer pings either.
    """

    room = LEAST_BYTES
    _is_admitted = False
    _pending = b""
    _position = 0

    def begin(self, target: bytes, headers: list[tuple[bytes, bytes]], rest: bytes) -> None:
        """Answer a handshake that the HTTP connection has read. The library only has to be told that it took place."""
        self.conn.receive_data(b"GET / HTTP/1.1\r\n\r\n")
        self.conn.events_received()
        decoded = Headers([(name.decode("ascii"), value.decode("latin-1")) for name, value in headers])
        self.handle_connect(Request(target.decode("ascii"), decoded))
        self._pending = rest
        self._read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._pending = b""
        super().connection_lost(exc)
        # They refer to the protocol that holds them, so the connection would only be freed by a garbage collection.
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(_AT_ONCE, None)
            self.scope["extensions"].pop(_ADMITTED, None)

    # The state

    def current_state(self) -> State:
        if self.close_sent or self.transport.is_closing():
            return State.CLOSING
        if not self._is_admitted:
            return State.HANDSHAKE
        return State.OPEN if self.writable.is_set() else State.UNREAD

    def bytes_held(self) -> int:
        unread = 0 if self.writable.is_set() else self.transport.get_write_buffer_size()
        return len(self._pending) + unread

    # Reading

    def data_received(self, data: bytes) -> None:
        if self._pending:
            data = self._pending[self._position :] + data
        self._pending, self._position = data, 0
        self._read_on()

    def _read_on(self) -> None:
        while self._position < len(self._pending) and self._may_parse():
            piece = self._pending[self._position : self._position + _PARSED_AT_ONCE]
            self._position += len(piece)
            super().data_received(piece)
        if self._position >= len(self._pending):
            self._pending, self._position = b"", 0
        if not self.transport.is_closing():
            if self._pending or not self._may_parse():
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()
        self.settle()

    def _may_parse(self) -> bool:
        return (
            self.handshake_complete
            and not self.read_paused
            and self.writable.is_set()
            and not self.transport.is_closing()
        )

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._read_on()
        return message

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < _MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._fail(CloseCode.MESSAGE_TOO_BIG)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(CloseCode.INVALID_DATA)
                return
        super().send_receive_event_to_app()

    def _fail(self, code: CloseCode) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.frames = []
            self.conn.fail(code)
            self.handle_parser_exception()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._read_on()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()

    # Answering

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        # The response exists and the scope holds the headers, so this copy would only take memory.
        del self.request
        if hasattr(self, "scope"):
            # The application starts with the next turn of the event loop.
            self.scope["extensions"][_AT_ONCE] = {"write": self._write_at_once}
            self.scope["extensions"][_ADMITTED] = {"admit": self._admit}

    def _admit(self) -> None:
        """Record that the application has authenticated the client."""
        self._is_admitted = True
        self.settle()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send" and self.handshake_complete and message.get("text") is not None:
            await self._send_text(message["text"])
            return
        if self.close_sent:
            # The connection may have been closed for what its client sent, before the application knew of it.
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # A handshake that was refused with a response is complete too; uvicorn would log it as an error.
            self.handshake_complete = True
        if self.close_timer is not None:
            # The timer exists while the client's close frame is awaited, for which the state has a deadline.
            self.close_timer.cancel()
        self._read_on()

    def _write_at_once(self, text: str) -> bool:
        """Write the text as one frame without waiting. Return False and write nothing if the buffer is full or the
        connection isn't open."""
        if not self.writable.is_set() or not self._is_open:
            return False
        self.transport.write(framed(text))
        return True

    async def _send_text(self, text: str) -> None:
        """Write the text as one frame, once the buffer has room."""
        await self.writable.wait()
        if not self._is_open:
            raise ClientDisconnected
        self.transport.write(framed(text))

    @property
    def _is_open(self) -> bool:
        return not self.disconnected and not self.close_sent and self.conn.state is Phase.OPEN

    # Ending

    def keepalive_timeout(self) -> None:
        if self.read_paused and self.writable.is_set():
            # The pong may have arrived, behind a message that the application is still handling.
            self.pong_timer = self.loop.call_later(connections.UNREAD_SECONDS, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        # A client that doesn't answer won't read the close frame either, so don't wait for that.
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def shutdown(self) -> None:
        super().shutdown()
        self.settle()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.settle()
