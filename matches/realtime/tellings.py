"""How long it takes until all connections of a match were sent what has happened at it: for figures and traces."""

import time
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from events import tracing
from matches.http import metrics
from matches.realtime.connections import Connection

_MOST_AT_ONCE = 16
"""Of more news that somebody hasn't read yet, the oldest is let go unmeasured."""


class News(NamedTuple):
    """When there was first word that the match has moved, and the traceparent of what moved it, where one is known."""

    heard_at: float
    traceparent: str = ""


class Telling:
    """News, and the connections that have yet to be sent it."""

    def __init__(self, match_id: UUID, news: News, waiting: set[Connection], sent: int) -> None:
        self._news, self.waiting = news, waiting
        self._span = tracing.later(
            "last frame", news.traceparent, news.heard_at, match=match_id, connections=len(waiting) + sent
        )  # fmt: skip

    def end(self) -> None:
        """All of them have been sent it, or have left."""
        metrics.LAST_FRAME_SECONDS.observe(time.perf_counter() - self._news.heard_at)
        if self._span is not None:
            self._span.end()


class Tellings:
    """What a hub is telling its connections now."""

    def __init__(self, match_id: UUID) -> None:
        self._match_id = match_id
        self._heard: News | None = None
        self._open: deque[Telling] = deque(maxlen=_MOST_AT_ONCE)

    def heard(self, traceparent: str = "") -> None:
        """There may be news; the first word of it counts."""
        if self._heard is None:
            self._heard = News(time.perf_counter(), traceparent)

    def looking(self) -> News:
        """A look begins; gives what it was asked for by."""
        news, self._heard = self._heard or News(time.perf_counter()), None
        return news

    def found(self, news: News, connections: Iterable[Connection], sent: int = 0) -> None:
        """These are to be sent what the look has found; so many others have been sent it."""
        if waiting := set(connections):
            self._open.append(Telling(self._match_id, news, waiting, sent))
        elif sent:
            Telling(self._match_id, news, waiting, sent).end()

    def sent(self, connection: Connection) -> None:
        """This one has been sent all that there is, or has left."""
        if not self._open:
            return
        for telling in list(self._open):
            telling.waiting.discard(connection)
            if not telling.waiting:
                self._open.remove(telling)
                telling.end()
