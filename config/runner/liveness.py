"""A part's sign of life to the supervisor that has started it: a byte a second through a pipe.

What is silent for too long hangs, however much its process still seems to run. Without a supervisor nobody is told.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping

PIPE = "CROUPIER_ALIVE"
"""The environment variable that names the pipe's end to write to."""
EVERY_SECONDS = 1.0
STUCK_SECONDS = 60.0
"""Twice what the longest statement may take: a worker whose threads all take longer for one task will not end any."""


class AliveSignal:
    """This process's end of the pipe, if a supervisor has given it one."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._pipe = int(env[PIPE]) if env.get(PIPE) else None

    def give(self) -> None:
        """Say that this process lives. It waits for nobody: what a supervisor that is stopped doesn't read is lost."""
        if self._pipe is None:
            return
        try:
            os.write(self._pipe, b".")
        except OSError:
            # Full, as nobody reads; or the supervisor is gone, and soon this process with it.
            return

    def keep_giving(self, lives: Callable[[], bool] = lambda: True) -> None:
        """Give it once a second from now on, for as long as `lives` says so."""
        if self._pipe is not None:
            threading.Thread(target=self._keep_giving, args=(lives,), name="alive", daemon=True).start()

    def _keep_giving(self, lives: Callable[[], bool]) -> None:
        while True:
            if lives():
                self.give()
            time.sleep(EVERY_SECONDS)


alive_signal = AliveSignal(os.environ)
"""The sign of this very process."""


class Threads:
    """Since when each of a worker's threads is busy with one task."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._began: dict[str, float] = {}

    def begin(self, task_id: str) -> None:
        """A thread takes a task."""
        self._began[task_id] = time.monotonic()

    def end(self, task_id: str) -> None:
        """It has done it, well or not."""
        self._began.pop(task_id, None)

    def move(self) -> bool:
        """Whether one of them is free, or has taken its task less than `STUCK_SECONDS` ago."""
        began = list(self._began.values())
        return len(began) < self._count or time.monotonic() - max(began) < STUCK_SECONDS
