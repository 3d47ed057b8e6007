"""The ticks: matches that lost their hint are swept up, frozen ones hold nobody up, outages are told of once."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import override_settings

from events import store
from events.checkpoints import signing
from events.log_throttle import LogThrottle
from matches import tasks
from matches.domain.clocks import ClockTimes
from matches.models import Match
from matches.notifications import notices
from matches.publishing import heartbeat
from matches.reads import selectors
from matches.services import playing
from matches.storage import outages, repository
from matches.workers import isolation
from matches.workers.worker_threads import WorkerThreads
from tests.cases import some_slow
from tests.events.staging import tamper
from tests.table_setting import (
    BOT,
    in_another_process,
    new_account,
    running_match,
    wait_until,
    waits_for_seat,
)

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"


class Heard:
    """A logger that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __getattr__(self, level: str) -> Any:
        return lambda event, **_: self.lines.append((level, event))


def swept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep, and one turn of each match that it found, in this thread."""
    worker_threads = WorkerThreads(tasks._serve, threads=0)
    monkeypatch.setattr(tasks, "worker_threads", worker_threads)
    tasks.sweep()
    for _ in range(len(worker_threads._queue)):
        worker_threads.serve_next()


def only(matches: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sweeper see these matches and none that other tests left."""
    late, mine = selectors.matches_that_wait_for_the_house, {match.id for match in matches}
    monkeypatch.setattr(
        selectors, "matches_that_wait_for_the_house", lambda: [it for it in late(most=10**6) if it in mine]
    )


