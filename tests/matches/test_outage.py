"""The clocks of running matches during an outage."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import override_settings

from events import chain, store
from events.pipeline import Statement, roundtrip
from events.store import raw_connection
from matches import services, tasks
from matches.domain import clocks
from matches.domain.clocks import ClockTimes
from matches.storage import outages, repository
from tests.matches.fault_scenarios import query
from tests.table_setting import in_another_process, new_account, play_on, running_match, wait_until

TURN = {"choice": ClockTimes(base=86400), "turn": ClockTimes(base=60, reserve=300)}
GAP = 0.4


@pytest.fixture(autouse=True)
def short_patience() -> Iterator[None]:
    """A silence of 0.4 s is an outage here; afterwards this process forgets what it has seen."""
    roundtrip(raw_connection(), [("DELETE FROM matches_pulse", ()), ("DELETE FROM matches_outage", ())])
    outages._known.newest = None
    with override_settings(OUTAGE_SECONDS=GAP):
        yield
    roundtrip(raw_connection(), [("DELETE FROM matches_pulse", ()), ("DELETE FROM matches_outage", ())])
    outages._known.newest = None


def be_away(seconds: float = GAP) -> datetime:
    """Let longer than that pass; gives when it began."""
    began = clock()
    wait_until(lambda: (clock() - began).total_seconds() > seconds + 0.05)
    return began


def last_beat_was(at: datetime) -> Statement:
    """Whatever services of other tests have beaten since."""
    beat = "INSERT INTO matches_pulse VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET beaten_at = excluded.beaten_at"
    return beat, (at,)


def come_back(began: datetime) -> None:
    """The first beat since then, in one transaction with the last one."""
    beats = [("BEGIN", ()), last_beat_was(began), (outages._BEAT, (GAP,)), ("COMMIT", ())]
    roundtrip(raw_connection(), beats)
    outages.look()


def clock() -> datetime:
    return query("SELECT clock_timestamp()")[0][0]


def a_match(**setting: Any) -> UUID:
    match = running_match("pyramid_poker", new_account().id, new_account().id, clocks=TURN, **setting)
    play_on(match, 1)
    return match.id


def types_of(match_id: UUID) -> list[str]:
    return [row.type for row in store.read(match_id)]


def seconds_left(match_id: UUID) -> float:
    """Until the next flag, at this moment."""
    first, *_ = clocks.deadlines(repository.load(match_id).clocks)
    return first.falls_at / 1e6 - clock().timestamp()


def test_running_clock_is_credited_the_time_of_an_outage() -> None:
    match_id = a_match()
    before = seconds_left(match_id)
    come_back(be_away())
    assert services.catch_up_clock(match_id=match_id) == 0
    assert types_of(match_id)[-1] == "time_credited"
    assert seconds_left(match_id) == pytest.approx(before, abs=1.2)
    assert seconds_left(match_id) > before - 0.2


def test_outage_is_credited_once() -> None:
    match_id = a_match()
    come_back(be_away())
    for _ in range(3):
        services.catch_up_clock(match_id=match_id)
        tasks.keep_time()
        come_back(clock())
    assert types_of(match_id).count("time_credited") == 1


def test_first_move_after_an_outage_brings_its_time_credit() -> None:
    match_id = a_match()
    come_back(be_away())
    count = len(types_of(match_id))
    seat = repository.load(match_id).due.prompts[0].seat
    player = repository.load(match_id).lifecycle.players[seat]
    services.submit(
        match_id=match_id, seat=seat, player=player or "", command={"type": "resign"}, key="k", fingerprint=b""
    )
    assert types_of(match_id)[count : count + 2] == ["time_credited", "resigned"]


def test_flag_due_during_an_outage_does_not_fall() -> None:
    short = {"choice": ClockTimes(base=86400), "turn": ClockTimes(base=1)}
    match = running_match("pyramid_poker", new_account().id, new_account().id, clocks=short)
    play_on(match, 1)
    began = clock()
    wait_until(lambda: seconds_left(match.id) < -0.1)
    come_back(began)
    assert services.let_flag_fall(match_id=match.id) is None
    assert seconds_left(match.id) > 0
    assert "flag_fallen" not in types_of(match.id)


def test_worker_lets_no_flag_fall_while_no_web_process_is_up() -> None:
    short = {"choice": ClockTimes(base=86400), "turn": ClockTimes(base=1)}
    match = running_match("pyramid_poker", new_account().id, new_account().id, clocks=short)
    play_on(match, 1)
    began = clock()
    wait_until(lambda: seconds_left(match.id) < -0.1)
    roundtrip(raw_connection(), [last_beat_was(began)])
    tasks.keep_time()
    assert "flag_fallen" not in types_of(match.id)
    come_back(began)
    tasks.keep_time()
    assert types_of(match.id)[-1] == "time_credited"


def slept_through(monkeypatch: pytest.MonkeyPatch, *, door: bool) -> UUID:
    """A match whose flag has come due while the machine slept, told to nobody yet."""
    short = {"choice": ClockTimes(base=86400), "turn": ClockTimes(base=1)}
    match = running_match("pyramid_poker", new_account().id, new_account().id, clocks=short)
    play_on(match, 1)
    began = clock()
    monkeypatch.setattr(outages._known, "is_web_process", door)
    # By this process's own clock, which slept along, the last look was a moment ago.
    monkeypatch.setattr(outages, "refresh_if_stale", lambda: None)
    wait_until(lambda: seconds_left(match.id) < -0.1)
    roundtrip(raw_connection(), [last_beat_was(began)])
    return match.id


def test_command_before_the_first_beat_after_a_sleep_is_credited(monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = slept_through(monkeypatch, door=True)
    seat = repository.load(match_id).due.prompts[0].seat
    player = repository.load(match_id).lifecycle.players[seat] or ""
    count = len(types_of(match_id))
    resigning = {"type": "resign"}
    services.submit(match_id=match_id, seat=seat, player=player, command=resigning, key="k", fingerprint=b"")
    assert types_of(match_id)[count : count + 2] == ["time_credited", "resigned"]


def test_read_before_the_first_beat_after_a_sleep_lets_no_flag_fall(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match_id = slept_through(monkeypatch, door=True)
    assert services.catch_up_clock(match_id=match_id) == 0
    assert types_of(match_id)[-1] == "time_credited"
    assert seconds_left(match_id) > 0
    services.catch_up_clock(match_id=match_id)
    assert types_of(match_id).count("time_credited") == 1


def test_worker_that_wakes_first_lets_no_flag_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = slept_through(monkeypatch, door=False)
    assert services.let_flag_fall(match_id=match_id) is None
    assert "flag_fallen" not in types_of(match_id)


def test_short_silence_is_not_an_outage() -> None:
    match_id = a_match()
    come_back(clock())
    services.catch_up_clock(match_id=match_id)
    assert "time_credited" not in types_of(match_id)


def test_paused_match_gets_no_time_credit() -> None:
    match_id = a_match()
    host = new_account().id
    services.pause(match_id=match_id, by=host, reason="Tea.")
    come_back(be_away())
    services.resume(match_id=match_id, by=host, reason="Tea is over.")
    assert "time_credited" not in types_of(match_id)


def test_process_with_an_old_outage_state_refreshes_it_before_reading_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = a_match()
    come_back(be_away())
    monkeypatch.setattr(outages._known, "newest", None)
    monkeypatch.setattr(outages._known, "looked_at", 0.0)
    services.catch_up_clock(match_id=match_id)
    assert types_of(match_id)[-1] == "time_credited"


@pytest.mark.slow
def test_worker_whose_clock_is_hours_ahead_credits_the_time() -> None:
    match_id = a_match()
    come_back(be_away())
    process = in_another_process(
        """
        from tests.matches.skewed import skew
        skew(7200)
        from matches import tasks
        tasks.keep_time()
        """
    )
    assert process.returncode == 0, process.stderr
    assert types_of(match_id)[-1] == "time_credited"


def chosen_before(opens_at: datetime) -> UUID:
    """A scheduled match whose set-up is done: its first turn begins when it opens."""
    players = new_account(), new_account()
    opened = services.open_match(
        opener=players[0].id, game="pyramid_poker", options={}, clocks=TURN, opens_at=opens_at,
        seats=[services.SeatRequest(player.id) for player in players],
    )  # fmt: skip
    services.start(match_id=opened.match_id, by=players[0].id, reason="A test.")
    services.submit(match_id=opened.match_id, seat=0, player=str(players[0].id),
                    command={"type": "choose_first", "seat": 0}, key="first", fingerprint=b"")  # fmt: skip
    (run,) = repository.load(opened.match_id).clocks.runs
    assert run.began == chain.microseconds(opens_at)
    return opened.match_id


def test_outage_before_a_scheduled_opening_credits_no_time() -> None:
    match_id = chosen_before(clock() + timedelta(hours=1))
    come_back(be_away())
    assert outages.owed_to(match_id, repository.load(match_id), chain.microseconds(clock())) is None


def test_outage_around_an_opening_credits_only_the_rest() -> None:
    match_id = chosen_before(opens_at := clock() + timedelta(seconds=2))
    began = clock()
    wait_until(lambda: clock() > opens_at + timedelta(seconds=GAP))
    come_back(began)
    owed = outages.owed_to(match_id, repository.load(match_id), chain.microseconds(clock()))
    assert owed is not None
    assert f"away from {opens_at:%Y-%m-%d %H:%M:%S} UTC" in owed.reason
    assert owed.seconds <= (clock() - opens_at).total_seconds() + 1
