"""The states of a connection, HTTP or WebSocket, with the deadline of each and what it counts as in the limits."""

import asyncio
import os
import socket
from enum import Enum
from typing import Any

from config.deployment.environment import flag, seconds, whole
from config.server.connection_limits import ConnectionLimits

UNREAD_SECONDS = seconds("CROUPIER_UNREAD_SECONDS", 15)
"""How long a connection waits for its client in any one state: to send a whole request, to say who it is after a
handshake, to read what waits for it, to answer a ping, or to answer a close frame.

Pings are so frequent that a socket which stops reading is closed within twice this time, whether many frames are sent
on it and the kernel's buffers run full, or few.
"""
PING_SECONDS = UNREAD_SECONDS * 2 / 3
IDLE_SECONDS = 10.0
"""How long a connection is kept between two requests."""
DRAIN_SECONDS = 2.0
"""How long a proxy's idle connections are kept at the end of the process. The proxies of docs/deploy send no more
requests here by then."""
CONCURRENCY = whole("CROUPIER_CONCURRENCY", 1500)
"""From so many connections on requests are answered with 503. Four fifths may be live: sockets, streams, long polls."""
PROXIES = os.environ.get("FORWARDED_ALLOW_IPS", "")
"""The addresses whose X-Forwarded-* headers count. Without a proxy named, anybody could claim any address by one."""
LIMITS = ConnectionLimits(
    per_address=whole("CROUPIER_CONNECTIONS_PER_ADDRESS", 200)
    if flag("CROUPIER_LIMITS", default=True)
    else CONCURRENCY,
    # One below what is answered with 503: the newest is served as long as another can be closed.
    in_all=max(1, CONCURRENCY - 1),
    most_bytes=whole("CROUPIER_CONNECTION_MEBIBYTES", 64) * 1024 * 1024,
)
"""The connections of this process."""
LEAST_BYTES = 16 * 1024
"""A client that reads less of what waits for it within a deadline reads too slowly."""
_KERNEL_BYTES = 64 * 1024
_NOTABLE_BYTES = 4 * 1024
"""Less isn't counted in the memory of all connections: a usual request would be counted twice for nothing."""


class State(Enum):
    """The state of a connection: what it waits for."""

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
        """Its deadline, if any."""
        match self:
            case State.IDLE:
                return IDLE_SECONDS
            case State.DRAINING:
                return DRAIN_SECONDS
            case State.HANDSHAKE:
                # The application has a shorter one for its client. After a restart all sockets come at once, and one
                # that is closed while it waits for its turn would come again, behind all others.
                return 4 * UNREAD_SECONDS
            case State.ANSWERING | State.OPEN:
                return None
        return UNREAD_SECONDS


_BUSY = (State.ANSWERING, State.OPEN)
"""A connection in any other state may be closed for another one."""


class Bounded:
    """A connection with a state. It goes before a protocol class of uvicorn.

    After whatever may change the state, `settle` derives it anew from what the protocol knows. So each state has one
    timer, and no way out of one can be forgotten.

    The write buffer counts as full at `room` bytes beyond the kernel's; the application has at most one message waiting
    beside those.
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
        line = transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        super().connection_made(transport)  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self.end()
        LIMITS.leave(self.transport)
        super().connection_lost(exc)  # type: ignore[misc]

    def end(self) -> None:
        """Have no more deadlines: the connection is lost, or another protocol's."""
        self._is_lost = True
        if self._deadline is not None:
            self._deadline.cancel()
        LIMITS.hold(self.transport, 0)

    def current_state(self) -> State:
        """Return what the connection waits for."""
        raise NotImplementedError

    def bytes_held(self) -> int:
        """Return how many bytes wait in memory, for the parser, the application or the client."""
        raise NotImplementedError

    def settle(self) -> None:
        """Take the current state, its deadline and its place in the limits."""
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
        held = self.bytes_held()
        if held < _NOTABLE_BYTES:
            held = 0
        if held != self._held:
            self._held = held
            LIMITS.hold(self.transport, held)

    def _set_deadline(self, state: State) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if (patience := state.seconds) is not None:
            self._unread_before = self.transport.get_write_buffer_size()
            self._deadline = self.loop.call_later(patience, self._expire, state)

    def _expire(self, state: State) -> None:
        """Close the connection, unless the client reads what waits for it, if slowly."""
        unread = self.transport.get_write_buffer_size()
        if self._unread_before - unread >= LEAST_BYTES:
            self._set_deadline(state)
        elif unread:
            self.transport.abort()
        else:
            self.transport.close()
