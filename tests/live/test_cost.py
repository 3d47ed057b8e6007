"""Database queries of a move, and the checks that remain although there are fewer queries."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest
from django.db import connection

from events import pipeline
from matches.storage import repository
from tests.api.guests import Guest, advance, guest, house, opened, started
from tests.api.seasons import Cup
from tests.live.watching import House
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """The round trips to the database meanwhile, each with its statements."""
    trips: list[list[str]] = []
    begin = pipeline.Exchange.__init__

    def begin_and_count(self: pipeline.Exchange, to: Any, statements: Any) -> None:
        trips.append([(sql if isinstance(sql, str) else sql.sql).split("(")[0].strip() for sql, _ in statements])
        begin(self, to, statements)

    def count_others(execute: Any, sql: str, *rest: Any) -> Any:
        trips.append([sql])
        return execute(sql, *rest)

    with monkeypatch.context() as patched, connection.execute_wrapper(count_others):
        patched.setattr(pipeline.Exchange, "__init__", begin_and_count)
        yield trips


def over_http(web: House, who: Guest, match: str, command: Any, key: str) -> httpx.Response:
    """A command to another process than this one."""
    headers = {"Authorization": f"Bearer {who.token}", "Idempotency-Key": key}
    address = f"{web.origin}/api/v1/matches/{match}/commands"
    body = {"text": command} if isinstance(command, str) else command
    return httpx.post(address, json=body, headers=headers, timeout=PATIENCE, verify=NOBODY)


STORED = ["SELECT events_append_many", "UPDATE matches_match m", "INSERT INTO matches_deadline"]
DOORS = [["BEGIN", "SELECT * FROM events_enter"], [*STORED, "COMMIT"]]


@pytest.mark.parametrize("has_condition", [False, True])
def test_move_takes_only_the_queries_for_its_token_and_its_storage(
    has_condition: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    advance(match, players, 4, Random(1))
    seat = repository.load(UUID(match)).due.prompts[0].seat
    answer = players[seat].get(f"/matches/{match}/legal")
    headers = {"If_Match": f'"v{answer.json["version"]}"'} if has_condition else {}
    with counted(monkeypatch) as trips:
        assert players[seat].send(match, answer.json["legal"][0], **headers).status == 201
    token, *others = trips
    assert token[0].startswith("SELECT matches_accesstoken")
    assert [[sql.split(" SET")[0] for sql in trip] for trip in others] == DOORS


def test_leaver_cannot_move_in_a_process_that_has_not_seen_the_substitution(web: House) -> None:
    host, players, heir = guest(), [guest(), guest()], guest()
    match = started("pyramid_poker", *players, opener=host)
    seat = repository.load(UUID(match)).due.prompts[0].seat
    # From now on that process knows who sits where.
    assert over_http(web, players[seat], match, "sing", "a").json()["code"] == "malformed"
    body = {"seat": seat, "player": heir.id, "reason": "The train is late."}
    assert host.post(f"/matches/{match}/substitute", body).status == 200
    refused = over_http(web, players[seat], match, "first 1", "b")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert "legal" not in refused.json()
    assert over_http(web, heir, match, "first 1", "b").status_code == 201


def test_player_who_changed_seats_moves_from_the_current_one(web: House) -> None:
    host, players, other = guest(), [guest(), guest()], guest()
    match = opened(host, "pyramid_poker", *players)
    for player in players:
        assert over_http(web, player, match, "first 1", "a").json()["code"] == "not_started"
    for number, player in ((1, other), (0, players[1])):
        body = {"seat": number, "player": player.id, "reason": "They sat down wrongly."}
        assert host.post(f"/matches/{match}/substitute", body).status == 200
    assert host.post(f"/matches/{match}/start").status == 200
    house(match)
    seat = repository.load(UUID(match)).due.prompts[0].seat
    mover, waits = (players[1], other) if seat == 0 else (other, players[1])
    assert over_http(web, waits, match, "first 1", "b").json()["code"] == "not_your_turn"
    assert over_http(web, mover, match, "first 1", "b").status_code == 201


def test_match_of_a_private_season_checks_access_at_every_request(web: House) -> None:
    cup = Cup(4, public=False)
    match = cup.death_match()
    seat = repository.load(UUID(match)).due.prompts[0].seat
    mover = next(it for it in cup.players if it.id == repository.load(UUID(match)).lifecycle.players[seat])
    assert over_http(web, mover, match, "sing", "a").json()["code"] == "malformed"
    assert over_http(web, guest(), match, "sing", "a").status_code == 404
