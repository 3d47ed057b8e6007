"""Times of matches, and the check-in, on paper."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from games.kernel import Illegal
from matches.domain.clocks import ClockTimes, instant
from matches.seasons.domain import appointments, attendance, episodes, occasions, results, roster, scheduling
from matches.seasons.domain.deciding import Caller
from tests.seasons.staged import HOST, ORGANISER, Paper, kinds, match_settings

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
ONE, TWO, THREE = (instant(NOON + timedelta(hours=hours)) for hours in (1, 2, 3))
ALL = ("ann", "bob", "cat", "dan", "eve")
MINUTE = timedelta(minutes=1)


def duel(opens_at: str | None = instant(NOON), **options: object) -> Paper:
    """A death match of eve (seat 0) against cat."""
    paper = Paper(*ALL, **options).main_match("ann", "eve", "bob")
    paper.act(episodes.name_opponent, "cat", by="eve")
    paper.act(scheduling.schedule_death_match, match_settings("m", opens_at=opens_at))
    return paper


def test_time_proposed_by_one_player_is_agreed_when_the_other_accepts() -> None:
    paper = duel()
    paper.act(appointments.propose_times, "m", [TWO, ONE, TWO], by="eve")
    assert paper.season.timing.proposals["m"][0].times == (ONE, TWO)
    assert paper.refusal(appointments.accept_time, "m", THREE, by="cat") == "no_such_time"
    assert paper.refusal(appointments.accept_time, "m", ONE, by="eve") == "already_accepted"
    assert kinds(paper.act(appointments.accept_time, "m", TWO, by="cat")) == ["TimeAccepted", "MatchTimeSet"]
    assert paper.season.matches["m"].opens_at == TWO
    assert appointments.times_of(paper.season, "m") == [], "what was agreed on ends the proposals"


def test_time_proposed_by_both_players_is_agreed() -> None:
    paper = duel()
    paper.act(appointments.propose_times, "m", [ONE, THREE], by="eve")
    assert kinds(paper.act(appointments.propose_times, "m", [TWO, THREE], by="cat")) == [
        "TimesProposed",
        "MatchTimeSet",
    ]
    assert paper.season.matches["m"].opens_at == THREE


def test_time_proposed_by_the_organiser_needs_both_players() -> None:
    paper = duel()
    paper.act(appointments.propose_times, "m", [ONE])
    assert kinds(paper.act(appointments.accept_time, "m", ONE, by="eve")) == ["TimeAccepted"]
    assert paper.refusal(appointments.accept_time, "m", ONE) == "forbidden"
    assert kinds(paper.act(appointments.accept_time, "m", ONE, by="cat")) == ["TimeAccepted", "MatchTimeSet"]


def test_new_proposal_replaces_the_older_one() -> None:
    paper = duel()
    paper.act(appointments.propose_times, "m", [ONE], by="eve")
    paper.act(appointments.propose_times, "m", [TWO], by="eve")
    assert paper.refusal(appointments.accept_time, "m", ONE, by="cat") == "no_such_time"


def test_number_of_proposals_is_limited_until_a_time_is_set() -> None:
    paper = duel()
    for _ in range(appointments.MOST_PROPOSALS):
        paper.act(appointments.propose_times, "m", [ONE], by="eve")
    assert paper.refusal(appointments.propose_times, "m", [TWO], by="eve") == "too_many_proposals"
    paper.act(appointments.propose_times, "m", [TWO], by="cat")
    paper.act(appointments.set_time, "m", THREE, "As nobody agrees.", by=HOST.account)
    paper.act(appointments.propose_times, "m", [TWO], by="eve")


@pytest.mark.parametrize("by", ["ann", "stranger"])
def test_account_outside_the_match_may_not_decide_its_time(by: str) -> None:
    paper = duel()
    for act, *details in (
        (appointments.propose_times, "m", [ONE]), (appointments.accept_time, "m", ONE),
        (appointments.set_time, "m", ONE, "Mine."), (attendance.check_in, "m", "eve"),
        (attendance.decide_absence, "m", "loss", "eve", "Mine."),
    ):  # fmt: skip
        assert paper.refusal(act, *details, by=by) == "forbidden"


def test_host_sets_or_removes_a_time_with_a_reason() -> None:
    paper = duel()
    paper.act(appointments.propose_times, "m", [TWO], by="eve")
    paper.act(appointments.set_time, "m", ONE, "The hall is free then.", by=HOST.account)
    assert paper.season.matches["m"].opens_at == ONE and appointments.times_of(paper.season, "m") == []
    assert paper.refusal(appointments.set_time, "m", ONE, "Again.") == "same_time"
    paper.act(appointments.set_time, "m", None, "We will see.")
    assert paper.season.matches["m"].opens_at is None


@pytest.mark.parametrize("times", [[], [instant(NOON + MINUTE * it) for it in range(9)]])
def test_proposal_of_no_times_or_too_many_is_refused(times: list[str]) -> None:
    assert duel().refusal(appointments.propose_times, "m", times, by="eve") == "no_such_time"


def test_finished_or_annulled_match_gets_no_new_time() -> None:
    paper = duel()
    paper.ends("m", 0)
    assert paper.refusal(appointments.set_time, "m", ONE, "Late.") == "not_scheduled"
    assert paper.refusal(appointments.set_time, "n", ONE, "Late.") == "not_in_season"
    other = duel()
    other.act(results.annul, "m", "A power cut.")
    assert other.refusal(appointments.propose_times, "m", [ONE], by="eve") == "not_scheduled"


def test_proposed_times_lie_within_the_coming_year() -> None:
    for at in (NOON, NOON - MINUTE, NOON + timedelta(days=400)):
        for offered in (
            appointments.propose_times(duel(None).season, HOST, "m", [instant(at)]),
            appointments.set_time(duel(None).season, HOST, "m", instant(at), "Then."),
        ):
            with pytest.raises(Illegal) as refused:
                scheduling.refuse_untimely(offered, NOON)
            assert refused.value.code == "bad_opening_time"


def test_proposals_of_a_substituted_player_are_removed() -> None:
    paper = duel()
    paper.act(appointments.propose_times, "m", [ONE], by="eve")
    paper.act(roster.substitute, "eve", "fay", "Ill.")
    assert paper.refusal(appointments.accept_time, "m", ONE, by="cat") == "no_such_time"


# Who comes


def comes(paper: Paper, *players: str) -> Paper:
    for player in players:
        paper.act(attendance.check_in, "m", player, by=player)
    return paper


def passed(paper: Paper, begun: bool = False) -> list[str]:
    """Record once what the match's time brings, and return the kinds of the events."""
    occasion = occasions.due(paper.season, NOON)
    if occasion is None:
        return []
    events = paper.happen(occasions.happening(paper.season, occasion, None, begun))
    assert occasions.due(paper.season, NOON) is None
    return kinds(events)


