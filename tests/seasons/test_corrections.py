"""Corrections of an episode: the season continues as if the error had never been, wherever the rules allow it."""

from collections.abc import Callable, Iterator
from itertools import chain
from random import Random
from typing import Any, NamedTuple

import pytest

from games.kernel import Illegal
from matches.seasons.domain import corrections, episodes, garnets, results, roster, scheduling
from matches.seasons.domain.events import (
    EliminationReversed,
    EpisodeReopened,
    GarnetsMoved,
    GarnetsShort,
    MainMatchCorrected,
    MatchAnnulled,
    PairCorrected,
    TokensCorrected,
)
from matches.seasons.domain.options import POOL
from matches.seasons.domain.state import Player, Season
from tests.seasons.staged import Paper, kinds, match_settings

WHY = "The sheet was misread."
PLAYERS = ("ann", "ben", "cat", "dan", "eve", "fay", "gus", "hew", "ivy")


class Plan(NamedTuple):
    """An episode as it is played: whom each decision names."""

    winners: list[str]
    candidates: list[str]
    rewards: dict[str, int]
    token: str
    ec: str
    dmo: str
    banned: str
    game: str
    loser: int
    gift: tuple[str, str]
    leaver: str


def planned(season: Season, rng: Random, rested: bool) -> Plan:
    """An episode that may be played by the living; if `rested` without those who have met in a death match."""
    fought = {it for match in season.matches.values() for it in match.players}
    fresh = [it for it in season.living if it not in fought]
    living = fresh if len(fresh) > 3 and rested else season.living
    people = rng.sample(living, len(living))
    winners = people[: 1 if rng.random() < 0.8 or len(people) < 5 else 2]
    ec, dmo, *others = people[len(winners) :]
    safe = [*winners, *others]
    banned, game, _ = rng.sample(POOL, 3)
    return Plan(
        winners=winners,
        candidates=[ec, *others[:1]],
        rewards={it: rng.randint(1, 3) for it in rng.sample(people, 2)},
        token=others[0] if others and len(winners) == 1 else "",
        ec=ec,
        dmo=dmo,
        banned=banned,
        game=game,
        loser=rng.randint(0, 1),
        gift=(rng.choice(safe), rng.choice(safe)),
        leaver=rng.choice(safe) if rng.random() < 0.15 else "",
    )


def decided(paper: Paper, plan: Plan) -> Iterator[None]:
    """The episode played as planned; stops before its end is told, and after each gift and substitution."""
    number = len(paper.season.episodes) + 1
    paper.act(episodes.open_episode, "An episode")
    paper.act(episodes.record_main_match, "Dice", plan.winners, plan.candidates, plan.rewards)
    yield from _chosen(paper, plan)
    yield from _ended(paper, plan, number)


def _ended(paper: Paper, plan: Plan, number: int) -> Iterator[None]:
    paper.act(scheduling.schedule_death_match, match_settings(f"m{number}", plan.game))
    paper.ends(f"m{number}", 1 - plan.loser)
    paper.act(results.approve, f"m{number}")
    yield
    if plan.gift[0] != plan.gift[1]:
        paper.act(garnets.move_garnets, *plan.gift, 1, "A gift.")
    if plan.leaver:
        paper.act(roster.substitute, plan.leaver, f"{plan.leaver}2", "Ill.")


def _chosen(paper: Paper, plan: Plan) -> Iterator[None]:
    """Make the decisions that are missing, so that a plan also continues after a correction."""

    def episode() -> Any:
        return paper.season.episodes[-1]

    yield
    if episode().giving:
        paper.act(episodes.give_token, plan.token)
    yield
    if episode().candidate is None:
        paper.act(episodes.name_candidate, plan.ec)
    yield
    if episode().opponent is None:
        paper.act(episodes.name_opponent, plan.dmo)
    yield
    if not episode().bans:
        paper.act(episodes.ban, plan.banned, by=plan.dmo)
    yield


def snapshot(season: Season) -> dict[str, Any]:
    """All that a correction is to leave as if nothing had been wrong; titles, versions and moves aside."""

    def player_fields(player: Player) -> dict[str, Any]:
        return {name: getattr(player, name) for name in Player.__struct_fields__}

    names = ("number", "recorded", "winners", "candidates", "tokens", "giving", "given", "credited", "candidate",
             "opponent", "bans", "eliminated", "closed", "rewards")  # fmt: skip
    return {
        "players": {it.id: player_fields(it) for it in season.players.values()},
        "episodes": [{name: getattr(it, name) for name in names} for it in season.episodes],
        "matches": {it.id: (it.players, it.status, it.winner, it.loser) for it in season.matches.values()},
        "issued": season.issued,
        "living": sorted(season.living),
    }


