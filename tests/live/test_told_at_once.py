"""What a hub tells from memory is what it would have told after a look, byte for byte."""

import asyncio
import threading
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django.db import connections

from events import store
from events.records import Point
from games import catalogue
from games.kernel import SPECTATOR, Aids, Witness
from matches.http import renderers
from matches.http.database_threads import reading
from matches.models import Match
from matches.reads import feed, serializers
from matches.reads.serializers import serialized_event
from matches.realtime import frames
from matches.realtime.access import Credential
from matches.realtime.connections import Connection
from matches.realtime.hub import Hub
from matches.realtime.watching import Watch
from matches.services import playing
from matches.storage import repository
from tests.cases import some_slow
from tests.table_setting import new_account, play_on, running_match, send
from tests.waiting import PATIENCE

WITNESSES: tuple[Witness, ...] = (0, 1, SPECTATOR)


@pytest.mark.parametrize("aids", some_slow(["all", "none"], always=["all"]))
@pytest.mark.parametrize("game", sorted(catalogue))
def test_frame_from_the_cache_equals_one_from_a_read(game: str, aids: Aids, monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match(game, new_account(), new_account(), aids=aids)
    # One game to its end, which tells how it went and opens every secret.
    for _ in range(200 if game == "pyramid_poker" else 12):
        before = repository.end_of(match.id)
        if (state := repository.load(match.id)).outcome is not None:
            break
        for witness in WITNESSES:
            repository.load(match.id, witness)
        if state.due.dealer:
            playing.deal(match_id=match.id, expected=state.version)
        else:
            play_on_once(match, state.due.prompts[0].seat)
        rows, now = store.read(match.id, after=before.version), store.clock()
        with monkeypatch.context() as patched:
            patched.setattr(store, "read", None)
            patched.setattr(store, "raw_connection", None)
            at_once = {witness: feed.news_at_once(match.id, witness, before, rows, now) for witness in WITNESSES}
        looked = feed.news(match.id, dict.fromkeys(WITNESSES, before), now)
        for witness in WITNESSES:
            assert msgspec.json.encode(at_once[witness]) == msgspec.json.encode(looked.documents[witness])
            known = repository.load(match.id, witness)
            repository._cache.clear()
            assert known == repository.load(match.id, witness)


def play_on_once(match: Match, seat: int) -> None:
    """One command of the game's bot, and nothing dealt after it."""
    cached = {witness: repository._cache.get((match.id, witness)) for witness in WITNESSES}
    send(match.id, seat, Random(1))
    # What is played here loads the seat's own state only up to where it was.
    assert all(repository._cache.get((match.id, witness)) == cached[witness] for witness in WITNESSES)


def watched(match: Match, *witnesses: Witness, form: str = "") -> tuple[Hub, list[Watch]]:
    """A hub with one who watches as each of these."""
    hub, watches = Hub(match.id), []
    seen = repository.cached_state(match.id)
    assert seen is not None
    for witness in witnesses:
        account = UUID(str(seen.lifecycle.players[witness])) if isinstance(witness, int) else None
        connection = Connection(account, Credential(), form=form)
        watches.append(Watch(hub, hub.join(connection, witness), connection))
    return hub, watches


@pytest.fixture
def match() -> Match:
    """Two people at a table, some moves made."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, 4)
    return match


def moved(match: Match) -> tuple[Point, list[Any]]:
    """One move, as the writer tells of it."""
    before = repository.end_of(match.id)
    play_on(match, 1)
    return before, store.read(match.id, after=before.version)


def test_event_is_encoded_once_for_its_audience_and_once_for_all_others(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    serialized: list[tuple[int, Any]] = []

    def serialize(game: Any, event: Any, row: Any, context: Any) -> Any:
        serialized.append((row.version, event))
        return serialized_event(game, event, row, context)

    monkeypatch.setattr(serializers, "serialized_event", serialize)
    for witness in WITNESSES:
        repository.load(match.id, witness)
    before, rows = moved(match)
    for witness in WITNESSES:
        assert feed.news_at_once(match.id, witness, before, rows, store.clock()) is not None
    assert any(row.secret for row in rows)
    assert len(serialized) == len(rows) + sum(row.secret is not None for row in rows)


async def read_news(watch: Watch) -> list[Any]:
    """Return the messages that a connection has received since the last call."""
    return [told for text in [text async for text in watch.news()] if (told := msgspec.json.decode(text))]


def test_watcher_at_the_previous_version_is_updated_without_a_read(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def moment() -> None:
        hub, watches = watched(match, 0, 1, SPECTATOR)
        await hub.refreshed()
        for watch in watches:
            watch.greeting()
        before, rows = await reading(moved)(match)
        monkeypatch.setattr(frames, "load_frames", None)
        hub.publish(before, rows)
        for watch in watches:
            (told,) = await read_news(watch)
            assert (told["from"], told["to"]) == (rows[0].version, rows[-1].version)
            assert watch.greeting()
        assert hub.newest == Point(rows[-1].version, rows[-1].hash)
        hub.request_refresh(rows[-1].version)
        assert not hub._wanted.is_set(), "The hint that follows is no news."
        hub.stop()

    asyncio.run(moment())


async def told_while_waiting(
    match: Match, *, room: bool, behind: bool = False, woken: bool = False
) -> tuple[list[str], bool]:
    """What is written at once to a spectator who waits while the match moves, and whether they are woken."""
    written: list[str] = []
    hub, (watch,) = watched(match, SPECTATOR)
    await hub.refreshed()
    watch.greeting()
    connection, before = watch.connection, watch.group.version
    assert await connection.wait(0), "Who has just come is woken for the whole match."
    connection.write = lambda text: room and not written.append(text)  # type: ignore[func-returns-value]
    connection.version -= behind
    point, rows = await reading(moved)(match)
    waiting = asyncio.ensure_future(connection.wait(PATIENCE))
    await asyncio.sleep(0)
    if woken:
        connection.wake()
    hub.publish(point, rows)
    assert connection.version == (rows[-1].version if written else before - behind)
    await asyncio.sleep(0)
    is_woken = waiting.done()
    connection.wake()
    await waiting
    hub.stop()
    return written, is_woken


def test_waiting_watcher_is_sent_the_frame_immediately(match: Match) -> None:
    (text,), woken = asyncio.run(told_while_waiting(match, room=True))
    assert msgspec.json.decode(text)["kind"] == "events" and not woken


@pytest.mark.parametrize(
    "given",
    [{"room": False}, {"room": True, "behind": True}, {"room": True, "woken": True}],
    ids=["who doesn't read", "who is further behind", "who is owed something else first"],
)
def test_other_watchers_are_woken(match: Match, given: dict[str, bool]) -> None:
    assert asyncio.run(told_while_waiting(match, **given)) == ([], True)


def test_watcher_at_another_version_is_updated_by_a_read(match: Match) -> None:
    async def moment() -> None:
        hub, (first, second) = watched(match, 0, 1)
        await hub.refreshed()
        assert first.greeting() and second.greeting()
        await reading(moved)(match)
        before, rows = await reading(moved)(match)
        hub.publish(before, rows)
        async with asyncio.timeout(PATIENCE):
            while first.group.version < rows[-1].version or second.group.version < rows[-1].version:
                await asyncio.sleep(0.01)
        told = await read_news(first)
        assert told[0]["from"] < before.version < told[-1]["to"] == rows[-1].version
        hub.stop()

    asyncio.run(moment())


def test_earlier_read_does_not_undo_a_later_publication(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    look, begun, go_on = frames.load_frames, asyncio.Event(), threading.Event()

    async def moment() -> None:
        loop = asyncio.get_running_loop()
        hub, (watch,) = watched(match, 0)
        await hub.refreshed()
        watch.greeting()

        def slowly(*given: Any) -> Any:
            found = look(*given)
            # It has read all that it needs, and others want the connection.
            connections.close_all()
            loop.call_soon_threadsafe(begun.set)
            assert go_on.wait(PATIENCE)
            return found

        monkeypatch.setattr(frames, "load_frames", slowly)
        hub.request_refresh()
        await begun.wait()
        for _ in range(2):
            before, rows = await reading(moved)(match)
            hub.publish(before, rows)
        go_on.set()
        await hub.refreshed()
        assert watch.group.version == hub.version == rows[-1].version
        told = await read_news(watch)
        versions = [event["version"] for frame in told for event in frame["events"]]
        assert versions == list(range(versions[0], rows[-1].version + 1))
        hub.stop()

    asyncio.run(moment())


def test_delayed_spectators_are_updated_by_a_read_only() -> None:
    match = running_match("pyramid_poker", new_account(), new_account(), spectator_delay=3600)
    play_on(match, 2)

    async def moment() -> None:
        hub, (seat, late) = watched(match, 0, SPECTATOR)
        await hub.refreshed()
        assert seat.greeting() and late.greeting()
        stood = late.group.version
        before, rows = await reading(moved)(match)
        hub.publish(before, rows)
        assert seat.group.version == rows[-1].version and late.group.version == stood
        await hub.refreshed()
        assert late.group.version == stood
        hub.stop()

    asyncio.run(moment())


def test_page_is_rendered_by_a_read(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(renderers._renderers, "plain", lambda match_id, witness, version: f"version {version}")

    async def moment() -> None:
        hub, (page,) = watched(match, 0, form="plain")
        await hub.refreshed()
        before, rows = await reading(moved)(match)
        hub.publish(before, rows)
        async with asyncio.timeout(PATIENCE):
            while page.group.pages["plain"].to < rows[-1].version:
                await asyncio.sleep(0.01)
        hub.stop()

    asyncio.run(moment())


def secrets_in(told: list[Any]) -> list[tuple[int, str]]:
    """The versions and names of the secrets in these frames."""
    events = [event for frame in told for event in frame.get("events", ())]
    return [(it["version"], name) for it in events for name in it.get("secret", ()) if it[name] is not None]


@pytest.mark.parametrize("aids", ["none", "memory"])
def test_resync_after_aids_is_not_answered_from_kept_frames(aids: Any) -> None:
    match = running_match("reality_benders", new_account(), new_account(), aids=aids)
    play_on(match, 3)

    async def moment() -> tuple[int, int]:
        hub, watches = watched(match, 0, 1)
        await hub.refreshed()
        for watch in watches:
            watch.greeting()
        at_first = at_last = 0
        start = watches[0].group.version
        for _ in range(8):
            before, rows = await reading(moved)(match)
            hub.publish(before, rows)
            await hub.refreshed()
        for seat, watch in enumerate(watches):
            first = secrets_in(await read_news(watch))
            newest = watch.group.version
            watch.continue_from(start)
            again = secrets_in(await read_news(watch))
            missed = await reading(frames.missed)(match.id, seat, start, newest)
            assert missed is not None and again == secrets_in([msgspec.json.decode(missed.text)])
            at_first, at_last = at_first + len(first), at_last + len(again)
        hub.stop()
        return at_first, at_last

    at_first, at_last = asyncio.run(moment())
    assert at_first and (at_last < at_first) is (aids == "none")
