"""The host's acts over REST: that each address asks its service for what was sent, and what is told afterwards.

What the acts do stands in tests/matches, who may ask for them in test_identities.
"""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from games.kernel import Illegal
from matches.services import hosting
from tests.api.document import OPERATIONS
from tests.api.guests import Guest, guest, opened, started
from tests.host_acts import ACTS, ASKED, heard_by
from tests.table_setting import new_account

SENT: dict[str, dict[str, Any]] = {name: dict(act.example) for name, act in ACTS.items()}
"""The body of each act."""


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


@pytest.fixture(scope="module")
def asked_about(host: Guest, players: list[Guest]) -> str:
    """A running match with an appeal, to which nothing happens, for services only hear what they are asked."""
    running = started("pyramid_poker", *players, opener=host)
    assert players[0].post(f"/matches/{running}/appeals", {"kind": "clock", "text": "Late."}).status == 201
    return running


def address(name: str, match: str) -> str:
    return f"/matches/{match}/{ACTS[name].rest.path.replace('<int:number>', '1')}"


def act(guest: Guest, match: str, name: str, **body: Any) -> Any:
    return guest.post(address(name, match), SENT[name] | body)


def version(match: str, reader: Guest) -> int:
    return int(reader.get(f"/matches/{match}/audit").json["version"])


def events_of(match: str, reader: Guest, after: int = 0) -> list[dict[str, Any]]:
    return list(reader.get(f"/matches/{match}/events", {"after": after, "limit": 500}).json["results"])


# What each address asks of its service


def test_every_documented_host_act_is_in_the_table_of_acts() -> None:
    of_hosts = {
        it.path
        for it in OPERATIONS.values()
        if it.method == "POST"
        and "{name}" in it.path
        and "`plays_here`" in it.declaration["responses"]["403"]["description"]
    }
    acts = {it.rest.path.replace("<int:number>", "{number}") for it in ACTS.values()}
    remark = "remarks/{thread}/{number}"
    moderation = {f"{remark}/hide", f"{remark}/restore", "mutes", "mutes/{number}/lift"}
    assert of_hosts == {f"/api/v1/matches/{{name}}/{it}" for it in acts | moderation | {"commands", "remind"}}


