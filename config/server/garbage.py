"""Garbage collection of a web process, whose many long-lived objects (matches, connections) aren't garbage.

Most objects are freed at once when nothing refers to them; a collection only finds reference cycles. By default Python
starts a full collection whenever the heap has grown by a quarter. With a thousand open matches, that stops the process
for half a second. Here a full collection never starts by itself:

- A sweep collects the objects created since the last sweep, and moves the survivors aside (`gc.freeze`). It runs when
  the process is quiet, and takes milliseconds however large the process is. Under load, such as a thousand players
  returning at once, new objects are moved aside without a sweep.
- A full collection includes everything that was moved aside. It runs when the process is idle, or when there are far
  more objects than after the last one, because many of them may be garbage.
"""

import gc
import sys
import time

import structlog

log = structlog.get_logger(__name__)

YOUNG = 2000
"""The number of new objects that starts a collection of the youngest generation."""
_MIDDLE = 2
"""After this many of those, and one more, the next generation is collected: a sweep of 6,000 objects takes a few
milliseconds."""
_NEVER = 1_000_000_000
_MOST_WAITING = 3
"""After this many collections of the middle generation, each after 6,000 new objects, new objects are moved aside even
under load. The next quiet moment, perhaps a tenth of a second between two moves, would sweep all that had waited."""
QUIET = 0.3
"""The share of a core below which a sweep delays no request."""
IDLE = 0.05
"""The share of a core below which the process counts as idle."""
_IDLE_TICKS = 50
_FULL_EVERY_SECONDS = 600.0
_FREE_GROWTH = 2_000_000
"""Blocks of memory; an object takes one or more. Python reads their number from the pools' headers. To count the
objects that were moved aside it would walk through all of them, which blocks the loop for 70 ms per million."""
_COUNT_EVERY_SECONDS = 30.0


class Garbage:
    """Decides at every tick if a collection is due. Create it when the process has started."""

    def __init__(self) -> None:
        gc.set_threshold(YOUNG, _MIDDLE, _NEVER)
        self._last_tick_at, self._used = time.monotonic(), time.process_time()
        self._idle_ticks = 0
        self._fully_at = self._counted_at = self._last_tick_at
        self._blocks_left = sys.getallocatedblocks()

    def collect_if_due(self) -> None:
        """Collect if it is due; called ten times a second."""
        now, used = time.monotonic(), time.process_time()
        load = (used - self._used) / max(now - self._last_tick_at, 0.001)
        self._last_tick_at, self._used = now, used
        self._idle_ticks = self._idle_ticks + 1 if load < IDLE else 0
        if self._full_is_due(now):
            self._collect_fully()
        elif waiting := gc.get_count()[2]:
            if load < QUIET:
                sweep()
            elif waiting >= _MOST_WAITING:
                gc.freeze()

    def _full_is_due(self, now: float) -> bool:
        if self._idle_ticks >= _IDLE_TICKS and now - self._fully_at >= _FULL_EVERY_SECONDS:
            return True
        if now - self._counted_at < _COUNT_EVERY_SECONDS:
            return False
        self._counted_at = now
        return sys.getallocatedblocks() > 2 * self._blocks_left + _FREE_GROWTH

    def _collect_fully(self) -> None:
        began = time.monotonic()
        gc.unfreeze()
        freed = sweep()
        self._fully_at = self._counted_at = time.monotonic()
        self._blocks_left = sys.getallocatedblocks()
        log.info(
            "garbage_collected", found=freed, left=gc.get_freeze_count(), ms=round(1000 * (self._fully_at - began))
        )


def sweep() -> int:
    """Free the cyclic garbage among the objects that aren't moved aside yet, and move the others aside; return the
    number of objects freed."""
    freed = gc.collect()
    gc.freeze()
    return freed