def test_match_whose_hint_was_lost_is_swept_after_a_second(woken: list[UUID], monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match("pentagram")
    only([match], monkeypatch)
    swept(monkeypatch)
    assert repository.version_of(match.id) == match.version, "its hint may yet arrive"
    wait_until(selectors.matches_that_wait_for_the_house)
    swept(monkeypatch)
    moved = repository.version_of(match.id)
    assert moved > match.version
    assert woken == [match.id], "Who serves it goes on with it."
    playing.attend(match_id=match.id)
    assert repository.version_of(match.id) > moved and selectors.matches_that_wait_for_the_house() == []


def test_frozen_match_delays_no_other(woken: list[UUID], monkeypatch: pytest.MonkeyPatch) -> None:
    frozen, sound = running_match("pentagram"), running_match("pentagram")
    only([frozen, sound], monkeypatch)
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
    tamper(
        lambda hand: hand.execute(
            "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2", [frozen.id]
        )
    )
    wait_until(lambda: len(selectors.matches_that_wait_for_the_house()) == 2)
    swept(monkeypatch)
    assert repository.version_of(sound.id) > sound.version
    assert store.head(frozen.id).version == frozen.version


@pytest.mark.parametrize("by", ["psycopg", "Django"])
def test_locked_match_delays_no_other(woken: list[UUID], monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    held, sound, attend = running_match("pentagram"), running_match("pentagram"), playing.attend

    def give_up_on_the_held(*, match_id: UUID, **how: Any) -> int:
        if match_id == held.id and by == "Django":
            raise OperationalError from psycopg.errors.LockNotAvailable()
        if match_id == held.id:
            raise psycopg.errors.LockNotAvailable
        return attend(match_id=match_id, **how)

    monkeypatch.setattr(playing, "attend", give_up_on_the_held)
    monkeypatch.setattr(selectors, "matches_that_wait_for_the_house", lambda: [held.id, sound.id])
    swept(monkeypatch)
    assert repository.version_of(sound.id) > sound.version


def test_frozen_match_is_logged_once_however_often_it_is_visited(
    woken: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = {"place": ClockTimes(base=1)}
    frozen, log = running_match("pyramid_poker", new_account(), new_account(), clocks=clock), Heard()
    monkeypatch.setattr(isolation, "log", log)
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
    tamper(
        lambda hand: hand.execute(
            "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2", [frozen.id]
        )
    )
    monkeypatch.setattr(selectors, "matches_that_wait_for_the_house", lambda: [frozen.id])
    monkeypatch.setattr(selectors, "matches_to_start", lambda: [frozen.id])
    monkeypatch.setattr(selectors, "flags_to_fall", lambda within_seconds: [(frozen.id, 0.0)])
    Match.objects.filter(id=frozen.id).update(wake=True)
    for _ in range(3):
        swept(monkeypatch)
        tasks.catch_up()
        tasks.keep_time()
    assert log.lines == [("error", "match_frozen")]


def test_unreachable_database_is_logged_once_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise psycopg.OperationalError("the server closed the connection")

    log = Heard()
    monkeypatch.setattr(tasks, "log", log)
    monkeypatch.setattr(tasks, "_throttle", LogThrottle())
    monkeypatch.setattr(selectors, "matches_to_start", away)
    monkeypatch.setattr(selectors, "matches_that_wait_for_the_house", away)
    monkeypatch.setattr(outages, "load_silence", away)
    monkeypatch.setattr(notices, "queue_new_notices", away)
    monkeypatch.setattr(signing, "sign_if_due", away)
    for _ in range(3):
        for tick in (tasks.sweep, tasks.catch_up, tasks.keep_time, tasks.tell, tasks.sign_checkpoint):
            tick()
    assert log.lines == [("warning", "database_away")]


def test_lost_beat_is_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    log, pulse = Heard(), outages._Pulse()
    monkeypatch.setattr(outages, "log", log)
    with override_settings(DATABASE_LOGINS=replace(settings.DATABASE_LOGINS, app=NOWHERE)):
        for _ in range(3):
            pulse.try_beat()
    assert log.lines == [("warning", "beat_lost")]


def test_lost_heartbeat_is_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> None:
        raise psycopg.OperationalError("the server closed the connection")

    log = Heard()
    monkeypatch.setattr(heartbeat, "log", log)
    monkeypatch.setattr(heartbeat, "roundtrip", away)
    for _ in range(3):
        heartbeat.beat(heartbeat.WORKER)
    assert log.lines == [("warning", "heartbeat_lost")]


@contextmanager
def no_redis(silent: bool) -> Iterator[str]:
    """The URL of a Redis that isn't there, or that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if silent:
            listener.listen()
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


@pytest.mark.parametrize("silent", some_slow([False, True], always=[True]), ids=["gone", "silent"])
@pytest.mark.slow
def test_moves_continue_without_redis_and_the_sweep_catches_up(silent: bool) -> None:
    with no_redis(silent) as url:
        _play_without_redis(url)


def _play_without_redis(url: str) -> None:
    """Some moves and a sweep, in a process of its own."""
    mira = new_account()
    match = running_match("pyramid_poker", mira, BOT)
    playing.attend(match_id=match.id)
    played = in_another_process(
        f"""
        import json, time
        from random import Random
        from uuid import UUID
        from django.conf import settings
        from matches.reads import selectors; from matches.storage import repository as table; from matches import tasks
        from tests.matches.test_ticks import only, swept
        from tests.table_setting import send, wait_until
        from matches.models import Match
        import pytest

        assert settings.REDIS_URL == {url!r}
        match = Match.objects.get(id={str(match.id)!r})
        only([match], pytest.MonkeyPatch())
        rng, seconds, rounds = Random(2), [], 0
        while not rounds:
            begun = time.monotonic()
            send(match.id, 0, rng)
            seconds.append(time.monotonic() - begun)
            if Match.objects.get(id=match.id).wake:
                wait_until(selectors.matches_that_wait_for_the_house)
                swept(pytest.MonkeyPatch())
                rounds += 1
        print(json.dumps([table.version_of(match.id), seconds]))
        """,
        REDIS_URL=url,
    )
    assert played.returncode == 0, played.stderr[-2000:]
    version, seconds = json.loads(next(line for line in played.stdout.splitlines() if line.startswith("[")))
    assert version == repository.version_of(match.id) and waits_for_seat(match, 0)
    assert {row.actor for row in store.read(match.id, after=match.version)} >= {str(mira.id), "bot"}
    assert max(seconds) < 1.0, "a move must not wait for Redis"
