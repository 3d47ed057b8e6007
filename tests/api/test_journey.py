"""The journey of a client: an account, a token, a table, a start, a record."""

from hashlib import sha256
from random import Random
from uuid import UUID, uuid4

import pytest

from games import catalogue
from matches.models import Match
from tests.api.guests import PASSWORD, Guest, advance, guest, house, opened, started

SEATED = {"game": "pyramid_poker", "seats": [{"player": None}, {"player": "bot"}]}


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture(scope="module")
def watcher() -> Guest:
    return guest()


def seats_told(guest: Guest, match: str) -> list[object]:
    return [seat["player"] for seat in guest.get(f"/matches/{match}").json["seats"]]


def test_visitor_signs_up_makes_a_token_and_reads_their_account() -> None:
    stranger, login = Guest(), {"username": f"ada {uuid4().hex[:8]}", "password": PASSWORD}
    assert stranger.get("/me").refusal == (401, "not_authenticated")
    account = stranger.post("/accounts", login).json
    assert account["username"] == login["username"]
    token = stranger.post("/tokens", {**login, "scopes": ["match:read", "match:play"]}).json
    owner = Guest(token["token"])
    me = {"id": account["id"], "username": login["username"], "is_organiser": False, "scopes": token["scopes"]}
    me |= {"time_zone": "UTC", "theme": "system", "access_log_unseen": 0, "guest_until": None}
    assert owner.get("/me").json == me
    assert owner.get("/me/matches").json == {"results": [], "next": None}


def test_a_token_serves_until_it_is_revoked() -> None:
    stranger, login = Guest(), {"username": f"bea {uuid4().hex[:8]}", "password": PASSWORD}
    stranger.post("/accounts", login)
    token = stranger.post("/tokens", login).json
    owner = Guest(token["token"])
    assert [it["id"] for it in owner.get("/tokens").json["results"]] == [token["id"]]
    assert owner.ask("DELETE", f"/tokens/{token['id']}").status == 204
    assert owner.get("/me").refusal == (401, "bad_token")


def test_catalogue_lists_every_game_with_its_rules_and_schemas(watcher: Guest) -> None:
    listed = watcher.get("/games").json["results"]
    assert {card["slug"] for card in listed} == set(catalogue)
    for card in listed:
        game = watcher.get(f"/games/{card['slug']}").json
        assert game["rules"] == catalogue[card["slug"]].readme
        assert set(game["commands"]) == set(catalogue[card["slug"]].command_types)
        assert {name: game[name] for name in card} == card
    assert watcher.get("/games/chess").refusal == (404, "not_found")


