"""The record over REST: events in pages and live, views at every version, export, audit."""

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games import catalogue
from games.kernel import fold, to_json
from matches.audit import croupier_verify
from matches.storage import repository
from matches.storage.codec import LIFECYCLE
from tests.api.guests import Guest, advance, guest, opened, started
from tests.events.staging import tamper
from tests.table_setting import Api

MOVES = 13


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture(scope="module")
def watcher() -> Guest:
    return guest()


@pytest.fixture(scope="module")
def match(players: list[Guest]) -> str:
    """A match in its midst."""
    running = started("pyramid_poker", *players)
    assert advance(running, players, MOVES, Random(3)) == MOVES
    return running


def events(guest: Guest, match: str, **query: Any) -> list[dict[str, Any]]:
    return guest.get(f"/matches/{match}/events", query).json["results"]


def test_pages_of_events_follow_each_other_without_gap(match: str, players: list[Guest]) -> None:
    whole = players[0].get(f"/matches/{match}/events").json
    assert (whole["next"], whole["finished"]) == (None, False)
    assert [event["version"] for event in whole["results"]] == list(range(1, whole["version"] + 1))
    for limit in (1, 7, whole["version"] - 1, whole["version"]):
        pages, after = [], 0
        while after is not None:
            page = players[0].get(f"/matches/{match}/events", {"after": after, "limit": limit}).json
            pages += page["results"]
            after = page["next"]
        assert pages == whole["results"]
    assert events(players[0], match, after=whole["version"]) == []
    beyond = players[0].get(f"/matches/{match}/events", {"after": 2**31 - 1})
    assert beyond.refusal == (409, "history_changed") and beyond.json["version"] == whole["version"]


def test_each_witness_gets_only_its_own_secrets(match: str, players: list[Guest], watcher: Guest) -> None:
    by_witness = [events(player, match) for player in (*players, watcher)]
    for seat, (own, outside) in enumerate(zip(by_witness[:2], (by_witness[2],) * 2, strict=True)):
        for event, public in zip(own, outside, strict=True):
            blank = dict.fromkeys(event["secret"])
            assert {**event, **blank, "text": ""} == {**public, "text": ""}
            assert all((event[name] is not None) == (event["seat"] == seat) for name in event["secret"])
    assert any(event["brick"] for event in by_witness[0] if event["type"] == "brick_dealt")
    assert events(players[0], match, **{"as": "spectator"}) == by_witness[2]
    for other in ("seat:1", "host", "seat:2", "seat:-1", "me", ""):
        refused = players[0].get(f"/matches/{match}/events", {"as": other})
        assert refused.refusal == (404, "not_found")


def test_view_is_the_fold_of_the_events_of_its_witness(match: str, players: list[Guest], watcher: Guest) -> None:
    game = catalogue["pyramid_poker"]
    for reader, witness in ((players[0], "seat:0"), (players[1], "seat:1"), (watcher, "spectator")):
        all_events = events(reader, match)
        for at in (*range(1, len(all_events) + 1), len(all_events) + 5):
            view = reader.get(f"/matches/{match}/view", {"at": at}).json
            of_the_game = [event for event in all_events[:at] if event["type"] not in LIFECYCLE]
            assert view["view"] == to_json(fold(game, {}, 2, 0, of_the_game))
            assert (view["version"], view["witness"]) == (min(at, len(all_events)), witness)
        newest = reader.get(f"/matches/{match}").json
        assert reader.get(f"/matches/{match}/view").json["view"] == newest["view"] == view["view"]
        assert view["due"] == newest["due"]


def test_player_may_also_look_as_a_spectator(match: str, players: list[Guest], watcher: Guest) -> None:
    path = f"/matches/{match}/view"
    outside = watcher.get(path, {"at": 9}).json
    for reader in (*players, watcher):
        assert reader.get(path, {"at": 9, "as": "spectator"}).json == outside
    assert players[1].get(path, {"at": 9, "as": "seat:1"}).json == players[1].get(path, {"at": 9}).json
    assert players[1].get(path, {"at": 9}).json["view"] != outside["view"]
    for reader, witness in ((players[0], "seat:1"), (players[1], "seat:0"), (watcher, "seat:0"), (players[0], "host")):
        assert reader.get(path, {"as": witness}).refusal == (404, "not_found")


def test_audit_names_the_head_of_the_chain_and_the_commitment(match: str, watcher: Guest) -> None:
    audit = watcher.get(f"/matches/{match}/audit").json
    listed = events(watcher, match)
    assert (audit["version"], audit["events"], audit["hash"]) == (len(listed), len(listed), listed[-1]["hash"])
    promised = listed[0]["seed_commitment"]
    assert (audit["seed_commitment"], audit["seed"], audit["nonces"]) == (promised, None, [None, None])


def test_export_of_a_running_match_is_sealed_and_verified(match: str, players: list[Guest], watcher: Guest) -> None:
    exports = [reader.get(f"/matches/{match}/export") for reader in (*players, watcher)]
    assert len({export.body for export in exports}) == 1
    assert exports[0].headers["Content-Type"] == "application/x-ndjson"
    assert exports[0].headers["Content-Disposition"].startswith('attachment; filename="')
    summary = croupier_verify.verify(exports[0].lines)
    assert (summary["opened"], summary["seed"], summary["events"]) == (0, False, len(events(watcher, match)))
    assert '"brick":null' in exports[0].body.decode()


