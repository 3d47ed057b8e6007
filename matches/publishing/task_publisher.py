"""Hints to the workers that a match waits for the house. Losing one costs a second, never correctness.

A thread of its own sends them, so a move never waits for the broker; a match that moves again before its hint is out
has one hint pending, not two. The worker's own ticks stand in a line, where somebody has moved in another one, and
bots among themselves in a third: a worker takes from each by turns, so that none waits for the length of another.
"""

import threading
from collections import OrderedDict
from uuid import UUID

import structlog
from celery import current_app

from events.log_throttle import LogThrottle

log = structlog.get_logger(__name__)

ATTEND = "matches.tasks.attend"
"""The task that does what the house owes a match."""

QUICK_LINE = "moves"
"""Matches in which somebody plays."""
SLOW_LINE = "bots"
"""Matches that go on without anybody."""

_MOST_PENDING = 10_000
_throttle = LogThrottle(seconds=60)


class TaskPublisher(threading.Thread):
    """Wakes a worker for each match that has moved."""

    def __init__(self) -> None:
        super().__init__(name="hints", daemon=True)
        self._pending: OrderedDict[UUID, str] = OrderedDict()
        self._ready = threading.Condition()

    def post(self, match_id: UUID, line: str) -> None:
        """Queue a hint; the oldest is dropped when far too many wait."""
        with self._ready:
            self._pending[match_id] = line
            if len(self._pending) > _MOST_PENDING:
                self._pending.popitem(last=False)
            self._ready.notify()

    def run(self) -> None:
        """Send hints until the process ends."""
        while True:
            with self._ready:
                while not self._pending:
                    self._ready.wait()
                match_id, line = self._pending.popitem(last=False)
            try:
                current_app.send_task(ATTEND, (str(match_id),), queue=line, retry=False, ignore_result=True)
            except Exception as error:  # a lost hint must never end the thread
                if _throttle.is_due():
                    log.warning("hints_lost", error=type(error).__name__)


def wake_the_house(match_id: UUID) -> None:
    """Tell a worker, soon, that a bot or the dealer must act, where people play."""
    _task_publisher().post(match_id, QUICK_LINE)


def wake_for_bots(match_id: UUID) -> None:
    """Tell a worker that a bot or the dealer must act, where bots are among themselves."""
    _task_publisher().post(match_id, SLOW_LINE)


_starting = threading.Lock()
_running: list[TaskPublisher] = []


def _task_publisher() -> TaskPublisher:
    """This process's messenger; a forked child starts its own."""
    with _starting:
        if not _running or not _running[0].is_alive():
            _running[:] = [TaskPublisher()]
            _running[0].start()
        return _running[0]
