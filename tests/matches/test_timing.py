"""Flags and commands in a service whose parts die: none lost, none double, none early, and the arrival decides.

The long forms, with their figures, are `bin/bench faults`.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic
from typing import Any
from uuid import UUID

import pytest
from django.db import connections

from events import store
from games import catalogue
from matches import tasks
from matches.domain.clocks import ClockTimes
from matches.reads import selectors
from matches.services import hosting, playing
from tests.cases import some_slow
from tests.matches import fault_scenarios, records
from tests.table_setting import ROOT, new_account, play_on, running_match, send, wait_until
from tests.waiting import PATIENCE

NO_REDIS = {"REDIS_URL": "redis://127.0.0.1:1/0", "CROUPIER_LOG_LEVEL": "ERROR"}


@pytest.mark.slow
def test_no_flag_is_lost_doubled_or_early_when_a_worker_is_killed(tmp_path: Path) -> None:
    with fault_scenarios.Staff(tmp_path) as staff:
        armed = fault_scenarios.arm_many(60, 1.5, 3)
        last = monotonic() + fault_scenarios.seconds_until_the_last(armed)
        wait_until(lambda: fault_scenarios.unfallen_of(armed) == 0 and fallen_of(armed) >= 20)
        staff.kill(staff.workers[0])
        wait_until(lambda: monotonic() > last and fault_scenarios.unfallen_of(armed) == 0)
    late = fault_scenarios.how_late(armed)
    assert late.wrong == []
    assert len(late.seconds) == 60


def fallen_of(armed: list[fault_scenarios.Armed]) -> int:
    """Return the number of fallen flags of these matches."""
    ids = [match.match_id for match in armed]
    return int(
        fault_scenarios.query(
            "SELECT count(*) FROM events_event WHERE type = 'flag_fallen' AND stream = ANY(%s)", [ids]
        )[0][0]
    )


def test_one_run_lets_each_flag_of_its_half_second_fall_at_its_instant() -> None:
    players = (new_account().id, new_account().id)
    armed = [fault_scenarios.arm(1, players) for _ in range(5)]
    wait_until(lambda: fault_scenarios.seconds_until_the_last(armed) < 0.5)
    tasks.keep_time()
    late = fault_scenarios.how_late(armed)
    assert (len(late.seconds), late.wrong) == (5, [])


def test_accumulated_ticks_are_dropped_beyond_two_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs in a process do all there is to do; the ticks of an hour without workers must not fill its threads."""
    looked, go_on = [], Event()

    def nothing(within_seconds: float) -> list[Any]:
        looked.append(within_seconds)
        assert go_on.wait(PATIENCE)
        return []

    def run() -> None:
        try:
            tasks.keep_time()
        finally:
            connections.close_all()

    monkeypatch.setattr(selectors, "flags_to_fall", nothing)
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(run) for _ in range(100)]
        wait_until(lambda: sum(run.done() for run in runs) == 98)
        go_on.set()
    assert len(looked) == 2


def test_command_racing_its_flag_is_decided_by_its_arrival() -> None:
    outcomes = Counter[str]()
    # On a busy machine, all forty commands may come too late.
    for _ in range(5):
        races = fault_scenarios.race(40, a_second=25)
        assert races.wrong == []
        assert races.accepted + races.fallen == 40
        outcomes.update(accepted=races.accepted, fallen=races.fallen, overlaps=races.overlaps)
        if all(outcomes.values()):
            return
    raise AssertionError(outcomes)


def test_command_in_time_is_accepted_despite_an_overdue_flag_of_another_seat() -> None:
    clocks = {"choice": ClockTimes(base=60), "setup": ClockTimes(base=1), "turn": ClockTimes(base=60)}
    match = running_match("higher_or_lower", new_account(), new_account(), clocks=clocks)
    play_on(match, 1)
    hosting.extend(match_id=match.id, by=match.opened_by_id, seat=0, seconds=60, reason="A slow line.")
    overdue = [fault_scenarios.Armed(match.id, "", 1)]
    wait_until(lambda: fault_scenarios.unfallen_of(overdue) == 1)
    with pytest.raises(playing.VersionMoved):
        send(match.id, 0, Random(1))
    assert send(match.id, 0, Random(1)).version
    assert [row.type for row in store.read(match.id)].count("flag_fallen") == 1


@pytest.fixture(scope="module")
def told_alone() -> list[dict[str, Any]]:
    """Return the decisions of two processes without broker and workers; the clock of one is a minute behind."""
    programs = ["tests.matches.alone"], ["tests.matches.skewed", "-60", "tests.matches.alone"]
    running = [program(words, NO_REDIS) for words in programs]
    return [json.loads(answer_of(each)) for each in running]


def program(words: list[str], env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """A Python module that runs beside the test, on the same database."""
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env=dict(os.environ) | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer_of(running: subprocess.Popen[str]) -> str:
    """The last line that it printed, once it has ended well."""
    answer, throttle = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, throttle[-2000:]
    return answer.splitlines()[-1]


@pytest.mark.slow
def test_moves_late_flags_and_the_hosts_acts_need_no_broker_and_no_worker(told_alone: list[dict[str, Any]]) -> None:
    report = told_alone[0]
    assert report["in time"] == [201, ["first_chosen"]]
    assert report["late"] == [409, ["flag_fallen", "first_chosen"]]
    assert report["refused as"] in ("flag_fallen", "not_your_turn", "not_now")
    assert report["read"] == ["flag_fallen", "first_chosen"]
    assert report["paused"] == [[], None]
    assert report["resumed"]
    assert report["extended"] == [300.0, []]


@pytest.mark.slow
def test_a_process_whose_clock_is_a_minute_behind_decides_the_same(told_alone: list[dict[str, Any]]) -> None:
    assert [report["skew"] for report in told_alone] == [0, -60]
    own = {"skew", "refused as", "left"}
    first, other = ({key: report[key] for key in report.keys() - own} for report in told_alone)
    assert other == first


@pytest.mark.slow
def test_worker_whose_clock_is_a_minute_ahead_catches_up_with_due_flags(
    told_alone: list[dict[str, Any]], tmp_path: Path
) -> None:
    left = [fault_scenarios.Armed(UUID(match_id), "", 1) for report in told_alone for match_id in report["left"]]
    # A web process of another test watches flags, too, and may have caught up with some of them.
    assert len(left) == 6
    with fault_scenarios.Staff(tmp_path, workers=1, skewed_by=60):
        wait_until(lambda: fault_scenarios.unfallen_of(left) == 0)
    assert fault_scenarios.how_late(left).wrong == []


@pytest.mark.parametrize("game", some_slow(["pentagram", "peeling_the_banana"], always=["peeling_the_banana"]))
def test_act_retried_after_a_killed_process_gives_the_same_cards(game: str) -> None:
    match_id = records.running(game)
    report = json.loads(answer_of(program(["tests.matches.killed", "10", str(match_id)])))
    assert report == {"kills": 10, "acts": 5, "wrong": []}
    assert records.of_the_game(match_id) == records.twin_of(match_id)


def test_all_the_time_of_a_turn_is_spent_or_stood_and_no_reserve_is_overdrawn() -> None:
    """Every game, with pauses, extensions and dealers' duties at random; the log is told as if it had taken hours."""
    for number, game in enumerate(sorted(catalogue)):
        match_id = records.running(game, base=60, reserve=300, increment=10)
        records.play_with_a_restless_host(match_id, Random(number), acts=40)
        walked = records.hold_the_time_together(match_id, Random(number))
        assert min(walked.turns, walked.standing) > 0
