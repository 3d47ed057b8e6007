"""The states of a connection, HTTP or WebSocket, with the deadline of each and its part in the limits."""

import asyncio
import os
import socket
from enum import Enum
from typing import Any

from config.deployment.environment import flag, seconds, whole
from config.server.connection_limits import ConnectionLimits

UNREAD_SECONDS = seconds("CROUPIER_UNREAD_SECONDS", 15)
"""The deadline of a state without one of its own: for a complete request, for pending data to be read, for the answer
to a ping or to a close frame. A handshake has four times as long.

A socket whose client stops reading is closed within twice this time: by this deadline if many frames fill the kernel's
buffers, otherwise because the client answers no ping.
"""
PING_SECONDS = UNREAD_SECONDS * 2 / 3
IDLE_SECONDS = 10.0
"""The time that a connection is kept between two requests."""
DRAIN_SECONDS = 2.0
"""The time that a proxy's idle connections are kept when the process ends. After it, the proxies of docs/deploy send
no more requests."""
CONCURRENCY = whole("CROUPIER_CONCURRENCY", 1500)
"""Requests are answered with 503 once there are this many connections and none can be closed. At most four fifths may
be live: sockets, streams, long polls."""
PROXIES = os.environ.get("FORWARDED_ALLOW_IPS", "")
"""The addresses whose X-Forwarded-* headers are used. From other senders they are ignored, because any client could
claim any address."""
LIMITS = ConnectionLimits(
    per_address=whole("CROUPIER_CONNECTIONS_PER_ADDRESS", 200)
    if flag("CROUPIER_LIMITS", default=True)
    else CONCURRENCY,
    # One less than CONCURRENCY: the next connection is served if another can be closed, and gets 503 otherwise.
    in_all=max(1, CONCURRENCY - 1),
    most_bytes=whole("CROUPIER_CONNECTION_MEBIBYTES", 64) * 1024 * 1024,
)
"""The limits on this process's connections."""
LEAST_BYTES = 16 * 1024
"""A client that reads less than this within a deadline is too slow."""
_KERNEL_BYTES = 64 * 1024
_NOTABLE_BYTES = 4 * 1024
"""Fewer bytes aren't counted towards the memory limit, which saves two updates for each usual request."""


class State(Enum):
    """The states of a connection, each with what it waits for."""

    REQUEST = "the client: a request, or the rest of one"
    IDLE = "the client: the next request"
    DRAINING = "the client: the next request, as the process ends"
    ANSWERING = "the application"
    UNREAD = "the client: to read"
    HANDSHAKE = "the application, and the client to say who it is"
    OPEN = "either side of an open socket"
    CLOSING = "the client: to read the rest, or to answer a close frame"

    @property
    def seconds(self) -> float | None:
        """The deadline in seconds, if the state has one."""
        match self:
            case State.IDLE:
                return IDLE_SECONDS
            case State.DRAINING:
                return DRAIN_SECONDS
            case State.HANDSHAKE:
                # The application has a shorter deadline for authentication. After a restart all sockets connect at
                # once; one that is closed while it waits for its turn would reconnect and queue behind all others.
                return 4 * UNREAD_SECONDS
            case State.ANSWERING | State.OPEN:
                return None
        return UNREAD_SECONDS


_BUSY = (State.ANSWERING, State.OPEN)
"""States in which a connection is never closed to make room for another."""


class Bounded:
    """A connection with a state, as a mixin before a protocol class of uvicorn.

    Call `settle` after anything that may change the state; it derives the state from the protocol again. So no
    transition can be missed, and a connection has at most one timer.

    The write buffer counts as full beyond `room` bytes, not counting the kernel's buffer. In addition, at most one
    message of the application waits.
    """

    room = 0
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _state: State | None = None
    _deadline: asyncio.TimerHandle | None = None
    _unread_before = 0
    _is_lost = False
    _held = 0

    def connection_made(self, transport: Any) -> None:
        transport.set_write_buffer_limits(high=self.room)
        socket_ = transport.get_extra_info("socket")
        if socket_ is not None:
            socket_.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        super().connection_made(transport)  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self.end()
        LIMITS.remove(self.transport)
        super().connection_lost(exc)  # type: ignore[misc]

    def end(self) -> None:
        """Stop all deadlines, because the connection is lost or belongs to another protocol now."""
        self._is_lost = True
        if self._deadline is not None:
            self._deadline.cancel()
        LIMITS.hold(self.transport, 0)

    def current_state(self) -> State:
        raise NotImplementedError

    def bytes_held(self) -> int:
        """Return how many bytes are in memory for the parser, the application or the client."""
        raise NotImplementedError

    def settle(self) -> None:
        """Apply the current state: its deadline and its place in the limits."""
        if self._is_lost:
            return
        state = self.current_state()
        if state is not self._state:
            self._state = state
            self._set_deadline(state)
            if state in _BUSY:
                LIMITS.work(self.transport)
            else:
                LIMITS.wait(self.transport)
        size = self.bytes_held()
        if size < _NOTABLE_BYTES:
            size = 0
        if size != self._held:
            self._held = size
            LIMITS.hold(self.transport, size)

    def _set_deadline(self, state: State) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if (delay := state.seconds) is not None:
            self._unread_before = self.transport.get_write_buffer_size()
            self._deadline = self.loop.call_later(delay, self._expire, state)

    def _expire(self, state: State) -> None:
        """Renew the deadline if the pending data has shrunk by LEAST_BYTES. Otherwise close the connection and
        drop what is still pending."""
        unread = self.transport.get_write_buffer_size()
        if self._unread_before - unread >= LEAST_BYTES:
            self._set_deadline(state)
        elif unread:
            self.transport.abort()
        else:
            self.transport.close()
