"""The result of a main match by rules that were set before: prepared at its end, approved, and otherwise undone."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import Event, from_json, to_json
from matches.seasons import codec
from matches.seasons.domain import corrections, episodes, garnets, results, roster, scheduling, tables
from matches.seasons.domain.events import MainMatchRecorded, Placed
from matches.seasons.domain.features import EVENTS
from matches.seasons.domain.result_rules import ResultRules, Score
from matches.seasons.domain.result_table import ResultRow, enter
from matches.seasons.domain.steps import pending_steps
from matches.seasons.reads.sentences import rules_in_words, sentence
from tests.seasons.staged import HOST, Paper, kinds, match_settings
from tests.seasons.test_contests import contest

SIX = ("ann", "ben", "cat", "dan", "eve", "fay")


def table(*players: str, results: ResultRules | None = None, match: str = "m1", **options: Any) -> Paper:
    """A season whose main match is set at one table of a contest."""
    paper = Paper(*players, **options)
    paper.act(episodes.open_episode, "First")
    paper.act(scheduling.schedule_table, replace(contest("last_line", match), results=results), players)
    return paper


def ended(paper: Paper, match: str, points: Sequence[int | None], **more: Any) -> list[Event]:
    """The table ends with these points by seat; more points are better, equal ones share a place."""
    teams, out = more.get("teams", [None] * len(points)), more.get("out", {})
    scores = [Score(it, teams[seat], out.get(seat)) for seat, it in enumerate(points)]
    worth = {seat: it if it is not None else 0 for seat, it in enumerate(points)}
    ranking = [[seat for seat in worth if worth[seat] == it] for it in sorted(set(worth.values()), reverse=True)]
    return paper.happen(results.report(paper.season, match, ranking[0], ranking, scores))


def approved(paper: Paper, match: str = "m1") -> tuple[tuple[str, ...], tuple[str, ...], dict[str, int]]:
    """Winners, losers and rewards of the result, once an organiser has approved it."""
    paper.act(results.approve, match)
    episode = paper.season.episodes[-1]
    return episode.winners, episode.candidates, episode.rewards


@pytest.mark.parametrize(
    ("rules", "points", "winners", "losers", "rewards"),
    [
        ({}, (9, 7, 5, 5, 3, 1), "a", "f", {}),
        ({}, (9, 9, 5, 5, 1, 1), "ab", "ef", {}),
        ({"best": 2, "worst": 2}, (9, 7, 5, 5, 3, 1), "ab", "ef", {}),
        ({"best": 2}, (9, 7, 7, 5, 3, 1), "abc", "f", {}),
        ({"worst": 3}, (9, 7, 5, 5, 5, 1), "a", "cdef", {}),
        ({"winners": "points", "points": 5}, (9, 7, 5, 4, 3, 1), "abc", "f", {}),
        ({"losers": "left"}, (9, 7, 5, 5, 3, 1), "a", "f", {}),
        ({"by_place": (4, 2, 1)}, (9, 7, 5, 5, 3, 1), "a", "f", {"ann": 4, "ben": 2, "cat": 1, "dan": 1}),
        ({"points_per_garnet": 1}, (9, 7, 0, 0, 0, -3), "a", "f", {"ann": 9, "ben": 7}),
        ({"points_per_garnet": 4, "by_place": (1,)}, (9, 7, 3, 2, 1, 0), "a", "f", {"ann": 3, "ben": 1}),
    ],
)
def test_winners_losers_and_garnets_follow_from_the_rules_of_the_result(
    rules: dict[str, Any], points: Sequence[int], winners: str, losers: str, rewards: dict[str, int]
) -> None:
    paper = table(*SIX, results=ResultRules(**rules))
    assert kinds(ended(paper, "m1", points)) == ["MainMatchFinished"]
    result = approved(paper)
    assert ["".join(it[0] for it in group) for group in result[:2]] == [winners, losers]
    assert result[2] == rewards
    assert next((it.player, it.points) for it in paper.season.episodes[-1].places) == ("ann", points[0])


def test_best_team_by_points_a_player_wins_and_dropped_out_players_lose() -> None:
    paper = table(*SIX, results=ResultRules(winners="team", losers="left"))
    ended(paper, "m1", (2, 9, 2, 3, 2, 3), teams=(0, 1, 0, 1, 0, 1), out={4: "left", 3: "left"})
    winners, losers, _ = approved(paper)
    assert (winners, losers) == (("ben", "dan", "fay"), ("eve",)), "A winner who has dropped out isn't a loser."


def test_result_is_prepared_with_places_and_points_for_the_preview() -> None:
    paper = table(*SIX, results=ResultRules(by_place=(2,)))
    before = paper.season
    ended(paper, "m1", (1, 9, 5, 5, 3, 0))
    events = results.approve(paper.season, paper.by("ona"), "m1")
    words = " ".join(sentence(event, str) for event in events)
    assert "ben won the main match (The Last Line)." in words
    assert "1. ben (9 points), 2. cat (5 points), 2. dan (5 points), 4. eve (3 points), 5. ann (1 point)" in words
    assert "2 garnets to ben" in words
    steps = {it.kind: it.acts for it in pending_steps(paper.season)}
    assert steps["main_match"][0] == steps["ranking"][0] == "approve"
    assert "approve" not in {act for it in pending_steps(before) for act in it.acts}
    assert paper.season.episodes[-1].recorded is False, "A preview changes nothing."


def test_season_without_approval_counts_the_result_at_the_end_of_the_last_table() -> None:
    paper = table(*SIX, approval=False)
    assert kinds(ended(paper, "m1", (9, 7, 5, 4, 3, 1)))[:2] == ["MainMatchFinished", "MainMatchRecorded"]
    assert paper.season.episodes[-1].winners == ("ann",)


def test_season_without_approval_waits_for_players_who_sit_at_no_table() -> None:
    paper = Paper(*SIX, "gus", approval=False)
    paper.act(episodes.open_episode, "First")
    paper.act(scheduling.schedule_table, contest("last_line"), SIX)
    assert kinds(ended(paper, "m1", (9, 7, 5, 4, 3, 1))) == ["MainMatchFinished"]
    assert approved(paper)[0] == ("ann",)


@pytest.mark.parametrize(
    ("across", "winners", "losers", "places"),
    [
        (False, ("ann", "dan"), ("cat", "fay"), [("Table 1", 1), ("Table 1", 2), ("Table 1", 3), ("Table 2", 1)]),
        (True, ("ann",), ("cat",), [("", 1), ("", 2), ("", 3), ("", 4)]),
    ],
)
def test_several_tables_have_their_own_places_or_one_order_by_points(
    across: bool, winners: tuple[str, ...], losers: tuple[str, ...], places: list[tuple[str, int]]
) -> None:
    paper = Paper(*SIX)
    paper.act(episodes.open_episode, "First")
    rules = replace(contest("last_line", ""), results=ResultRules(across=across))
    paper.act(tables.set_tables, rules, ["m1", "m2"], [SIX[:3], SIX[3:]], by=HOST.account)
    ended(paper, "m1", (9, 5, 0))
    assert paper.refusal(results.approve, "m1") == "tables_running"
    ended(paper, "m2", (6, 4, 3))
    assert approved(paper, "m2")[:2] == (winners, losers)
    assert [(it.match, it.place) for it in paper.season.episodes[-1].places[:4]] == places
    assert {it.status for it in paper.season.matches.values()} == {"effective"}


def test_resigned_player_is_last_across_tables_whatever_their_points() -> None:
    paper = Paper(*SIX)
    paper.act(episodes.open_episode, "First")
    rules = replace(contest("last_line", ""), results=ResultRules(across=True))
    paper.act(tables.set_tables, rules, ["m1", "m2"], [SIX[:3], SIX[3:]])
    ended(paper, "m1", (9, 5, 1), out={0: "resigned"})
    ended(paper, "m2", (6, 4, 3))
    assert approved(paper)[:2] == (("dan",), ("ann",))


def test_adjudicated_table_without_points_is_typed_in_when_tables_are_compared() -> None:
    paper = Paper(*SIX)
    paper.act(episodes.open_episode, "First")
    rules = replace(contest("last_line", ""), results=ResultRules(across=True))
    paper.act(tables.set_tables, rules, ["m1", "m2"], [SIX[:3], SIX[3:]])
    ended(paper, "m1", (9, 5, 1))
    ended(paper, "m2", (None, None, None))
    assert paper.refusal(results.approve, "m1") == "bad_result"
    assert pending_steps(paper.season)[0].acts == ("main-match", "enter-results")


def test_table_with_other_rules_of_the_result_is_refused() -> None:
    paper = Paper(*SIX)
    paper.act(episodes.open_episode, "First")
    paper.act(scheduling.schedule_table, contest("last_line", "m1"), SIX[:3])
    other = replace(contest("last_line", "m2"), results=ResultRules(best=2))
    assert paper.refusal(scheduling.schedule_table, other, SIX[3:]) == "other_results"
    assert paper.refusal(scheduling.schedule_table, match_settings("m2", "pentagram"), SIX[3:]) == "other_results"
    paper.act(results.annul, "m1", "Other rules.")
    paper.act(scheduling.schedule_table, other, SIX[3:])


def test_result_without_winner_or_loser_is_left_to_the_organiser() -> None:
    paper = table(*SIX, results=ResultRules(winners="points", points=50), approval=False)
    assert kinds(ended(paper, "m1", (9, 7, 5, 4, 3, 1))) == ["MainMatchFinished"]
    assert paper.refusal(results.approve, "m1") == "bad_result"
    paper.act(episodes.record_main_match, "By hand", ["ann"], ["fay"])
    assert paper.refusal(results.approve, "m1") == "already_approved"


def test_typed_result_takes_the_place_of_the_prepared_one() -> None:
    paper = table(*SIX)
    ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    rows = [ResultRow(number=number, player=it, place=number) for number, it in enumerate(reversed(SIX), start=1)]
    paper.act(enter, "As the host saw it", rows)
    assert (paper.season.episodes[-1].winners, paper.season.episodes[-1].candidates) == (("fay",), ("ann",))


def test_player_who_left_the_season_neither_wins_nor_gets_garnets() -> None:
    paper = table(*SIX, results=ResultRules(by_place=(3, 1)))
    paper.act(roster.withdraw, "ann", "Ill.", by="ann")
    ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    winners, losers, rewards = approved(paper)
    assert (winners, losers, rewards) == (("ben",), ("fay",), {"ben": 3, "cat": 1})
    assert paper.season.episodes[-1].places[0] == Placed("ben", "", 1, 7)


@pytest.mark.parametrize("is_over", [False, True])
def test_substitute_has_the_place_and_points_of_whom_they_go_on_for(is_over: bool) -> None:
    paper = table(*SIX, results=ResultRules(by_place=(3,)))
    if is_over:
        ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    paper.act(roster.substitute, "ann", "zoe", "Ill.")
    if not is_over:
        ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    winners, _, rewards = approved(paper)
    assert (winners, rewards) == (("zoe",), {"zoe": 3})
    assert paper.season.episodes[-1].places[0] == Placed("zoe", "", 1, 9)


def test_rewound_table_drops_its_points_and_is_prepared_anew() -> None:
    paper = table(*SIX)
    ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    paper.act(results.reopen, "m1", 3, "A rule was misread.")
    assert (paper.season.matches["m1"].scores, paper.season.matches["m1"].ranking) == ((), ())
    assert paper.refusal(results.approve, "m1") == "not_finished"
    ended(paper, "m1", (1, 7, 5, 4, 3, 9))
    assert approved(paper)[:2] == (("fay",), ("ann",))
    assert paper.refusal(results.reopen, "m1", 3, "Again.") == "already_approved"


def test_annulled_table_takes_no_part_in_the_result_of_the_one_in_its_place() -> None:
    paper = table(*SIX)
    paper.act(results.annul, "m1", "A mistake in the content.", by=HOST.account)
    paper.act(scheduling.schedule_table, contest("last_line", "m2"), SIX, by=HOST.account)
    ended(paper, "m2", (9, 7, 5, 4, 3, 1))
    (event,) = [it for it in paper.act(results.approve, "m2") if isinstance(it, MainMatchRecorded)]
    assert event.matches == ("m2",)


def test_result_is_approved_by_organisers_alone() -> None:
    paper = table(*SIX)
    ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    assert paper.refusal(results.approve, "m1", by=HOST.account) == "forbidden"
    assert paper.refusal(results.approve, "m1", by="ann") == "forbidden"


def test_events_with_rules_and_points_are_read_as_they_were_stored() -> None:
    paper = table(*SIX, results=ResultRules(by_place=(3, 1), losers="left"))
    ended(paper, "m1", (9, 7, 5, 4, 3, 1), out={2: "left"})
    approved(paper)
    assert [from_json(to_json(event), EVENTS[codec.pack(event).type]) for event in paper.log] == paper.log
    assert paper.rebuilt(len(paper.log)) == paper.season


def test_other_games_have_rules_and_points_only_where_they_were_asked_for() -> None:
    paper = Paper(*SIX)
    paper.act(episodes.open_episode, "First")
    (scheduled,) = paper.act(scheduling.schedule_table, match_settings("m1", "pentagram"), SIX[:3])
    (finished,) = ended(paper, "m1", (9, 7, 5))
    assert "results" not in to_json(scheduled) and "scores" not in to_json(finished)
    assert paper.refusal(results.approve, "m1") == "nothing_to_approve"


def test_rules_of_a_result_are_told_in_a_sentence() -> None:
    rules = ResultRules(best=2, losers="left", by_place=(3, 1), points_per_garnet=1, across=True)
    assert rules_in_words(rules) == (
        "The first 2 places win, whoever drops out loses, or if nobody does the last place loses; garnets by place: "
        "3, 1; a garnet for every point; places are over all tables, by points."
    )
    assert rules_in_words(ResultRules()) == "The first place wins, the last place loses."


def test_spent_garnets_of_a_contests_reward_stay_spent_when_it_is_corrected_later() -> None:
    paper = table(*SIX, results=ResultRules(by_place=(3,)))
    ended(paper, "m1", (9, 7, 5, 4, 3, 1))
    approved(paper)
    paper.act(garnets.move_garnets, "ann", "cat", 4, "A gift.", by="ann")
    events = paper.act(corrections.correct_main_match, 1, "The host misjudged round 3.", ["ben"], ["fay"], {"ben": 3})
    assert "GarnetsShort" in kinds(events)
    assert paper.season.players["ann"].garnets == 0 and paper.season.players["cat"].garnets == 5
