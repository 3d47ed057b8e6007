"""Events of time in stored seasons: recorded once, whichever worker is first, and applied to the matches' tables."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from events import outbox, pipeline, store
from matches import services as match_services
from matches import tasks
from matches.domain.clocks import instant
from matches.models import Match
from matches.reads import selectors
from matches.seasons import chance, process_manager, services, timekeeping
from matches.seasons import repository as season_repository
from matches.seasons.domain import appointments, attendance, episodes, results
from matches.seasons.domain import chance as drawing
from matches.seasons.models import Season
from matches.storage import repository
from matches.storage.repository import BrokenRecord
from tests.seasons.test_delivery import Stored, refused
from tests.table_setting import at_once

SOON = timedelta(hours=1)


def later(by: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house's clock is so much ahead; the database keeps its own."""
    at = store.clock() + by
    monkeypatch.setattr(store, "clock", lambda: at)


def table(season: Stored) -> Match:
    process_manager.settle_tables(season.id)
    return Match.objects.get(id=season.match)


def state(season: Stored) -> Any:
    return season_repository.load(season.id)


def in_an_hour(hours: int = 1) -> str:
    return instant(store.clock() + timedelta(hours=hours))


def test_table_follows_the_time_set_by_its_season() -> None:
    season = Stored(SOON)
    then = in_an_hour(5)
    season.act(lambda it, by: appointments.set_time(it, by, str(season.match), then, "Later."))
    assert instant(table(season).opens_at) == then
    again = in_an_hour(7)
    season.act(lambda it, by: appointments.set_time(it, by, str(season.match), again, "Later still."))
    assert instant(table(season).opens_at) == again
    season.act(lambda it, by: appointments.set_time(it, by, str(season.match), None, "We will see."))
    assert table(season).opens_at is None and table(season).starts_at is None
    assert [row.type for row in store.read(season.match)].count("match_rescheduled") == 2


@pytest.mark.parametrize("newer", [None, 7], ids=["the same time", "a newer time"])
def test_concurrent_consumers_reschedule_a_table_once(monkeypatch: pytest.MonkeyPatch, newer: int | None) -> None:
    season = Stored(SOON)
    table(season)
    times, read = [in_an_hour(5)], season_repository.revisions
    season.act(lambda it, by: appointments.set_time(it, by, str(season.match), times[0], "Later."))

    def overtaken(season_id: UUID) -> list[season_repository.SeasonRevision]:
        matches = list(read(season_id))
        monkeypatch.setattr(season_repository, "revisions", read)
        if newer:
            times.append(in_an_hour(newer))
            season.act(lambda it, by: appointments.set_time(it, by, str(season.match), times[-1], "Later still."))
        process_manager.settle_tables(season_id)
        return matches

    monkeypatch.setattr(season_repository, "revisions", overtaken)
    process_manager.settle_tables(season.id)
    assert instant(Match.objects.get(id=season.match).opens_at) == times[-1]
    assert [row.type for row in store.read(season.match)].count("match_rescheduled") == 1


def test_match_that_has_begun_cannot_be_rescheduled() -> None:
    season = Stored().opened()
    act = partial(appointments.set_time, match=str(season.match), opens_at=in_an_hour(), reason="Later.")
    assert refused(lambda: season.act(lambda it, by: act(it, by))).startswith("already_started")
    assert "match_time_set" not in season.types()


def test_season_without_deadlines_has_nothing_to_record() -> None:
    season = Stored()
    assert season.id not in timekeeping.seasons_to_wake()
    assert not timekeeping.keep_time(season.id)


def test_deadline_lapses_once_with_concurrent_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    season = Stored(ban_minutes=60, bans_each=1)
    season.act(lambda it, by: results.annul(it, by, str(season.match), "Another game."))
    wakes_at = Season.objects.get(id=season.id).wakes_at
    assert wakes_at == datetime.fromisoformat(state(season).timing.awaited.since) + timedelta(minutes=30)
    later(timedelta(minutes=61), monkeypatch)
    at_once([lambda: timekeeping.keep_time(season.id)] * 4)
    assert season.types().count("decision_lapsed") == 1
    assert Season.objects.get(id=season.id).wakes_at is None


def test_keep_time_task_records_reminders_and_lapses() -> None:
    season = Stored(ban_minutes=1, least_notice_minutes=1, bans_each=1, remind_minutes=1, remind_percent=0)
    season.act(lambda it, by: results.annul(it, by, str(season.match), "Another game."))
    # A deadline that lies in the past, as it would be told to a worker that comes late.
    awaited = state(season).timing.awaited
    past = instant(datetime.fromisoformat(awaited.since) - SOON)
    extended = season_repository.load(season.id).timing.awaited
    assert extended is not None
    services.tell(season_id=season.id, key="past", decide=lambda it: [
        services.deadlines.DecisionExtended(decision="ban", since=past, until=past, reason="For the test."),
    ])  # fmt: skip
    assert season.id in timekeeping.seasons_to_wake()
    tasks.catch_up()
    assert season.types().count("decision_lapsed") == 1
    assert season.id not in timekeeping.seasons_to_wake()


def test_stale_wake_time_of_an_older_release_is_corrected() -> None:
    season = Stored()
    Season.objects.filter(id=season.id).update(wakes_at=store.clock() - SOON)
    assert season.id in timekeeping.seasons_to_wake()
    assert not timekeeping.keep_time(season.id)
    assert season.id not in timekeeping.seasons_to_wake()


