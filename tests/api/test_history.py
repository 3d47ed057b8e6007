"""A match's past over REST: moments, what a seat knew, changes, filters, searches, files, proofs."""

import codecs
import csv
import io
import json
from datetime import timedelta
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from events import projections, store
from events.checkpoints import merkle, notes, signing
from matches.api.history_views import as_table
from matches.audit import croupier_verify, history
from matches.audit.history import EventFilter
from matches.models import Account, Match
from matches.reads import entitlements, feed
from tests.api.guests import Guest, advance, guest, opened, started
from tests.api.seasons import Cup
from tests.matches.test_audit import alone
from tests.table_setting import new_account, new_token

MOVES = 17


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture(scope="module")
def watcher() -> Guest:
    return guest()


@pytest.fixture(scope="module")
def match(players: list[Guest]) -> str:
    """A match in its midst, with a ruling."""
    running = started("pyramid_poker", *players)
    assert advance(running, players, MOVES, Random(3)) == MOVES
    ruling = {"reason": "Bricks may be counted."}
    assert guest(is_organiser=True).post(f"/matches/{running}/rule", ruling).status == 200
    return running


def events(reader: Guest, match: str) -> list[dict[str, Any]]:
    return reader.get(f"/matches/{match}/events", {"limit": 500}).json["results"]


# Moments


def test_moment_contains_view_clocks_and_legal_commands_of_its_version(match: str, players: list[Guest]) -> None:
    listed = events(players[0], match)
    place = next(n for n, it in enumerate(listed) if it["type"] == "brick_placed" and it["seat"] == 0)
    moment = players[0].get(f"/matches/{match}/moment", {"at": place}).json
    view = players[0].get(f"/matches/{match}/view", {"at": place}).json
    assert (moment["version"], moment["view"], moment["due"]) == (place, view["view"], view["due"])
    assert f"place {listed[place]['cell']}" in moment["legal"]["text"]
    assert moment["clocks"]["running"][0]["seat"] == 0
    assert listed[place]["version"] in moment["act"]
    assert moment["at"].startswith(listed[place - 1]["at"][:-1])
    newest = players[0].get(f"/matches/{match}/moment").json
    assert newest["legal"]["legal"] == players[0].get(f"/matches/{match}/legal").json["legal"]
    assert newest["act"] is None


def test_a_spectators_moment_lists_no_commands(match: str, watcher: Guest) -> None:
    moment = watcher.get(f"/matches/{match}/moment", {"at": 9}).json
    assert moment["legal"] is None and moment["witness"] == "spectator"


def test_knowledge_is_the_view_of_a_seat_before_its_act(match: str, players: list[Guest], watcher: Guest) -> None:
    listed = events(players[1], match)
    placed = next(it for it in listed if it["type"] == "brick_placed" and it["seat"] == 1)
    knew = players[1].get(f"/matches/{match}/knowledge", {"of": placed["version"]}).json
    assert (knew["witness"], knew["version"]) == ("seat:1", placed["version"] - 1)
    assert knew["view"]["held"]["brick"] is not None, "the brick in its own hand"
    assert placed["version"] in knew["act"]
    dealt = next(it for it in listed if it["type"] == "brick_dealt" and it["version"] == placed["version"] + 1)
    again = players[1].get(f"/matches/{match}/knowledge", {"of": dealt["version"]}).json
    assert again == knew, "what an act brings comes of the same decision"
    for other in (players[0], watcher):
        assert other.get(f"/matches/{match}/knowledge", {"of": placed["version"]}).refusal == (404, "not_found")
    for version in (1, 4, len(listed), len(listed) + 9):
        refused = players[1].get(f"/matches/{match}/knowledge", {"of": version})
        assert refused.refusal == (404, "no_seats_act"), version


# Changes


def test_diff_leads_from_one_view_to_the_other(match: str, players: list[Guest], watcher: Guest) -> None:
    for reader in (players[0], watcher):
        for since, upto in ((4, 12), (12, 4), (7, 8), (9, 9)):
            diff = reader.get(f"/matches/{match}/diff", {"from": since, "to": upto}).json
            before, after = (reader.get(f"/matches/{match}/view", {"at": at}).json["view"] for at in (since, upto))
            assert (diff["from"], diff["to"], diff["complete"]) == (since, upto, True)
            for change in diff["changes"]:
                assert part_at(before, change["path"]) == change["before"]
                assert part_at(after, change["path"]) == change["after"]
            assert bool(diff["changes"]) == (before != after)


