"""Garnets in play: a contest starts with them, the season holds them meanwhile, and its end moves what has changed."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from games.contest.options import Options
from games.contest.presets import load
from games.kernel import Event, from_json, to_json
from matches.seasons import codec
from matches.seasons.domain import corrections, episodes, garnets, result_table, results, roster, scheduling, tables
from matches.seasons.domain.events import GarnetsMoved, GarnetsShort
from matches.seasons.domain.features import EVENTS
from matches.seasons.domain.result_rules import Score
from matches.storage import repository
from tests.api.guests import guest
from tests.api.seasons import Cup, deliver
from tests.panel.seasons import bureau
from tests.seasons.contest_play import PlayedTable, set_contest
from tests.seasons.staged import Paper, kinds
from tests.seasons.staking import AUCTION, staked

FIVE = ("ann", "ben", "cat", "dan", "eve")


def playing(*players: str, **options: Any) -> Paper:
    """A season in which everybody has five garnets, and plays for them."""
    paper = Paper(*(players or FIVE), starting_garnets=5, **options)
    paper.act(episodes.open_episode, "First")
    paper.act(scheduling.schedule_table, staked(), players or FIVE)
    return paper


def ended(paper: Paper, changes: Sequence[int]) -> list[Event]:
    """The contest ends with these gains and losses by seat; the first seat is the best, the last the worst."""
    scores = [Score(10 - seat, garnets=change) for seat, change in enumerate(changes)]
    return paper.happen(results.report(paper.season, "m1", (0,), [[seat] for seat in range(len(changes))], scores))


def owned(paper: Paper) -> dict[str, int]:
    assert sum(it.garnets for it in paper.season.players.values()) == paper.season.issued
    return {it.id: it.garnets for it in paper.season.players.values()}


def test_contest_starts_with_what_each_player_has_in_the_season() -> None:
    paper = Paper(*FIVE, starting_garnets=5)
    paper.act(episodes.open_episode, "First")
    paper.act(garnets.move_garnets, "ann", "ben", 2, "A gift.", by="ann")
    (event,) = paper.act(scheduling.schedule_table, staked(), FIVE)
    assert from_json(event.options, Options).content.balances[0].starts == (3, 7, 5, 5, 5)
    assert [paper.season.held(it) for it in FIVE] == [3, 7, 5, 5, 5]


def test_content_without_the_seasons_garnets_holds_none() -> None:
    paper = Paper(*FIVE)
    paper.act(episodes.open_episode, "First")
    content = to_json(load("emptied_house"))
    paper.act(
        scheduling.schedule_table,
        scheduling.MatchSettings(match="m1", game="contest", options={"content": content}), FIVE,
    )  # fmt: skip
    assert paper.season.matches["m1"].stakes == () and paper.season.held("ann") == 0


def test_drawn_tables_start_with_the_garnets_of_those_who_sit_there() -> None:
    paper = Paper(*FIVE, starting_garnets=5)
    paper.act(garnets.move_garnets, None, "eve", 2, "An award.")
    paper.act(episodes.open_episode, "First")
    paper.act(tables.request_seating, staked(""), ["m1", "m2"], [[], []])
    for table in paper.season.matches.values():
        assert table.stakes == tuple(paper.season.players[it].garnets for it in table.players)


def test_garnets_at_stake_are_neither_given_nor_fined_and_others_are() -> None:
    paper = playing()
    gift = ("ann", "ben", 1, "A gift.")
    assert paper.refusal(garnets.move_garnets, *gift, by="ann") == "garnets_held"
    assert paper.refusal(garnets.move_garnets, "ann", None, 1, "A fine.") == "garnets_held"
    assert paper.refusal(garnets.move_garnets, "ann", None, 6, "A fine.") == "too_few_garnets"
    paper.act(garnets.move_garnets, None, "ann", 2, "An award.")
    paper.act(garnets.move_garnets, "ann", "ben", 2, "A gift.", by="ann")
    assert paper.refusal(garnets.move_garnets, *gift, by="ann") == "garnets_held"
    ended(paper, [0, 0, 0, 0, 0])
    assert paper.refusal(garnets.move_garnets, *gift, by="ann") == "garnets_held", "Until the result counts."
    rows = [result_table.ResultRow(number=it, player=who, place=it) for it, who in enumerate(FIVE, start=1)]
    spent = [*rows[:-1], result_table.ResultRow(number=5, player="eve", place=5, garnets=-1)]
    assert paper.refusal(result_table.enter, "By hand", spent) == "table_faulty"


def test_changes_are_posted_in_the_act_by_which_the_result_counts() -> None:
    paper = playing()
    assert kinds(ended(paper, [4, -5, 0, -2, 1])) == ["MainMatchFinished"]
    assert set(owned(paper).values()) == {5}
    events = paper.act(results.approve, "m1")
    assert owned(paper) == {"ann": 9, "ben": 0, "cat": 5, "dan": 3, "eve": 6}
    moved = [it for it in events if isinstance(it, GarnetsMoved)]
    assert {(it.cause, it.match) for it in moved} == {("contest", "m1")} and len(moved) == 4
    assert paper.season.episodes[-1].changes == {"ann": 4, "ben": -5, "dan": -2, "eve": 1}
    assert [paper.season.held(it) for it in FIVE] == [0] * 5
    assert [from_json(to_json(event), EVENTS[codec.pack(event).type]) for event in paper.log] == paper.log
    assert paper.rebuilt(len(paper.log)) == paper.season


@pytest.mark.parametrize("is_over", [False, True])
def test_annulled_contest_returns_what_was_at_stake(is_over: bool) -> None:
    paper = playing()
    if is_over:
        ended(paper, [4, -5, 0, -2, 1])
    paper.act(results.annul, "m1", "A mistake in the content.")
    assert [paper.season.held(it) for it in FIVE] == [0] * 5 and set(owned(paper).values()) == {5}
    paper.act(garnets.move_garnets, "ann", "ben", 5, "A gift.", by="ann")


def test_closed_episode_returns_what_was_at_stake() -> None:
    paper = playing()
    ended(paper, [4, -5, 0, -2, 1])
    paper.act(episodes.close_episode, "It was too late.")
    paper.act(garnets.move_garnets, "ann", "ben", 5, "A gift.", by="ann")


def test_substitute_holds_the_stake_and_gets_its_change() -> None:
    paper = playing()
    paper.act(roster.substitute, "ben", "zoe", "Ill.")
    assert (paper.season.held("zoe"), paper.season.held("ben")) == (5, 0)
    ended(paper, [4, -3, 0, -2, 1])
    paper.act(results.approve, "m1")
    assert (owned(paper)["zoe"], owned(paper)["ben"]) == (2, 0)


@pytest.mark.parametrize("change", [-5, 3])
def test_stake_of_a_player_who_withdrew_is_settled_with_the_bank(change: int) -> None:
    paper = playing()
    paper.act(roster.withdraw, "ben", "Ill.", by="ben")
    ended(paper, [4, change, 0, -2, -2])
    events = paper.act(results.approve, "m1")
    assert owned(paper) == {"ann": 9, "ben": 0, "cat": 5, "dan": 3, "eve": 3}
    assert not any(isinstance(it, GarnetsShort) for it in events)


def test_correction_of_an_earlier_reward_takes_no_garnets_that_are_at_stake() -> None:
    paper = Paper(*FIVE, starting_garnets=5)
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["eve"], {"ann": 3})
    paper.act(episodes.close_episode, "A free day.")
    paper.act(episodes.open_episode, "Second")
    paper.act(scheduling.schedule_table, staked(), FIVE)
    assert paper.season.held("ann") == 8
    events = paper.act(corrections.correct_main_match, 1, "A slip.", None, None, {"ben": 3})
    assert [(it.player, it.amount) for it in events if isinstance(it, GarnetsShort)] == [("ann", 3)]
    assert paper.season.matches["m1"].stakes == (8, 5, 5, 5, 5), "A contest keeps what it began with."
    assert owned(paper)["ben"] == 8


def test_corrected_changes_of_a_contest_equal_never_having_erred() -> None:
    right, wrong = [4, -5, 0, -2, 1], [-5, 4, 0, -2, 1]
    clean, faulty = playing(), playing()
    for paper, changes in ((clean, right), (faulty, wrong)):
        ended(paper, changes)
        paper.act(results.approve, "m1")
        paper.act(episodes.close_episode, "A free day.")
        paper.act(episodes.open_episode, "Second")
    changes = dict(zip(FIVE, right, strict=True))
    paper.act(corrections.correct_main_match, 1, "The bids were swapped.", None, None, None, changes)
    assert owned(faulty) == owned(clean)
    assert faulty.season.episodes[0].changes == clean.season.episodes[0].changes
    assert faulty.refusal(corrections.correct_main_match, 1, "Again.", None, None, None, changes) == "bad_result"


def test_gain_that_was_spent_before_the_correction_is_short() -> None:
    paper = playing()
    ended(paper, [4, -4, 0, 0, 0])
    paper.act(results.approve, "m1")
    paper.act(garnets.move_garnets, "ann", "cat", 9, "A gift.", by="ann")
    events = paper.act(corrections.correct_main_match, 1, "No bids.", None, None, None, {})
    assert [(it.player, it.amount) for it in events if isinstance(it, GarnetsShort)] == [("ann", 4)]
    assert owned(paper) == {"ann": 0, "ben": 5, "cat": 14, "dan": 5, "eve": 5}


def test_played_contest_moves_garnets_in_the_season_and_its_ledger_explains_them() -> None:
    season = Cup(4, starting_garnets=5)
    season.did("/episodes", {"title": "First"})
    table = set_contest(season, 4, options={"content": AUCTION})
    people = [it.id for it in season.players]
    gift = {"from": people[0], "to": people[1], "amount": 1, "reason": "A gift."}
    refused = season.ask("/garnets", gift, by=season.players[0])
    assert (refused.status, refused.json["code"]) == (409, "garnets_held"), refused.body
    for seat, bid in enumerate((5, 3, 0, 1)):
        table.submit(seat, bid=bid)
    deliver()
    state = repository.load(UUID(table.match)).state
    assert state.balances["stones"] == (0, 5, 5, 5)
    season.did(f"/matches/{table.match}/approve")
    ledger = season.read("/ledger")["results"]
    assert (ledger[-1]["cause"], ledger[-1]["from"], ledger[-1]["amount"]) == ("contest", people[0], 5)
    garnets_now = {it["player"]["id"]: it["garnets"] for it in season.read("/standings")["results"]}
    assert [garnets_now[it] for it in people] == [0, 5, 5, 5]
    body = {"changes": {people[0]: -1, people[1]: 2}, "reason": "The bid was a slip."}
    season.did("/episodes/1/main-match/correct", body)
    garnets_now = {it["player"]["id"]: it["garnets"] for it in season.read("/standings")["results"]}
    assert [garnets_now[it] for it in people] == [4, 7, 5, 5]


def test_panel_corrects_what_players_gained_and_lost() -> None:
    season = Cup(4, starting_garnets=5)
    season.did("/episodes", {"title": "First"})
    table = set_contest(season, 4, options={"content": AUCTION})
    table.play_out()
    season.did(f"/matches/{table.match}/approve")
    office, people = bureau(season), season.players
    sent = {"episode": 1, "reason": "A slip.", "changes": f"{people[0].name} -2\n{people[1].name} 3"}
    assert "from 1 to" in office.foresees("correct-main-match", **sent | {"changes": f"{people[0].name} -0"})
    office.did("correct-main-match", **sent)
    assert [office.season.players[it.id].garnets for it in people] == [3, 8, 5, 5]


def test_voided_contest_lets_its_players_give_again() -> None:
    season = Cup(4, starting_garnets=5)
    season.did("/episodes", {"title": "First"})
    table = set_contest(season, 4, options={"content": AUCTION})
    table.submit(0, bid=5)
    assert season.host.post(f"/matches/{table.match}/void", {"reason": "A mistake."}).status == 200
    deliver()
    people = [it.id for it in season.players]
    season.did("/garnets", {"from": people[0], "to": people[1], "amount": 5, "reason": "A gift."}, by=season.players[0])


def test_substitute_of_a_running_contest_goes_on_with_the_stake() -> None:
    season = Cup(4, starting_garnets=5)
    season.did("/episodes", {"title": "First"})
    table: PlayedTable = set_contest(season, 4, options={"content": AUCTION})
    newcomer, leaver = guest(), season.players[0]
    body = {"newcomer": newcomer.id, "reason": "Ill."}
    season.did(f"/players/{leaver.id}/substitute", body)
    deliver()
    season.players[0] = newcomer
    for seat, bid in enumerate((4, 3, 0, 1)):
        table.submit(seat, bid=bid)
    deliver()
    season.did(f"/matches/{table.match}/approve")
    standing = {it["player"]["id"]: it["garnets"] for it in season.read("/standings")["results"]}
    assert (standing[newcomer.id], standing[leaver.id]) == (1, 0)
