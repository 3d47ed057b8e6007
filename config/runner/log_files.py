"""The files that the parts write their logs to, kept from growing for ever."""

import contextlib
import math
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from events.log_throttle import LogThrottle

LIMIT = 10 * 1024 * 1024
"""How many bytes a log may grow to before it is set aside."""
LOOK = 5.0
"""The seconds between two looks."""


class LogFiles:
    """The logs of a folder. Whoever asks for enough that isn't there would else fill the disk by the lines that tell
    of it."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder, self._say = folder, say
        self._looked_at = -math.inf
        self._throttle = LogThrottle()

    def keep_small(self) -> None:
        """Set aside what has grown too large; looks now and then, however often it is called."""
        if time.monotonic() - self._looked_at < LOOK:
            return
        for log in self._folder.glob("*.log"):
            if log.stat().st_size > LIMIT:
                self._set_aside(log)
        self._looked_at = time.monotonic()

    def _set_aside(self, log: Path) -> None:
        """Who writes a log holds it open to append, so it is emptied rather than renamed."""
        aside = log.with_suffix(".log.1")
        try:
            shutil.copyfile(log, aside)
            os.truncate(log, 0)
        except OSError as failure:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)
            if self._throttle.is_due(log):
                self._say(f"{log} could not be set aside: {failure}")
