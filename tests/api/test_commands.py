"""Commands over REST: accepted once, refused in words, tried without a trace."""

import json
from random import Random

import pytest

from games import catalogue
from tests.api.guests import Guest, advance, guest, house, opened, started
from tests.table_setting import at_once


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture
def match(players: list[Guest]) -> str:
    """A match at version 6: seat 0 is to place its first brick."""
    running = started("pyramid_poker", *players)
    assert players[0].send(running, {"type": "choose_first", "seat": 0}).status == 201
    return running


def version(match: str, reader: Guest) -> int:
    return int(reader.get(f"/matches/{match}/audit").json["version"])


def test_incomplete_list_of_legal_commands_says_so(players: list[Guest]) -> None:
    match = started("higher_or_lower", *players)
    chooser = players[0].get(f"/matches/{match}").json["due"]["prompts"][0]["seat"]
    assert players[chooser].get(f"/matches/{match}/legal").json["complete"], "Two colours."
    assert players[chooser].send(match, "colour cyan").status == 201
    house(match)
    document = players[0].get(f"/matches/{match}/legal").json
    assert (document["legal"], document["complete"]) == ([], False)
    group = document["template"]["groups"][0]
    assert (document["template"]["type"], len(document["template"]["left"])) == ("assign_group", 50)
    assert [group["board"], group["shape"]] in document["template"]["missing"] and group["size"] and group["suits"]
    refused = players[0].send(match, "assign A circle A1")
    assert refused.status == 422 and "legal" not in refused.json


@pytest.mark.parametrize("slug", catalogue)
def test_sample_is_a_command_that_the_match_accepts(slug: str, players: list[Guest]) -> None:
    match = started(slug, *players)
    for _ in range(3):
        house(match)
        seat = players[0].get(f"/matches/{match}").json["due"]["prompts"][0]["seat"]
        document = players[seat].get(f"/matches/{match}/legal", {"sample": 1}).json
        assert document["sample"]["type"] in catalogue[slug].command_types
        assert players[seat].send(match, document["sample"]).status == 201


def test_sample_is_given_on_request_to_a_prompted_seat_only(match: str, players: list[Guest]) -> None:
    assert players[1].get(f"/matches/{match}/legal", {"sample": 1}).json["sample"] is None
    assert "sample" not in players[0].get(f"/matches/{match}/legal").json


def test_match_without_aids_gives_no_sample_but_a_template(players: list[Guest]) -> None:
    match = started("reality_benders", *players, options={"rules_each": 2}, aids="none")
    document = players[0].get(f"/matches/{match}/legal").json
    assert not document["complete"] and document["template"]["count"] == 2
    assert players[0].get(f"/matches/{match}/legal", {"sample": 1}).refusal == (409, "aids_off")


def test_legal_commands_are_listed_and_accepted_in_both_forms(players: list[Guest]) -> None:
    answers_by_form = []
    for form in ("legal", "text"):
        match = started("pyramid_poker", *players)
        players[0].send(match, "first 0")
        legal = players[0].get(f"/matches/{match}/legal").json
        assert (legal["version"], legal["seat"], legal["complete"]) == (6, 0, True)
        assert legal["legal"][2] == {"type": "place", "cell": "A3"} and legal["text"][2] == "place A3"
        answer = players[0].send(match, legal[form][2])
        assert (answer.status, answer.headers["ETag"]) == (201, f'"v8-{answer.json["events"][-1]["hash"]}"')
        answers_by_form.append([(event["type"], event["seat"], event["text"]) for event in answer.json["events"]])
        assert players[0].get(f"/matches/{match}/legal").json["legal"] == []
    assert answers_by_form[0] == answers_by_form[1] and answers_by_form[0][0][:2] == ("brick_placed", 0)


def test_response_to_a_command_contains_only_what_its_seat_sees(match: str, players: list[Guest]) -> None:
    placed = players[0].send(match, "place A3").json
    assert placed["version"] == 8
    dealt = placed["events"][1]
    assert (dealt["type"], dealt["seat"], dealt["brick"], dealt["secret"]) == ("brick_dealt", 1, None, ["brick"])
    events = players[1].get(f"/matches/{match}/events", {"after": 6}).json["results"]
    assert events[1]["brick"] and events[1] == {**dealt, "brick": events[1]["brick"], "text": events[1]["text"]}
    assert placed["events"] == players[0].get(f"/matches/{match}/events", {"after": 6}).json["results"]


def test_a_retry_with_the_same_key_answers_byte_for_byte(match: str, players: list[Guest]) -> None:
    first = players[0].send(match, "place A3", key="k1")
    players[1].send(match, "place A1", key="k1")
    again = players[0].send(match, "place A3", key="k1", If_Match='"v6"')
    assert (again.status, again.body, again.headers["ETag"]) == (201, first.body, first.headers["ETag"])
    assert again.headers["Content-Length"] == first.headers["Content-Length"]
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    spaced = b'{ "text" :\n"place A3" }'
    assert players[0].ask("POST", f"/matches/{match}/commands", spaced, Idempotency_Key="k1").body == first.body
    assert version(match, players[0]) == 10


