"""All connections of a house may come at once: a few are let in at a time, and who sits down moves without delay."""

import asyncio
import json
from random import Random
from typing import Any
from uuid import UUID

import pytest

from events import estimated_clock, store
from matches import services
from matches.realtime import frames
from matches.realtime import hub_registry as registries
from matches.realtime.sockets import at_match
from matches.storage import repository, seeds
from tests.api.guests import Guest, advance, guest, house, started
from tests.live.test_cost import counted


class Client:
    """A socket at the ASGI application, which says who it is and hears what it is told."""

    def __init__(self, match: str, who: Guest) -> None:
        self.told: list[dict[str, Any]] = []
        self._says: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._says.put_nowait({"type": "websocket.connect"})
        said = json.dumps({"kind": "auth", "token": who.token})
        self._says.put_nowait({"type": "websocket.receive", "text": said})
        scope = {
            "type": "websocket", "headers": [(b"host", b"localhost")], "query_string": b"", "client": ("127.0.0.1", 1),
            "url_route": {"kwargs": {"name": match}},
        }  # fmt: skip
        self.task = asyncio.create_task(at_match(scope, self._says.get, self._hear))

    async def _hear(self, message: Any) -> None:
        self.told.append(message)

    @property
    def greeted(self) -> bool:
        """Whether it has been told the match."""
        return any('"kind":"hello"' in message.get("text", "") for message in self.told)

    def leave(self) -> None:
        """Hang up."""
        self._says.put_nowait({"type": "websocket.disconnect"})


def test_a_few_are_let_in_at_once_and_all_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []
    for _ in range(8):
        players = [guest(), guest()]
        tables.append((started("pyramid_poker", *players), players))
    inside: list[int] = []
    arriving = set[UUID]()
    look = frames.look

    def watched(match_id: UUID, *given: Any) -> frames.LookResult:
        arriving.add(match_id)
        inside.append(len(arriving))
        try:
            return look(match_id, *given)
        finally:
            arriving.discard(match_id)

    monkeypatch.setattr(frames, "look", watched)
    monkeypatch.setattr(registries, "_ARRIVALS", 2)

    async def live() -> bool:
        clients = [Client(match, player) for match, players in tables for player in players]
        async with asyncio.timeout(30):
            while not all(client.greeted for client in clients):
                await asyncio.sleep(0.01)
        free = not registries.hubs().arrivals.locked()
        for client in clients:
            client.leave()
        await asyncio.gather(*(client.task for client in clients))
        return free

    assert asyncio.run(live())
    assert max(inside) <= 2


def test_who_does_not_say_who_it_is_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    who = guest()
    match = started("pyramid_poker", who, guest())
    monkeypatch.setattr(registries, "_ARRIVALS", 1)

    async def live() -> None:
        silent = Client(match, who)
        silent._says.get_nowait()
        silent._says.get_nowait()
        silent._says.put_nowait({"type": "websocket.connect"})
        await asyncio.sleep(0.05)
        client = Client(match, who)
        async with asyncio.timeout(4):
            while not client.greeted:
                await asyncio.sleep(0.01)
        for it in (silent, client):
            it.leave()
            await it.task

    asyncio.run(live())


def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a start: this process knows nothing of any match."""
    repository._cache.clear()
    seeds._chance.cache_clear()
    seeds._unsealed.cache_clear()


@pytest.mark.parametrize("door", ["socket", "view", "match"])
def test_who_has_sat_down_moves_as_if_the_process_had_never_stopped(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    advance(match, players, 4, Random(1))
    mover = players[repository.load(UUID(match)).due.prompts[0].seat]
    legal = mover.get(f"/matches/{match}/legal").json
    cold(monkeypatch)
    match door:
        case "socket":
            asyncio.run(_sit(match, mover))
        case "view":
            assert mover.get(f"/matches/{match}/view").status == 200
        case "match":
            assert mover.get(f"/matches/{match}").status == 200
    estimated_clock.read_off(store.clock())
    with counted(monkeypatch) as trips:
        assert mover.send(match, legal["legal"][0], If_Match=f'"v{legal["version"]}"').status == 201
    asked = [sql for trip in trips for sql in trip]
    assert not any(
        sql.startswith(("SELECT version, type", "\nSELECT version, type", "\nSELECT e.stream")) for sql in asked
    )
    assert len(trips) <= 3, "Its token, and one trip to store it or two."
    house(match)


async def _sit(match: str, who: Guest) -> None:
    client = Client(match, who)
    async with asyncio.timeout(10):
        while not client.greeted:
            await asyncio.sleep(0.01)
    client.leave()
    await client.task


def test_a_match_that_nobody_sits_at_is_not_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    match = UUID(started("pyramid_poker", guest(), guest()))
    cold(monkeypatch)
    asyncio.run(_sit(str(match), guest()))
    assert repository.last_seen(match) is None
    services.prepare(match)
    assert repository.last_seen(match) is not None
