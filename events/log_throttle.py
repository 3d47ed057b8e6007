"""Throttled log lines: a lasting fault is logged once, and again from time to time while it lasts."""

import time
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock


class LogThrottle:
    """The subjects logged in the last `seconds`. Beyond `most` of them, the oldest are dropped."""

    def __init__(self, seconds: float = 600.0, most: int = 1000) -> None:
        self._seconds = seconds
        self._most = most
        self._made_at: OrderedDict[Hashable, float] = OrderedDict()
        self._lock = Lock()

    def is_due(self, *about: Hashable) -> bool:
        """True if a line about this subject is due; the subject then counts as logged."""
        with self._lock:
            now = time.monotonic()  # noqa: TID251  the pace of log lines, no part of the record
            if now < self._made_at.get(about, float("-inf")) + self._seconds:
                return False
            self._made_at[about] = now
            self._made_at.move_to_end(about)
            if len(self._made_at) > self._most:
                self._made_at.popitem(last=False)
            return True