def faulty(plan: Plan, living: list[str], rng: Random, kind: str) -> Plan:
    """The plan with one fault of a kind."""
    others = [it for it in living if it not in (*plan.winners, plan.ec, plan.dmo)]
    if kind == "main" and others:
        wrong = rng.choice(others)
        losers = [it for it in plan.candidates if it != wrong]
        rest = [it for it in (*plan.winners, *others) if it != wrong]
        paid = {it: rng.randint(1, 3) for it in rng.sample(living, 2)}
        return plan._replace(winners=[wrong], candidates=losers, token=rng.choice(rest), rewards=paid)
    if kind == "rewards":
        return plan._replace(rewards={rng.choice(living): rng.randint(1, 3)})
    if kind == "token" and plan.token and len(others) > 1:
        return plan._replace(token=rng.choice([it for it in others if it != plan.token]))
    if kind == "pair" and len(plan.candidates) > 1 and plan.candidates[1] != plan.token:
        return plan._replace(ec=plan.candidates[1])
    if kind == "ban":
        return plan._replace(banned=rng.choice([it for it in POOL if it not in (plan.banned, plan.game)]))
    return plan._replace(loser=1 - plan.loser) if kind == "duel" else plan


def corrected(paper: Paper, number: int, plan: Plan, fault: Plan) -> None:
    """The organiser puts right what was wrong in an episode, as far as it has been decided."""
    if (fault.winners, fault.candidates, fault.rewards) != (plan.winners, plan.candidates, plan.rewards):
        right = (plan.winners, plan.candidates, plan.rewards)
        paper.act(corrections.correct_main_match, number, WHY, *right)
    episode = paper.season.episodes[number - 1]
    if plan.token and not episode.tokens.get(plan.token) and not episode.giving:
        paper.act(corrections.correct_token, number, plan.token, WHY)
    if fault.ec != plan.ec and episode.candidate == fault.ec:
        paper.act(corrections.correct_candidate, number, plan.ec, WHY)
    if episode.bans and fault.banned != plan.banned:
        paper.act(corrections.correct_ban, number, plan.dmo, fault.banned, plan.banned, WHY)
    if paper.season.matches.get(f"m{number}") and fault.loser != plan.loser:
        paper.act(results.correct, f"m{number}", (plan.ec, plan.dmo)[1 - plan.loser], WHY)


def erred(plans: list[Plan], rng: Random, kind: str, at: int, pause: int, options: dict[str, Any]) -> Paper | None:
    """The season of these plans with a fault in one episode, put right within it or during a later one; None where
    the faulty season can't be played on as planned, or the fault isn't one."""
    paper = Paper(*PLAYERS, **options)
    fault, since = plans[at], at + pause // 6
    for number, plan in enumerate(plans):
        played = plan
        if number == at:
            fault = played = faulty(plan, paper.season.living, rng, kind)
            if fault == plan:
                return None
        try:
            for step, _ in enumerate(decided(paper, played)):
                if number == since and step == pause % 6:
                    corrected(paper, at + 1, plans[at], fault)
                    if number == at and not paper.season.episodes[-1].closed:
                        return _played_on(paper, plans, number)
        except Illegal:
            return None
    return paper if since < len(plans) else None


def _played_on(paper: Paper, plans: list[Plan], number: int) -> Paper:
    """The rest of an episode that was put right while it was open, and of the season."""
    for _ in chain(_chosen(paper, plans[number]), _ended(paper, plans[number], number + 1)):
        pass
    for later in plans[number + 1 :]:
        for _ in decided(paper, later):
            pass
    return paper


