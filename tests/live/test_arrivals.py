"""All connections of a house may come at once: a few are let in at a time, and who sits down moves without delay."""

import asyncio
import json
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from msgspec.structs import replace
from structlog.contextvars import bound_contextvars, get_contextvars

from events import estimated_clock, store
from events.records import NOWHERE
from games.kernel import HOST, SPECTATOR
from matches import services
from matches.models import AccessToken, Account
from matches.reads import feed
from matches.realtime import arrivals, frames
from matches.realtime import hub_registry as registries
from matches.realtime.arrivals import ConnectRequest, ConnectResult
from matches.realtime.sockets import at_match
from matches.storage import repository, seeds
from matches.storage.repository import BrokenRecord
from tests.api.guests import Guest, advance, guest, house, started
from tests.events.staging import tamper
from tests.live.test_cost import counted
from tests.table_setting import new_token
from tests.waiting import PATIENCE


class Client:
    """A socket at the ASGI application, which says who it is and hears what it is told."""

    def __init__(self, match: str, who: Guest) -> None:
        self.told: list[dict[str, Any]] = []
        self.heeded = 0
        self._says: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._says.put_nowait({"type": "websocket.connect"})
        auth_frame = json.dumps({"kind": "auth", "token": who.token})
        self._says.put_nowait({"type": "websocket.receive", "text": auth_frame})
        scope = {
            "type": "websocket", "headers": [(b"host", b"localhost")], "query_string": b"", "client": ("127.0.0.1", 1),
            "url_route": {"kwargs": {"name": match}},
        }  # fmt: skip
        self.task = asyncio.create_task(at_match(scope, self._say, self._hear))

    async def _say(self) -> dict[str, Any]:
        self.heeded += 1
        return await self._says.get()

    async def _hear(self, message: Any) -> None:
        self.told.append(message)

    @property
    def greeted(self) -> bool:
        """True if the match has been sent to it."""
        return any('"kind":"hello"' in message.get("text", "") for message in self.told)

    def leave(self) -> None:
        """Hang up."""
        self._says.put_nowait({"type": "websocket.disconnect"})


def test_arrivals_are_limited_in_number_and_all_admitted_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []
    for _ in range(8):
        players = [guest(), guest()]
        tables.append((started("pyramid_poker", *players), players))
    inside: list[int] = []
    arriving = set[UUID]()
    look = frames.look

    def watched(match_id: UUID, *details: Any) -> frames.LookResult:
        arriving.add(match_id)
        inside.append(len(arriving))
        try:
            return look(match_id, *details)
        finally:
            arriving.discard(match_id)

    monkeypatch.setattr(frames, "look", watched)
    monkeypatch.setattr(registries, "_ARRIVALS", 2)

    async def live() -> bool:
        clients = [Client(match, player) for match, players in tables for player in players]
        async with asyncio.timeout(PATIENCE):
            while not all(client.greeted for client in clients):
                await asyncio.sleep(0.01)
        free = not registries.hubs().arrivals.at_once.locked()
        for client in clients:
            client.leave()
        await asyncio.gather(*(client.task for client in clients))
        return free

    assert asyncio.run(live())
    assert max(inside) <= 2


def test_silent_arrival_does_not_block_others(monkeypatch: pytest.MonkeyPatch) -> None:
    who = guest()
    match = started("pyramid_poker", who, guest())
    monkeypatch.setattr(registries, "_ARRIVALS", 1)

    async def live() -> None:
        silent = Client(match, who)
        silent._says.get_nowait()
        silent._says.get_nowait()
        silent._says.put_nowait({"type": "websocket.connect"})
        async with asyncio.timeout(PATIENCE):
            # It is let in, and now waited for.
            while silent.heeded < 2:
                await asyncio.sleep(0.01)
        client = Client(match, who)
        async with asyncio.timeout(PATIENCE):
            while not client.greeted:
                await asyncio.sleep(0.01)
        for it in (silent, client):
            it.leave()
            await it.task

    asyncio.run(live())


def test_concurrent_arrivals_take_as_many_round_trips_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {}
    for moves in (3, 4, 5):
        players = [guest(), guest()]
        match = started("pyramid_poker", *players)
        advance(match, players, moves, Random(moves))
        tables[match] = [*players, guest()]
    comers = [ConnectRequest("", match, token=who.token) for match, people in tables.items() for who in people]
    assert all(isinstance(it, ConnectResult) for it in arrivals.look(comers)), "Their tokens have been used now."
    alone, round_trips = [], []
    for together in ([it] for it in comers):
        cold(monkeypatch)
        with counted(monkeypatch) as trips:
            alone += arrivals.look(together)
        round_trips.append(len(trips))
    cold(monkeypatch)
    with counted(monkeypatch) as trips:
        results = arrivals.look(comers)
    assert [it._replace(identity=it.identity.account) for it in results if isinstance(it, ConnectResult)] == [
        it._replace(identity=it.identity.account) for it in alone if isinstance(it, ConnectResult)
    ]
    assert [it.witness for it in results if isinstance(it, ConnectResult)] == 3 * [0, 1, SPECTATOR]
    assert len(trips) == max(round_trips) == 6
    with counted(monkeypatch) as trips:
        cached = {it: repository.last_seen(UUID(match), it) for match in tables for it in (HOST, SPECTATOR, 0, 1)}
    assert all(cached.values()) and not trips


