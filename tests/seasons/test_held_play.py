"""A stored match with a set-up, whose check-in closes when play opens."""

from datetime import timedelta
from uuid import uuid4

import pytest

from events import store
from matches.domain.clocks import ClockTimes
from matches.models import Match
from matches.reads import selectors
from matches.seasons import timekeeping
from matches.seasons.domain import attendance
from matches.services import hosting, opening, playing, timing
from matches.storage import repository
from tests.seasons.test_delivery import Stored
from tests.seasons.test_timekeeping import checked_in, later, state, table

OPENS_IN = timedelta(hours=20)
CLOCKS = {"choice": ClockTimes(base=86400), "turn": ClockTimes(base=60, reserve=300)}


@pytest.fixture(autouse=True)
def _check_in_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database's clock, by which players check in, can't be moved."""
    monkeypatch.setattr(attendance, "refuse_untimely_check_in", lambda *_: None)


def in_set_up(**options: object) -> Stored:
    """A death match set for less than a day ahead: its set-up has begun."""
    season = Stored(OPENS_IN, clocks=CLOCKS, check_in_minutes=10, **options)
    assert not table(season).awaits_check_in
    assert season.match in selectors.matches_to_start()
    timing.start_scheduled(match_id=season.match)
    return season


def play_opens(season: Stored, monkeypatch: pytest.MonkeyPatch) -> Match:
    """The match once its check-in has closed and its table has followed."""
    assert not timekeeping.keep_time(season.id), "nothing is due before"
    later(OPENS_IN, monkeypatch)
    assert timekeeping.keep_time(season.id)
    return table(season)


def test_play_is_held_after_the_set_up_until_everybody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    season = in_set_up()
    assert play_opens(season, monkeypatch).status == "paused"
    checked_in(season, 0)
    assert table(season).status == "paused"
    checked_in(season, 1)
    assert table(season).status == "running"
    types = [row.type for row in store.read(season.match)]
    assert (types.count("match_paused"), types.count("match_resumed")) == (1, 1)


def test_play_resumed_by_a_host_is_not_paused_again(monkeypatch: pytest.MonkeyPatch) -> None:
    season = in_set_up()
    assert play_opens(season, monkeypatch).status == "paused"
    hosting.resume(match_id=season.match, by=season.organiser.id, reason="They come.")
    checked_in(season, 0)
    assert table(season).status == "running"
    checked_in(season, 1)
    assert table(season).status == "running" and not table(season).awaits_check_in


def test_pause_of_a_host_outlasts_the_check_in(monkeypatch: pytest.MonkeyPatch) -> None:
    season = in_set_up()
    hosting.pause(match_id=season.match, by=season.organiser.id, reason="An appeal.")
    assert play_opens(season, monkeypatch).status == "paused"
    checked_in(season, 0, 1)
    assert table(season).status == "paused"


def test_absent_player_loses_when_play_opens_and_the_table_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    season = in_set_up(absence="loss", approval=False)
    checked_in(season, 0)
    assert play_opens(season, monkeypatch).status == "void"
    assert not state(season).players[str(season.players[2].id)].living


def test_bot_stands_in_once_after_the_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    season = in_set_up(absence="stand_in")
    checked_in(season, 0)
    assert play_opens(season, monkeypatch).status == "running"
    assert [seat for seat, _ in repository.load(season.match).lifecycle.stand_ins] == [1]
    hosting.end_stand_in(match_id=season.match, by=season.players[2].id, seat=1, reason="I am here.")
    table(season)
    assert repository.load(season.match).lifecycle.stand_ins == ()


def test_nobody_is_absent_from_a_match_that_ended_in_its_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    season = in_set_up(absence="loss", spectator_delay=600)
    playing.submit(
        match_id=season.match,
        seat=0,
        player=str(season.players[3].id),
        command={"type": "resign"},
        key=str(uuid4()),
        fingerprint=b"",
    )
    later(OPENS_IN, monkeypatch)
    assert timekeeping.keep_time(season.id)
    assert state(season).timing.check_ins[str(season.match)].absent == ()


def test_match_started_early_by_a_host_is_not_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    season = Stored(2 * OPENS_IN, clocks=CLOCKS, check_in_minutes=10, absence="loss")
    table(season)
    opening.start(match_id=season.match, by=season.organiser.id, reason="Both sit here.")
    later(2 * OPENS_IN, monkeypatch)
    assert timekeeping.keep_time(season.id)
    assert state(season).timing.check_ins[str(season.match)].absent == ()
    assert table(season).status == "running"
