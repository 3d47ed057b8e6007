"""Threads of a worker that play the dealer's and the bots' acts of waiting matches, a few acts per match in turn."""

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from uuid import UUID

from django.db import connections

from events import tracing
from matches.domain.fair_queue import FairQueue, Work

Serve = Callable[[UUID], float | None]
"""A function that plays some acts of a match and returns in how many seconds it wants its next turn; None if it wants
none. It raises nothing."""

_THREADS = 3
_FOR_BOTS_ALONE = 2
"""Limit of threads that serve matches among bots at once, so that one is always free for people. More wouldn't help,
because one processor runs them all."""
_TURNS_OF_ORIGIN = 2


class WorkerThreads:
    """This process's queue of waiting matches, and its threads; they start with the first match."""

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
        """Queue these matches. `origin` is the request that caused it; traces of their next turn continue it, and of
        the turn after a rest, because a bot's first turn is often a rest."""
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
        """Serve the next match; False if none may be served now."""
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
        """True if a thread is free, or has taken its match less than so many seconds ago."""
        with self._news:
            began = list(self._began.values())
        return len(began) < max(1, self._count) or time.monotonic() - max(began) < within

    def stop(self, patience: float = 3.0) -> None:
        """Take no more matches, and wait so many seconds for the acts in progress. The sweep finds the queued matches
        again."""
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
        """Return the seconds until the first rest ends; None if no match rests."""
        ends = min((ends for ends, _ in self._resting.values()), default=None)
        return None if ends is None else max(0.0, ends - time.monotonic())

    def _may_serve(self) -> bool:
        return self._queue.has_work(alone=self._with_bots < self._for_bots_alone)
