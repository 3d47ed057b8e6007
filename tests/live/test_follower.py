"""Events stored by other processes: one query reads them for all watched matches, and frames are made from memory."""

import asyncio
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from events import following
from events.loop_connection import LoopConnection
from events.records import Recorded
from matches.http.database_threads import reading
from matches.models import Match
from matches.realtime import frames
from matches.realtime.follower import Follower
from matches.realtime.hub import Hub
from matches.realtime.watching import Watch
from matches.services import hosting
from matches.storage import repository
from tests.live.test_told_at_once import watched
from tests.table_setting import new_account, play_on, running_match
from tests.waiting import PATIENCE


class Counted(LoopConnection):
    """Counts its statements."""

    ran = 0

    async def run(self, statement: Any, values: Sequence[bytes | None] = ()) -> Any:
        self.ran += 1
        return await super().run(statement, values)


class Away(LoopConnection):
    """Nobody answers."""

    async def run(self, statement: Any, values: Sequence[bytes | None] = ()) -> Any:
        raise psycopg.OperationalError("the server closed the connection")


@pytest.fixture
def matches() -> list[Match]:
    """Two tables of two, some moves made."""
    tables = [running_match("pyramid_poker", new_account(), new_account()) for _ in range(2)]
    for table in tables:
        play_on(table, 4)
    return tables


async def watching(matches: list[Match]) -> dict[Match, tuple[Hub, Watch]]:
    """A hub at each with one who watches from seat 0."""
    watches = {match: watched(match, 0) for match in matches}
    for hub, (watch,) in watches.values():
        await hub.refreshed()
        assert watch.greeting()
    return {match: (hub, watch) for match, (hub, (watch,)) in watches.items()}


async def until(holds: Any) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def test_followed_matches_are_read_in_one_query_and_published_without_a_read(
    matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def moment() -> None:
        hubs = await watching(matches)
        follower = Follower({match.id: hub for match, (hub, _) in hubs.items()}.get)
        follower._line = line = Counted()
        for match in matches:
            await reading(play_on)(match, 1)
        monkeypatch.setattr(frames, "load_frames", None)
        for match in matches:
            follower.request(match.id, match.version)
        await until(lambda: all(hub.version == match.version for match, (hub, _) in hubs.items()))
        assert line.ran == 1
        for match, (hub, watch) in hubs.items():
            told = [text async for text in watch.news()]
            assert told and watch.group.version == match.version
            known = repository.cached_state(match.id)
            assert known is not None and known.version == match.version, "The next command finds it in memory."
            hub.stop()
        await follower.close()

    asyncio.run(moment())


def seat_changes(match: Match) -> None:
    hosting.substitute(
        match_id=match.id, by=match.opened_by_id, seat=1, player=new_account().id, reason="The train is late."
    )


@pytest.mark.parametrize("trouble", ["away", "other history", "no play"])
def test_match_that_cannot_be_followed_is_read_in_full(matches: list[Match], trouble: str) -> None:
    match = matches[0]

    async def moment() -> None:
        ((hub, watch),) = (await watching([match])).values()
        follower = Follower({match.id: hub}.get)
        if trouble == "away":
            follower._line = Away()
        await reading(seat_changes if trouble == "no play" else play_on)(
            *([match] if trouble == "no play" else [match, 1])
        )
        if trouble == "other history":
            hub.newest = hub.newest._replace(hash=b"\0" * 32)
        newest = await reading(repository.version_of)(match.id)
        follower.request(match.id, newest)
        await until(lambda: watch.group.version == hub.version == newest)
        hub.stop()
        await follower.close()

    asyncio.run(moment())


def test_truncated_follow_is_completed_by_a_full_read(matches: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many events are read at once; the rest isn't lost."""
    read = following.read_after

    async def cut(*details: Any) -> dict[Any, list[Recorded]]:
        return {stream: rows[:1] for stream, rows in (await read(*details)).items()}

    monkeypatch.setattr(following, "read_after", cut)
    match = matches[0]

    async def moment() -> None:
        ((hub, _),) = (await watching([match])).values()
        await reading(play_on)(match, 1)
        follower = Follower({match.id: hub}.get)
        follower.request(match.id, match.version)
        await until(lambda: hub.version == match.version)
        hub.stop()
        await follower.close()

    asyncio.run(moment())
