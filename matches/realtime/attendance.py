"""Presence of the connections in this process: written to Redis, and read from there for all processes."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from matches.publishing import presence, publisher
from matches.publishing.presence import Present

_MOMENT_SECONDS = 0.02
"""Changes within this time are written together, and so are reads."""


class Attendance:
    """The seats and watchers with a connection in this process; `show` is called with who is present at a match."""

    def __init__(
        self, show: Callable[[UUID, Present], None], spawn: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._show = show
        self._spawn = spawn
        self._here: dict[UUID, Counter[str]] = defaultdict(Counter)
        self._changed: dict[UUID, set[str]] = defaultdict(set)
        self._unseen: set[UUID] = set()
        # Redis may hang; a thread of its own ensures that only presence waits for it.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="presence")

    def add(self, match_id: UUID, name: str) -> None:
        """Count a new connection of a seat or watcher."""
        self._here[match_id][name] += 1
        if self._here[match_id][name] == 1:
            self._change(match_id, name)

    def remove(self, match_id: UUID, name: str) -> None:
        """Count a closed connection of a seat or watcher."""
        here = self._here[match_id]
        here[name] -= 1
        if not here[name]:
            del here[name]
            if not here:
                del self._here[match_id]
            self._change(match_id, name)

    def request_refresh(self, match_id: UUID) -> None:
        """Read who is present at a match, in a moment. The same hint arrives from this process and over the channel
        layer; both cause one read."""
        if not self._unseen:
            self._spawn(self._refresh())
        self._unseen.add(match_id)

    async def beat(self, match_ids: Iterable[UUID]) -> None:
        """Write who is still connected to these matches in this process, and read who is connected to any."""
        here = {match_id: list(self._here.get(match_id, ())) for match_id in match_ids}
        if here:
            self._show_all(await self._in_thread(presence.beat, here))

    def _change(self, match_id: UUID, name: str) -> None:
        if not self._changed:
            self._spawn(self._write())
        self._changed[match_id].add(name)

    async def _write(self) -> None:
        """Write the changes. A seat's presence is published now, a spectator's with the next beat."""
        await asyncio.sleep(_MOMENT_SECONDS)
        changed, self._changed = self._changed, defaultdict(set)
        arrived = {id: here for id, names in changed.items() if (here := names & self._here.get(id, {}).keys())}
        left = {id: away for id, names in changed.items() if (away := names - self._here.get(id, {}).keys())}
        await self._in_thread(presence.change, arrived, left)
        for match_id, names in changed.items():
            if any(map(presence.is_seat, names)):
                publisher.publish(publisher.match_group(match_id), {"type": "seen", "match": str(match_id)})

    async def _refresh(self) -> None:
        await asyncio.sleep(_MOMENT_SECONDS)
        match_ids, self._unseen = list(self._unseen), set()
        self._show_all(await self._in_thread(presence.among, match_ids))

    async def _in_thread(self, act: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, act, *arguments)

    def _show_all(self, present_by_match: Mapping[UUID, Present]) -> None:
        for match_id, present in present_by_match.items():
            self._show(match_id, present)
