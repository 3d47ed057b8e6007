"""Arrival times of requests in this process, and the requests that are not yet stored or refused.

A command is judged by the instant at which it arrived, however long it waits. All instants here are seconds of this
process's monotonic clock. The event loop stamps the commands; another thread reads up to which instant all are settled.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LOCKED_SECONDS = 1.0
"""After this time a command waits in the database for its stream's lock, and no expired clock of the stream is handled
before it."""
LATE_SECONDS = 0.25
"""The event loop ticks ten times a second. After a longer pause than this, requests have waited unread."""


class Arrival:
    """The arrival of a request: `at` is None until it is complete, `locking_since` until it asks for a lock."""

    __slots__ = ("at", "locking_since")

    def __init__(self) -> None:
        self.at: float | None = None
        self.locking_since: float | None = None

    def stamp(self) -> None:
        """Record that the request has arrived completely. If the event loop was late, the last tick counts as its
        arrival, because the exact instant is unknown."""
        if self.at is None:
            now = time.monotonic()
            self.at = _ticks[-1] if _ticks and now - _ticks[-1] > LATE_SECONDS else now
            _waiting.add(self)

    def settle(self) -> None:
        """Record that the request is decided, since its client may take long to read the response."""
        _waiting.discard(self)


_ticks: deque[float] = deque(maxlen=3)
_waiting: set[Arrival] = set()
_current: ContextVar[Arrival | None] = ContextVar("arrival", default=None)


@contextmanager
def awaited() -> Iterator[Arrival]:
    """Handle a request in this block. It counts as waiting from its stamp until the block ends."""
    arrival = Arrival()
    token = _current.set(arrival)
    try:
        yield arrival
    finally:
        _waiting.discard(arrival)
        _current.reset(token)


def arrived_at() -> float:
    """Return the arrival of the current request, or the present instant if there is none."""
    arrival = _current.get()
    return time.monotonic() if arrival is None or arrival.at is None else arrival.at


def waited() -> float:
    """Return for how many seconds the current request has waited; 0 if there is none."""
    return max(0.0, time.monotonic() - arrived_at())


def note_locking() -> None:
    """Record that the current request asks for its stream's lock. After `_LOCKED_SECONDS`, others no longer wait for
    it."""
    arrival = _current.get()
    if arrival is not None and arrival.locking_since is None:
        arrival.locking_since = time.monotonic()


def tick() -> None:
    """Record a turn of the event loop; called ten times a second."""
    _ticks.append(time.monotonic())


def settled_until() -> float | None:
    """Return an instant before which no request that still waits has arrived; None if no event loop ticks.

    A request that arrives before a tick is read and stamped by the second tick after it: between two ticks the loop
    turns at least twice, once to read the request and once or twice to pass it to its application.
    """
    if len(_ticks) < 3:
        return None
    return min([_ticks[0], *(arrival.at for arrival in tuple(_waiting) if arrival.at and not _is_locked_out(arrival))])


def _is_locked_out(arrival: Arrival) -> bool:
    since = arrival.locking_since
    return since is not None and time.monotonic() - since > _LOCKED_SECONDS