def held(paper: Paper) -> bool:
    return attendance.holds(paper.season, paper.season.matches["m"])


def test_no_check_in_exists_without_the_option() -> None:
    paper = duel()
    assert paper.refusal(attendance.check_in, "m", "eve", by="eve") == "no_check_in"
    assert not held(paper) and passed(paper) == []


def test_match_waits_until_both_players_have_checked_in() -> None:
    paper = duel(check_in_minutes=30)
    assert held(comes(paper, "eve"))
    assert paper.refusal(attendance.check_in, "m", "eve", by="eve") == "already_checked_in"
    assert paper.refusal(attendance.check_in, "m", "ann", by="ann") == "not_at_table"
    assert paper.refusal(attendance.check_in, "m", "cat", by="eve") == "forbidden"
    assert not held(comes(paper, "cat"))
    assert passed(paper) == []


@pytest.mark.parametrize("before", [31, 30, 1])
def test_agreement_to_an_old_proposal_at_the_last_moment_is_refused(before: int) -> None:
    """With `absence` a loss, who proposed it days ago would have lost before they could know that the match is on."""
    paper = duel(None, check_in_minutes=30, absence="loss")
    paper.act(appointments.propose_times, "m", [instant(NOON)], by="eve")
    at_noon = instant(NOON)
    for agreed in (
        appointments.accept_time(paper.season, Caller("cat"), "m", at_noon),
        appointments.propose_times(paper.season, Caller("cat"), "m", [at_noon]),
    ):
        if before > 30:
            attendance.refuse_untimely_agreement(paper.season, agreed, NOON - before * MINUTE)
            continue
        with pytest.raises(Illegal, match="11:30 UTC") as refused:
            attendance.refuse_untimely_agreement(paper.season, agreed, NOON - before * MINUTE)
        assert refused.value.code == "bad_opening_time"
    by_the_house = appointments.set_time(paper.season, HOST, "m", at_noon, "Both sit here.")
    attendance.refuse_untimely_agreement(paper.season, by_the_house, NOON - before * MINUTE)


