"""Intake of players: by a list, by a link, late, or returning."""

from datetime import UTC, datetime, timedelta

import pytest

from games.kernel import Illegal
from matches.domain.clocks import instant
from matches.seasons.domain import episodes, intake, roster, scheduling
from matches.seasons.domain.changes import change_options
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.events import OptionsChanged
from tests.seasons.staged import HOST, ORGANISER, Paper, kinds, match_settings

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def linked(approval: bool = True, most: int | None = None, **options: int) -> Paper:
    paper = Paper("ann", "ben", "cat", **options)
    paper.act(intake.open_joining, approval, most)
    return paper


def test_list_of_players_is_enrolled_in_one_act_or_not_at_all() -> None:
    paper = Paper("ann", most_players=4)
    events = paper.act(intake.enrol_all, ["ben", "cat"], 1)
    assert kinds(events) == ["PlayerEnrolled", "GarnetsMoved", "PlayerEnrolled", "GarnetsMoved", "JoiningOpened"]
    assert (events[-1].most, events[-1].approval) == (1, False)
    for people, code in (
        (["dan", "dan"], "already_enrolled"),
        (["dan", "eve"], "season_full"),
        (["hal"], "runs_the_season"),
        ([], "empty_list"),
    ):
        assert paper.refusal(intake.enrol_all, people) == code
    assert paper.season.living == ["ann", "ben", "cat"]


def test_applicant_by_a_link_waits_until_an_organiser_admits_or_declines() -> None:
    paper = linked()
    assert kinds(paper.act(intake.apply, 1, by="dan")) == ["PlayerApplied"]
    assert paper.refusal(intake.apply, 1, by="dan") == "already_applied"
    paper.act(intake.apply, 1, by="eve")
    assert paper.refusal(intake.admit, "dan", by="dan") == "forbidden"
    assert kinds(paper.act(intake.admit, "dan")) == ["PlayerEnrolled", "GarnetsMoved"]
    paper.act(intake.decline, "eve", "Played last year.")
    assert paper.refusal(intake.apply, 1, by="eve") == "application_declined"
    assert paper.refusal(intake.admit, "eve") == "not_applied"
    assert paper.season.living == ["ann", "ben", "cat", "dan"]
    assert [it.reason for it in paper.season.intake.applications.values()] == ["Played last year."]
    paper.act(roster.enrol, "eve")
    assert paper.season.intake.applications == {}


def test_applicant_without_approval_is_enrolled_until_the_season_is_full() -> None:
    paper = linked(approval=False, most_players=4)
    assert kinds(paper.act(intake.apply, 1, by="dan")) == ["PlayerApplied", "PlayerEnrolled", "GarnetsMoved"]
    assert kinds(paper.act(intake.apply, 1, by="eve")) == ["PlayerApplied"]
    assert paper.refusal(intake.admit, "eve") == "season_full"
    paper.act(intake.withdraw_application, by="eve")
    assert paper.refusal(intake.withdraw_application, by="eve") == "not_applied"


def test_applicant_who_withdrew_too_often_is_enrolled_only_by_an_organiser() -> None:
    paper = linked()
    for _ in range(intake.MOST_WITHDRAWALS):
        paper.act(intake.apply, 1, by="dan")
        paper.act(intake.withdraw_application, by="dan")
    assert paper.refusal(intake.apply, 1, by="dan") == "already_withdrawn"
    paper.act(intake.apply, 1, by="eve")
    paper.act(roster.enrol, "dan")
    assert "dan" in paper.season.living


def test_link_is_limited_in_applicants_and_void_once_revoked() -> None:
    paper = linked(most=1)
    paper.act(intake.apply, 1, by="dan")
    assert paper.refusal(intake.apply, 1, by="eve") == "link_used_up"
    paper.act(intake.withdraw_application, by="dan")
    paper.act(intake.apply, 1, by="eve")
    paper.act(intake.revoke_joining, 1, "It was posted in public.")
    assert paper.refusal(intake.revoke_joining, 1, "Again.") == "link_revoked"
    assert paper.refusal(intake.apply, 1, by="dan") == "link_revoked"
    assert paper.refusal(intake.apply, 2, by="dan") == "no_such_link"
    paper.act(intake.admit, "eve")
    assert "eve" in paper.season.living, "who came before stays"


def test_season_has_a_limit_of_valid_links() -> None:
    paper = linked()
    for _ in range(intake.MOST_LINKS - 1):
        paper.act(intake.open_joining, False)
    assert paper.refusal(intake.open_joining, False) == "too_many_links"
    paper.act(intake.revoke_joining, 1, "Unused.")
    paper.act(intake.open_joining, False)


def test_expired_link_is_refused() -> None:
    paper = Paper("ann", "ben", "cat")
    for late in (NOW, NOW - timedelta(seconds=1), NOW + timedelta(days=400)):
        events = intake.open_joining(paper.season, ORGANISER, True, None, instant(late))
        with pytest.raises(Illegal, match="within the coming year"):
            intake.refuse_untimely_joining(paper.season, events, NOW)
    paper.act(intake.open_joining, True, None, instant(NOW + timedelta(hours=1)))
    asks = intake.apply(paper.season, Caller("dan"), 1)
    intake.refuse_untimely_joining(paper.season, asks, NOW)
    with pytest.raises(Illegal) as late_one:
        intake.refuse_untimely_joining(paper.season, asks, NOW + timedelta(hours=1))
    assert late_one.value.code == "link_expired"


