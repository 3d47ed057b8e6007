"""Slow I/O to many receivers in parallel, so that a slow one delays no other. The threads do only the I/O; the caller's
thread chooses jobs and stores their results, so that no other thread needs a database connection."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

AT_ONCE = 8
"""The number of receivers to wait for at the same time."""
_LOOK_SECONDS = 0.25


class Job(NamedTuple):
    """`carry` runs in a thread and must not raise; `settle` gets its result and returns the number of accepted
    messages."""

    carry: Callable[[], Any]
    settle: Callable[[Any], int]


def in_parallel(following: Callable[[], Job | None], seconds: float) -> int:
    """Run the jobs of `following` until it returns None or the time is up; return the number of accepted messages."""
    end, taken = time.monotonic() + seconds, 0
    under_way: dict[Future[Any], Job] = {}
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="carrier") as threads:
        while True:
            is_open = len(under_way) < AT_ONCE and time.monotonic() < end
            if is_open and (job := following()) is not None:
                under_way[threads.submit(job.carry)] = job
                continue
            if not under_way:
                return taken
            # Settling a job may make the next one of its line due; other due jobs don't wait for it.
            done, _ = wait(under_way, _LOOK_SECONDS, FIRST_COMPLETED)
            taken += sum(under_way.pop(it).settle(it.result()) for it in done)
