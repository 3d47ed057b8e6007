"""Send workers the task for a match that waits for the dealer or a bot. A lost one only causes a delay of a second.

A separate thread sends them, so that no move waits for the broker. A match that moves again before its task is sent has
only one pending. Periodic tasks, matches with people and matches among bots have a queue each. A worker takes from each
in turn, so that a long queue doesn't delay the others.
"""

import threading
from collections import OrderedDict
from uuid import UUID

import structlog
from celery import current_app

from events import tracing
from events.log_throttle import LogThrottle

log = structlog.get_logger(__name__)

ATTEND = "matches.tasks.attend"
"""The task that plays the dealer's and the bots' acts of a match."""

ORIGIN = "croupier_origin"
"""The task header that holds an events.tracing.Origin. The name `origin` is reserved by Celery."""

QUICK_LINE = "moves"
"""The queue of matches with people."""
SLOW_LINE = "bots"
"""The queue of matches among bots."""

_MOST_PENDING = 10_000
_CONFIRM_SECONDS = 2.0
"""Timeout for a broker's confirmation, after which another connection is tried."""
_throttle = LogThrottle(seconds=60)


class TaskPublisher(threading.Thread):
    """Sends a task for each posted match; its header ORIGIN names the request that caused it."""

    def __init__(self) -> None:
        super().__init__(name="task_publisher", daemon=True)
        self._pending: OrderedDict[UUID, tuple[str, tracing.Origin]] = OrderedDict()
        self._ready = threading.Condition()

    def post(self, match_id: UUID, line: str) -> None:
        """Queue a task; the oldest is dropped if too many wait."""
        with self._ready:
            self._pending[match_id] = line, tracing.origin()
            if len(self._pending) > _MOST_PENDING:
                self._pending.popitem(last=False)
            self._ready.notify()

    def run(self) -> None:
        """Send tasks until the process ends."""
        while True:
            with self._ready:
                while not self._pending:
                    self._ready.wait()
                match_id, (line, origin) = self._pending.popitem(last=False)
            try:
                current_app.send_task(
                    ATTEND, (str(match_id),), queue=line, ignore_result=True, confirm_timeout=_CONFIRM_SECONDS,
                    headers={ORIGIN: list(origin)},
                )  # fmt: skip
            except Exception as error:  # a lost hint must never end the thread
                if _throttle.is_due():
                    log.warning("hints_lost", error=type(error).__name__)


def wake_the_house(match_id: UUID) -> None:
    """Post a match with people that waits for a bot or the dealer."""
    _task_publisher().post(match_id, QUICK_LINE)


def wake_for_bots(match_id: UUID) -> None:
    """Post a match among bots."""
    _task_publisher().post(match_id, SLOW_LINE)


_starting = threading.Lock()
_running: list[TaskPublisher] = []


def _task_publisher() -> TaskPublisher:
    """Return this process's task publisher; a forked child starts its own."""
    with _starting:
        if not _running or not _running[0].is_alive():
            _running[:] = [TaskPublisher()]
            _running[0].start()
        return _running[0]
