"""When a web process looks for garbage: what most of it holds, matches and connections, is none and lives for long.

Nearly all that a process drops is freed at once, as nothing refers to it; a collection only finds what refers to itself
in a circle. Python begins one over everything whenever a quarter more is there than at the last one, and with a
thousand matches open it takes half a second in which nobody is served. So that one is never begun by itself here:

- A sweep looks through what has come since the last one, and sets what is left aside (`gc.freeze`). It is made where it
  is quiet, and takes some milliseconds however much the process holds. Where it isn't, as while a thousand players come
  back at once, what has come is set aside unseen.
- A full collection looks through all that was set aside, too. It is made while nobody asks for anything; or where there
  is far more than after the last one, since garbage may be among it.
"""

import gc
import sys
import time

import structlog

log = structlog.get_logger(__name__)

YOUNG = 2000
"""From so many new objects on a collection of the youngest is made."""
_MIDDLE = 2
"""After so many of those, and one more, a collection of the next generation is made: 6,000 objects take a sweep a few
milliseconds."""
_NEVER = 1_000_000_000
_MOST_WAITING = 10
"""After so many collections of the middle generation, each after 6,000 new objects, what has come is set aside,
also where it isn't quiet."""
QUIET = 0.3
"""The part of a core below which a sweep keeps nobody waiting."""
IDLE = 0.05
"""The part of a core below which nobody plays."""
_IDLE_LOOKS = 50
_FULL_EVERY_SECONDS = 600.0
_FREE_GROWTH = 2_000_000
"""Blocks of memory, of which an object takes one or more. Their number is at hand for each pool of them; to count the
objects that are set aside, Python walks through all: 70 ms for a million, in which nobody is served."""
_COUNT_EVERY_SECONDS = 30.0


class Garbage:
    """Decides, at every look, whether it is time for a collection; made when the process has started."""

    def __init__(self) -> None:
        gc.set_threshold(YOUNG, _MIDDLE, _NEVER)
        self._looked_at, self._used = time.monotonic(), time.process_time()
        self._idle = 0
        self._fully_at = self._counted_at = self._looked_at
        self._left = sys.getallocatedblocks()

    def look(self) -> None:
        """Collect where it is time to; called ten times a second."""
        now, used = time.monotonic(), time.process_time()
        load = (used - self._used) / max(now - self._looked_at, 0.001)
        self._looked_at, self._used = now, used
        self._idle = self._idle + 1 if load < IDLE else 0
        if self._full_is_due(now):
            self._collect_fully()
        elif waiting := gc.get_count()[2]:
            if load < QUIET:
                sweep()
            elif waiting >= _MOST_WAITING:
                gc.freeze()

    def _full_is_due(self, now: float) -> bool:
        if self._idle >= _IDLE_LOOKS and now - self._fully_at >= _FULL_EVERY_SECONDS:
            return True
        if now - self._counted_at < _COUNT_EVERY_SECONDS:
            return False
        self._counted_at = now
        return sys.getallocatedblocks() > 2 * self._left + _FREE_GROWTH

    def _collect_fully(self) -> None:
        began = time.monotonic()
        gc.unfreeze()
        found = sweep()
        self._fully_at = self._counted_at = time.monotonic()
        self._left = sys.getallocatedblocks()
        log.info(
            "garbage_collected", found=found, left=gc.get_freeze_count(), ms=round(1000 * (self._fully_at - began))
        )


def sweep() -> int:
    """Free what refers to itself among what isn't set aside yet, and set the rest aside; gives how much was found."""
    found = gc.collect()
    gc.freeze()
    return found