def test_key_with_another_body_is_refused(match: str, players: list[Guest]) -> None:
    players[0].send(match, "place A3", key="k1")
    for other in ("place A1", {"type": "place", "cell": "A3"}, {"type": "resign"}, {}):
        assert players[0].send(match, other, key="k1").refusal == (422, "idempotency_key_reused")
    assert version(match, players[0]) == 8


def test_a_refused_command_leaves_its_key_free(match: str, players: list[Guest]) -> None:
    assert players[0].send(match, "place C1", key="k1").refusal == (422, "unsupported")
    assert players[0].send(match, "place A3", key="k1").status == 201


def test_one_of_many_concurrent_sends_with_one_key_counts(match: str, players: list[Guest]) -> None:
    answers = at_once([lambda: players[0].send(match, "place A3", key="k1")] * 8)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 7
    assert version(match, players[0]) == 8


def test_one_of_many_concurrent_seats_and_keys_moves(match: str, players: list[Guest]) -> None:
    acts = [lambda n=n: players[n % 2].send(match, f"place A{n + 1}", If_Match='"v6"') for n in range(8)]
    answers = [answer.refusal for answer in at_once(acts)]
    assert answers.count((201, "")) == 1
    assert set(answers) <= {(201, ""), (412, "version_behind"), (409, "not_your_turn"), (409, "conflict")}
    assert version(match, players[0]) == 8


def test_a_command_without_a_key_is_refused(match: str, players: list[Guest]) -> None:
    path = f"/matches/{match}/commands"
    assert players[0].post(path, {"text": "place A3"}).refusal == (428, "idempotency_key_missing")
    for bad in ("two words", "x" * 201, "ключ", "a\tb"):
        assert players[0].post(path, {"text": "place A3"}, Idempotency_Key=bad).refusal == (400, "malformed")
    assert version(match, players[0]) == 6


def test_a_command_decided_on_an_older_version_is_refused(match: str, players: list[Guest]) -> None:
    for behind in ('"v5"', '"v7"', '"v0"', '"v9999999999"'):
        answer = players[0].send(match, "place A3", If_Match=behind)
        assert (answer.refusal, answer.json["version"]) == ((412, "version_behind"), 6)
    for bad in ("v6", "6", '"v6', '"v06"', 'W/"v6"', '"v6", "v7"', '"v٦"', '"v99999999999"'):
        assert players[0].send(match, "place A3", If_Match=bad).refusal == (400, "malformed")
    assert players[0].send(match, "place A3", If_Match='"v6"').status == 201
    assert players[1].send(match, "place A1", If_Match="*").status == 201


