"""Contests as main matches, from the table that is set to the episode's result, through the services."""

from typing import Any

import pytest

from tests.api.guests import guest
from tests.api.seasons import Cup, deliver
from tests.seasons.contest_play import TWO_VOTES, PlayedTable, set_contest

WHY = {"reason": "It was agreed."}


def cup(players: int = 5, **options: Any) -> Cup:
    """A season with an open episode."""
    cup = Cup(players, **options)
    cup.did("/episodes", {"title": "First"})
    return cup


def episode(cup: Cup) -> dict[str, Any]:
    latest: dict[str, Any] = cup.read("/episodes")["results"][-1]
    return latest


def table_of(cup: Cup, match: str) -> dict[str, Any]:
    tables: list[dict[str, Any]] = cup.read("/main-matches/tables")["results"]
    return next(it for it in tables if it["id"] == match)


def vote(table: PlayedTable, *sides: str) -> None:
    """All seats vote in the open round."""
    for seat, side in enumerate(sides):
        table.submit(seat, side=side)


def test_end_of_a_contest_prepares_the_result_that_an_organiser_approves() -> None:
    season = cup()
    table = set_contest(season, 5, results={"by_place": [3, 1], "worst": 2})
    vote(table, "left", "right", "right", "right", "right")
    vote(table, "right", "left", "right", "right", "right")
    deliver()
    told = table_of(season, table.match)
    assert told["status"] == "finished"
    assert [it.get("points") for it in told["scores"]] == [1, 2, 0, 0, 0]
    assert episode(season)["recorded"] is False
    path = f"/matches/{table.match}/approve"
    version = season.read()["version"]
    preview = season.ask(f"{path}?dry_run=1").json
    assert season.read()["version"] == version
    events = season.did(path)
    assert [it["text"] for it in events] == preview["text"]
    assert " won the main match (Two Votes). " in preview["text"][0] and " lost. Places: 1. " in preview["text"][0]
    people = [it.id for it in season.players]
    now = episode(season)
    assert (now["winners"], now["name"]) == ([people[1]], "Two Votes")
    assert len(now["candidates"]) == 2 and set(now["candidates"]) < set(people[2:])
    assert [(it["player"], it["place"], it["points"]) for it in now["places"][:2]] == [
        (people[1], 1, 2),
        (people[0], 2, 1),
    ]
    garnets = {it["player"]["id"]: it["garnets"] for it in season.read("/standings")["results"]}
    assert [garnets[it] for it in people] == [2, 4, 1, 1, 1]


def test_season_without_approval_records_the_result_when_the_contest_ends() -> None:
    season = cup(approval=False)
    table = set_contest(season, 5)
    table.play_out()
    assert episode(season)["recorded"]
    assert len(episode(season)["places"]) == 5


def test_end_is_told_to_the_season_once_however_often_it_is_delivered() -> None:
    season = cup()
    table = set_contest(season, 5)
    table.play_out()
    version = season.read()["version"]
    deliver()
    assert season.read()["version"] == version


def test_player_is_substituted_during_a_contest_and_the_substitute_gets_the_result() -> None:
    season = cup()
    table = set_contest(season, 5, results={"by_place": [5]})
    vote(table, "left", "right", "right", "right", "right")
    newcomer, leaver = guest(), season.players[0]
    season.did(f"/players/{leaver.id}/substitute", {"newcomer": newcomer.id, **WHY})
    deliver()
    assert str(table.state.lifecycle.players[0]) == newcomer.id
    assert leaver.send(table.match, {"type": "submit", "round": 2, "values": {"side": "left"}}).status == 403
    season.players[0] = newcomer
    vote(table, "left", "right", "right", "right", "right")
    deliver()
    season.did(f"/matches/{table.match}/approve")
    now = episode(season)
    assert now["winners"] == [newcomer.id]
    assert now["places"][0] == {"player": newcomer.id, "match": "", "place": 1, "points": 3}
    garnets = {it["player"]["id"]: it["garnets"] for it in season.read("/standings")["results"]}
    assert (garnets[newcomer.id], garnets[leaver.id]) == (6, 0)


