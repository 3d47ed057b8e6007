"""POSTs to many receivers at once: one that answers slowly holds up nobody else's. The threads only post; what is
posted next and how it has gone is the caller's, so that none of them takes a connection to the database."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from matches.notifications import webhooks
from matches.notifications.webhooks import Sent

AT_ONCE = 8
"""So many receivers are waited for at the same time, each for as long as a POST may take at most."""
_LOOK_SECONDS = 0.25


class Post(NamedTuple):
    """What is posted, and what is to be done with the answer: `settle` gives whether it was taken."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    settle: Callable[[Sent], bool]


def in_parallel(following: Callable[[], Post | None], seconds: float) -> int:
    """Post what is `following` until nothing does, or the time is up; gives how many receivers took theirs."""
    end, taken = time.monotonic() + seconds, 0
    under_way: dict[Future[Sent], Post] = {}
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="post") as threads:
        while True:
            is_open = len(under_way) < AT_ONCE and time.monotonic() < end
            if is_open and (post := following()) is not None:
                under_way[threads.submit(webhooks.post, post.url, post.body, post.headers)] = post
                continue
            if not under_way:
                return taken
            # What is settled may let the next one of its line go; what is due meanwhile needn't wait for that.
            done, _ = wait(under_way, _LOOK_SECONDS, FIRST_COMPLETED)
            taken += sum(under_way.pop(it).settle(it.result()) for it in done)
