"""Measure how long it takes until all connections of a match have been sent its news, for metrics and traces."""

import time
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from events import tracing
from matches.http import metrics
from matches.realtime.connections import Connection

_MAX_PENDING = 16
"""Limit of pending fan-outs; beyond it the oldest is dropped without being measured."""


class News(NamedTuple):
    """The time of the first hint that the match has moved, and the traceparent of what moved it, if known."""

    notified_at: float
    traceparent: str = ""


class Fanout:
    """News, and the connections that haven't been sent it yet."""

    def __init__(self, match_id: UUID, news: News, waiting: set[Connection], sent: int) -> None:
        self._news, self.waiting = news, waiting
        self._span = tracing.later(
            "last frame", news.traceparent, news.notified_at, match=match_id, connections=len(waiting) + sent
        )  # fmt: skip

    def end(self) -> None:
        """Record the duration: all connections have been sent the news, or have left."""
        metrics.LAST_FRAME_SECONDS.observe(time.perf_counter() - self._news.notified_at)
        if self._span is not None:
            self._span.end()


class FanoutTimer:
    """The pending fan-outs of a hub."""

    def __init__(self, match_id: UUID) -> None:
        self._match_id = match_id
        self._news: News | None = None
        self._open: deque[Fanout] = deque(maxlen=_MAX_PENDING)

    def notified(self, traceparent: str = "") -> None:
        """Note a hint of possible news; the time of the first one counts."""
        if self._news is None:
            self._news = News(time.perf_counter(), traceparent)

    def reading(self) -> News:
        """Note the start of a refresh, and return the news that caused it."""
        news, self._news = self._news or News(time.perf_counter()), None
        return news

    def dispatched(self, news: News, connections: Iterable[Connection], sent: int = 0) -> None:
        """Note that these connections are to be sent the result of the refresh; `sent` others have been sent it."""
        if waiting := set(connections):
            self._open.append(Fanout(self._match_id, news, waiting, sent))
        elif sent:
            Fanout(self._match_id, news, waiting, sent).end()

    def delivered(self, connection: Connection) -> None:
        """Note that this connection has been sent everything, or has left."""
        if not self._open:
            return
        for fanout in list(self._open):
            fanout.waiting.discard(connection)
            if not fanout.waiting:
                self._open.remove(fanout)
                fanout.end()