def test_refused_arrival_does_not_affect_others_in_its_batch() -> None:
    who, other = guest(), guest()
    match, broken = (started("pyramid_poker", who, other) for _ in range(2))
    tamper(lambda hand: hand.execute("UPDATE events_event SET actor = 'x' WHERE stream = %s", (broken,)))
    repository._cache.clear()
    unscoped = new_token(Account.objects.get(id=who.id), ["match:play"])
    AccessToken.objects.filter(account=other.id).update(revoked_at=timezone.now())
    tokens = {match: [who.token, "", "crp_nobodys", other.token, unscoped, 300 * "x"], broken: [who.token]}
    comers = [ConnectRequest("", name, token=token) for name, its in tokens.items() for token in its]
    comers += [ConnectRequest("", str(uuid4()), token=who.token), ConnectRequest("", "no such code", token=who.token)]
    comers += [
        ConnectRequest("", match),
        ConnectRequest("", match, session="no such session"),
        ConnectRequest("", match, session=""),
    ]
    outcomes = [
        it.witness if isinstance(it, ConnectResult) else getattr(it, "code", type(it)) for it in arrivals.look(comers)
    ]
    signed_out = "not_authenticated"
    assert outcomes == [
        0, signed_out, signed_out, signed_out, "missing_scope", signed_out, BrokenRecord,
        "not_found", "not_found", SPECTATOR, signed_out, signed_out,
    ]  # fmt: skip


def test_greeting_from_the_cache_takes_one_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    match = UUID(started("pyramid_poker", guest(), guest()))
    whole = {witness: feed.hello(match, witness, store.clock()) for witness in (0, 1, SPECTATOR)}
    services.prepare(match)
    store.clock()
    with counted(monkeypatch) as trips:
        looked_up = frames.look(match, dict.fromkeys(whole, NOWHERE), {})
    assert len(trips) == 1
    assert {
        witness: replace(it, server_now=whole[witness].server_now) for witness, it in looked_up.hellos.items()
    } == whole
    assert set(looked_up.reached.values()) == {looked_up.newest} and looked_up.newest == repository.end_of(match)


def test_failed_batch_is_retried_for_each_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    who = guest()
    match = started("pyramid_poker", who, guest())
    look, looked = arrivals.look, list[int]()

    def spoilt(comers: Any) -> Any:
        looked.append(len(comers))
        if any(comer.name == "bad" for comer in comers):
            raise LookupError
        return look(comers)

    monkeypatch.setattr(arrivals, "look", spoilt)

    async def live() -> list[Any]:
        door = arrivals.Arrivals(12)
        comers = [ConnectRequest("", name, token=who.token) for name in (match, match, "bad", match)]
        return await asyncio.gather(*map(door.resolve, comers), return_exceptions=True)

    first, *others = asyncio.run(live())
    assert [type(it) for it in others] == [ConnectResult, LookupError, ConnectResult] and first.witness == 0
    assert looked == [4, 1, 1, 1, 1]


def test_batch_of_arrivals_has_no_request_id_of_its_first(monkeypatch: pytest.MonkeyPatch) -> None:
    who = guest()
    match, noted = started("pyramid_poker", who, guest()), list[object]()
    look = arrivals.look

    def noting(comers: Any) -> Any:
        noted.append(get_contextvars().get("request_id"))
        return look(comers)

    monkeypatch.setattr(arrivals, "look", noting)

    async def live() -> None:
        with bound_contextvars(request_id="the first one's"):
            await arrivals.Arrivals(1).resolve(ConnectRequest("", match, token=who.token))

    asyncio.run(live())
    assert noted == [None]


def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the caches of matches, as at the start of a process."""
    repository._cache.clear()
    seeds._chance.cache_clear()
    seeds._unsealed.cache_clear()


@pytest.mark.parametrize("door", ["socket", "view", "match"])
def test_connected_player_moves_on_the_fast_path_in_a_restarted_process(
    door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    statements = [sql for trip in trips for sql in trip]
    assert not any(
        sql.startswith(("SELECT version, type", "\nSELECT version, type", "\nSELECT e.stream")) for sql in statements
    )
    assert len(trips) <= 3, "Its token, and one trip to store it or two."
    house(match)


async def _sit(match: str, who: Guest) -> None:
    client = Client(match, who)
    async with asyncio.timeout(PATIENCE):
        while not client.greeted:
            await asyncio.sleep(0.01)
    client.leave()
    await client.task


def test_match_without_connected_players_is_not_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    match = UUID(started("pyramid_poker", guest(), guest()))
    cold(monkeypatch)
    asyncio.run(_sit(str(match), guest()))
    assert repository.last_seen(match) is None
    services.prepare(match)
    assert repository.last_seen(match) is not None
