"""The host's acts over REST: who may, what is told afterwards, and how each is refused."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from matches import services
from tests.api.document import OPERATIONS
from tests.api.guests import Guest, guest, house, opened, started
from tests.table_setting import new_account

ACTS: Mapping[str, dict[str, Any]] = {
    "pause": {},
    "resume": {},
    "extend": {"seat": 0, "seconds": 5},
    "void": {},
    "adjudicate": {"winners": [0]},
    "substitute": {"seat": 0, "player": "bot"},
    "stand-in": {"seat": 0, "player": "dealer"},
    "rewind": {"to_version": 5},
    "rule": {},
    "approve": {},
    "appeals/1/answer": {"decision": "approved"},
}
"""Every act of a host, with what it takes beside its reason."""


@pytest.fixture(scope="module")
def host() -> Guest:
    return guest()


@pytest.fixture(scope="module")
def organiser() -> Guest:
    return guest(is_organiser=True)


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture
def match(host: Guest, players: list[Guest]) -> str:
    """A running match at version 6, whose host holds no seat."""
    running = started("pyramid_poker", *players, opener=host)
    assert players[0].send(running, "first 0").status == 201
    return running


def act(guest: Guest, match: str, name: str, **body: Any) -> Any:
    return guest.post(f"/matches/{match}/{name}", {"reason": "So it is."} | ACTS.get(name, {}) | body)


def version(match: str, reader: Guest) -> int:
    return int(reader.get(f"/matches/{match}/audit").json["version"])


def told(match: str, reader: Guest, after: int = 0) -> list[dict[str, Any]]:
    return list(reader.get(f"/matches/{match}/events", {"after": after, "limit": 500}).json["results"])


def views(match: str, upto: int, *readers: Guest) -> list[bytes]:
    return [it.get(f"/matches/{match}/view", {"at": at}).body for it in readers for at in range(1, upto + 1)]


# Who may, and what is asked of all acts


def test_every_act_of_a_host_is_in_this_table() -> None:
    known = {f"/api/v1/matches/{{name}}/{name.replace('/1/', '/{number}/')}" for name in ACTS}
    other = {"start", "join", "accept", "decline", "nonce", "commands", "appeals", "stand-in/end"}
    posts = {it.path for it in OPERATIONS.values() if it.method == "POST" and "{name}" in it.path}
    assert posts == known | {f"/api/v1/matches/{{name}}/{name}" for name in other}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_of_a_host_is_refused_to_players_and_watchers(name: str, match: str, players: list[Guest]) -> None:
    before = version(match, players[0])
    for reader in (players[0], guest()):
        assert act(reader, match, name).refusal == (403, "forbidden")
    assert version(match, players[0]) == before


@pytest.mark.parametrize("name", ACTS)
def test_an_act_without_a_reason_is_malformed(name: str, match: str, host: Guest) -> None:
    before = version(match, host)
    for reason in ({}, {"reason": ""}, {"reason": " \n"}, {"reason": None}):
        assert host.post(f"/matches/{match}/{name}", ACTS[name] | reason).refusal == (400, "malformed")
    assert version(match, host) == before


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("adjudicate", {"winners": []}),
        ("adjudicate", {"winners": "0"}),
        ("adjudicate", {"winners": [-1]}),
        ("substitute", {"seat": "0"}),
        ("substitute", {"player": None}),
        ("rewind", {"to_version": 0}),
        ("rewind", {"to_version": "5"}),
        ("rewind", {"to_version": 2**31}),
        ("appeals/1/answer", {"decision": "perhaps"}),
        ("void", {"winners": [0]}),
    ],
)
def test_a_body_that_makes_no_sense_is_malformed(name: str, body: dict[str, Any], match: str, host: Guest) -> None:
    assert act(host, match, name, **body).refusal == (400, "malformed")


@pytest.mark.parametrize(
    ("name", "body", "refusal"),
    [
        ("adjudicate", {"winners": [7]}, (422, "no_such_seat")),
        ("substitute", {"seat": 2}, (422, "no_such_seat")),
        ("substitute", {"player": "somebody"}, (422, "no_such_player")),
        ("substitute", {"player": str(uuid4())}, (422, "no_such_player")),
        ("rewind", {"to_version": 1}, (422, "no_such_version")),
        ("rewind", {"to_version": 6}, (422, "no_such_version")),
        ("rewind", {"to_version": 2**31 - 1}, (422, "no_such_version")),
        ("approve", {}, (409, "nothing_to_approve")),
        ("resume", {}, (409, "not_paused")),
        ("appeals/1/answer", {}, (404, "no_such_appeal")),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_code(
    name: str, body: dict[str, Any], refusal: tuple[int, str], match: str, host: Guest
) -> None:
    before = version(match, host)
    assert act(host, match, name, **body).refusal == refusal
    assert version(match, host) == before


@pytest.mark.parametrize("name", ["pause", "resume", "extend", "void", "adjudicate", "substitute", "rewind"])
def test_nothing_more_is_played_in_a_match_that_is_void(name: str, match: str, host: Guest) -> None:
    act(host, match, "void")
    assert act(host, match, name).refusal == (409, "match_over")


def test_a_command_to_a_void_match_is_refused(match: str, host: Guest, players: list[Guest]) -> None:
    act(host, match, "void")
    assert players[0].send(match, "place A1").refusal == (409, "match_over")


# What is told afterwards


def test_an_organiser_may_void_any_match_and_its_seed_and_secrets_open(match: str, organiser: Guest) -> None:
    answer = act(organiser, match, "void", reason="Rained off.")
    assert (answer.json["status"], answer.json["outcome"], answer.json["due"]["prompts"]) == ("void", None, [])
    assert answer.json["seed"]
    assert answer.headers["ETag"] == f'"v{answer.json["version"]}-{answer.json["hash"]}"'
    assert told(match, organiser)[-2]["text"] == "The match is void: Rained off."
    assert [it["id"] for it in organiser.get("/matches", {"status": "void", "limit": 1}).json["results"]] == [match]
    anyone = guest().get(f"/matches/{match}/view", {"as": "host"}).json
    assert anyone["witness"] == "host"


def test_an_adjudicated_match_says_so(match: str, host: Guest) -> None:
    answer = act(host, match, "adjudicate", winners=[1])
    assert (answer.json["status"], answer.json["outcome"]["reason"]) == ("finished", "adjudicated")
    assert answer.json["outcome"]["winners"] == [1]
    assert [event["type"] for event in told(match, host)[-3:]] == [
        "match_adjudicated", "match_finished", "seed_revealed",
    ]  # fmt: skip


def test_a_substitute_plays_on_and_the_leaver_watches(match: str, host: Guest, players: list[Guest]) -> None:
    newcomer = guest()
    before = players[0].get(f"/matches/{match}/view").json["view"]
    answer = act(host, match, "substitute", seat=0, player=newcomer.id)
    assert answer.json["seats"][0]["player"] == {"id": newcomer.id, "username": newcomer.name}
    assert newcomer.get(f"/matches/{match}/view").json["view"] == before
    assert newcomer.get(f"/matches/{match}/view", {"at": 6, "as": "seat:0"}).json["view"] == before
    assert players[0].get(f"/matches/{match}").json["witness"] == "spectator"
    assert players[0].get(f"/matches/{match}/view").json["view"] != before
    assert players[0].get(f"/matches/{match}/view", {"as": "seat:0"}).refusal == (404, "not_found")
    assert players[0].send(match, "place A3").refusal == (403, "forbidden")
    assert [it["id"] for it in newcomer.get("/me/matches", {"needs_me": 1}).json["results"]] == [match]
    assert newcomer.send(match, "place A3").status == 201


def test_a_bot_that_takes_over_moves(match: str, host: Guest, players: list[Guest]) -> None:
    act(host, match, "substitute", seat=0, player="bot")
    house(match)
    assert players[1].get(f"/matches/{match}").json["due"]["prompts"][0]["seat"] == 1


def test_a_rewound_match_is_told_and_every_earlier_version_stays_readable(
    match: str, host: Guest, players: list[Guest], tmp_path: Any
) -> None:
    assert players[0].send(match, "place A3").status == 201
    head = version(match, host)
    earlier = views(match, head, *players, host)
    answer = act(host, match, "rewind", to_version=6, reason="A slip.")
    assert (answer.status, answer.json["version"], answer.json["due"]["prompts"][0]["seat"]) == (200, head + 1, 0)
    assert told(match, host, head)[0]["text"] == "The match goes on from version 6: A slip."
    assert players[0].send(match, "place A1").status == 201
    assert views(match, head, *players, host) == earlier
    act(host, match, "adjudicate", winners=[0])
    file = tmp_path / "rewound.ndjson"
    file.write_bytes(host.get(f"/matches/{match}/export").body)
    call_command("verify", str(file))


def test_a_version_amid_an_act_is_no_place_to_go_on_from(match: str, host: Guest, players: list[Guest]) -> None:
    players[0].send(match, "place A3")
    assert act(host, match, "rewind", to_version=7).refusal == (422, "amid_an_act")


def test_a_result_waits_for_approval_where_the_match_was_opened_so(host: Guest, players: list[Guest]) -> None:
    match = started("pyramid_poker", *players, opener=host, approval=True)
    assert act(host, match, "approve").refusal == (409, "not_finished")
    players[0].send(match, {"type": "resign"})
    assert players[0].get(f"/matches/{match}").json["outcome"]["approved"] is False
    assert act(host, match, "approve").json["outcome"]["approved"] is True
    assert act(host, match, "approve").refusal == (409, "already_approved")


def test_a_result_that_needs_no_approval_says_nothing_of_it(match: str, players: list[Guest]) -> None:
    players[0].send(match, {"type": "resign"})
    assert "approved" not in players[0].get(f"/matches/{match}").json["outcome"]


# Rulings and appeals


def test_a_ruling_stands_in_the_record_also_after_the_end(match: str, host: Guest, players: list[Guest]) -> None:
    for moment in ("before", "after"):
        assert act(host, match, "rule", reason=f"A card laid is laid, {moment}.").status == 200
        assert told(match, players[1])[-1]["text"] == f"The host ruled: A card laid is laid, {moment}."
        act(host, match, "void")


def test_an_appeal_is_opened_by_a_seat_answered_by_a_host_and_read_by_all(
    match: str, host: Guest, players: list[Guest]
) -> None:
    path = f"/matches/{match}/appeals"
    assert host.get(path).json == {"results": [], "next": None}
    sent = {"kind": "clock", "text": "My clock ran while the page was frozen."}
    assert host.post(path, sent).refusal == (403, "forbidden")
    open_appeal = {"number": 1, "seat": 1, **sent, "decision": None, "reason": None}
    first = players[1].post(path, sent)
    assert (first.status, first.json) == (201, open_appeal)
    act(host, match, "void")
    assert players[0].post(path, {"kind": "other", "text": "And now?"}).json["number"] == 2
    answered = act(host, match, "appeals/1/answer", decision="rejected", reason="The log says otherwise.")
    closed = {**open_appeal, "decision": "rejected", "reason": "The log says otherwise."}
    assert (answered.status, answered.json) == (200, closed)
    assert guest().get(path).json["results"][0] == closed
    assert act(host, match, "appeals/1/answer").refusal == (409, "appeal_closed")
    assert act(host, match, "appeals/3/answer", decision="approved").refusal == (404, "no_such_appeal")


@pytest.mark.parametrize("body", [{"kind": "mood", "text": "x"}, {"kind": "move"}, {"kind": "move", "text": " "}, {}])
def test_an_appeal_that_says_nothing_is_malformed(body: dict[str, Any], match: str, players: list[Guest]) -> None:
    assert players[0].post(f"/matches/{match}/appeals", body).refusal == (400, "malformed")


# The truth


@pytest.mark.parametrize("path", ["view", "events"])
def test_a_host_without_a_seat_sees_the_truth_and_each_look_is_told_once(
    path: str, match: str, host: Guest, organiser: Guest, players: list[Guest]
) -> None:
    before = version(match, host)
    for who in (host, host, organiser, host):
        assert who.get(f"/matches/{match}/{path}", {"as": "host"}).status == 200
    looks = told(match, players[0], before)
    assert [(event["type"], event["by"]) for event in looks] == [
        ("truth_viewed", host.id), ("truth_viewed", organiser.id),
    ]  # fmt: skip
    players[0].send(match, "place A3")
    truth = host.get(f"/matches/{match}/view", {"as": "host"}).json
    assert truth["witness"] == "host" and truth["version"] == version(match, host)
    assert told(match, players[0])[-1]["type"] == "truth_viewed"
    assert host.get(f"/matches/{match}/audit").json["truth_viewed_by"] == [host.id, organiser.id]


@pytest.mark.parametrize("path", ["view", "moment", "diff?from=5", "events", "history", "history/export", "board.svg"])
def test_a_link_from_elsewhere_makes_no_host_look_at_the_truth(path: str, match: str, players: list[Guest]) -> None:
    organiser = new_account(is_organiser=True)
    browser = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
    browser.force_login(organiser)
    before, address = version(match, players[0]), f"/api/v1/matches/{match}/{path}{'&' if '?' in path else '?'}as=host"
    refused = browser.get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    assert version(match, players[0]) == before, "Nobody has looked."
    browser.get("/api/docs")
    meant = browser.get(address, headers={"X-CSRFToken": browser.cookies["csrftoken"].value})
    assert meant.status_code == 200
    assert told(match, players[0], before)[-1]["by"] == str(organiser.id)


def test_the_truth_holds_what_the_seats_are_told_alone(match: str, host: Guest, players: list[Guest]) -> None:
    truth = host.get(f"/matches/{match}/events", {"as": "host"}).json["results"]
    own = told(match, players[0])
    hidden = [event for event in told(match, host) if event["secret"]]
    assert hidden and all(event[name] is None for event in hidden for name in event["secret"])
    for event in (it for it in own if it["secret"] and it["seat"] == 0):
        assert truth[event["version"] - 1] == event


def test_nobody_else_sees_the_truth(match: str, players: list[Guest], organiser: Guest) -> None:
    before = version(match, organiser)
    for reader in (players[0], guest()):
        for path in ("view", "events"):
            assert reader.get(f"/matches/{match}/{path}", {"as": "host"}).refusal == (404, "not_found")
    assert organiser.get(f"/matches/{match}/view", {"as": "seat:0"}).refusal == (404, "not_found")
    assert version(match, organiser) == before


def test_a_host_who_holds_a_seat_does_not_see_the_truth() -> None:
    sitting = [guest(is_organiser=True), guest()]
    match = started("pyramid_poker", *sitting, opener=sitting[1])
    before = version(match, sitting[0])
    for reader in sitting:
        assert reader.get(f"/matches/{match}/view", {"as": "host"}).refusal == (404, "not_found")
    assert version(match, sitting[0]) == before


def test_a_match_that_has_not_begun_has_no_truth_to_see(host: Guest, players: list[Guest]) -> None:
    match = opened(host, "pyramid_poker", *players)
    assert host.get(f"/matches/{match}/view", {"as": "host"}).refusal == (404, "not_found")


def test_a_look_after_the_end_is_no_event(match: str, host: Guest) -> None:
    services.void(match_id=UUID(match), by=UUID(host.id), reason="The end.")
    before = version(match, host)
    assert host.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert version(match, host) == before


def test_who_has_looked_takes_no_seat(match: str, host: Guest) -> None:
    host.get(f"/matches/{match}/view", {"as": "host"})
    assert act(host, match, "substitute", player=host.id).refusal == (409, "knows_secrets")


def test_an_absent_player_is_stood_in_for_and_comes_back_by_themselves(
    match: str, host: Guest, players: list[Guest]
) -> None:
    seats = act(host, match, "stand-in", seat=0, player="bot").json["seats"]
    assert seats[0]["stand_in"] == "bot"
    assert "stand_in" not in seats[1]
    assert players[0].send(match, "resign").refusal == (409, "stand_in_seated")
    for other in (players[1], guest()):
        assert act(other, match, "stand-in/end", seat=0).refusal == (403, "forbidden")
    assert "stand_in" not in act(players[0], match, "stand-in/end", seat=0).json["seats"][0]
    assert act(players[0], match, "stand-in/end", seat=0).refusal == (409, "no_stand_in")