def test_tampered_export_is_refused(match: str, players: list[Guest], tmp_path: Path) -> None:
    lines = players[0].get(f"/matches/{match}/export").lines
    for spoilt in (
        [*lines[:5], lines[5].replace('"seat":0', '"seat":1', 1), *lines[6:]],
        lines[:-1],
        [*lines[:7], *lines[8:]],
        [*lines[:7], lines[8], lines[7], *lines[9:]],
    ):
        assert spoilt != lines
        with pytest.raises(croupier_verify.Bad):
            croupier_verify.verify(spoilt)
        file = tmp_path / "spoilt.ndjson"
        file.write_text("\n".join(spoilt))
        with pytest.raises(CommandError, match=r"(BROKEN|CHANGED) at"):
            call_command("verify", str(file))


def test_record_contains_any_characters_unchanged(players: list[Guest], tmp_path: Path) -> None:
    odd = "".join(map(chr, (*range(1, 33), 34, 92, 127, 0x85, 0xA0, 0x2028, 0x2029, 0x202E, 0xFEFF, 0xFFFF, 0x1F3B2)))
    text = '"\\ &<é> 한 🎲'
    match = opened(players[0], "pyramid_poker", *players)
    assert players[0].post(f"/matches/{match}/nonce", {"nonce": odd}).status == 200
    assert players[0].post(f"/matches/{match}/start", {"reason": text}).status == 200
    assert players[1].post(f"/matches/{match}/appeals", {"kind": "other", "text": text}).status == 201
    assert players[0].send(match, {"type": "resign"}, key="!~").status == 201
    export = players[1].get(f"/matches/{match}/export")
    assert croupier_verify.verify(export.lines)["seed"] is True
    file = tmp_path / "odd.ndjson"
    file.write_bytes(export.body)
    call_command("verify", str(file))
    assert croupier_verify.main([str(file)]) == 0
    assert players[0].get(f"/matches/{match}/audit").json["nonces"] == [odd, None]


def test_long_poll_with_news_returns_at_once(match: str, players: list[Guest]) -> None:
    begun = time.monotonic()
    assert len(events(players[0], match, wait=30)) > MOVES
    assert time.monotonic() - begun < 5


def test_request_without_a_wait_takes_no_long_poll_place(
    match: str, players: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "LIMITS", True)
    monkeypatch.setattr(settings, "LIVE_PLACES", settings.LIVE_PLACES | {"polls": 0})
    assert players[0].get(f"/matches/{match}/events?wait=1").refusal == (429, "too_many_requests")
    assert players[0].get(f"/matches/{match}/events?wait=0").status == 200


def test_long_poll_without_news_ends_after_its_wait(match: str, players: list[Guest]) -> None:
    head = len(events(players[0], match))
    begun = time.monotonic()
    page = players[0].get(f"/matches/{match}/events", {"after": head, "wait": 1}).json
    assert 1 <= time.monotonic() - begun < 5
    assert page == {"results": [], "next": None, "version": head, "finished": False}


def test_long_poll_on_a_finished_match_returns_at_once(players: list[Guest]) -> None:
    over = started("pyramid_poker", *players)
    head = players[0].send(over, {"type": "resign"}).json["version"]
    begun = time.monotonic()
    page = players[1].get(f"/matches/{over}/events", {"after": head, "wait": 30}).json
    assert time.monotonic() - begun < 5
    assert page["finished"] is True


@pytest.mark.parametrize(
    "query",
    [
        {"after": -1}, {"after": "1_0"}, {"after": "１"}, {"after": 2**31}, {"after": 10**30}, {"limit": 0},
        {"limit": 501}, {"wait": 31}, {"wait": -1}, {"wait": "1.5"}, {"since": 1}, {"after": ""}, {"at": 3},
    ],
)  # fmt: skip
def test_invalid_events_query_is_refused(match: str, players: list[Guest], query: dict[str, object]) -> None:
    assert players[0].get(f"/matches/{match}/events", query).refusal == (400, "malformed")


@pytest.mark.parametrize("query", [{"at": 0}, {"at": -1}, {"at": 2**31}, {"at": "one"}, {"as": "x" * 21}, {"of": 1}])
def test_a_view_of_no_version_is_refused(match: str, players: list[Guest], query: dict[str, object]) -> None:
    assert players[0].get(f"/matches/{match}/view", query).refusal == (400, "malformed")


def test_delayed_spectator_gets_the_etag_of_what_they_see(players: list[Guest], watcher: Guest) -> None:
    late = started("pyramid_poker", *players, spectator_delay=3600)
    newest = players[0].get(f"/matches/{late}").headers["ETag"]
    response = watcher.get(f"/matches/{late}")
    assert response.headers["ETag"] != newest
    assert watcher.get(f"/matches/{late}", If_None_Match=response.headers["ETag"]).status == 304
    assert watcher.get(f"/matches/{late}", If_None_Match=newest).status == 200, "it tells nothing of the newest version"
    assert players[0].get(f"/matches/{late}", If_None_Match=newest).status == 304


def test_frozen_match_is_refused_on_every_path(
    players: list[Guest], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    frozen, player = started("pentagram", *players), Api(players[0].token)
    change = "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2"
    tamper(lambda hand: hand.execute(change, [frozen]))
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
    paths = ("", "/view", "/legal", "/events", "/moment", "/history", "/audit", "/export", "/board.svg", "/appeals")
    answers = [
        *(player.get(f"/matches/{frozen}{path}") for path in paths),
        player.get(f"/matches/{frozen}/events", accept="text/event-stream"),
        player.post(f"/matches/{frozen}/commands", {"text": "O3"}, idempotency_key="k"),
        player.post(f"/matches/{frozen}/pause", {"reason": "Look."}),
    ]
    assert [(it.status_code, it.json()["code"]) for it in answers] == [(503, "record_broken")] * len(answers)
    assert all(int(it.headers["Retry-After"]) > 60 for it in answers), "A person has to look at it first."
    messages = [record.getMessage() for record in caplog.records if "record broken" in record.getMessage()]
    assert len(messages) == 1, "Nobody can fill the log with it."
