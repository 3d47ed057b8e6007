"""A contest's result is corrected episodes later: the season continues as if it had been right from the beginning."""

from random import Random

import pytest
from msgspec.structs import replace

from games.kernel import Illegal
from matches.seasons.domain import episodes, results, scheduling
from matches.seasons.domain.events import GarnetsShort
from matches.seasons.domain.result_rules import ResultRules, Score
from tests.seasons.staged import Paper
from tests.seasons.test_contests import contest
from tests.seasons.test_corrections import PLAYERS, Plan, _chosen, _ended, corrected, decided, planned, snapshot

RULES = ResultRules(by_place=(2, 1))
EPISODES = 5
CONTEST = 2
"""The episode whose main match is a contest."""

Points = dict[str, int]


def points_of(plan: Plan, living: list[str], rng: Random) -> Points:
    """Points by which the plan's winners share the first place, and its EC has the last."""
    others = [it for it in living if it not in (*plan.winners, plan.ec)]
    gained = dict(zip(others, rng.sample(range(1, 10), len(others)), strict=True))
    gained |= dict.fromkeys(plan.winners, 10) | {plan.ec: 0}
    return {it: gained[it] for it in living}


def play_contest(paper: Paper, plan: Plan, points: Points) -> None:
    """The episode with a contest that ends with these points, up to its end."""
    table, players = f"table {CONTEST}", paper.season.living
    paper.act(episodes.open_episode, "An episode")
    paper.act(scheduling.schedule_table, replace(contest("quiet_shore", table), results=RULES), players)
    worth = [points[it] for it in players]
    ranking = [[seat for seat, it in enumerate(worth) if it == value] for value in sorted(set(worth), reverse=True)]
    paper.happen(results.report(paper.season, table, ranking[0], ranking, [Score(it) for it in worth]))
    paper.act(results.approve, table)
    for steps in (_chosen(paper, plan), _ended(paper, plan, CONTEST)):
        for _ in steps:
            pass


def err(paper: Paper, plans: list[Plan], rng: Random) -> None:
    """All episodes of the plans. Another player has the most points in the contest, until an organiser corrects that in
    the last episode."""
    for number, plan in enumerate(plans, start=1):
        if number == CONTEST:
            living, points = paper.season.living, points_of(plan, paper.season.living, rng)
            others = [it for it in living if it not in (*plan.winners, plan.ec, plan.dmo)]
            wrong = rng.choice(others)
            token = rng.choice([it for it in (*plan.winners, *others) if it != wrong])
            fault = plan._replace(winners=[wrong], token=token)
            play_contest(paper, fault, points | {wrong: 11})
            right = as_result(plan, points)
            continue
        for step, _ in enumerate(decided(paper, plan)):
            if number == EPISODES and step == 0:
                corrected(paper, CONTEST, right, fault)


def as_result(plan: Plan, points: Points) -> Plan:
    """The plan with the result that follows from these points by the rules."""
    second = max((it for it in points if it not in plan.winners), key=points.__getitem__)
    paid = dict.fromkeys(plan.winners, 2) | ({second: 1} if len(plan.winners) == 1 else {})
    winners = [it for it in points if it in plan.winners]
    return plan._replace(winners=winners, candidates=[plan.ec], rewards=paid)


def compared(seed: int) -> bool:
    """True if the season of this seed could be compared with that without the fault."""
    rng = Random(seed)
    options = {"bans_each": 1, "starting_garnets": 3, "loser_garnets": rng.choice(["confiscate", "winner"])}
    clean, plans = Paper(*PLAYERS, **options), []
    try:
        for number in range(1, EPISODES + 1):
            plans.append(planned(clean.season, rng, True))
            if number == CONTEST:
                play_contest(clean, plans[-1], points_of(plans[-1], clean.season.living, Random(seed)))
            else:
                for _ in decided(clean, plans[-1]):
                    pass
        faulty = Paper(*PLAYERS, **options)
        err(faulty, plans, Random(seed))
    except (Illegal, IndexError):
        return False
    if any(isinstance(it, GarnetsShort) for it in faulty.log):
        return False
    assert snapshot(faulty.season) == snapshot(clean.season), seed
    assert faulty.rebuilt(len(faulty.log)) == faulty.season
    return True


def test_contest_of_episode_2_corrected_in_episode_5_equals_never_having_erred() -> None:
    assert sum(compared(seed) for seed in range(150)) >= 10


@pytest.mark.slow
def test_contests_corrected_later_equal_never_having_erred_in_thousands_of_seasons() -> None:
    assert sum(compared(seed) for seed in range(1_000, 6_000)) >= 300
