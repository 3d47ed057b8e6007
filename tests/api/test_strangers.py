"""Who has no account reads what is public and over, and nothing that goes on."""

import pytest

from events import store
from matches.storage import repository
from tests.api.guests import Guest, guest, started
from tests.table_setting import new_account, new_token, running_match

NOBODY = Guest()
DOORS = ("", "/view", "/events", "/history", "/moment", "/audit", "/appeals", "/board.svg", "/diff?from=1")


def test_a_finished_match_is_read_and_its_seats_truths_with_it() -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    assert {NOBODY.get(f"/matches/{match}{door}").status for door in DOORS} == {401}
    assert players[0].send(match, {"type": "resign"}).status == 201
    assert {NOBODY.get(f"/matches/{match}{door}").status for door in DOORS} == {200}
    told = NOBODY.get(f"/matches/{match}").json
    assert told["witness"] == "spectator" and told["seed"]
    assert NOBODY.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert match in {it["id"] for it in NOBODY.get("/matches", {"limit": 200}).json["results"]}


def test_only_what_is_over_is_listed_to_strangers() -> None:
    started("pyramid_poker", guest(), guest())
    assert {it["status"] for it in NOBODY.get("/matches", {"limit": 200}).json["results"]} <= {"finished"}
    for query in ({"status": "running"}, {"needs_me": 1}):
        assert NOBODY.get("/matches", query).refusal == (401, "not_authenticated")
    assert NOBODY.get("/seasons", {"status": "running"}).refusal == (401, "not_authenticated")


@pytest.mark.parametrize("path", ["/export", "/legal", "/commands/key", "/rematch", "/history/export"])
def test_what_is_a_players_or_leaves_a_trace_stays_closed(path: str) -> None:
    player = guest()
    match = started("pyramid_poker", player, guest())
    player.send(match, {"type": "resign"})
    assert NOBODY.get(f"/matches/{match}{path}").refusal == (401, "not_authenticated")
    assert NOBODY.get(f"/matches/{match}/events", Accept="application/x-ndjson").refusal == (401, "not_authenticated")


def test_an_end_that_spectators_are_told_later_is_no_end_to_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    players = [new_account(), new_account()]
    match = running_match("pyramid_poker", *players, spectator_delay=600)
    ripe = repository.version_of(match.id)
    monkeypatch.setattr(store, "aged", lambda stream, delay: ripe)
    assert Guest(new_token(players[0]), players[0]).send(str(match.id), {"type": "resign"}).status == 201
    assert NOBODY.get(f"/matches/{match.id}").refusal == (401, "not_authenticated")


def test_a_match_that_is_nowhere_and_one_that_is_private_are_alike() -> None:
    assert NOBODY.get("/matches/NOWHERE").refusal == (404, "not_found")
    assert NOBODY.get("/matches/00000000-0000-4000-8000-000000000000").refusal == (404, "not_found")
