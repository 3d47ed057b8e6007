"""The house's own acts: a deal is the same however often it is tried, and bots play without being told."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import OperationalError
from django.test import override_settings

from events import checkpoints, store
from events.complaints import Complaints
from games import catalogue
from games.kernel import judge
from matches import heartbeat, hints, notices, outage, seeds, selectors, services, table, tasks
from matches.clocks import ClockTimes
from matches.models import Match
from matches.services import VersionMoved
from tests.cases import some_slow
from tests.events.staging import owner, tamper
from tests.table_setting import (
    BOT,
    at_once,
    in_another_process,
    new_account,
    play_on,
    refusal_of,
    running_match,
    send,
    wait_until,
)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The matches for which a worker was woken."""
    matches: list[UUID] = []
    monkeypatch.setattr(hints, "wake_the_house", matches.append)
    monkeypatch.setattr(hints, "go_on_later", matches.append)
    return matches


def told(match: Match, after: int) -> list[list[Any]]:
    """What was recorded after a version, secrets included."""
    rows = store.read(match.id, after=after)
    return [[row.version, row.type, row.public.decode(), row.secret and row.secret.decode()] for row in rows]


def test_a_deal_that_was_killed_before_its_commit_is_dealt_the_same_again() -> None:
    match = running_match("higher_or_lower", new_account(), new_account())
    play_until_the_dealer_is_due(match)
    version = match.version
    killed = in_another_process(f"""
        import json, os
        from uuid import UUID
        from events.roundtrip import Exchange
        from matches import services
        from tests.matches.test_dealing import told
        from matches.models import Match

        go_on = Exchange.go_on

        def cut_off(exchange, statements):
            assert statements[-1][0] == "COMMIT"
            go_on(exchange, statements[:-1])
            exchange.results()
            print(json.dumps(told(Match(id=UUID({str(match.id)!r})), {version})), flush=True)
            os._exit(137)

        Exchange.go_on = cut_off
        services.deal(match_id=UUID({str(match.id)!r}), expected={version})
    """)
    assert killed.returncode == 137, killed.stderr
    assert told(match, version) == [], "what was not committed must be gone"
    wait_until(lambda: not _deal_is_locked(match))
    services.deal(match_id=match.id, expected=version)
    dealt = told(match, version)
    assert dealt and dealt == json.loads(killed.stdout.splitlines()[-1])


def play_until_the_dealer_is_due(match: Match) -> None:
    """Play to a point where the next act is a deal that draws."""
    rng = Random(1)
    while not (folded := table.load(match.id)).due.dealer:
        send(match.id, folded.due.prompts[0].seat, rng)
    match.refresh_from_db()


def _deal_is_locked(match: Match) -> bool:
    """Whether the dead process's transaction is still being cleared away."""
    with owner() as hand, hand.transaction():
        found = hand.execute("SELECT 1 FROM events_head WHERE stream = %s FOR UPDATE SKIP LOCKED", [match.id])
        return found.fetchone() is None


def test_two_dealers_at_once_deal_once() -> None:
    match = running_match("pentagram", new_account(), new_account())
    results = at_once([lambda: services.deal(match_id=match.id, expected=match.version)] * 8)
    assert results.count(None) == 1
    assert all(isinstance(result, VersionMoved) for result in results if result is not None)


def test_nothing_is_dealt_where_nothing_is_due() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    deal = {"match_id": match.id, "expected": match.version}
    assert refusal_of(lambda: services.deal(**deal)) == "nothing_due"
    with pytest.raises(VersionMoved):
        services.deal(match_id=match.id, expected=match.version - 1)


@pytest.mark.parametrize("slug", catalogue)
def test_bots_play_every_game_to_its_end(slug: str, woken: list[UUID]) -> None:
    match = running_match(slug)
    assert woken == [match.id]
    acts = services.attend(match_id=match.id)
    match.refresh_from_db()
    assert (match.status, match.wake) == ("finished", False)
    assert acts > 10 and services.attend(match_id=match.id) == 0
    assert woken == [match.id], "who attends needs no other worker"
    assert [row.type for row in store.read(match.id)[-2:]] == ["match_finished", "seed_revealed"]


def test_the_house_stops_where_a_person_must_act(woken: list[UUID]) -> None:
    mira = new_account()
    match, rng = running_match("pyramid_poker", mira, BOT), Random(5)
    told_to_wake = []
    for _ in range(6):
        services.attend(match_id=match.id)
        assert _waits_for_seat(match, 0)
        woken.clear()
        send(match.id, 0, rng)
        told_to_wake.append(woken == [match.id])
        assert told_to_wake[-1] != _waits_for_seat(match, 0)
    assert told_to_wake.count(True) >= 4


