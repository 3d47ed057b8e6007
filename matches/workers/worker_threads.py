"""Threads of a worker that play the dealer's and the bots' acts of waiting matches, a few of each match in turn."""

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from uuid import UUID

from django.db import connections

from events import tracing
from matches.domain.fair_queue import FairQueue, Work

Serve = Callable[[UUID], float | None]
"""Plays some acts that a match waits for, and says in how many seconds it wants its next turn; None where it wants
none. It raises nothing."""

_THREADS = 3
_FOR_BOTS_ALONE = 2
"""So many threads at once serve matches among bots alone: one is always free for people. More of them would bring no
more, as one processor runs them all."""
_TURNS_OF_ORIGIN = 2


class WorkerThreads:
    """The queue of waiting matches of this process, and its threads; they start with the first match put in."""

    def __init__(self, serve: Serve, *, threads: int = _THREADS, for_bots_alone: int = _FOR_BOTS_ALONE) -> None:
        self._serve = serve
        self._count, self._for_bots_alone = threads, for_bots_alone
        self._queue = FairQueue()
        self._news = threading.Condition()
        self._with_bots = 0
        self._began: dict[UUID, float] = {}
        self._origins: dict[UUID, tuple[tracing.Origin, int]] = {}
        self._resting: dict[UUID, tuple[float, Work]] = {}
        self._threads: list[threading.Thread] = []
        self._is_over = False

    def attend_to(self, works: Iterable[Work], origin: tracing.Origin | None = None) -> None:
        """Queue these matches; `origin` is what brought them, which their next turn goes on with, and the one after a
        rest, as a bot's first turn is often to wait."""
        with self._news:
            for work in works:
                self._queue.put(work)
                if origin is not None and any(origin):
                    self._origins[work.match_id] = origin, _TURNS_OF_ORIGIN
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            while len(self._threads) < self._count and not self._is_over:
                self._threads.append(threading.Thread(target=self._run, name="attendant", daemon=True))
                self._threads[-1].start()
            self._news.notify_all()

    def serve_next(self) -> bool:
        """Serve the match whose turn it is; False where none waits that may be served now."""
        with self._news:
            self._end_rests()
            work = self._queue.take(alone=self._with_bots < self._for_bots_alone)
            if work is None:
                return False
            self._with_bots += work.alone
            self._began[work.match_id] = time.monotonic()
            origin, turns = self._origins.pop(work.match_id, (None, 0))
        again: float | None = None
        try:
            with tracing.following(origin, "attend", match=work.match_id) if origin else nullcontext():
                again = self._serve(work.match_id)
        finally:
            with self._news:
                self._with_bots -= work.alone
                del self._began[work.match_id]
                self._queue.done(work, more=again == 0)
                if again:
                    self._resting[work.match_id] = time.monotonic() + again, work
                    if origin and turns > 1:
                        self._origins.setdefault(work.match_id, (origin, turns - 1))
                self._news.notify()
        return True

    def move(self, within: float) -> bool:
        """Whether one of its threads is free, or has taken its match less than so many seconds ago."""
        with self._news:
            began = list(self._began.values())
        return len(began) < max(1, self._count) or time.monotonic() - max(began) < within

    def stop(self, patience: float = 3.0) -> None:
        """Take no more, and wait so many seconds for the acts under way. The sweep finds again what was queued."""
        with self._news:
            self._is_over = True
            self._news.notify_all()
        for thread in self._threads:
            thread.join(patience)

    def _run(self) -> None:
        while not self._is_over:
            if not self.serve_next():
                # An idle thread holds no database connection.
                connections.close_all()
                with self._news:
                    self._end_rests()
                    if not (self._is_over or self._may_serve()):
                        self._news.wait(self._shortest_rest())

    def _end_rests(self) -> None:
        """Queue the matches whose rest is over."""
        now = time.monotonic()
        for work in [work for ends, work in self._resting.values() if ends <= now]:
            del self._resting[work.match_id]
            self._queue.put(work)

    def _shortest_rest(self) -> float | None:
        """The seconds until the first of the rests ends; None where no match rests."""
        ends = min((ends for ends, _ in self._resting.values()), default=None)
        return None if ends is None else max(0.0, ends - time.monotonic())

    def _may_serve(self) -> bool:
        return self._queue.has_work(alone=self._with_bots < self._for_bots_alone)
