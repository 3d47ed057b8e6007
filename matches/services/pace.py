"""How long each game takes to decide a command, as this process has measured it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

SLOW_SECONDS = 0.005
"""A game that may take longer decides in a thread: nobody else is served while the event loop decides."""
_FADES = 0.98

_slowest: dict[str, float] = {}


@contextmanager
def measured(game: str) -> Iterator[None]:
    """Note what is done here as a decision of this game, by the thread's own processor time."""
    begun = time.thread_time()
    try:
        yield
    finally:
        took = time.thread_time() - begun
        _slowest[game] = max(took, _slowest.get(game, 0.0) * _FADES)


def is_slow(game: str) -> bool:
    """Whether a decision of this game may take long: one of its last did. It counts for less with each that didn't."""
    return _slowest.get(game, 0.0) > SLOW_SECONDS