def _waits_for_seat(match: Match, seat: int) -> bool:
    due = table.load(match.id).due
    return [prompt.seat for prompt in due.prompts] == [seat] and not due.dealer


def test_two_who_attend_at_once_do_not_disturb_each_other() -> None:
    match = running_match("peeling_the_banana")
    results = at_once([lambda: services.attend(match_id=match.id)] * 3)
    assert all(isinstance(result, int) for result in results), results
    match.refresh_from_db()
    assert match.status == "finished"
    rows = store.read(match.id)
    assert [row.version for row in rows] == list(range(1, match.version + 1))


def test_a_paused_match_waits_for_its_host_alone(woken: list[UUID]) -> None:
    match = running_match("pyramid_poker")
    play_on(match, 3)
    services.pause(match_id=match.id, by=match.opened_by_id, reason="Tea.")
    match.refresh_from_db()
    assert (match.status, match.wake) == ("paused", False)
    assert services.attend(match_id=match.id) == 0
    woken.clear()
    services.resume(match_id=match.id, by=match.opened_by_id, reason="Back.")
    assert woken == [match.id]
    assert services.attend(match_id=match.id) > 0


def only(matches: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sweeper see these matches and none that other tests left."""
    late, mine = selectors.matches_that_wait_for_the_house, {match.id for match in matches}
    monkeypatch.setattr(
        selectors, "matches_that_wait_for_the_house", lambda: [it for it in late(most=10**6) if it in mine]
    )


def test_a_match_whose_hint_was_lost_is_swept_up_after_a_second(
    woken: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = running_match("pentagram")
    only([match], monkeypatch)
    tasks.sweep()
    assert table.version_of(match.id) == match.version, "its hint may yet arrive"
    wait_until(selectors.matches_that_wait_for_the_house)
    tasks.sweep()
    moved = table.version_of(match.id)
    assert moved > match.version
    assert woken == [match.id, match.id], "It goes on in the slow line."
    services.attend(match_id=match.id)
    assert table.version_of(match.id) > moved and selectors.matches_that_wait_for_the_house() == []


def test_a_frozen_match_does_not_hold_up_the_others(woken: list[UUID], monkeypatch: pytest.MonkeyPatch) -> None:
    frozen, sound = running_match("pentagram"), running_match("pentagram")
    only([frozen, sound], monkeypatch)
    monkeypatch.setattr(table, "_cache", table._Cache(10))
    tamper(
        lambda hand: hand.execute(
            "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2", [frozen.id]
        )
    )
    wait_until(lambda: len(selectors.matches_that_wait_for_the_house()) == 2)
    tasks.sweep()
    assert table.version_of(sound.id) > sound.version
    assert store.head(frozen.id).version == frozen.version


@pytest.mark.parametrize("by", ["psycopg", "Django"])
def test_a_match_that_somebody_holds_does_not_hold_up_the_others(
    woken: list[UUID], monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    held, sound, attend = running_match("pentagram"), running_match("pentagram"), services.attend

    def give_up_on_the_held(*, match_id: UUID, most: int) -> int:
        if match_id == held.id and by == "Django":
            raise OperationalError from psycopg.errors.LockNotAvailable()
        if match_id == held.id:
            raise psycopg.errors.LockNotAvailable
        return attend(match_id=match_id, most=most)

    monkeypatch.setattr(services, "attend", give_up_on_the_held)
    monkeypatch.setattr(selectors, "matches_that_wait_for_the_house", lambda: [held.id, sound.id])
    tasks.sweep()
    assert table.version_of(sound.id) > sound.version


class Heard:
    """A logger that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __getattr__(self, level: str) -> Any:
        return lambda event, **_: self.lines.append((level, event))


def test_a_frozen_match_is_told_of_in_one_line_however_often_it_is_visited(
    woken: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = {"place": ClockTimes(base=1)}
    frozen, heard = running_match("pyramid_poker", new_account(), new_account(), clocks=clock), Heard()
    monkeypatch.setattr(tasks, "log", heard)
    monkeypatch.setattr(table, "_cache", table._Cache(10))
    tamper(
        lambda hand: hand.execute(
            "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2", [frozen.id]
        )
    )
    monkeypatch.setattr(selectors, "matches_that_wait_for_the_house", lambda: [frozen.id])
    monkeypatch.setattr(selectors, "matches_to_start", lambda: [frozen.id])
    monkeypatch.setattr(selectors, "flags_to_fall", lambda within_seconds: [(frozen.id, 0.0)])
    for _ in range(3):
        tasks.sweep()
        tasks.catch_up()
        tasks.keep_time()
    assert heard.lines == [("error", "match_frozen")]


def test_a_database_that_is_away_is_told_of_once_and_ends_no_tick_in_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise psycopg.OperationalError("the server closed the connection")

    heard = Heard()
    monkeypatch.setattr(tasks, "log", heard)
    monkeypatch.setattr(tasks, "_complaints", Complaints())
    monkeypatch.setattr(selectors, "matches_to_start", away)
    monkeypatch.setattr(selectors, "matches_that_wait_for_the_house", away)
    monkeypatch.setattr(outage, "look", away)
    monkeypatch.setattr(notices, "look", away)
    monkeypatch.setattr(checkpoints, "sign_if_due", away)
    for _ in range(3):
        for tick in (tasks.sweep, tasks.catch_up, tasks.keep_time, tasks.tell, tasks.sign_checkpoint):
            tick()
    assert heard.lines == [("warning", "database_away")]


def test_a_beat_that_is_lost_is_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise psycopg.OperationalError("the server closed the connection")

    heard = Heard()
    monkeypatch.setattr(outage, "log", heard)
    monkeypatch.setattr(outage, "beat", away)
    for _ in range(3):
        outage._beat_or_complain()
    assert heard.lines == [("warning", "beat_lost")]


def test_a_heartbeat_that_is_lost_is_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard()
    monkeypatch.setattr(heartbeat, "log", heard)
    with no_redis(silent=False) as url, override_settings(REDIS_URL=url):
        for _ in range(3):
            heartbeat.beat(0.0)
    assert heard.lines == [("warning", "heartbeat_lost")]


@contextmanager
def no_redis(silent: bool) -> Iterator[str]:
    """The URL of a Redis that isn't there, or that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if silent:
            listener.listen()
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


@pytest.mark.parametrize("silent", some_slow([False, True], always=[True]), ids=["gone", "silent"])
def test_with_redis_away_moves_go_on_and_the_sweeper_catches_up(silent: bool) -> None:
    with no_redis(silent) as url:
        _play_without_redis(url)


def _play_without_redis(url: str) -> None:
    """Some moves and a sweep, in a process of its own."""
    mira = new_account()
    match = running_match("pyramid_poker", mira, BOT)
    services.attend(match_id=match.id)
    played = in_another_process(
        f"""
        import json, time
        from random import Random
        from uuid import UUID
        from django.conf import settings
        from matches import selectors, table, tasks
        from tests.matches.test_dealing import only, send, wait_until
        from matches.models import Match
        import pytest

        assert settings.REDIS_URL == {url!r}
        match = Match.objects.get(id={str(match.id)!r})
        only([match], pytest.MonkeyPatch())
        rng, seconds, swept = Random(2), [], 0
        while not swept:
            begun = time.monotonic()
            send(match.id, 0, rng)
            seconds.append(time.monotonic() - begun)
            if Match.objects.get(id=match.id).wake:
                wait_until(selectors.matches_that_wait_for_the_house)
                tasks.sweep()
                swept += 1
        print(json.dumps([table.version_of(match.id), seconds]))
        """,
        REDIS_URL=url,
    )
    assert played.returncode == 0, played.stderr[-2000:]
    version, seconds = json.loads(played.stdout.splitlines()[-1])
    assert version == table.version_of(match.id) and _waits_for_seat(match, 0)
    assert {row.actor for row in store.read(match.id, after=match.version)} >= {str(mira.id), "bot"}
    assert max(seconds) < 1.0, "a move must not wait for Redis"


def test_every_draw_of_a_deal_follows_from_the_seed_the_nonces_and_the_version() -> None:
    match = running_match("higher_or_lower", new_account(), new_account())
    play_until_the_dealer_is_due(match)
    folded = table.load(match.id)
    chance = seeds.chance_of(match.id, folded.lifecycle, folded.game_version)
    first, again = (judge.deal(folded.game, folded.state, chance) for _ in range(2))
    assert first == again
    assert judge.deal(folded.game, folded.state, chance.at(folded.game_version + 1)) != first
