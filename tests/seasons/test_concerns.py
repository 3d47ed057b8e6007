"""The people whom an event of a season concerns, on paper."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from games.kernel import Event
from matches.seasons.domain import appointments, corrections, deadlines, episodes, results, roster
from matches.seasons.domain.claim_acts import AnswerClaim, MakeClaim
from matches.seasons.domain.concerns import ActEvent, concerns, undated
from matches.seasons.domain.evolution import evolve
from tests.seasons.staged import Paper

NAMES = ("ann", "bea", "cy", "dot", "eve")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def concerns_by_account(season: Paper, happens: Callable[[], Sequence[Event]]) -> dict[str, set[str]]:
    """Return the kinds of an act's concerns by account."""
    before = season.season
    events = happens()
    steps, now = [], before
    for event in events:
        steps.append(ActEvent(now, event))
        now = evolve(now, event)
    concerns_of: dict[str, set[str]] = {}
    for it in concerns(steps):
        for account in it.accounts:
            concerns_of.setdefault(account, set()).add(it.concern)
    waits = undated(steps, now)
    for account in waits.players if waits else ():
        concerns_of.setdefault(account, set()).add("decision_awaited")
    return concerns_of


def act(season: Paper, decide: Callable[..., Sequence[Event]], *details: Any, by: str = "ona") -> dict[str, set[str]]:
    return concerns_by_account(season, partial(season.act, decide, *details, by=by))


AWAITED, MADE, CORRECTED = {"decision_awaited"}, {"decision_made"}, {"correction"}


def test_steps_to_a_death_match_concern_the_decider_and_the_affected_player() -> None:
    season = Paper(*NAMES)
    season.act(episodes.open_episode, "First")
    recorded = act(season, episodes.record_main_match, "Dice", ["ann"], ["dot", "eve"])
    assert recorded == {"ann": AWAITED | MADE}
    assert act(season, episodes.give_token, "bea", by="ann") == {"ann": AWAITED | MADE, "bea": MADE}
    assert act(season, episodes.name_candidate, "eve", by="ann") == {"ann": MADE, "eve": AWAITED | MADE}
    assert act(season, episodes.name_opponent, "cy", by="eve")["cy"] >= MADE


def test_undated_decision_concerns_its_decider_once() -> None:
    season = Paper(*NAMES)
    season.act(episodes.open_episode, "First")
    assert act(season, episodes.record_main_match, "Dice", ["ann"], ["dot", "eve"])["ann"] >= AWAITED
    assert act(season, roster.rule, "Be kind.") == {}


def test_deadlines_and_reminders_concern_the_decider() -> None:
    season = Paper(*NAMES, token_minutes=60, decision_default="longest", remind_percent=50, remind_minutes=0)
    season.act(episodes.open_episode, "First")
    season.act(episodes.record_main_match, "Dice", ["ann"], ["dot", "eve"])
    assert concerns_by_account(season, lambda: season.happen(deadlines.armed(season.season, NOON))) == {"ann": AWAITED}
    assert concerns_by_account(season, lambda: season.happen(deadlines.remind(season.season, "first"))) == {
        "ann": AWAITED
    }
    later = (NOON + timedelta(hours=3)).isoformat()
    assert act(season, deadlines.extend, later, "Ill.") == {"ann": AWAITED}
    assert concerns_by_account(season, lambda: season.happen(deadlines.lapse(season.season, None))) == {
        "ann": MADE | AWAITED, "bea": MADE,
    }  # fmt: skip


def test_lapsed_decision_concerns_the_organisers() -> None:
    season = Paper(*NAMES, token_minutes=60, decision_default="organiser")
    season.act(episodes.open_episode, "First")
    season.act(episodes.record_main_match, "Dice", ["ann"], ["dot", "eve"])
    season.happen(deadlines.armed(season.season, NOON))
    assert concerns_by_account(season, lambda: season.happen(deadlines.lapse(season.season, None))) == {
        "ann": AWAITED,
        "ona": AWAITED,
    }


def duelled() -> Paper:
    season = Paper(*NAMES).main_match("ann", "eve", giving_to="bea").death_match("cy", "m1")
    season.ends("m1", 0)
    return season


def test_approved_result_concerns_nobody_and_a_corrected_one_both_players() -> None:
    season = duelled()
    assert act(season, results.approve, "m1") == {}
    beaten = season.season.matches["m1"].loser
    assert act(season, results.correct, "m1", beaten, "Read.") == {"cy": CORRECTED, "eve": CORRECTED}


def test_a_main_match_corrected_touches_false_and_true_winners_alone() -> None:
    season = Paper(*NAMES)
    season.act(episodes.open_episode, "First")
    season.act(episodes.record_main_match, "Dice", ["ann", "bea"], ["eve"])
    concerns_of = act(season, corrections.correct_main_match, 1, "Counted again.", ["ann", "cy"])
    assert {it for it, why in concerns_of.items() if "correction" in why} == {"bea", "cy"}


def test_corrected_opponent_concerns_the_false_and_the_true_one() -> None:
    season = Paper(*NAMES).main_match("ann", "eve", giving_to="bea")
    season.act(episodes.name_opponent, "cy", by="eve")
    found = act(season, corrections.correct_opponent, 1, "dot", "Read.")
    assert {it for it, why in found.items() if "correction" in why} == {"cy", "dot"}


def test_times_concern_the_players_of_the_match() -> None:
    season = Paper(*NAMES).main_match("ann", "eve", giving_to="bea").death_match("cy", "m1")
    both = {"eve": {"appointment"}, "cy": {"appointment"}}
    assert act(season, appointments.propose_times, "m1", ["2026-12-01T18:00:00Z"], by="eve") == both
    assert act(season, appointments.accept_time, "m1", "2026-12-01T18:00:00Z", by="cy") == both
    assert act(season, appointments.set_time, "m1", "2026-12-02T18:00:00Z", "The hall is free.") == both


def test_claim_concerns_officials_and_its_answer_the_author_and_the_match() -> None:
    season = duelled()
    assert act(season, MakeClaim("wrong_result", "No.", "m1").decide, by="cy") == {"ona": {"claim"}, "hal": {"claim"}}
    assert act(season, AnswerClaim(1, "rejected", "Read.").decide) == {"cy": {"claim"}, "eve": {"claim"}}
    season.act(MakeClaim("conduct", "He shouted.").decide, by="dot")
    assert act(season, AnswerClaim(2, "upheld", "Heard.").decide) == {"dot": {"claim"}}