@pytest.mark.parametrize("before", [31, 30])
def test_the_check_in_opens_so_many_minutes_before_the_match(before: int) -> None:
    season = duel(check_in_minutes=30).season
    events = attendance.check_in(season, HOST, "m", "eve")
    if before == 30:
        attendance.refuse_untimely_check_in(season, events, NOON - 30 * MINUTE)
        return
    with pytest.raises(Illegal, match="opens at 2030-01-01 11:30 UTC") as refused:
        attendance.refuse_untimely_check_in(season, events, NOON - before * MINUTE)
    assert refused.value.code == "check_in_not_open"


def test_organiser_decides_an_absence_and_a_late_player_still_checks_in() -> None:
    paper = comes(duel(check_in_minutes=30), "eve")
    assert passed(paper) == ["CheckInClosed"]
    assert paper.season.timing.check_ins["m"].absent == ("cat",)
    assert held(paper)
    assert not held(comes(paper, "cat"))
    assert paper.refusal(attendance.decide_absence, "m", "play", None, "Why not.") == "nobody_missing"


@pytest.mark.parametrize("ruling", ["play", "stand_in"])
def test_the_organiser_lets_it_be_played(ruling: str) -> None:
    paper = comes(duel(check_in_minutes=30), "eve")
    assert paper.refusal(attendance.decide_absence, "m", ruling, None, "Too early.") == "nobody_missing"
    passed(paper)
    assert kinds(paper.act(attendance.decide_absence, "m", ruling, None, "On their way.")) == ["AbsenceDecided"]
    assert not held(paper)
    assert paper.refusal(attendance.check_in, "m", "cat", by="cat") == "check_in_closed"
    assert paper.refusal(attendance.decide_absence, "m", "loss", None, "No.") == "nobody_missing"


def test_absent_player_loses_by_the_option_and_the_result_needs_approval() -> None:
    paper = comes(duel(check_in_minutes=30, absence="loss"), "eve")
    assert passed(paper) == ["CheckInClosed", "AbsenceDecided", "DeathMatchFinished"]
    assert paper.season.matches["m"].winner == "eve"
    paper.act(results.approve, "m")
    assert not paper.season.players["cat"].living


@pytest.mark.parametrize("absence", ["loss", "stand_in"])
def test_organiser_decides_if_nobody_comes_whatever_the_option(absence: str) -> None:
    paper = duel(check_in_minutes=30, absence=absence)
    assert passed(paper) == ["CheckInClosed"]
    assert paper.refusal(attendance.decide_absence, "m", "loss", None, "Both.") == "no_loser"
    assert kinds(paper.act(attendance.decide_absence, "m", "loss", "eve", "She said so."))[-1] == "DeathMatchFinished"
    assert paper.season.matches["m"].loser == "eve"


def test_stand_in_replaces_an_absent_player_by_the_option() -> None:
    paper = comes(duel(check_in_minutes=30, absence="stand_in"), "eve")
    assert passed(paper) == ["CheckInClosed", "AbsenceDecided"]
    assert not held(paper)


def test_nobody_is_absent_from_a_match_that_a_host_started() -> None:
    paper = duel(check_in_minutes=30, absence="loss")
    assert passed(paper, begun=True) == ["CheckInClosed"]
    assert paper.season.timing.check_ins["m"].absent == ()


def test_another_time_is_another_check_in() -> None:
    paper = comes(duel(check_in_minutes=30), "eve")
    passed(paper)
    paper.act(appointments.set_time, "m", ONE, "Once more.")
    assert held(paper) and paper.season.timing.check_ins == {}


def test_check_in_of_an_older_record_ends_when_its_set_up_begins() -> None:
    paper = Paper(*ALL, check_in_minutes=30)
    paper.act(episodes.open_episode, "First")
    times = {"choice": ClockTimes(60), "setup": ClockTimes(3600), "turn": ClockTimes(60)}
    settings = match_settings("m", "higher_or_lower", clocks=times, opens_at=instant(NOON))
    (scheduled,) = scheduling.schedule_table(paper.season, ORGANISER, settings, ALL[:2])
    paper.happen([replace(scheduled, check_in=None)])
    (occasion,) = occasions.occasions(paper.season)
    assert occasion.at == NOON - 2 * timedelta(hours=1)
    assert held(paper)