def test_unknown_seat_cannot_be_chosen(players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    for seat in (2, -1, 10**400):
        refused = players[0].send(match, {"type": "choose_first", "seat": seat if seat < 10**9 else str(seat)})
        assert refused.refusal == (422, "no_such_seat"), refused.body


def test_asides_do_not_outdate_the_expected_version(players: list[Guest]) -> None:
    host = guest()
    match = started("pyramid_poker", *players, opener=host)
    players[0].send(match, "first 0")
    etag = f'"v{version(match, players[0])}"'
    assert host.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert host.post(f"/matches/{match}/rule", {"reason": "Two pair beat a pair."}).status == 200
    assert players[1].post(f"/matches/{match}/appeals", {"kind": "other", "text": "It is cold in here."}).status == 201
    answer = {"decision": "approved", "reason": "The window is shut."}
    assert host.post(f"/matches/{match}/appeals/1/answer", answer).status == 200
    assert players[0].send(match, "place A3", dry_run=True, If_Match=etag).status == 200
    moved = players[0].send(match, "place A3", If_Match=etag)
    assert (moved.status, moved.json["version"]) == (201, 12)
    assert players[1].send(match, "place A1", If_Match=etag).refusal == (412, "version_behind")


def test_time_given_by_a_host_does_not_outdate_the_expected_version(players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    etag = f'"v{version(match, players[0])}"'
    body = {"seat": 0, "seconds": 60, "reason": "A telephone rang."}
    assert guest(is_organiser=True).post(f"/matches/{match}/extend", body).status == 200
    assert players[0].send(match, "first 0", If_Match=etag).status == 201


def test_dry_run_answers_200_and_stores_nothing(match: str, players: list[Guest]) -> None:
    before = players[0].get(f"/matches/{match}/export").body
    tried = [players[0].send(match, "Place  a3", dry_run=True) for _ in range(2)]
    assert tried[0].body == tried[1].body
    assert (tried[0].status, tried[0].json) == (
        200, {"version": 6, "command": {"type": "place", "cell": "A3"}, "text": "place A3"},
    )  # fmt: skip
    without_key = players[0].post(f"/matches/{match}/commands?dry_run=true", {"text": "place A3"})
    assert without_key.body == tried[0].body
    assert players[0].get(f"/matches/{match}/export").body == before
    assert players[0].send(match, "place A3", key="k1", dry_run=True).status == 200
    assert players[0].send(match, "place A1", key="k1").status == 201


def test_dry_run_is_refused_as_the_command_would_be(match: str, players: list[Guest]) -> None:
    for player, command, headers in (
        (0, "place C1", {}),
        (0, {"type": "draw", "cell": "A1"}, {}),
        (0, {"type": "fly"}, {}),
        (0, {"type": "place", "cell": 1}, {}),
        (0, "place A3", {"If_Match": '"v5"'}),
        (1, "place A3", {}),
    ):
        tried, sent = (players[player].send(match, command, dry_run=dry, **headers) for dry in (True, False))
        mask = {"request_id": ""}
        assert tried.status >= 400
        assert (tried.status, {**tried.json, **mask}) == (sent.status, {**sent.json, **mask})


def test_dry_run_of_a_draw_does_not_reveal_the_brick(players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    advance(match, players, 31, Random(5))
    document = players[0].get(f"/matches/{match}").json
    seat = document["due"]["prompts"][0]["seat"]
    legal = players[seat].get(f"/matches/{match}/legal").json["legal"]
    drawn = legal[0]
    assert drawn["type"] == "draw"
    tried = players[seat].send(match, drawn, dry_run=True).json
    assert tried == {"version": document["version"], "command": drawn, "text": f"draw {drawn['cell']}"}


@pytest.mark.parametrize(
    ("seat", "command", "refusal"),
    [
        (0, {"type": "place", "cell": "C1"}, (422, "unsupported")),
        (0, "place Z9", (422, "no_such_cell")),
        (0, {"type": "draw", "cell": "A1"}, (409, "not_now")),
        (0, {"type": "fly"}, (400, "unknown_command")),
        (0, {"type": "place"}, (400, "malformed")),
        (0, {"type": "place", "cell": 3}, (400, "malformed")),
        (0, {"type": "place", "cell": "A1", "seat": 1}, (400, "malformed")),
        (0, {}, (400, "malformed")),
        (0, "sing", (400, "malformed")),
        (0, {"text": "place A1", "type": "place"}, (400, "malformed")),
        (0, {"text": 7}, (400, "malformed")),
        (0, "x" * 2001, (400, "malformed")),
        (1, {"type": "place", "cell": "A1"}, (409, "not_your_turn")),
    ],
)
def test_refusal_names_its_reason_and_changes_nothing(
    match: str, players: list[Guest], seat: int, command: object, refusal: tuple[int, str]
) -> None:
    before = players[0].get(f"/matches/{match}/export").body
    answer = players[seat].send(match, command)
    assert answer.refusal == refusal
    assert answer.json["detail"].endswith(".")
    assert players[0].get(f"/matches/{match}/export").body == before


def test_refusal_lists_the_legal_commands_if_they_are_few(match: str, players: list[Guest]) -> None:
    refused = players[0].send(match, "place C1").json
    legal = players[0].get(f"/matches/{match}/legal").json
    assert 1 <= len(legal["legal"]) <= 20
    assert (refused["legal"], refused["version"]) == (legal["legal"], 6)
    assert "legal" not in players[1].send(match, "place A1").json


def test_refusal_lists_no_legal_commands_if_they_are_many(players: list[Guest]) -> None:
    match, rng, long = started("peeling_the_banana", *players), Random(2), False
    while not long:
        advance(match, players, 1, rng)
        seat = players[0].get(f"/matches/{match}").json["due"]["prompts"][0]["seat"]
        long = len(players[seat].get(f"/matches/{match}/legal").json["legal"]) > 20
    refused = players[seat].send(match, {"type": "choose_first", "seat": 0})
    assert refused.refusal == (409, "not_now") and "legal" not in refused.json


def test_command_is_refused_while_the_dealer_is_due(players: list[Guest]) -> None:
    dealt, match = started("pentagram", *players), opened(players[0], "pentagram", *players)
    assert players[0].post(f"/matches/{match}/start").json["due"] == {"prompts": [], "dealer": True, "amendable": []}
    legal = next(it for player in players for it in player.get(f"/matches/{dealt}/legal").json["legal"])
    for player in players:
        for dry_run in (True, False):
            assert player.send(match, legal, dry_run=dry_run).refusal == (409, "dealer_due")
        assert player.get(f"/matches/{match}/legal").json["legal"] == []
    house(match)
    assert players[0].get(f"/matches/{match}").json["due"]["prompts"]


def test_account_without_a_seat_may_send_no_command(match: str, players: list[Guest]) -> None:
    watcher = guest()
    for command in ("place A3", {"type": "resign"}, {"type": "fly"}):
        assert watcher.send(match, command).refusal == (403, "forbidden")
        assert watcher.send(match, command, dry_run=True).refusal == (403, "forbidden")
    assert watcher.get(f"/matches/{match}/legal").refusal == (403, "forbidden")


def test_large_integer_is_text_in_requests_and_responses(players: list[Guest]) -> None:
    match = started("pentagram", *players, options={"start_coins": str(2**60)})
    response = players[0].get(f"/matches/{match}")
    assert response.json["options"]["start_coins"] == str(2**60)
    assert str(2**60).encode() in response.body and json.loads(response.body)["view"]
