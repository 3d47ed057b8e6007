"""The hub of a match makes up for every look that failed and for whatever happened while it looked."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from events import store
from games.kernel import SPECTATOR, Witness
from matches.http import renderers
from matches.http.database_threads import looking
from matches.models import Match
from matches.reads import feed
from matches.reads.documents import EventsDocument, OfferDocument
from matches.realtime import frames as looks
from matches.realtime.access import Credential
from matches.realtime.connections import Connection
from matches.realtime.hub import Group, Hub
from matches.realtime.watching import Watch
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match
from tests.waiting import PATIENCE


@pytest.fixture
def match() -> Match:
    """Two people at a table, some moves made."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, 4)
    return match


def watched(match: Match, witness: Witness, form: str = "") -> tuple[Hub, Connection, Watch]:
    """A hub with one who watches."""
    hub, connection = Hub(match.id), Connection(None, Credential(), form=form)
    return hub, connection, Watch(hub, hub.join(connection, witness), connection)


async def pulse_until(hub: Hub, match: Match, holds: Callable[[], bool]) -> None:
    """Request a refresh, as the pulse does every few seconds, until the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            hub.request_refresh(match.version)
            await asyncio.sleep(0.02)


class Once:
    """Raises the first time after it has been armed, as a database does that is away; then does what it stands for."""

    def __init__(self, act: Callable[..., Any]) -> None:
        self.act = act
        self.armed = False
        self.raised = False

    def __call__(self, *details: Any) -> Any:
        if self.armed and not self.raised:
            self.raised = True
            raise psycopg.OperationalError("the server closed the connection")
        return self.act(*details)


def test_delayed_spectator_is_updated_after_a_failed_read(monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match("pyramid_poker", new_account(), new_account(), spectator_delay=1)
    look = Once(looks.look)
    monkeypatch.setattr(looks, "look", look)

    async def moment() -> None:
        hub, _, watch = watched(match, SPECTATOR)
        await hub.refreshed()
        await looking(play_on)(match, 1)
        await hub.refreshed()
        assert watch.group.version < hub.version == match.version, "What spectators may not know yet ripens."
        look.armed = True
        await pulse_until(hub, match, lambda: watch.group.version == match.version)
        hub.stop()

    asyncio.run(moment())
    assert look.raised


def test_page_that_failed_to_render_is_rendered_again(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Once(lambda match_id, witness, version: f"version {version}")
    monkeypatch.setitem(renderers._renderers, "plain", draw)

    async def moment() -> None:
        hub, _, watch = watched(match, 0, form="plain")
        await hub.refreshed()
        draw.armed = True
        await looking(play_on)(match, 1)
        await pulse_until(hub, match, lambda: watch.group.pages["plain"].to == match.version)
        hub.stop()

    asyncio.run(moment())
    assert draw.raised


def test_event_during_a_shared_read_is_published_to_both_witnesses(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, follow = match.version, repository.follow
    for seat in (0, 1):
        repository.load(match.id, seat)

    def move_after_the_first(match_id: UUID, witness: Witness, rows: Any) -> Any:
        match_state = follow(match_id, witness, rows)
        if witness == 0:
            play_on(match, 1)
            repository.load(match_id, 1)
        return match_state

    monkeypatch.setattr(repository, "follow", move_after_the_first)
    point = repository.end_of(match.id)
    news = feed.news(match.id, {0: point, 1: point}, store.clock())
    assert news.documents[1].to == match.version > before
    assert news.newest == point, "The first has been told nothing yet, so the next hint is news."


def test_second_resync_during_a_read_is_answered_from_its_version(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    missed, has_read, go_on = looks.missed, threading.Event(), threading.Event()

    def slowly(*details: Any) -> Any:
        has_read.set()
        assert go_on.wait(PATIENCE)
        return missed(*details)

    monkeypatch.setattr(looks, "missed", slowly)

    async def moment() -> list[str]:
        hub, connection, watch = watched(match, SPECTATOR)
        await hub.refreshed()
        watch.greeting()
        connection.version = match.version - 1
        frames_task = asyncio.create_task(_all(watch))
        await asyncio.to_thread(has_read.wait, 10)
        connection.version = 2
        go_on.set()
        frames = await frames_task
        hub.stop()
        return frames

    assert [frame[:25] for frame in asyncio.run(moment())] == ['{"kind":"events","from":3']


def test_recent_frames_are_kept_up_to_a_size_and_always_the_newest(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.realtime.hub._MAX_CHARS_KEPT", 100)
    hello = feed.hello(match.id, 0, store.clock())
    group = Group(match.id, 0)
    group.greet(hello)

    def push(version: int, letters: int) -> None:
        document = EventsDocument(
            version, version, [], hello.status, hello.due, hello.clocks, hello.offers, hello.outcome, hello.server_now,
            hello.view,
        )  # fmt: skip
        group.push(document, looks.Frame(version, version, "x" * letters))

    for version in range(1, 5):
        push(version, 40)
    assert list(group._recent) == [3, 4]
    push(5, 1000)
    assert list(group._recent) == [5]
    push(6, 40)
    push(7, 40)
    assert list(group._recent) == [6, 7]


def test_later_arrival_is_greeted_with_the_current_offers(match: Match) -> None:
    hello = feed.hello(match.id, 0, store.clock())
    group = Group(match.id, 0)
    group.greet(hello)
    offer = OfferDocument(1, 0, "pause", [], [1], None, [], 5)
    document = EventsDocument(
        5, 5, [], hello.status, hello.due, hello.clocks, [offer], hello.outcome, hello.server_now, hello.view
    )
    group.push(document, looks.Frame(5, 5, ""))
    assert group.greeting().offers == [offer]


@pytest.mark.parametrize("by", ["reset", "push"])
def test_missed_frame_is_read_again_if_the_group_changes_meanwhile(
    match: Match, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    reads, hello = [], feed.hello(match.id, 0, store.clock())
    monkeypatch.setattr(looks, "missed", lambda *details: reads.append(details))
    document = EventsDocument(
        9, 9, [], hello.status, hello.due, hello.clocks, hello.offers, hello.outcome, hello.server_now, hello.view
    )

    async def read_twice() -> None:
        group = Group(match.id, 0)
        group.greet(hello)
        first = asyncio.ensure_future(group.after(1))
        await asyncio.sleep(0)
        if by == "reset":
            group.reset()
        else:
            group.push(document, looks.Frame(9, 9, ""))
        await asyncio.gather(first, group.after(1))

    asyncio.run(read_twice())
    assert len(reads) == 2


async def _all(watch: Watch) -> list[str]:
    return [text async for text in watch.news() if '"kind":"events"' in text]