@pytest.mark.parametrize(
    ("by", "code"),
    [(ORGANISER, "runs_the_season"), (HOST, "runs_the_season"), (Caller("ann"), "already_enrolled"),
     (Caller("boss", "organiser"), "runs_the_season"), (Caller("seated", plays=True), "runs_the_season")],
)  # fmt: skip
def test_account_with_another_role_may_not_apply(by: Caller, code: str) -> None:
    with pytest.raises(Illegal) as refused:
        intake.apply(linked().season, by, 1)
    assert refused.value.code == code


def test_links_end_with_the_enrolment() -> None:
    paper = linked().main_match("ann", "cat", giving_to=None)
    assert paper.refusal(intake.apply, 1, by="dan") == "enrolment_closed"
    assert paper.refusal(intake.open_joining, True) == "enrolment_closed"


def running() -> Paper:
    """A season of five: eve has withdrawn, then dan was the first to lose a death match."""
    paper = Paper("ann", "ben", "cat", "dan", "eve")
    paper.main_match("ann", "dan", giving_to="ben")
    paper.act(roster.withdraw, "eve", "Away.")
    paper.death_match("cat", "m1").ends("m1", 1)
    from matches.seasons.domain import results

    paper.act(results.approve, "m1")
    return paper


def test_late_player_starts_with_granted_garnets_and_moves_places_down() -> None:
    paper = running()
    before = {it.id: it.place for it in paper.season.players.values()}
    assert (before["eve"], before["dan"]) == (5, 4)
    events = paper.act(intake.enrol_late, "fay", 3, "A guest star.")
    assert kinds(events) == ["PlayerJoinedLate", "GarnetsMoved"]
    season = paper.season
    assert (season.players["fay"].garnets, season.players["fay"].since) == (3, 2)
    assert (season.players["eve"].place, season.players["dan"].place) == (6, 5)
    assert paper.refusal(intake.enrol_late, "fay", 3, "Twice.") == "already_enrolled"
    assert sum(it.garnets for it in season.players.values()) == season.issued


def test_late_player_is_refused_before_the_season_and_in_a_decided_episode() -> None:
    assert linked().refusal(intake.enrol_late, "fay", 1, "Early.") == "not_begun"
    assert Paper("ann", "ben", "cat", "dan").main_match("ann", "dan").refusal(
        intake.enrol_late, "fay", 1, "Now."
    ) == "already_recorded"  # fmt: skip


def test_reinstated_player_returns_and_later_leavers_move_down_a_place() -> None:
    paper = running()
    events = paper.act(intake.reinstate, "eve", 1, "The journey was called off.")
    assert kinds(events) == ["PlayerReturned", "GarnetsMoved"]
    eve, dan = paper.season.players["eve"], paper.season.players["dan"]
    assert (eve.status, eve.place, eve.left, eve.garnets, dan.place) == ("living", None, None, 1, 5)
    assert paper.season.episodes[0].eliminated == "dan", "the episode keeps whom it sent home"
    assert paper.refusal(intake.reinstate, "dan", 0, "Why not.") == "not_withdrawn"
    assert paper.refusal(intake.reinstate, "gus", 0, "Who?") == "not_enrolled"
    assert paper.rebuilt(len(paper.log)) == paper.season


def test_options_change_until_something_rests_on_them() -> None:
    paper = Paper("ann", "ben", "cat", "dan")
    events = paper.act(change_options, {"reward": 5, "transfers": True}, "A sponsor.")
    assert events == [OptionsChanged(changes={"reward": 5}, reason="A sponsor.")]
    assert paper.season.options.reward == 5
    for changes, code in (
        ({"reward": 5}, "nothing_to_change"),
        ({"rewards": 5}, "bad_options"),
        ({"reward": -1}, "bad_options"),
        ({"best_of": 2}, "bad_options"),
        ({"pool": ["chess"]}, "bad_options"),
        ({"most_players": 3}, "bad_options"),
        ({"starting_garnets": 9}, "option_stands"),
        ({"public": False}, "option_stands"),
    ):
        assert paper.refusal(change_options, changes, "Why.") == code, changes
    assert paper.refusal(change_options, {"reward": 6}, "Why.", by="hal") == "forbidden"
    paper.act(episodes.open_episode, "An episode")
    paper.act(scheduling.schedule_table, match_settings("a table"), ["ann", "ben"])
    paper.act(change_options, {"reward": 7}, "A table of the main match is no duel.")
    paper.act(episodes.close_episode, "A power cut.")
    paper.main_match("ann", "dan")
    assert paper.refusal(change_options, {"pool": ["pentagram"], "best_of": 1}, "Why.") == "option_stands"
    paper.act(change_options, {"spectator_delay": 60}, "Streams.")
    assert paper.season.options.spectator_delay == 60