def part_at(view: Any, path: list[Any]) -> Any:
    """Return the part of a view at a path, or None."""
    for step in path:
        steps = dict(enumerate(view)) if isinstance(view, list) else view or {}
        view = steps.get(step)
    return view


# Filters


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("moves", {"first_chosen", "brick_dealt", "brick_placed"}),
        ("rulings", {"ruling_posted"}),
        ("host", {"match_started"}),
    ],
)
def test_events_of_one_kind(match: str, watcher: Guest, kind: str, types: set[str]) -> None:
    page = watcher.get(f"/matches/{match}/history", {"kind": kind, "limit": 500}).json
    assert {it["type"] for it in page["results"]} == types
    assert page["results"] == [it for it in events(watcher, match) if it["type"] in types]


def test_events_by_text_and_time_in_pages(match: str, players: list[Guest]) -> None:
    listed = events(players[0], match)
    wanted = [it for it in listed if "brick" in it["text"].lower()]
    pages, after = [], 0
    while after is not None:
        page = players[0].get(f"/matches/{match}/history", {"text": "BRICK", "limit": 3, "after": after}).json
        pages, after = pages + page["results"], page["next"]
    assert pages == wanted and len(wanted) > 9
    middle = listed[len(listed) // 2]["at"]
    late = players[0].get(f"/matches/{match}/history", {"since": middle, "limit": 500}).json["results"]
    early = players[0].get(f"/matches/{match}/history", {"until": middle, "limit": 500}).json["results"]
    assert [it for it in listed if it["at"] >= middle] == late
    assert [it for it in listed if it["at"] <= middle] == early


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of events of each read."""
    read, counts = feed.events, list[int]()

    def counted(*details: Any) -> Any:
        page = read(*details)
        counts.append(len(page.results))
        return page

    monkeypatch.setattr(feed, "events", counted)
    return counts


@pytest.mark.in_process
@pytest.mark.parametrize("limit", [1, 4, 500])
def test_page_of_history_reads_only_its_own_events(
    match: str, players: list[Guest], watcher: Guest, limit: int, counts: list[int]
) -> None:
    for reader in (*players, watcher):
        everything, pages, after = events(reader, match), [], 0
        counts.clear()
        while after is not None:
            page = reader.get(f"/matches/{match}/history", {"limit": limit, "after": after}).json
            pages, after = [*pages, page["results"]], page["next"]
        assert counts == [len(page) for page in pages]
        assert [event for page in pages for event in page] == everything


def test_search_in_history_reads_at_most_twice_the_events_up_to_the_match(
    match: str, players: list[Guest], counts: list[int]
) -> None:
    listed = events(players[0], match)
    place = next(place for place, it in enumerate(listed) if it["type"] == "brick_placed")
    counts.clear()
    entitlement = entitlements.entitled(UUID(match), str(players[0].id))
    page = history.history(UUID(match), entitlement, EventFilter(text=listed[place]["text"]), 0, 1)
    assert (page.results, page.next) == ([listed[place]], listed[place]["version"])
    assert place < sum(counts) <= 2 * (place + 1)


@pytest.mark.parametrize(
    "query", [{"kind": "other"}, {"since": "yesterday"}, {"since": "2026-01-01"}, {"limit": 0}, {"text": "x" * 101}]
)
def test_invalid_filter_is_refused(match: str, watcher: Guest, query: dict[str, Any]) -> None:
    assert watcher.get(f"/matches/{match}/history", query).refusal == (400, "malformed")


def test_a_search_finds_sentences_in_a_players_matches(players: list[Guest], match: str, watcher: Guest) -> None:
    hits = watcher.get("/history", {"text": "may be counted", "player": players[0].id}).json
    assert [(it["match"], it["type"]) for it in hits["results"]] == [(match, "ruling_posted")]
    assert hits["searched"] >= 1
    assert watcher.get("/history", {"text": "may be counted", "player": watcher.id}).json["results"] == []
    assert watcher.get("/history", {"text": "x"}).refusal == (400, "malformed")


def test_search_finds_no_secret_of_another_seat(players: list[Guest], match: str, watcher: Guest) -> None:
    secret = next(it for it in events(players[0], match) if it["type"] == "brick_dealt" and it["brick"])
    query = {"text": secret["text"], "player": players[0].id}
    own = players[0].get("/history", query).json["results"]
    assert secret["version"] in [it["version"] for it in own]
    assert watcher.get("/history", query).json["results"] == []
    assert players[1].get("/history", query).json["results"] == []


# Files


def test_history_is_exported_as_ndjson_and_csv(match: str, players: list[Guest]) -> None:
    listed = events(players[0], match)
    lines = players[0].get(f"/matches/{match}/history/export").lines
    assert [json.loads(line) for line in lines] == listed
    table = players[0].get(f"/matches/{match}/history/export", {"form": "csv", "kind": "moves"})
    assert table.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert table.body.startswith(codecs.BOM_UTF8) and table.body.count(codecs.BOM_UTF8) == 1
    rows = list(csv.DictReader(io.StringIO(table.body.decode("utf-8-sig"))))
    moves = [it for it in listed if it["type"] in ("first_chosen", "brick_dealt", "brick_placed")]
    assert [(row["version"], row["text"], row["hash"]) for row in rows] == [
        (str(it["version"]), it["text"], it["hash"]) for it in moves
    ]


def test_no_cell_of_a_table_is_a_formula(players: list[Guest]) -> None:
    event = {"version": 1, "at": "", "actor": "@a", "type": "t", "text": "=HYPERLINK(1)", "hash": "-h"}
    rows = list(csv.reader(io.StringIO(b"".join(as_table(iter([event]))).decode("utf-8-sig"))))
    assert rows[1] == ["1", "", "'@a", "t", "'=HYPERLINK(1)", "'-h"]


def test_audit_lists_who_exported_the_record(match: str, watcher: Guest, players: list[Guest]) -> None:
    assert watcher.get(f"/matches/{match}/export").status == 200
    entries = players[0].get(f"/matches/{match}/audit").json["access"]
    assert ("exported", watcher.id) in [(it["kind"], it["by"]) for it in entries]
    assert ("changed", players[0].id) in [(it["kind"], it["by"]) for it in entries]


# Results


def test_results_of_a_player_are_paged() -> None:
    mira, tobias = guest(), guest()
    matches = []
    for _ in range(3):
        matches.append(started("pyramid_poker", mira, tobias))
        assert tobias.post(f"/matches/{matches[-1]}/accept").status == 200
        assert mira.send(matches[-1], {"type": "resign"}).status == 201
    projections.catch_up()
    first = tobias.get(f"/players/{mira.id}/results", {"limit": 2}).json
    rest = tobias.get(f"/players/{mira.id}/results", {"limit": 2, "cursor": first["next"]}).json
    results = first["results"] + rest["results"]
    assert [it["match"] for it in results] == matches[::-1]
    assert {(it["won"], it["reason"]) for it in results} == {(False, "resigned")}
    assert rest["next"] is None


def test_result_awaiting_approval_is_not_listed() -> None:
    mira, tobias = guest(), guest()
    match = started("pyramid_poker", mira, tobias, approval=True)
    assert tobias.post(f"/matches/{match}/accept").status == 200
    assert mira.send(match, {"type": "resign"}).status == 201
    pages = []
    for path in ("", "/approve"):
        if path:
            official = guest(is_organiser=True)
            assert official.post(f"/matches/{match}{path}", {"reason": "So be it."}).status == 200
        projections.catch_up()
        pages.append([it["match"] for it in tobias.get(f"/players/{tobias.id}/results").json["results"]])
    assert pages == [[], [match]]


def test_result_is_shown_to_delayed_spectators_after_the_delay() -> None:
    mira, tobias, watcher = guest(), guest(), guest()
    match = started("pyramid_poker", mira, tobias, spectator_delay=600)
    assert tobias.post(f"/matches/{match}/accept").status == 200
    assert mira.send(match, {"type": "resign"}).status == 201
    projections.catch_up()

    def listed_for(reader: Guest) -> list[str]:
        return [it["match"] for it in reader.get(f"/players/{mira.id}/results").json["results"]]

    assert (listed_for(mira), listed_for(tobias), listed_for(watcher)) == ([match], [match], [])
    Match.objects.filter(id=match).update(finished_at=timezone.now() - timedelta(seconds=601))
    assert listed_for(watcher) == [match]


# Proofs


def test_proof_leads_to_the_signed_root_and_is_in_the_export(match: str, players: list[Guest], tmp_path: Any) -> None:
    signing.sign_if_due(after_seconds=0)
    proof = players[0].get(f"/matches/{match}/audit/proof").json
    last = events(players[0], match)[-1]
    assert (proof["version"], proof["hash"]) == (last["version"], last["hash"])
    leaf = (
        b"croupier-head-v1\n" + UUID(match).bytes + proof["version"].to_bytes(8, "big") + bytes.fromhex(proof["hash"])
    )
    path = [bytes.fromhex(hash) for hash in proof["path"]]
    root = bytes.fromhex(proof["root"])
    assert merkle.includes(sha256(b"\0" + leaf).digest(), proof["position"], proof["size"], path, root)
    key = Client(headers={"host": "localhost"}).get("/.well-known/croupier-key").content.decode()
    assert croupier_verify.signed(proof["note"], key)
    audit = players[0].get(f"/matches/{match}/audit").json
    assert (audit["checkpoints"][0]["version"], audit["verifier_key"]) == (proof["version"], key.strip())
    newest = Client(headers={"host": "localhost"}).get("/.well-known/croupier-checkpoint").content.decode()
    assert croupier_verify.signed(newest, key)
    record, key_file = tmp_path / "m.ndjson", tmp_path / "key"
    record.write_bytes(players[0].get(f"/matches/{match}/export").body)
    key_file.write_text(key)
    held = alone(record, key_file, cwd=tmp_path)
    assert held.returncode == 0 and "signed with the key" in held.stdout, held.stdout
    other = notes.Signer("other.example", "secret").verifier_key
    assert alone(record, other, cwd=tmp_path).returncode == 4


def test_proof_is_refused_without_a_checkpoint_of_that_size(players: list[Guest]) -> None:
    fresh = started("pyramid_poker", *players)
    assert players[0].get(f"/matches/{fresh}/audit/proof").refusal == (404, "no_checkpoint")
    signing.sign_if_due(after_seconds=0)
    assert players[0].get(f"/matches/{fresh}/audit/proof").status == 200
    assert players[0].get(f"/matches/{fresh}/audit/proof", {"size": 10**12}).refusal == (404, "no_checkpoint")
    assert players[0].get(f"/matches/{fresh}/audit/proof", {"upto": 1}).refusal == (404, "no_checkpoint")


# Erasure


def member(password: str) -> Guest:
    """Somebody with a password."""
    account = new_account(password)
    return Guest(new_token(account), account)


def test_an_account_is_erased_by_its_owner_with_the_password() -> None:
    mira = member("seven blue lanterns")
    farewell = json.dumps({"password": "seven blue lanterns"}).encode()
    assert mira.ask("DELETE", "/me", json.dumps({"password": "guessed"}).encode()).refusal == (401, "bad_credentials")
    assert mira.get("/me").status == 200
    assert mira.ask("DELETE", "/me", farewell).status == 204
    assert mira.get("/me").refusal == (401, "bad_token")
    entered = Guest().post("/tokens", {"username": mira.name, "password": "seven blue lanterns"})
    assert entered.refusal == (401, "bad_credentials")


def test_name_of_an_erased_account_cannot_be_signed_up() -> None:
    mira = member("seven blue lanterns")
    farewell = json.dumps({"password": "seven blue lanterns"}).encode()
    for name in (f"Erased {mira.id.replace('-', '')[:16]}", f"erased {mira.id.replace('-', '')}"):
        taken = Guest().post("/accounts", {"username": name, "password": "violet harbour 77"})
        assert taken.refusal == (422, "bad_name")
    assert mira.ask("DELETE", "/me", farewell).status == 204


def test_account_seated_without_consent_may_be_erased() -> None:
    mira, host = member("seven blue lanterns"), guest()
    match = opened(host, "pyramid_poker", mira, guest())
    assert mira.ask("DELETE", "/me", json.dumps({"password": "seven blue lanterns"}).encode()).status == 204
    assert host.post(f"/matches/{match}/start").refusal == (409, "player_gone")
    seated = host.post(f"/matches/{match}/substitute", {"seat": 0, "player": "bot", "reason": "Gone."})
    assert seated.status == 200
    assert host.post(f"/matches/{match}/start").status == 200


def test_account_seated_at_a_running_match_is_not_erased() -> None:
    mira = member("seven blue lanterns")
    running = started("pyramid_poker", mira, guest())
    farewell = json.dumps({"password": "seven blue lanterns"}).encode()
    assert mira.ask("DELETE", "/me", farewell).refusal == (409, "still_seated")
    assert mira.send(running, {"type": "resign"}).status == 201
    assert mira.ask("DELETE", "/me", farewell).status == 204
    player = guest().get(f"/matches/{running}").json["seats"][0]["player"]
    assert player["id"] == mira.id and player["username"].startswith("erased ")


CLIENT = """
import hashlib, json
from datetime import datetime, timezone, timedelta
OF_THE_CHAIN = ("version", "at", "actor", "text", "hash", "digest", "secret", "audience", "schema", "own")

def walk(match, lines):
    previous, count = b"", 0
    for line in lines:
        e = json.loads(line)
        count += 1
        assert e["version"] == count, "version %d is missing" % count
        told = {**{k: v for k, v in e.items() if k not in OF_THE_CHAIN}, **e.get("own", {})}
        public = {k: None if k in e["secret"] else v for k, v in told.items()}
        moment = datetime.strptime(e["at"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
        at = (moment - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)
        fields = (previous, bytes.fromhex(match.replace("-", "")), count.to_bytes(8, "big"), e["type"].encode(),
                  e["schema"].to_bytes(2, "big"), e["actor"].encode(), at.to_bytes(8, "big"),
                  json.dumps(public, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(),
                  (e["audience"] or "").encode(), bytes.fromhex(e["digest"] or ""))
        hashed = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
        previous = hashlib.sha256(b"croupier-event-v1\\n" + hashed).digest()
        assert previous.hex() == e["hash"], "version %d: the hash does not fit" % count
    return count
"""
"""A seat's own program, which knows what docs/verifying.md says and uses no code of the house."""


@pytest.mark.parametrize("slug", ["pyramid_poker", "higher_or_lower", "reality_benders", "pentagram"])
def test_client_of_a_seat_verifies_the_chain_of_a_running_match(slug: str) -> None:
    """It knows the events as its seat witnesses them, and computes every hash from them, with no code of the house."""
    pair = [guest(), guest()]
    running = started(slug, *pair, clocks=None)
    client: dict[str, Any] = {}
    exec(CLIENT, client)  # noqa: S102
    for stage in range(2):
        advance(running, pair, 12, Random(stage))
        official = guest(is_organiser=True)
        assert official.post(f"/matches/{running}/rule", {"reason": "Zoë's \u2028 =1+1"}).status == 200
        for reader in (*pair, guest()):
            listed = events(reader, running)
            assert client["walk"](running, map(json.dumps, listed)) == len(listed)
            changed = [{**event, "actor": "mallory"} if event["version"] == 9 else event for event in listed]
            with pytest.raises(AssertionError, match="version 9: the hash does not fit"):
                client["walk"](running, map(json.dumps, changed))
            with pytest.raises(AssertionError, match="version 5 is missing"):
                client["walk"](running, map(json.dumps, listed[:4] + listed[5:]))


def test_moment_reads_the_log_at_most_once(match: str, players: list[Guest], monkeypatch: pytest.MonkeyPatch) -> None:
    read, ranges = store.read, []
    monkeypatch.setattr(store, "read", lambda *details, **more: ranges.append(more) or read(*details, **more))
    assert players[0].get(f"/matches/{match}/moment", {"at": 9}).status == 200
    from_the_first = [more for more in ranges if not more.get("after")]
    assert len(from_the_first) <= 1


def test_the_audit_reads_the_hosts_acts_alone(
    match: str, players: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("It reads the whole log.")

    monkeypatch.setattr(store, "read_in_pages", refuse)
    entries = players[0].get(f"/matches/{match}/audit").json["access"]
    assert any(it["text"] == "The host ruled: Bricks may be counted." for it in entries)


def test_account_that_plays_in_a_season_is_not_erased() -> None:
    cup = Cup(4)
    mira = cup.players[0]
    account = Account.objects.get(id=mira.id)
    account.set_password("seven blue lanterns")
    account.save()
    farewell = json.dumps({"password": "seven blue lanterns"}).encode()
    response = mira.ask("DELETE", "/me", farewell)
    assert response.refusal == (409, "still_seated") and "A cup" in response.json["detail"]
    cup.did(f"/players/{mira.id}/withdraw", {"reason": "Off to sea."})
    assert mira.ask("DELETE", "/me", farewell).status == 204