@pytest.mark.parametrize("name", ACTS)
def test_host_act_calls_its_service_and_returns_the_match(
    name: str, asked_about: str, organiser: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = heard_by(name, monkeypatch)
    answer = act(organiser, asked_about, name)
    assert answer.status == 200
    assert calls == [{"match_id": UUID(asked_about), "by": UUID(organiser.id), **ASKED[name]}]
    if name == "answer_appeal":
        assert answer.json["text"] == "Late."
    else:
        assert answer.json["id"] == asked_about
        assert answer.headers["ETag"] == f'"v{answer.json["version"]}-{answer.json["hash"]}"'


@pytest.mark.parametrize("name", ACTS)
def test_refusal_of_the_service_is_the_problem(
    name: str, asked_about: str, host: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard_by(name, monkeypatch, Illegal("plays_here", "You play."))
    answer = act(host, asked_about, name)
    assert (*answer.refusal, answer.json["detail"]) == (403, "plays_here", "You play.")


@pytest.mark.parametrize("name", [it for it in ACTS if it != "start"])
def test_an_act_without_a_reason_is_malformed(
    name: str, asked_about: str, host: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, bare = heard_by(name, monkeypatch), {key: it for key, it in SENT[name].items() if key != "reason"}
    longest = 2000 if name == "rule" else 500
    for reason in ({}, {"reason": ""}, {"reason": " \n"}, {"reason": None}, {"reason": "x" * (longest + 1)}):
        assert host.post(address(name, asked_about), bare | reason).refusal == (400, "malformed")
    assert calls == []
    assert host.post(address(name, asked_about), bare | {"reason": "x" * longest}).status == 200


@pytest.mark.parametrize("name", ACTS)
def test_host_act_is_refused_to_players_except_ending_their_own_stand_in(
    name: str, asked_about: str, players: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, answer = heard_by(name, monkeypatch), act(players[1], asked_about, name)
    if name == "end_stand_in":
        assert (answer.status, calls[0]["seat"]) == (200, 1)
    else:
        assert (answer.refusal, calls) == ((403, "forbidden"), [])


def test_a_start_needs_neither_reason_nor_body(asked_about: str, host: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = heard_by("start", monkeypatch)
    assert host.post(f"/matches/{asked_about}/start").status == 200
    assert calls[0]["reason"] == ""


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("adjudicate", {"winners": []}),
        ("adjudicate", {"winners": "0"}),
        ("adjudicate", {"winners": [-1]}),
        ("extend", {"seconds": 0}),
        ("extend", {"seconds": 86400 * 30 + 1}),
        ("substitute", {"seat": "0"}),
        ("substitute", {"player": None}),
        ("seat_stand_in", {"player": "somebody"}),
        ("rewind", {"to_version": 0}),
        ("rewind", {"to_version": "5"}),
        ("rewind", {"to_version": 2**31}),
        ("answer_appeal", {"decision": "perhaps"}),
        ("void", {"winners": [0]}),
    ],
)
def test_invalid_body_is_malformed(
    name: str, body: dict[str, Any], asked_about: str, host: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = heard_by(name, monkeypatch)
    assert act(host, asked_about, name, **body).refusal == (400, "malformed")
    assert calls == []


def test_substitute_must_be_an_account(asked_about: str, host: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, newcomer = heard_by("substitute", monkeypatch), guest()
    for nobody in ("somebody", str(uuid4())):
        assert act(host, asked_about, "substitute", player=nobody).refusal == (422, "no_such_player")
    assert calls == []
    assert act(host, asked_about, "substitute", player=newcomer.id).status == 200
    assert calls[0]["player"] == UUID(newcomer.id)


# What is told afterwards


def test_an_organiser_may_void_any_match_and_its_seed_and_secrets_open(match: str, organiser: Guest) -> None:
    answer = act(organiser, match, "void", reason="Rained off.")
    assert (answer.json["status"], answer.json["outcome"], answer.json["due"]["prompts"]) == ("void", None, [])
    assert answer.json["seed"]
    assert events_of(match, organiser)[-2]["text"] == "The match is void: Rained off."
    assert [it["id"] for it in organiser.get("/matches", {"status": "void", "limit": 1}).json["results"]] == [match]
    anyone = guest().get(f"/matches/{match}/view", {"as": "host"}).json
    assert anyone["witness"] == "host"


def test_a_substitute_plays_on_and_the_leaver_watches(match: str, host: Guest, players: list[Guest]) -> None:
    newcomer = guest()
    before = players[0].get(f"/matches/{match}/view").json["view"]
    answer = act(host, match, "substitute", seat=0, player=newcomer.id)
    player = answer.json["seats"][0]["player"]
    assert (player["id"], player["username"]) == (newcomer.id, newcomer.name)
    assert newcomer.get(f"/matches/{match}/view", {"at": 6, "as": "seat:0"}).json["view"] == before
    assert players[0].get(f"/matches/{match}/view").json["view"] != before
    assert players[0].send(match, "place A3").refusal == (403, "forbidden")
    assert newcomer.send(match, "place A3").status == 201


def test_only_a_result_that_needs_approval_has_the_approved_field(
    match: str, host: Guest, players: list[Guest]
) -> None:
    waiting = started("pyramid_poker", *players, opener=host, approval=True)
    for it in (match, waiting):
        players[0].send(it, {"type": "resign"})
    assert "approved" not in players[0].get(f"/matches/{match}").json["outcome"]
    assert players[0].get(f"/matches/{waiting}").json["outcome"]["approved"] is False
    assert act(host, waiting, "approve").json["outcome"]["approved"] is True


def test_ruling_is_shown_to_everybody(match: str, host: Guest, players: list[Guest]) -> None:
    act(host, match, "rule", reason="A card laid is laid.")
    assert events_of(match, players[1])[-1]["text"] == "The host ruled: A card laid is laid."


def test_rewind_is_shown_to_everybody(match: str, host: Guest, players: list[Guest]) -> None:
    assert players[0].send(match, "place A3").status == 201
    head = version(match, host)
    answer = act(host, match, "rewind", to_version=6, reason="A slip.")
    assert (answer.json["version"], answer.json["due"]["prompts"][0]["seat"]) == (head + 1, 0)
    assert events_of(match, players[1], head)[0]["text"] == "The match goes on from version 6: A slip."


def test_an_appeal_is_opened_by_a_seat_answered_by_a_host_and_read_by_all(
    match: str, host: Guest, players: list[Guest]
) -> None:
    path = f"/matches/{match}/appeals"
    assert host.get(path).json == {"results": [], "next": None}
    sent = {"kind": "clock", "text": "My clock ran while the page was frozen."}
    open_appeal = {"number": 1, "seat": 1, **sent, "decision": None, "reason": None}
    first = players[1].post(path, sent)
    assert (first.status, first.json) == (201, open_appeal)
    act(host, match, "void")
    assert players[0].post(path, {"kind": "other", "text": "And now?"}).json["number"] == 2
    answered = act(host, match, "answer_appeal", decision="rejected", reason="The log says otherwise.")
    closed = {**open_appeal, "decision": "rejected", "reason": "The log says otherwise."}
    assert (answered.status, answered.json) == (200, closed)
    assert guest().get(path).json["results"][0] == closed


@pytest.mark.parametrize("body", [{"kind": "mood", "text": "x"}, {"kind": "move"}, {"kind": "move", "text": " "}, {}])
def test_empty_appeal_is_malformed(body: dict[str, Any], asked_about: str, players: list[Guest]) -> None:
    assert players[0].post(f"/matches/{asked_about}/appeals", body).refusal == (400, "malformed")


def test_host_seats_a_stand_in_and_the_player_ends_it(match: str, host: Guest, players: list[Guest]) -> None:
    seats = act(host, match, "seat_stand_in", seat=0, player="bot").json["seats"]
    assert seats[0]["stand_in"] == "bot"
    assert "stand_in" not in seats[1]
    for other in (players[1], guest()):
        assert act(other, match, "end_stand_in", seat=0).refusal == (403, "forbidden")
    assert "stand_in" not in act(players[0], match, "end_stand_in", seat=0).json["seats"][0]


# The truth


@pytest.mark.parametrize("path", ["view", "events"])
def test_host_without_a_seat_sees_the_truth_and_each_look_is_recorded_once(
    path: str, match: str, host: Guest, organiser: Guest, players: list[Guest]
) -> None:
    before = version(match, host)
    for who in (host, host, organiser, host):
        assert who.get(f"/matches/{match}/{path}", {"as": "host"}).status == 200
    looks = events_of(match, players[0], before)
    assert [(event["type"], event["by"]) for event in looks] == [
        ("truth_viewed", host.id), ("truth_viewed", organiser.id),
    ]  # fmt: skip
    players[0].send(match, "place A3")
    truth = host.get(f"/matches/{match}/view", {"as": "host"}).json
    assert truth["witness"] == "host" and truth["version"] == version(match, host)
    assert events_of(match, players[0])[-1]["type"] == "truth_viewed"
    assert host.get(f"/matches/{match}/audit").json["truth_viewed_by"] == [host.id, organiser.id]


@pytest.mark.parametrize("path", ["view", "moment", "diff?from=5", "events", "history", "history/export", "board.svg"])
def test_cross_site_link_does_not_make_a_host_look_at_the_truth(path: str, match: str, players: list[Guest]) -> None:
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
    assert events_of(match, players[0], before)[-1]["by"] == str(organiser.id)


def test_truth_contains_the_secrets_of_the_seats(match: str, host: Guest, players: list[Guest]) -> None:
    truth = host.get(f"/matches/{match}/events", {"as": "host"}).json["results"]
    own = events_of(match, players[0])
    hidden = [event for event in events_of(match, host) if event["secret"]]
    assert hidden and all(event[name] is None for event in hidden for name in event["secret"])
    for event in (it for it in own if it["secret"] and it["seat"] == 0):
        assert truth[event["version"] - 1] == event


def test_truth_is_refused_to_players_and_strangers(match: str, players: list[Guest], organiser: Guest) -> None:
    before = version(match, organiser)
    for reader in (players[0], guest()):
        for path in ("view", "events"):
            assert reader.get(f"/matches/{match}/{path}", {"as": "host"}).refusal == (404, "not_found")
    assert organiser.get(f"/matches/{match}/view", {"as": "seat:0"}).refusal == (404, "not_found")
    assert version(match, organiser) == before


def test_truth_is_refused_to_a_host_with_a_seat() -> None:
    sitting = [guest(is_organiser=True), guest()]
    match = started("pyramid_poker", *sitting, opener=sitting[1])
    before = version(match, sitting[0])
    for reader in sitting:
        assert reader.get(f"/matches/{match}/view", {"as": "host"}).refusal == (404, "not_found")
    assert version(match, sitting[0]) == before


def test_truth_is_refused_before_the_match_begins(host: Guest, players: list[Guest]) -> None:
    match = opened(host, "pyramid_poker", *players)
    assert host.get(f"/matches/{match}/view", {"as": "host"}).refusal == (404, "not_found")


def test_look_after_the_end_is_not_recorded(match: str, host: Guest) -> None:
    hosting.void(match_id=UUID(match), by=UUID(host.id), reason="The end.")
    before = version(match, host)
    assert host.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert version(match, host) == before
