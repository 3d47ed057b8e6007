"""When requests arrived in this process, and which of them still wait to be stored or refused.

A command is judged by the instant at which it arrived, however long it waits. All instants here are seconds of this
process's monotonic clock. Commands are stamped on the event loop; another thread reads how far they have been settled.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LOCKED_SECONDS = 1.0
"""By then a command waits in the database for its stream's lock, where no flag of the stream overtakes it."""
LATE_SECONDS = 0.25
"""A loop that turns in time ticks ten times a second. When it is later than this, requests have waited unread."""


class Arrival:
    """The arrival of one request; `at` is None until all of it is here, `locking_since` until it asks for a lock."""

    __slots__ = ("at", "locking_since")

    def __init__(self) -> None:
        self.at: float | None = None
        self.locking_since: float | None = None

    def stamp(self) -> None:
        """Note that the request has arrived whole. Where the loop was late, it counts as having arrived at the last
        tick: nobody can tell when in between it did."""
        if self.at is None:
            now = time.monotonic()
            self.at = _ticks[-1] if _ticks and now - _ticks[-1] > LATE_SECONDS else now
            _waiting.add(self)

    def settle(self) -> None:
        """Note that the request is decided; its client may take long to read the answer."""
        _waiting.discard(self)


_ticks: deque[float] = deque(maxlen=3)
"""The latest ticks of the event loop."""
_waiting: set[Arrival] = set()
_current: ContextVar[Arrival | None] = ContextVar("arrival", default=None)


@contextmanager
def awaited() -> Iterator[Arrival]:
    """Handle a request in this block; it counts as waiting from its stamp to the end of the block."""
    arrival = Arrival()
    token = _current.set(arrival)
    try:
        yield arrival
    finally:
        _waiting.discard(arrival)
        _current.reset(token)


def arrived_at() -> float:
    """When the request that is being handled arrived; now, outside of any."""
    arrival = _current.get()
    return time.monotonic() if arrival is None or arrival.at is None else arrival.at


def waited() -> float:
    """For how many seconds the request that is being handled has waited; 0 outside of any."""
    return max(0.0, time.monotonic() - arrived_at())


def note_locking() -> None:
    """Note that the request that is being handled asks for its stream's lock: others needn't wait until it has it."""
    arrival = _current.get()
    if arrival is not None and arrival.locking_since is None:
        arrival.locking_since = time.monotonic()


def tick() -> None:
    """Note that the event loop has turned; called ten times a second."""
    _ticks.append(time.monotonic())


def settled_until() -> float | None:
    """An instant such that no request which arrived before it still waits; None where no event loop ticks.

    What arrives before a tick has been read and stamped by the second tick after it, as the loop turns at least twice
    between two ticks: once to read it, and once or twice to hand it to its application.
    """
    if len(_ticks) < 3:
        return None
    return min([_ticks[0], *(arrival.at for arrival in tuple(_waiting) if arrival.at and not _is_locked_out(arrival))])


def _is_locked_out(arrival: Arrival) -> bool:
    since = arrival.locking_since
    return since is not None and time.monotonic() - since > _LOCKED_SECONDS