def drawn(season: Stored, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A season whose EC names nobody in time."""
    season.act(lambda it, by: results.annul(it, by, str(season.match), "A power cut."))
    season.act(lambda it, by: episodes.close_episode(it, by, "Next."))
    names = [str(player.id) for player in season.players]
    season.act(lambda it, by: episodes.open_episode(it, by, "Second"))
    season.act(lambda it, by: episodes.record_main_match(it, by, "Dice", names[:2], names[3:]))
    later(timedelta(hours=25), monkeypatch)
    return timekeeping.keep_time(season.id)


def test_the_seasons_chance_is_promised_by_its_opening_and_shows_the_next_link(monkeypatch: pytest.MonkeyPatch) -> None:
    season = Stored(opponent_minutes=1440, decision_default="random")
    (opened, *_) = season_repository.revisions(season.id)
    assert drawn(season, monkeypatch)
    assert drawing.follows(state(season).timing.link, opened.event.chance)
    assert state(season).episode.opponent == str(season.players[2].id)
    assert "chance_drawn" in season.types()


def test_nothing_is_drawn_from_a_root_that_differs_from_its_commitment(monkeypatch: pytest.MonkeyPatch) -> None:
    season = Stored(opponent_minutes=1440, decision_default="random")
    monkeypatch.setattr(chance.seeds, "unsealed", lambda _: bytes(32))
    with pytest.raises(BrokenRecord):
        drawn(season, monkeypatch)
    assert "decision_lapsed" not in season.types()


# Check-ins


def checked_in(season: Stored, *seats: int) -> None:
    """EC (player 3) at seat 0, DMO (player 2) at seat 1."""
    for seat in seats:
        account = season.players[3 - seat]
        season.act(lambda it, by, a=account: attendance.check_in(it, by, str(season.match), str(a.id)), by=account)


# It opens a few minutes from now.
BEGINS = timedelta(minutes=3)


def with_check_in(**options: Any) -> Stored:
    season = Stored(BEGINS, check_in_minutes=30, least_notice_minutes=1, **options)
    assert table(season).awaits_check_in
    return season


def test_match_starts_automatically_once_both_have_checked_in() -> None:
    season = with_check_in()
    Match.objects.filter(id=season.match).update(starts_at=store.clock() - BEGINS)
    assert season.match not in selectors.matches_to_start()
    checked_in(season, 0, 1)
    outbox.catch_up()
    assert not table(season).awaits_check_in
    assert season.match in selectors.matches_to_start()


def test_absent_player_loses_once_and_the_table_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    season = with_check_in(absence="loss", approval=False)
    checked_in(season, 0)
    later(timedelta(minutes=4), monkeypatch)
    at_once([lambda: timekeeping.keep_time(season.id)] * 3)
    assert table(season).status == "void"
    outbox.catch_up()
    assert (season.types().count("death_match_finished"), season.types().count("match_annulled")) == (1, 0)
    assert not state(season).players[str(season.players[2].id)].living


def test_player_does_not_win_by_accepting_a_time_too_late_for_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = Stored(check_in_minutes=30, absence="loss", approval=False, least_notice_minutes=1)
    match, then = str(season.match), instant(store.clock() + BEGINS)
    late, proposer = season.players[2:]
    with monkeypatch.context() as days_ago:
        days_ago.setattr(attendance, "refuse_untimely_agreement", lambda *_: None)
        season.act(lambda it, by: appointments.propose_times(it, by, match, [then]), by=proposer)
    accept = partial(season.act, lambda it, by: appointments.accept_time(it, by, match, then), by=late)
    assert refused(accept).startswith("bad_opening_time")
    assert refused(partial(checked_in, season, 1)).startswith("no_check_in")
    later(timedelta(minutes=4), monkeypatch)
    timekeeping.keep_time(season.id)
    assert state(season).players[str(proposer.id)].living


def test_bot_stands_in_once_and_the_returning_player_keeps_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    season = with_check_in(absence="stand_in")
    checked_in(season, 0)
    later(timedelta(minutes=4), monkeypatch)
    assert timekeeping.keep_time(season.id)
    assert not table(season).awaits_check_in
    assert [seat for seat, _ in repository.load(season.match).lifecycle.stand_ins] == [1]
    match_services.end_stand_in(match_id=season.match, by=season.players[2].id, seat=1, reason="I am here.")
    table(season)
    assert repository.load(season.match).lifecycle.stand_ins == ()


def test_organiser_decides_an_absence_and_a_hand_started_match_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    by_organiser, started = with_check_in(), with_check_in(absence="loss")
    match_services.start(match_id=started.match, by=started.organiser.id, reason="Both sit here.")
    later(timedelta(minutes=4), monkeypatch)
    for season in (by_organiser, started):
        assert timekeeping.keep_time(season.id)
    assert table(by_organiser).awaits_check_in
    assert table(started).status == "running" and state(started).timing.check_ins[str(started.match)].absent == ()
    decided = lambda it, by: attendance.decide_absence(it, by, str(by_organiser.match), "play", None, "They come.")  # noqa: E731
    by_organiser.act(decided)
    assert not table(by_organiser).awaits_check_in


def test_check_in_long_before_the_match_is_refused() -> None:
    season = Stored(timedelta(hours=9), check_in_minutes=30)
    assert refused(lambda: checked_in(season, 0)).startswith("check_in_not_open")


def test_stored_root_is_encrypted() -> None:
    season = Stored()
    sql = "SELECT sealed FROM matches_seed WHERE match_id = $1"
    ((sealed,),) = pipeline.roundtrip(store.raw_connection(), [(sql, (season.id,))])[0]
    assert chance.seeds.unsealed(season.id) not in bytes(sealed)
    with pytest.raises(BrokenRecord):
        chance.seeds.unsealed(uuid4())