def test_silent_player_gets_the_defaults_and_the_result_stands() -> None:
    season = cup()
    table = set_contest(season, 5)
    table.play_out(2)
    assert {it.values["side"] for shown in table.state.state.played for it in shown.entries if it.seat == 2} == {"left"}
    assert table_of(season, table.match)["status"] == "finished"
    season.did(f"/matches/{table.match}/approve")
    assert len(episode(season)["places"]) == 5


def test_season_and_late_spectators_learn_of_a_contest_s_end_and_points_together() -> None:
    season = cup(spectator_delay=3600)
    table = set_contest(season, 5)
    version = season.read()["version"]
    table.play_out()
    assert table.state.lifecycle.over
    spectator = guest()
    assert season.read()["version"] == version and table_of(season, table.match)["scores"] == []
    assert spectator.get(f"/matches/{table.match}").json["status"] != "finished"
    assert season.ask(f"/matches/{table.match}/approve").json["code"] == "not_finished"


def test_mistake_found_in_round_2_is_amended_before_the_round_opens() -> None:
    season = cup()
    table = set_contest(season, 5)
    first, second = TWO_VOTES["rounds"]
    right = {**TWO_VOTES, "rounds": [first, {**second, "scheme": {**second["scheme"], "points": 5}}]}
    amend = {"type": "amend", "content": right, "reason": "The second round counts five points."}
    assert season.players[0].send(table.match, amend).json["code"] == "unknown_command", "Players don't host it."
    answer = season.host.send(table.match, amend)
    assert answer.status == 201, answer.body
    vote(table, "left", "right", "right", "right", "right")
    vote(table, "right", "left", "right", "right", "right")
    deliver()
    season.did(f"/matches/{table.match}/approve")
    assert episode(season)["places"][0]["points"] == 5


def test_contest_with_a_mistake_is_annulled_in_round_2_and_set_again() -> None:
    season = cup()
    table = set_contest(season, 5)
    table.play_round()
    season.did(f"/matches/{table.match}/annul", {"reason": "Round 2 asks the wrong question."}, by=season.host)
    deliver()
    assert table.state.lifecycle.voided
    again = set_contest(season, 5, results={"best": 2})
    again.play_out()
    season.did(f"/matches/{again.match}/approve")
    assert len(episode(season)["winners"]) >= 2
    assert table_of(season, table.match)["status"] == "annulled"


def test_finished_contest_is_rewound_before_approval_and_its_next_end_is_prepared() -> None:
    season = cup()
    table = set_contest(season, 5)
    version = table.state.version
    vote(table, "left", "right", "right", "right", "right")
    vote(table, "left", "right", "right", "right", "right")
    deliver()
    body = {"to_version": version, "reason": "A vote was miscounted."}
    season.did(f"/matches/{table.match}/rewind", body, by=season.host)
    deliver()
    assert table_of(season, table.match)["scores"] == []
    assert season.host.post(f"/matches/{table.match}/resume", WHY).status == 200
    vote(table, "right", "right", "right", "right", "left")
    vote(table, "right", "right", "right", "right", "left")
    deliver()
    season.did(f"/matches/{table.match}/approve")
    assert episode(season)["winners"] == [season.players[4].id]


@pytest.mark.parametrize("across", [False, True])
def test_several_tables_are_drawn_played_and_recorded_together(across: bool) -> None:
    season = cup(8)
    body = {"game": "contest", "options": {"content": TWO_VOTES}, "tables": [[], []], "draw": True}
    events = season.did("/main-matches/seatings", {**body, "results": {"across": across}}, by=season.host)
    tables = [PlayedTable(season, it["match"]) for it in events if "match" in it]
    tables[0].play_out()
    assert season.ask(f"/matches/{tables[0].match}/approve").json["code"] == "tables_running"
    tables[1].play_out(0)
    answer = season.ask(f"/matches/{tables[1].match}/approve")
    assert answer.status == 201, answer.body
    places = episode(season)["places"]
    assert len(places) == 8
    assert {it["match"] for it in places} == ({""} if across else {"Table 1", "Table 2"})


def test_host_who_plays_the_contest_has_no_say_in_its_result() -> None:
    season = cup()
    table = set_contest(season, 5)
    table.play_out()
    answer = season.ask(f"/matches/{table.match}/approve", by=season.players[0])
    assert (answer.status, answer.json["code"]) == (403, "forbidden")
