"""A thread that saves snapshots, so that no command waits for one. Losing a snapshot only makes a later fold longer."""

import atexit
import threading
from collections import OrderedDict
from collections.abc import Callable
from uuid import UUID

import structlog
from django.db import connections

from events import snapshots
from events.log_throttle import LogThrottle
from events.snapshots import Snapshot

log = structlog.get_logger(__name__)

_MOST_PENDING = 2000
_MOST_AT_ONCE = 50
_REST_SECONDS = 0.05
"""The pause between two batches, which limits the commits and the interpreter time that a busy process spends on
snapshots."""
_throttle = LogThrottle(seconds=60)

Make = Callable[[], Snapshot]


class SnapshotWriter(threading.Thread):
    """Saves the posted snapshots. Of each stream and reducer only the newest is pending."""

    def __init__(self) -> None:
        super().__init__(name="snapshot_writer", daemon=True)
        self._pending: OrderedDict[tuple[UUID, str], Make] = OrderedDict()
        self._ready = threading.Condition()
        self._is_busy = False
        self._is_over = False

    def post(self, stream: UUID, reducer: str, make: Make) -> None:
        """Queue a snapshot, which the thread will make; drop the oldest if too many are waiting."""
        with self._ready:
            self._pending[stream, reducer] = make
            if len(self._pending) > _MOST_PENDING:
                self._pending.popitem(last=False)
            self._ready.notify_all()

    def run(self) -> None:
        while batch := self._take():
            try:
                # A common order prevents deadlocks between processes that save the same snapshots.
                snapshots.save_all([(*key, make()) for key, make in sorted(batch.items(), key=lambda it: it[0])])
            except Exception as error:  # a snapshot that is lost must never end the thread
                self._warn(error)
            finally:
                connections.close_all()
                self._rest()

    def wait(self, patience: float = 10.0) -> bool:
        """Wait until nothing is pending; return False if that takes too long."""
        with self._ready:
            return self._ready.wait_for(lambda: not self._pending and not self._is_busy, patience)

    def finish(self, patience: float = 2.0) -> None:
        """Save the pending snapshots and end."""
        with self._ready:
            self._is_over = True
            self._ready.notify_all()
        self.join(patience)

    def _take(self) -> dict[tuple[UUID, str], Make]:
        with self._ready:
            while not self._pending and not self._is_over:
                self._ready.wait()
            count = min(_MOST_AT_ONCE, len(self._pending))
            self._is_busy = count > 0
            return dict(self._pending.popitem(last=False) for _ in range(count))

    def _rest(self) -> None:
        with self._ready:
            self._is_busy = False
            self._ready.notify_all()
            self._ready.wait_for(lambda: self._is_over, _REST_SECONDS)

    def _warn(self, error: Exception) -> None:
        if _throttle.is_due(type(error).__name__):
            # Without the error's text, which may contain a state.
            log.warning("snapshots_lost", error=type(error).__name__)


_starting = threading.Lock()
_running: list[SnapshotWriter] = []


def writer() -> SnapshotWriter:
    """Return this process's writer. A forked child starts its own."""
    if _running and _running[0].is_alive():
        return _running[0]
    with _starting:
        if not _running or not _running[0].is_alive():
            _running[:] = [SnapshotWriter()]
            _running[0].start()
            atexit.register(_running[0].finish)
        return _running[0]