def test_match_is_opened_for_the_opener_a_bot_a_named_player_and_an_invitation(watcher: Guest) -> None:
    opener, named, invited = guest(), guest(), guest()
    for player in (opener, named):
        seats = [{"player": player.id, "role": "guest"}, {"player": "bot"}]
        document = opener.post("/matches", {"game": "pentagram", "seats": seats}).json
        awaited = {} if player is opener else {"accepted": False}
        portrait = player.get("/me/portrait").json["portrait"]
        whom = {"id": player.id, "username": player.name, "portrait": portrait}
        assert document["seats"][0] == {"seat": 0, "player": whom, "role": "guest", **awaited}
        assert document["seats"][1] == {"seat": 1, "player": "bot", "role": ""}
    document = opener.post("/matches", {"game": "pentagram", "seats": [{}, {"player": None}]}).json
    invitations = [seat["invitation"] for seat in document["seats"]]
    assert seats_told(watcher, document["id"]) == [None, None]
    for reader in (opener, invited, watcher):
        assert not any("invitation" in seat for seat in reader.get(f"/matches/{document['id']}").json["seats"])
    join = f"/matches/{document['id']}/join"
    assert invited.post(join, {"invitation": invitations[1]}).json["witness"] == "seat:1"
    assert invited.post(join, {"invitation": invitations[1]}).json["version"] == 2
    assert invited.post(join).json["witness"] == "seat:1"
    assert watcher.post(join, {"invitation": invitations[1]}).refusal == (422, "no_such_invitation")
    assert watcher.post(join).refusal == (422, "no_such_invitation")
    assert invited.post(join, {"invitation": invitations[0]}).refusal == (409, "already_seated")
    assert opener.post(join, {"invitation": invitations[0]}).json["witness"] == "seat:0"
    assert [player["id"] for player in seats_told(watcher, document["id"])] == [opener.id, invited.id]


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"game": "chess"}, (422, "no_such_game")),
        ({"seats": []}, (422, "bad_options")),
        ({"seats": [{}] * 5}, (422, "bad_options")),
        ({"priority": 2}, (422, "bad_options")),
        ({"options": {"base": 99}}, (422, "bad_options")),
        ({"options": {"cheat": 1}}, (422, "bad_options")),
        ({"seats": [{"player": str(uuid4())}, {}]}, (422, "no_such_player")),
        ({"seats": [{"player": "dealer"}, {}]}, (422, "no_such_player")),
        ({"clocks": {"lunch": {"base": 60}}}, (422, "bad_options")),
        ({"clocks": {"turn": {"base": 0}}}, (422, "bad_options")),
        ({"opened_by": str(uuid4())}, (400, "malformed")),
    ],
)
def test_match_with_invalid_seats_is_refused(fields: dict[str, object], refusal: tuple[int, str]) -> None:
    watcher = guest()
    assert watcher.post("/matches", {**SEATED, **fields}).refusal == refusal
    assert not Match.objects.filter(opened_by=watcher.id).exists()


def test_player_cannot_have_two_seats_of_a_match(players: list[Guest]) -> None:
    seats = [{"player": players[0].id}] * 2
    assert players[0].post("/matches", {"game": "pentagram", "seats": seats}).refusal == (409, "already_seated")


def test_response_to_an_opening_has_the_location_of_the_match(players: list[Guest]) -> None:
    answer = players[0].post("/matches", SEATED)
    again = players[0].get(answer.headers["Location"].removeprefix("/api/v1"))
    assert again.headers["ETag"] == answer.headers["ETag"] == f'"v2-{answer.json["hash"]}"'
    assert again.json["id"] == answer.json["id"] and again.json["seats"][0]["player"] is None


def test_each_seat_adds_one_nonce_before_the_start(players: list[Guest], watcher: Guest) -> None:
    match = opened(players[0], "pyramid_poker", *players)
    path = f"/matches/{match}/nonce"
    assert watcher.post(path, {"nonce": "mine"}).refusal == (403, "forbidden")
    assert players[0].post(path, {"nonce": "heads"}).status == 200
    assert players[0].post(path, {"nonce": "tails"}).refusal == (409, "nonce_given")
    assert watcher.get(f"/matches/{match}/audit").json["nonces"] == ["heads", None]
    assert players[0].post(f"/matches/{match}/start").status == 200
    assert players[1].post(path, {"nonce": "late"}).refusal == (409, "already_started")
    assert watcher.get(f"/matches/{match}/audit").json["nonces"] == ["heads", None]


def promised(match: str, seat: int, nonce: str) -> dict[str, str]:
    """The commitment to a nonce, made as the documentation says and by none of the house's code."""
    preimage = b"croupier-nonce-commitment-v1\n" + UUID(match).bytes + seat.to_bytes(4, "big") + bytes.fromhex(nonce)
    return {"commitment": sha256(preimage).hexdigest()}