def compared(seed: int) -> str:
    """The kind of fault of this random season, and whether it was put right later; empty where none could be."""
    rng = Random(seed)
    heir, rested = rng.choice(["confiscate", "winner"]), rng.random() < 0.5
    options = {"bans_each": 1, "loser_garnets": heir, "starting_garnets": 3}
    clean, plans = Paper(*PLAYERS, **options), []
    try:
        for _ in range(rng.randint(1, 4)):
            plans.append(planned(clean.season, rng, rested))
            for _ in decided(clean, plans[-1]):
                pass
    except Illegal:
        return ""
    kind, at = ("main", "rewards", "token", "ban", "duel", "pair")[seed % 6], rng.randrange(len(plans))
    # Of an episode that is over the wrong pair's death match falls, and the right one is never played there.
    pause = rng.randrange(5 if kind == "pair" else 6 * (len(plans) - at))
    paper = erred(plans, rng, kind, at, pause, options)
    if paper is None or any(isinstance(it, GarnetsShort) for it in paper.log):
        return ""
    assert snapshot(paper.season) == snapshot(clean.season), (seed, kind, at, pause)
    assert paper.rebuilt(len(paper.log)) == paper.season
    return f"{kind} {'later' if pause >= 6 else 'at once'}"


def test_a_correction_equals_never_having_erred() -> None:
    comparisons = [it for seed in range(600) if (it := compared(seed))]
    assert comparisons.count("pair at once") >= 5
    for kind in ("main", "rewards", "token", "ban", "duel"):
        assert comparisons.count(f"{kind} at once") >= 5, kind
        assert comparisons.count(f"{kind} later") >= 5 or kind == "duel", kind
    assert comparisons.count("duel later") >= 1


@pytest.mark.slow
def test_a_correction_equals_never_having_erred_in_thousands_of_seasons() -> None:
    assert sum(bool(compared(seed)) for seed in range(1_000, 8_000)) >= 2_000


def over(**options: Any) -> Paper:
    """Ann has won episode 1 and given cat a token; ben as EC has lost to dan; the second episode is open."""
    paper = Paper(*PLAYERS[:6], **options)
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben", "eve"], {"ann": 3})
    paper.act(episodes.give_token, "cat")
    paper.act(episodes.name_candidate, "ben")
    paper.death_match("dan", "m1").ends("m1", 1)
    paper.act(results.approve, "m1")
    return paper


def test_corrected_winner_returns_and_the_later_elimination_is_reversed() -> None:
    paper = over()
    paper.act(episodes.open_episode, "Second")
    events = paper.act(corrections.correct_main_match, 1, WHY, ["ben"], ["eve"])
    assert events == [
        MainMatchCorrected(1, ("ben",), ("eve",), {"ben": 3}, WHY),
        GarnetsMoved("ann", None, 3, "reversal", WHY),
        GarnetsMoved(None, "ben", 3, "reversal", WHY),
        GarnetsMoved("ben", None, 3, "confiscation", "Elimination.", "m1"),
        TokensCorrected(1, {"ben": 2}, None, None, WHY),
        PairCorrected(1, None, None, (), WHY),
        EliminationReversed("ben", 1, WHY),
        GarnetsMoved("dan", None, 2, "reversal", WHY, "m1"),
        GarnetsMoved(None, "ben", 4, "reversal", WHY, "m1"),
        MatchAnnulled("m1", WHY),
    ]
    ann, ben, dan = (paper.season.players[it] for it in ("ann", "ben", "dan"))
    assert [(it.garnets, it.main_wins, it.duels_won + it.duels_lost) for it in (ann, ben, dan)] == [
        (1, 0, 0), (4, 1, 0), (1, 0, 0),
    ]  # fmt: skip
    assert (ben.living, ben.place, ben.left) == (True, None, None)


def test_latest_episode_is_reopened_if_the_wrong_pair_has_met() -> None:
    paper = over()
    events = paper.act(corrections.correct_opponent, 1, "fay", WHY)
    assert kinds(events)[0] == "PairCorrected" and events[-1] == EpisodeReopened(1, WHY)
    episode = paper.season.episode
    assert episode is not None and (episode.candidate, episode.opponent, episode.eliminated) == ("ben", "fay", None)
    paper.act(scheduling.schedule_death_match, match_settings("m2"))
    paper.ends("m2", 0)
    paper.act(results.approve, "m2")
    assert paper.season.players["fay"].place == 6 and paper.season.players["dan"].garnets == 1


def test_another_ec_chooses_the_dmo_anew_and_a_match_under_way_is_annulled() -> None:
    paper = over()
    paper.main_match("fay", "eve", giving_to="ann").death_match("dan", "m2")
    assert paper.refusal(corrections.correct_candidate, 2, "cat", WHY) == "not_a_candidate"
    paper.act(corrections.correct_main_match, 2, WHY, None, ["eve", "cat"])
    assert paper.act(corrections.correct_candidate, 2, "cat", WHY) == [
        PairCorrected(2, "cat", None, (), WHY), MatchAnnulled("m2", WHY),
    ]  # fmt: skip
    paper.act(episodes.name_opponent, "eve", by="cat")


