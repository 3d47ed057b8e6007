"""Who comes to the matches of this process and goes: noted in Redis, and heard from there of all processes."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from matches.publishing import presence, publisher
from matches.publishing.presence import Present

_MOMENT_SECONDS = 0.02
"""Who comes and goes meanwhile is noted together, and so is who is seen."""


class Attendance:
    """The seats and watchers with a connection here; `show` is told who is present at a match."""

    def __init__(
        self, show: Callable[[UUID, Present], None], spawn: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._show = show
        self._spawn = spawn
        self._here: dict[UUID, Counter[str]] = defaultdict(Counter)
        self._changed: dict[UUID, set[str]] = defaultdict(set)
        self._unseen: set[UUID] = set()
        # Redis may hang; it must hang nobody but presence itself.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="presence")

    def come(self, match_id: UUID, name: str) -> None:
        """A seat or watcher has a connection more."""
        self._here[match_id][name] += 1
        if self._here[match_id][name] == 1:
            self._change(match_id, name)

    def go(self, match_id: UUID, name: str) -> None:
        """A seat or watcher has a connection less."""
        here = self._here[match_id]
        here[name] -= 1
        if not here[name]:
            del here[name]
            if not here:
                del self._here[match_id]
            self._change(match_id, name)

    def see(self, match_id: UUID) -> None:
        """Others may be present at a match now: look in a moment. The hint comes from this process and again over the
        channel layer; both are one look."""
        if not self._unseen:
            self._spawn(self._see())
        self._unseen.add(match_id)

    async def beat(self, match_ids: Iterable[UUID]) -> None:
        """Say who is still here at these matches, and look who is anywhere."""
        here = {match_id: list(self._here.get(match_id, ())) for match_id in match_ids}
        if here:
            self._tell(await self._asked(presence.beat, here))

    def _change(self, match_id: UUID, name: str) -> None:
        if not self._changed:
            self._spawn(self._note())
        self._changed[match_id].add(name)

    async def _note(self) -> None:
        """A seat's presence is published now, a spectator's with the next beat."""
        await asyncio.sleep(_MOMENT_SECONDS)
        changed, self._changed = self._changed, defaultdict(set)
        came = {id: here for id, names in changed.items() if (here := names & self._here.get(id, {}).keys())}
        gone = {id: away for id, names in changed.items() if (away := names - self._here.get(id, {}).keys())}
        await self._asked(presence.change, came, gone)
        for match_id, names in changed.items():
            if any(map(presence.is_seat, names)):
                publisher.publish(publisher.match_group(match_id), {"type": "seen", "match": str(match_id)})

    async def _see(self) -> None:
        await asyncio.sleep(_MOMENT_SECONDS)
        asked, self._unseen = list(self._unseen), set()
        self._tell(await self._asked(presence.among, asked))

    async def _asked(self, act: Callable[..., Any], *given: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, act, *given)

    def _tell(self, found: Mapping[UUID, Present]) -> None:
        for match_id, present in found.items():
            self._show(match_id, present)