def test_nonces_are_committed_and_then_revealed(players: list[Guest], watcher: Guest) -> None:
    match, nonce_values = opened(players[0], "pyramid_poker", *players), ["0a" * 32, "0b" * 32]
    path = f"/matches/{match}/nonce"
    nonces = players[0].post(path, promised(match, 0, nonce_values[0])).json["nonces"]
    assert (nonces["step"], nonces["until"], nonces["seats"][0]["nonce"]) == ("give", None, None)
    assert players[0].post(path, {"nonce": nonce_values[0]}).refusal == (409, "nonce_too_early")
    assert players[0].post(path, promised(match, 0, nonce_values[1])).refusal == (409, "nonce_given")
    assert players[1].post(path, promised(match, 1, nonce_values[1])).json["nonces"]["step"] == "show"
    called = players[0].post(f"/matches/{match}/start").json
    assert (called["status"], called["nonces"]["until"] is None) == ("waiting", False)
    assert players[0].post(f"/matches/{match}/start").refusal == (409, "nonces_called")
    assert players[0].post(path, {"nonce": nonce_values[1]}).refusal == (422, "nonce_mismatch")
    assert players[0].post(path, {"nonce": nonce_values[0]}).json["status"] == "waiting"
    assert players[1].post(path, {"nonce": nonce_values[1]}).json["status"] == "running"
    audit = watcher.get(f"/matches/{match}/audit").json
    assert (audit["nonces"], audit["left_out"], len(audit["nonce_commitments"])) == (nonce_values, [], 2)
    assert "promised before any was shown" in audit["fairness"]


def test_no_new_nonce_is_accepted_after_the_start_is_called(players: list[Guest]) -> None:
    match = opened(players[0], "pyramid_poker", *players)
    path = f"/matches/{match}/nonce"
    assert players[0].post(path, promised(match, 0, "0a" * 32)).status == 200
    assert players[0].post(f"/matches/{match}/start").json["status"] == "waiting"
    assert players[1].post(path, {"nonce": "ground"}).refusal == (409, "nonces_closed")
    assert players[1].post(path, promised(match, 1, "0b" * 32)).refusal == (409, "nonces_closed")
    assert players[0].post(path, {"nonce": "0a" * 32}).json["nonces"]["seats"][1] == {
        "seat": 1, "commitment": None, "nonce": None, "left_out": False
    }  # fmt: skip


@pytest.mark.parametrize("body", [{}, {"nonce": "a", "commitment": "0a" * 32}, {"commitment": "0A" * 32}])
def test_nonce_and_commitment_together_are_malformed(players: list[Guest], body: dict[str, str]) -> None:
    match = opened(players[0], "pyramid_poker", *players)
    assert players[0].post(f"/matches/{match}/nonce", body).refusal == (400, "malformed")


def test_opener_or_organiser_starts_a_full_match_once(players: list[Guest]) -> None:
    match_opened = players[0].post("/matches", SEATED).json
    start = f"/matches/{match_opened['id']}/start"
    assert players[0].post(start).refusal == (409, "seats_open")
    joined = {"invitation": match_opened["seats"][0]["invitation"]}
    assert players[1].post(f"/matches/{match_opened['id']}/join", joined).json["status"] == "waiting"
    assert players[1].post(start).refusal == (403, "forbidden")
    running = players[0].post(start, {"reason": "All are here."}).json
    assert (running["status"], running["due"]["prompts"][0]["commands"]) == ("running", ["choose_first"])
    assert players[0].post(start).refusal == (409, "already_started")
    assert players[0].post(f"/matches/{match_opened['id']}/join").refusal == (422, "no_such_invitation")
    other = opened(players[0], "pyramid_poker", players[1], "bot")
    assert guest(is_organiser=True).post(f"/matches/{other}/start").json["status"] == "running"


def test_nothing_is_played_before_the_start(players: list[Guest]) -> None:
    match = opened(players[0], "pyramid_poker", *players)
    assert players[0].send(match, {"type": "resign"}).refusal == (409, "not_started")
    assert players[0].get(f"/matches/{match}/legal").json["legal"] == []


def test_void_match_cannot_be_joined(players: list[Guest]) -> None:
    document = players[0].post("/matches", SEATED).json
    path = f"/matches/{document['id']}"
    assert players[0].post(f"{path}/void", {"reason": "Nobody came."}).json["status"] == "void"
    joined = players[1].post(f"{path}/join", {"invitation": document["seats"][0]["invitation"]})
    assert joined.refusal == players[0].post(f"{path}/start").refusal == (409, "match_over")


