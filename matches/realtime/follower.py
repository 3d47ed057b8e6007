"""The follower: reads what other processes have stored for all watched matches, in one statement.

It handles events of play, which each hub publishes from memory. Everything else is left to the hub's own refresh.
"""

import asyncio
from collections.abc import Callable
from uuid import UUID

import psycopg
import structlog

from events import chain, following
from events.log_throttle import LogThrottle
from events.loop_connection import LoopConnection
from events.records import NOWHERE, Point, Recorded
from games.kernel import HOST
from games.kernel.messages import type_name
from matches.domain.events import MatchFinished
from matches.reads import feed
from matches.realtime.hub import Hub
from matches.storage import codec, repository
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_MAX_MATCHES = 200
_ENDS = type_name(MatchFinished)
_throttle = LogThrottle(seconds=60)


class Follower:
    """Follows matches after hints that they have moved; `find` returns a match's hub, if there is one."""

    def __init__(self, find: Callable[[UUID], Hub | None]) -> None:
        self._find = find
        self._line = LoopConnection()
        self._wanted: dict[UUID, int] = {}
        self._task: asyncio.Task[None] | None = None

    def request(self, match_id: UUID, version: int) -> None:
        """Read the new events of this match, which has reached this version, together with other requested matches."""
        self._wanted[match_id] = max(version, self._wanted.get(match_id, 0))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="follower")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._line.close()

    async def _run(self) -> None:
        """Read until nothing is requested."""
        try:
            while self._wanted:
                batch = dict(self._wanted.popitem() for _ in range(min(_MAX_MATCHES, len(self._wanted))))
                await self._follow([hub for match_id in batch if (hub := self._find(match_id))])
                for match_id, version in batch.items():
                    if hub := self._find(match_id):
                        hub.request_refresh(version)
        finally:
            self._task = None

    async def _follow(self, hubs: list[Hub]) -> None:
        points = {hub: hub.newest for hub in hubs if hub.newest != NOWHERE}
        versions = {hub.match_id: point.version for hub, point in points.items()}
        try:
            rows_of = await following.read_after(self._line, versions) if versions else {}
        except psycopg.Error as error:
            if _throttle.is_due():
                log.warning("not_followed", error=type(error).__name__)
            rows_of = {}
        for hub, before in points.items():
            if not _publish(hub, before, rows_of.get(hub.match_id, [])):
                hub.request_refresh()


def _publish(hub: Hub, before: Point, rows: list[Recorded]) -> bool:
    """Publish these events to the hub, and cache the match for the next command; False if the hub must read."""
    if hub.newest != before or not _is_play(hub, rows):
        return False
    try:
        repository.advance(hub.match_id, HOST, before, rows)
    except BrokenRecord:
        return False
    hub.publish(before, rows)
    return True


def _is_play(hub: Hub, rows: list[Recorded]) -> bool:
    """True if these events continue from the hub's point and none of them changes who holds a seat."""
    *_, broken = chain.check(hub.match_id, rows, *hub.newest)
    keeps_seats = all(row.type not in codec.LIFECYCLE or row.type == _ENDS for row in rows)
    return 0 < len(rows) <= feed.MOST_EVENTS and broken is None and keeps_seats