def test_places_move_down_when_an_earlier_elimination_is_annulled() -> None:
    paper = over()
    paper.main_match("ann", "eve", giving_to="cat").death_match("fay", "m2").ends("m2", 1)
    paper.act(results.approve, "m2")
    assert {it.id: it.place for it in paper.season.players.values() if it.place} == {"ben": 6, "eve": 5}
    paper.act(results.annul, "m1", WHY)
    assert {it.id: it.place for it in paper.season.players.values() if it.place} == {"eve": 6}
    assert not any(isinstance(it, EpisodeReopened) for it in paper.log), "Only the latest episode goes on."


def test_spent_garnets_are_recorded_as_short_on_a_correction() -> None:
    paper = over()
    paper.act(garnets.move_garnets, "ann", "cat", 3, "A debt.", by="ann")
    events = paper.act(corrections.correct_main_match, 1, WHY, ["fay"])
    assert [it for it in events if isinstance(it, GarnetsMoved | GarnetsShort)] == [
        GarnetsMoved("ann", None, 1, "reversal", WHY),
        GarnetsShort("ann", 2, WHY),
        GarnetsMoved(None, "fay", 3, "reversal", WHY),
    ]
    assert sum(it.garnets for it in paper.season.players.values()) == paper.season.issued


def test_false_garnets_are_taken_back_from_the_one_who_won_them() -> None:
    paper = Paper("ann", "ben", "cat", "dan", loser_garnets="winner", reward=0)
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"], {"ben": 5})
    paper.act(episodes.give_token, "cat")
    paper.death_match("dan", "m1").ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(corrections.correct_main_match, 1, WHY, None, None, {"cat": 5})
    assert [it.garnets for it in paper.season.players.values()] == [1, 0, 6, 2]


def test_result_is_corrected_only_after_later_results_built_on_it() -> None:
    paper = over()
    paper.main_match("dan", "eve", giving_to="cat").death_match("fay", "m2").ends("m2", 1)
    assert paper.refusal(results.correct, "m1", "ben", WHY) == "too_late", "Dan has won since."
    paper.act(corrections.correct_main_match, 2, WHY, ["ann"], ["eve"])
    paper.act(results.correct, "m1", "ben", WHY)
    assert not paper.season.players["dan"].living and paper.season.players["ben"].living


def test_correction_after_the_final_opened_changes_wins_and_garnets_only() -> None:
    paper = Paper("ann", "ben", "cat").main_match("ann", "ben").death_match("cat", "m1")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(scheduling.open_final)
    refused = [
        (results.annul, "m1", WHY),
        (corrections.correct_main_match, 1, WHY, ["ben"], ["cat"]),
    ]
    assert [paper.refusal(*it) for it in refused] == ["too_late"] * 2
    paper.act(corrections.correct_main_match, 1, WHY, None, None, {"cat": 2})
    assert paper.season.players["cat"].garnets == 5


@pytest.mark.parametrize(
    ("decide", "details", "code"),
    [
        (corrections.correct_main_match, (3, WHY, ["ann"]), "no_such_episode"),
        (corrections.correct_main_match, (2, WHY, ["ann"]), "not_recorded"),
        (corrections.correct_main_match, (1, WHY), "bad_result"),
        (corrections.correct_main_match, (1, WHY, ["zoe"]), "not_enrolled"),
        (corrections.correct_main_match, (1, WHY, []), "bad_result"),
        (corrections.correct_main_match, (1, WHY, ["ben"], ["ben"]), "bad_result"),
        (corrections.correct_token, (1, "cat", WHY), "has_token"),
        (corrections.correct_candidate, (1, "ben", WHY), "bad_result"),
        (corrections.correct_candidate, (1, "cat", WHY), "has_token"),
        (corrections.correct_opponent, (1, "ben", WHY), "same_player"),
        (corrections.correct_opponent, (1, "dan", WHY), "bad_result"),
        (corrections.correct_ban, (1, "ben", "pentagram", None, WHY), "no_such_ban"),
    ],
)
def test_correction_without_a_change_or_with_an_impossible_one_is_refused(
    decide: Callable[..., Any], details: tuple[Any, ...], code: str
) -> None:
    paper = over()
    paper.act(episodes.open_episode, "Second")
    assert paper.refusal(decide, *details) == code
    assert paper.refusal(decide, *details, by="hal") == "forbidden"
