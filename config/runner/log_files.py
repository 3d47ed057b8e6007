"""The parts' log files, with a limit on their size."""

import contextlib
import math
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from events.log_throttle import LogThrottle

LIMIT = 10 * 1024 * 1024
"""The size in bytes above which a log is moved aside."""
LOOK = 5.0
"""The seconds between two checks."""


class LogFiles:
    """The logs of a folder. Without a limit, requests for missing pages could fill the disk with log lines."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder, self._say = folder, say
        self._checked_at = -math.inf
        self._throttle = LogThrottle()

    def keep_small(self) -> None:
        """Move logs that are too large aside. Most calls return at once, because the sizes are checked only now and
        then."""
        if time.monotonic() - self._checked_at < LOOK:
            return
        for log in self._folder.glob("*.log"):
            if log.stat().st_size > LIMIT:
                self._set_aside(log)
        self._checked_at = time.monotonic()

    def _set_aside(self, log: Path) -> None:
        """Copy the log, then empty it. It can't be renamed, because its process keeps it open for appending."""
        aside = log.with_suffix(".log.1")
        try:
            shutil.copyfile(log, aside)
            os.truncate(log, 0)
        except OSError as failure:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)
            if self._throttle.is_due(log):
                self._say(f"{log} could not be set aside: {failure}")