def test_match_is_found_by_its_code_in_any_spelling(players: list[Guest], watcher: Guest) -> None:
    match = started("pyramid_poker", *players)
    code = players[0].get(f"/matches/{match}").json["code"]
    for name in (code, code.lower(), match.upper(), match.replace("-", "")):
        assert watcher.get(f"/matches/{name}").json["id"] == match
        assert watcher.get(f"/matches/{name}/audit").json["version"] == 4
    assert players[0].send(code, "first 1").status == 201
    assert watcher.get("/matches/ZZZZZZZZ").refusal == (404, "not_found")
    assert watcher.get(f"/matches/{uuid4()}").refusal == (404, "not_found")


def test_the_etag_is_the_version_and_spares_the_answer(players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    path = f"/matches/{match}"
    etag = players[0].get(path).headers["ETag"]
    assert etag == f'"v4-{players[0].get(path).json["hash"]}"'
    for condition in (etag, f"W/{etag}", f'"v3", {etag}', f'"other",W/{etag}'):
        answer = players[0].get(path, If_None_Match=condition)
        assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", etag)
    for other in ('"v3"', "v4", '"v4"', "*4", '"v44"', ""):
        assert players[0].get(path, If_None_Match=other).status == 200
    players[0].send(match, "first 0")
    moved = players[0].get(path, If_None_Match=etag)
    assert (moved.status, moved.headers["ETag"]) == (200, f'"v6-{moved.json["hash"]}"')


def test_head_request_gets_the_headers_without_a_body(players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    for path in (f"/matches/{match}", f"/matches/{match}/events", "/matches", "/me"):
        full, head = (players[0].ask(method, path) for method in ("GET", "HEAD"))
        assert (full.status, head.status, head.body) == (200, 200, b"")
        assert head.headers.get("ETag") == full.headers.get("ETag")


def test_a_resignation_ends_the_match_and_opens_everything(players: list[Guest], watcher: Guest) -> None:
    match = started("pyramid_poker", *players)
    advance(match, players, 9, Random(1))
    sealed = watcher.get(f"/matches/{match}").json
    for witness in ("host", "seat:0", "seat:1"):
        assert watcher.get(f"/matches/{match}/view", {"as": witness}).refusal == (404, "not_found")
    assert (sealed["seed"], watcher.get(f"/matches/{match}/audit").json["seed"]) == (None, None)
    gave_up = players[1].send(match, {"type": "resign"}).json
    assert [event["type"] for event in gave_up["events"]] == ["resigned", "match_finished", "seed_revealed"]
    over = watcher.get(f"/matches/{match}").json
    assert (over["status"], over["outcome"]["winners"], over["outcome"]["reason"]) == ("finished", [0], "resigned")
    assert over["seed"] == gave_up["events"][-1]["seed"] == watcher.get(f"/matches/{match}/audit").json["seed"]
    host = watcher.get(f"/matches/{match}/view", {"as": "host"}).json
    assert all(standing["brick"] for standing in host["view"]["spaces"].values())
    for at in range(5, 14):
        views = [
            player.get(f"/matches/{match}/view", {"at": at, "as": f"seat:{seat}"}).json
            for player in (watcher, players[0])
            for seat in (0, 1)
        ]
        assert views[:2] == views[2:]
        assert views[0] != views[1]
    assert players[0].send(match, {"type": "resign"}).refusal == (409, "match_over")
    assert watcher.get(f"/matches/{match}/view", {"as": "seat:2"}).refusal == (404, "not_found")


def test_bot_answers_a_move(players: list[Guest]) -> None:
    match = started("pyramid_poker", players[0], "bot")
    players[0].send(match, "first 1")
    assert players[0].get(f"/matches/{match}").json["due"]["prompts"][0]["seat"] == 1
    house(match)
    document = players[0].get(f"/matches/{match}").json
    assert document["due"]["prompts"][0]["seat"] == 0
    actors = [event["actor"] for event in players[0].get(f"/matches/{match}/events").json["results"]]
    assert actors.count("bot") == 2  # a brick placed, and the next one dealt
