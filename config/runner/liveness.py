"""The alive signal of a part to its supervisor: a byte per second through a pipe.

A part that is silent for too long hangs, even if its process seems to run. Without a supervisor, nothing is sent.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping

PIPE = "CROUPIER_ALIVE"
"""The environment variable with the descriptor of the pipe's write end."""
EVERY_SECONDS = 1.0
STUCK_SECONDS = 60.0
"""Twice the longest allowed statement. If all of a worker's threads need longer than this for a task, none will
finish."""


class AliveSignal:
    """This process's end of the pipe, if a supervisor has passed one."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._descriptor = int(env[PIPE]) if env.get(PIPE) else None

    def give(self) -> None:
        """Send the signal without waiting: if the supervisor is stopped and doesn't read, the signal is lost."""
        if self._descriptor is None:
            return
        try:
            os.write(self._descriptor, b".")
        except OSError:
            # The pipe is full because nothing reads it; or the supervisor is gone, and this process will end soon.
            return

    def keep_giving(self, is_alive: Callable[[], bool] = lambda: True) -> None:
        """Send the signal once a second from now on, whenever `is_alive` returns True."""
        if self._descriptor is not None:
            threading.Thread(target=self._keep_giving, args=(is_alive,), name="alive", daemon=True).start()

    def _keep_giving(self, is_alive: Callable[[], bool]) -> None:
        while True:
            if is_alive():
                self.give()
            time.sleep(EVERY_SECONDS)


alive_signal = AliveSignal(os.environ)
"""The signal of this process."""


class Threads:
    """Start times of the tasks that a worker's threads are busy with."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._began: dict[str, float] = {}

    def begin(self, task_id: str) -> None:
        """Record that a thread starts a task."""
        self._began[task_id] = time.monotonic()

    def end(self, task_id: str) -> None:
        """Record that a task has ended, successfully or not."""
        self._began.pop(task_id, None)

    def move(self) -> bool:
        """True if a thread is free, or has started its task less than `STUCK_SECONDS` ago."""
        began = list(self._began.values())
        return len(began) < self._count or time.monotonic() - max(began) < STUCK_SECONDS
