"""What takes long outside of the house, for many receivers at once: one that answers slowly holds up nobody else's. The
threads only carry; what is carried next and how it has gone is the caller's, so that none of them takes a connection to
the database."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

AT_ONCE = 8
"""So many receivers are waited for at the same time, each for as long as its way lets it take."""
_LOOK_SECONDS = 0.25


class Job(NamedTuple):
    """`carry` is done in a thread, and raises nothing; `settle` is given what it gave, and gives how much was taken."""

    carry: Callable[[], Any]
    settle: Callable[[Any], int]


def in_parallel(following: Callable[[], Job | None], seconds: float) -> int:
    """Do what is `following` until nothing does, or the time is up; gives how much was taken."""
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
            # What is settled may let the next one of its line go; what is due meanwhile needn't wait for that.
            done, _ = wait(under_way, _LOOK_SECONDS, FIRST_COMPLETED)
            taken += sum(under_way.pop(it).settle(it.result()) for it in done)
