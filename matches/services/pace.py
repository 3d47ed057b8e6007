"""Measure how long each game takes to decide a command in this process."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

SLOW_SECONDS = 0.005
"""A game that may take longer decides in a thread, because the event loop serves nobody else while it decides."""
_DECAY = 0.98
_SLOW_ABOVE = 1.5
"""One long decision may be due to a garbage collection; two within some thirty show a slow game."""

_long: dict[str, float] = {}
"""By game, the number of long decisions, in which older ones weigh less."""


@contextmanager
def measured(game: str) -> Iterator[None]:
    """Measure the body as a decision of this game, by the thread's processor time."""
    begun = time.thread_time()
    try:
        yield
    finally:
        is_long = time.thread_time() - begun > SLOW_SECONDS
        _long[game] = _long.get(game, 0.0) * _DECAY + is_long


def is_slow(game: str) -> bool:
    """True if more than one of the game's recent decisions was long."""
    return _long.get(game, 0.0) > _SLOW_ABOVE
