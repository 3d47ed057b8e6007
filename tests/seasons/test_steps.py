"""Pending steps of a season: each kind with its players or officials, its deadline and its acts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.kernel import Event
from matches.domain.clocks import instant
from matches.seasons.domain import (
    appointments,
    attendance,
    changes,
    corrections,
    deadlines,
    episodes,
    intake,
    results,
    roster,
    scheduling,
)
from matches.seasons.domain.acts import ACTS, offer
from matches.seasons.domain.claim_acts import MakeClaim
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.episode_acts import DECISIONS
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.domain.evolution import evolve, opening
from matches.seasons.domain.steps import ASIDE, COURSE, PendingStep, pending_decision, pending_steps
from matches.seasons.reads.headline import headline
from tests.seasons.staged import HOST, ORGANISER, Paper, match_settings
from tests.seasons.test_laws import ACTS as ACTS_OF_A_LIFE
from tests.seasons.test_laws import FOUR, TIMES, live

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FIVE = ("ann", "bob", "cat", "dan", "eve")
OFFICIALS = {"ona": "organiser", "hal": "host"}
OF_THE_COURSE = (*DECISIONS, "open-episode", "main-match", "death-match", "final", "final-match", "approve")
"""The acts that lead from one step of the course to the next one, and are refused at any other step."""


class Timed(Paper):
    """A season whose deadlines begin with what leads to them, at `now`."""

    def __init__(self, *players: str, **options: object) -> None:
        self.now = NOON
        super().__init__(*players, **options)

    def happen(self, events: Sequence[Event]) -> list[Event]:
        happened = super().happen(events)
        return happened + super().happen(deadlines.armed(self.season, self.now))


def kinds(paper: Paper) -> list[str]:
    return [it.kind for it in pending_steps(paper.season)]


def step(paper: Paper, kind: str) -> PendingStep:
    """The only pending step of a kind, whose acts are accepted."""
    (pending,) = [it for it in pending_steps(paper.season) if it.kind == kind]
    assert_acts_are_accepted(paper, pending)
    return pending


def callers(paper: Paper, it: PendingStep) -> list[Caller]:
    """Everybody for whom a step waits."""
    officials = [account for account, role in OFFICIALS.items() if role in it.roles]
    return [Caller(account, OFFICIALS[account]) for account in officials] + [Caller(who) for who in it.awaited_of]  # type: ignore[arg-type]


def assert_acts_are_accepted(paper: Paper, it: PendingStep) -> None:
    for by in callers(paper, it):
        for act in it.acts:
            offered = offer(paper.season, by, act)
            assert offered.is_available, (it, by, offered.refusal)


def in_an_episode(*players: str, **options: object) -> Timed:
    paper = Timed(*(players or FIVE), **options)
    paper.act(episodes.open_episode, "First")
    return paper


def test_season_waits_for_players_before_its_first_episode() -> None:
    paper = Timed("ann", "bob")
    assert kinds(paper) == ["enrolment"]
    assert step(paper, "enrolment").roles == ("organiser",)
    paper.act(roster.enrol, "cat")
    assert kinds(paper) == ["episode"]
    assert step(paper, "episode").acts == ("open-episode",)


def test_main_match_waits_for_its_tables_then_for_its_record() -> None:
    paper = in_an_episode()
    assert kinds(paper) == ["main_match"]
    assert step(paper, "main_match").acts == ("main-match", "enter-results")
    paper.act(scheduling.schedule_table, match_settings("t1", opens_at=instant(NOON)), ["ann", "bob"])
    paper.act(scheduling.schedule_table, match_settings("t2", opens_at=instant(NOON)), ["cat", "dan"])
    assert kinds(paper) == ["table", "table"]
    paper.ends("t1", 0)
    assert kinds(paper) == ["table", "ranking"]
    assert step(paper, "table").awaited_of == ["cat", "dan"]
    assert step(paper, "ranking").acts == (), "It can't be recorded while a table plays."
    paper.ends("t2", 0)
    assert kinds(paper) == ["main_match", "ranking", "ranking"]
    paper.act(episodes.record_main_match, "Dice")
    assert kinds(paper) == ["candidate"]


def test_table_of_a_closed_episode_has_no_result_to_record() -> None:
    paper = in_an_episode()
    paper.act(scheduling.schedule_table, match_settings("t1"), ["ann", "bob"])
    paper.ends("t1", 0)
    paper.act(episodes.close_episode, "Enough.")
    assert kinds(paper) == ["episode"]


def test_episode_waits_for_each_decision_from_its_decider() -> None:
    paper = in_an_episode(bans_each=1)
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["dan", "eve"])
    assert kinds(paper) == ["token"]
    assert step(paper, "token").awaited_of == ["ann"]
    paper.act(episodes.give_token, "bob", by="ann")
    assert kinds(paper) == ["candidate"]
    assert step(paper, "candidate").awaited_of == ["ann"]
    paper.act(episodes.name_candidate, "eve", by="ann")
    assert step(paper, "opponent").awaited_of == ["eve"]
    paper.act(episodes.name_opponent, "cat", by="eve")
    assert kinds(paper) == ["ban", "death_match"]
    assert step(paper, "ban").awaited_of == ["eve", "cat"]
    paper.act(episodes.ban, "pentagram", by="eve")
    assert (step(paper, "ban").players, step(paper, "ban").awaited_of) == (("eve", "cat"), ["cat"])
    paper.act(episodes.ban, "pyramid_poker", by="cat")
    assert kinds(paper) == ["death_match"]
    assert step(paper, "death_match").roles == ("organiser", "host")


def test_candidate_is_named_by_an_organiser_once_every_winner_has_withdrawn() -> None:
    paper = in_an_episode(*FIVE, "fay")
    paper.act(episodes.record_main_match, "Dice", ["ann", "bob"], ["dan", "eve"])
    paper.act(roster.withdraw, "ann", "Ill.", by="ann")
    assert step(paper, "candidate").awaited_of == ["bob"]
    paper.act(roster.withdraw, "bob", "Ill.", by="bob")
    assert (step(paper, "candidate").awaited_of, step(paper, "candidate").roles) == ([], ("organiser",))
    assert pending_decision(paper.season) is None, "No player can take it."


def test_withdrawn_candidate_is_named_anew() -> None:
    paper = in_an_episode(*FIVE, "fay")
    paper.act(episodes.record_main_match, "Dice", ["ann", "bob"], ["dan", "eve"])
    paper.act(episodes.name_candidate, "eve", by="ann")
    paper.act(roster.withdraw, "eve", "Ill.", by="eve")
    assert step(paper, "candidate").awaited_of == ["ann", "bob"]


def test_withdrawn_opponent_is_chosen_anew() -> None:
    paper = in_an_episode(bans_each=1)
    paper.act(episodes.record_main_match, "Dice", ["ann", "bob"], ["eve"])
    paper.act(episodes.name_opponent, "dan", by="eve")
    paper.act(roster.withdraw, "dan", "Ill.", by="dan")
    assert step(paper, "opponent").awaited_of == ["eve"]
    paper.act(roster.withdraw, "cat", "Ill.", by="cat")
    assert step(paper, "close").instead_of == "opponent", "Nobody is left to choose."


def test_episode_without_enough_players_is_to_be_closed() -> None:
    paper = in_an_episode("ann", "bob", "cat")
    paper.act(roster.withdraw, "cat", "Ill.", by="cat")
    assert kinds(paper) == ["close"]
    assert step(paper, "close").instead_of == "main_match"
    paper.act(episodes.close_episode, "Two are left.")
    assert kinds(paper) == ["final"]


def test_reopened_episode_whose_games_are_gone_is_to_be_closed() -> None:
    paper = Timed(*FIVE, bans_each=1, best_of=1).main_match("ann", "eve", "bob")
    paper.act(episodes.name_opponent, "cat", by="eve")
    paper.act(episodes.ban, "pentagram", by="eve")
    paper.act(scheduling.schedule_death_match, match_settings("m"))
    paper.ends("m", 0)
    paper.act(results.approve, "m")
    paper.act(changes.change_options, {"pool": ["pentagram"], "bans_each": 0}, "A short evening.")
    paper.act(results.annul, "m", "A power cut.")
    assert kinds(paper) == ["close"]
    assert step(paper, "close").instead_of == "death_match"


def test_death_match_waits_for_its_end_and_its_approval() -> None:
    paper = in_an_episode()
    paper.act(episodes.record_main_match, "Dice", ["ann", "bob"], ["eve"])
    paper.act(episodes.name_opponent, "cat", by="eve")
    paper.act(scheduling.schedule_death_match, match_settings("m"))
    assert kinds(paper) == ["duel", "time"]
    assert (step(paper, "duel").match, step(paper, "duel").awaited_of) == ("m", ["eve", "cat"])
    assert step(paper, "time").roles == ("organiser", "host")
    paper.act(appointments.set_time, "m", instant(NOON + HOUR), "The hall.")
    assert kinds(paper) == ["duel"]
    paper.ends("m", 0)
    assert kinds(paper) == ["result"]
    assert step(paper, "result").acts == ("approve",)
    paper.act(results.approve, "m")
    assert kinds(paper) == ["episode"]


@pytest.mark.parametrize("is_counted", [False, True])
def test_voided_death_match_is_to_be_set_again(is_counted: bool) -> None:
    paper = Timed(*FIVE).main_match("ann", "eve", "bob").death_match("cat", "m")
    paper.ends("m", 0)
    if is_counted:
        paper.act(results.approve, "m")
    paper.act(results.annul, "m", "A power cut.")
    assert kinds(paper) == ["death_match"]


def test_reversed_result_of_the_latest_episode_leads_to_the_next_one() -> None:
    paper = Timed(*FIVE).main_match("ann", "eve", "bob").death_match("cat", "m")
    paper.ends("m", 0)
    paper.act(results.approve, "m")
    paper.act(results.correct, "m", "cat", "Misread.")
    assert kinds(paper) == ["episode"]


def test_reopened_match_is_to_be_played_and_needs_no_time() -> None:
    paper = Timed(*FIVE).main_match("ann", "eve", "bob").death_match("cat", "m")
    paper.ends("m", 0)
    paper.act(results.reopen, "m", 1, "Misread.")
    assert kinds(paper) == ["duel"]


def test_corrected_main_match_asks_for_the_candidate_again() -> None:
    paper = Timed(*FIVE).main_match("ann", "eve", "bob")
    assert kinds(paper) == ["opponent"]
    paper.act(corrections.correct_main_match, 1, "Misread.", ["ann", "bob"], ["cat", "dan"])
    assert kinds(paper) == ["candidate"]
    assert step(paper, "candidate").awaited_of == ["ann", "bob"]


def test_final_waits_for_its_matches_until_there_is_a_champion() -> None:
    paper = in_an_episode("ann", "bob", "cat")
    paper.act(roster.withdraw, "cat", "Ill.", by="cat")
    paper.act(episodes.close_episode, "Two are left.")
    assert step(paper, "final").acts == ("final",)
    paper.act(scheduling.open_final)
    for number, game in enumerate(("pyramid_poker", "pentagram")):
        assert kinds(paper) == ["final_match"]
        assert step(paper, "final_match").roles == ("organiser", "host")
        paper.act(scheduling.schedule_final_match, match_settings(f"f{number}", game, opens_at=instant(NOON)))
        assert kinds(paper) == ["duel"]
        paper.ends(f"f{number}", 0)
        assert kinds(paper) == ["result"]
        paper.act(results.approve, f"f{number}")
    assert kinds(paper) == [] and paper.season.champion == "ann"
    paper.act(results.correct, "f1", "bob", "Misread.")
    assert kinds(paper) == ["final_match"], "The final goes on."


def test_decision_with_a_deadline_names_its_time_and_default() -> None:
    paper = Timed(*FIVE, token_minutes=60, decision_default="longest").main_match("ann", "eve")
    token = step(paper, "token")
    assert (token.until, token.default, token.is_late) == (NOON + HOUR, "longest", False)


def test_lapsed_decision_falls_to_an_organiser() -> None:
    paper = Timed(*FIVE, token_minutes=60).main_match("ann", "eve")
    paper.happen(deadlines.lapse(paper.season, None))
    token = step(paper, "token")
    assert (token.players, token.awaited_of, token.roles, token.is_late) == (("ann",), [], ("organiser",), True)
    assert not offer(paper.season, Caller("ann"), "token").is_available
    paper.act(deadlines.extend, instant(NOON + 2 * HOUR), "Was ill.")
    assert step(paper, "token").awaited_of == ["ann"]


def test_lapsed_bans_leave_the_death_match_to_be_set() -> None:
    paper = Timed(*FIVE, ban_minutes=60, bans_each=1).main_match("ann", "eve", "bob")
    paper.act(episodes.name_opponent, "cat", by="eve")
    assert (step(paper, "ban").until, step(paper, "ban").default) == (NOON + HOUR, "none")
    paper.happen(deadlines.lapse(paper.season, None))
    assert kinds(paper) == ["death_match"]
    assert deadlines.awaited(paper.season) is not None, "Games can't be struck any more."


def test_match_with_a_check_in_waits_for_each_player_then_for_a_ruling() -> None:
    paper = Timed(*FIVE, check_in_minutes=30).main_match("ann", "eve", "bob")
    paper.act(episodes.name_opponent, "cat", by="eve")
    paper.act(scheduling.schedule_death_match, match_settings("m", opens_at=instant(NOON + HOUR)))
    check_in = step(paper, "check_in")
    assert (check_in.since, check_in.until) == (NOON + HOUR / 2, NOON + HOUR)
    assert (check_in.awaited_of, check_in.default) == (["eve", "cat"], "organiser")
    paper.act(attendance.check_in, "m", "cat", by="cat")
    assert step(paper, "check_in").awaited_of == ["eve"]
    paper.goes_on(NOON + HOUR)
    assert kinds(paper) == ["duel", "check_in", "absence"]
    assert step(paper, "absence").acts == ("absence",)
    paper.act(attendance.check_in, "m", "eve", by="eve")
    assert kinds(paper) == ["duel"], "Who comes late is there."


@pytest.mark.parametrize("option", ["organiser", "loss", "stand_in"])
def test_organisers_are_notified_of_a_match_without_players(option: str) -> None:
    paper = Timed(*FIVE, check_in_minutes=30, absence=option).main_match("ann", "eve", "bob")
    paper.act(episodes.name_opponent, "cat", by="eve")
    paper.act(scheduling.schedule_death_match, match_settings("m", opens_at=instant(NOON + HOUR)))
    paper.goes_on(NOON + HOUR)
    assert step(paper, "absence").notice


def test_applications_and_claims_wait_for_officials() -> None:
    paper = Timed("ann")
    paper.act(intake.open_joining, True)
    paper.act(intake.apply, 1, by="bob")
    paper.act(MakeClaim("conduct", "He shouted.").decide, by="ann")
    assert kinds(paper) == ["enrolment", "application", "claim"]
    assert (step(paper, "application").roles, step(paper, "application").acts) == (("organiser",), ("admit", "decline"))
    assert step(paper, "claim").roles == ("organiser", "host")


def test_application_can_only_be_declined_once_the_season_is_full() -> None:
    paper = Timed("ann", "bob", "cat", most_players=4)
    paper.act(intake.open_joining, True)
    paper.act(intake.apply, 1, by="dan")
    paper.act(roster.enrol, "eve")
    assert step(paper, "application").acts == ("decline",)


def begun(number: int, approval: bool) -> Paper:
    """A season that enrols, has enough players, or is before its final."""
    options = {"approval": approval, "bans_each": 1, **TIMES}
    paper = Paper(*FOUR[: (2, 4, 3)[number % 3]], **options)
    if len(paper.season.living) == 3:
        paper.act(episodes.open_episode, "First")
        paper.act(episodes.close_episode, "Enough.")
        paper.act(roster.withdraw, FOUR[2], "Ill.")
    return paper


def assert_steps_are_what_can_be_done(paper: Paper) -> set[str]:
    """Check the pending steps against the decider; return their kinds."""
    steps = pending_steps(paper.season)
    if paper.season.champion:
        assert steps == []
        return set()
    assert steps[0].kind in COURSE
    by_act: dict[str, set[str]] = {act: set() for act in OF_THE_COURSE}
    for it in steps:
        assert_acts_are_accepted(paper, it)
        for act in by_act.keys() & set(it.acts):
            by_act[act] |= {by.account for by in callers(paper, it)}
            if act in DECISIONS and act != "ban":
                by_act[act].add(ORGANISER.account)
    for by in (ORGANISER, HOST, *map(Caller, paper.season.players)):
        for act, accounts in by_act.items():
            offered = offer(paper.season, by, act)
            assert offered.is_available == (by.account in accounts), (act, by, [it.kind for it in steps])
    return {it.kind for it in steps}


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32), approval=st.booleans())
def test_pending_steps_are_exactly_what_the_decider_accepts(seed: int, approval: bool) -> None:
    rng, paper = Random(seed), begun(seed, approval)
    for _ in range(ACTS_OF_A_LIFE // 2):
        live(paper, rng)
        if any(role == "organiser" for account, role in paper.season.staff.items() if account == "ona"):
            assert_steps_are_what_can_be_done(paper)


def lives() -> Iterator[Paper]:
    """Seasons after each of their acts, until every kind of step has occurred and every decision has lapsed."""
    missing = {*COURSE, *ASIDE} | {f"late {it}" for it in DECISIONS if it != "ban"}
    for seed in range(200):
        rng, paper = Random(seed), begun(seed, True)
        for _ in range(ACTS_OF_A_LIFE):
            live(paper, rng)
            yield paper
            missing -= {f"{'late ' if it.is_late else ''}{it.kind}" for it in pending_steps(paper.season)}
        if not missing:
            return
    raise AssertionError(f"Not reached: {missing}")


@pytest.mark.parametrize("approval", [True, False])
def test_a_step_of_the_course_is_pending_at_every_version(approval: bool) -> None:
    """A version may lie inside an act, whose other events follow: with one player left, they end the season."""
    for seed in range(60):
        rng, paper = Random(seed), begun(seed, approval)
        for _ in range(ACTS_OF_A_LIFE):
            live(paper, rng)
        season = None
        for version, event in enumerate(paper.log, start=1):
            season = opening(event) if isinstance(event, SeasonOpened) else evolve(season, event)
            is_ending = season.champion or len(season.living) == 1
            assert is_ending or pending_steps(season)[0].kind in COURSE, (seed, version)
            assert headline(season, str)


def test_every_kind_occurs_under_its_name_and_is_settled_by_known_acts() -> None:
    for paper in lives():
        for kind, find in (COURSE | ASIDE).items():
            steps = list(find(paper.season))
            assert {it.kind for it in steps} <= {kind}
            assert {act for it in steps for act in it.acts} <= ACTS.keys()
