"""How long each game takes to decide a command, as this process has measured it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

SLOW_SECONDS = 0.005
"""A game that may take longer decides in a thread: nobody else is served while the event loop decides."""
_FADES = 0.98
_ENOUGH = 1.5
"""One long decision says nothing of its game: a garbage collection may have run in it. Two among some thirty do."""

_long: dict[str, float] = {}
"""How many of a game's decisions were long; each counts for less with every later one."""


@contextmanager
def measured(game: str) -> Iterator[None]:
    """Note what is done here as a decision of this game, by the thread's own processor time."""
    begun = time.thread_time()
    try:
        yield
    finally:
        is_long = time.thread_time() - begun > SLOW_SECONDS
        _long[game] = _long.get(game, 0.0) * _FADES + is_long


def is_slow(game: str) -> bool:
    """True if more than one of the game's last decisions was long."""
    return _long.get(game, 0.0) > _ENOUGH
