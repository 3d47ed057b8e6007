"""The follower: what other processes have stored, read for all watched matches in one statement.

It is for events of play, which each hub tells from memory. Whatever else has happened, or can't be followed, is found
by the hub's own look.
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

_MOST = 200
_ENDS = type_name(MatchFinished)
_throttle = LogThrottle(seconds=60)


class Follower:
    """Follows matches, where a hint says that they have moved; `find` gives a match's hub, if there is one."""

    def __init__(self, find: Callable[[UUID], Hub | None]) -> None:
        self._find = find
        self._line = LoopConnection()
        self._wanted: dict[UUID, int] = {}
        self._task: asyncio.Task[None] | None = None

    def want(self, match_id: UUID, version: int) -> None:
        """Read what is new of this match, which has reached this version, together with all others that are wanted
        meanwhile."""
        self._wanted[match_id] = max(version, self._wanted.get(match_id, 0))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="follower")

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._line.close()

    async def _run(self) -> None:
        """Read until nothing is wanted."""
        try:
            while self._wanted:
                asked = dict(self._wanted.popitem() for _ in range(min(_MOST, len(self._wanted))))
                await self._follow([hub for match_id in asked if (hub := self._find(match_id))])
                for match_id, version in asked.items():
                    if hub := self._find(match_id):
                        hub.nudge(version)
        finally:
            self._task = None

    async def _follow(self, hubs: list[Hub]) -> None:
        stood = {hub: hub.newest for hub in hubs if hub.newest != NOWHERE}
        versions = {hub.match_id: point.version for hub, point in stood.items()}
        try:
            found = await following.read_after(self._line, versions) if versions else {}
        except psycopg.Error as error:
            if _throttle.is_due():
                log.warning("not_followed", error=type(error).__name__)
            found = {}
        for hub, before in stood.items():
            if not _tell(hub, before, found.get(hub.match_id, [])):
                hub.nudge()


def _tell(hub: Hub, before: Point, rows: list[Recorded]) -> bool:
    """Tell the hub of these events, and remember them for the next command; False where it must look."""
    if hub.newest != before or not _is_play(hub, rows):
        return False
    try:
        repository.advance(hub.match_id, HOST, before, rows)
    except BrokenRecord:
        return False
    hub.tell(before, rows)
    return True


def _is_play(hub: Hub, rows: list[Recorded]) -> bool:
    """Whether these events go on from where the hub stands, and none of them changes who sits there."""
    *_, broken = chain.check(hub.match_id, rows, *hub.newest)
    own = all(row.type not in codec.LIFECYCLE or row.type == _ENDS for row in rows)
    return 0 < len(rows) <= feed.MOST_EVENTS and broken is None and own
