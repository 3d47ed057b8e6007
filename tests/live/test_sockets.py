"""Sockets at a match: two seats and a spectator are told the same story, each as its witness."""

import json
import re
from random import Random
from time import monotonic
from typing import Any
from uuid import UUID

import httpx
import pytest
from websockets.sync.client import ClientConnection

from games.kernel import to_json
from matches.http.page_owner import owner_tag
from matches.publishing import presence, publisher
from matches.storage import repository
from tests.api.guests import advance, chosen, guest, house, started
from tests.live.watching import House
from tests.waiting import PATIENCE, wait_until


def test_two_seats_and_a_spectator_get_the_same_events_to_the_end(web: House) -> None:
    players, spectator = [guest(), guest()], guest()
    match = started("pyramid_poker", *players)
    rng = Random(1)
    with web.watch(players[0], match) as one, web.watch(players[1], match) as two, web.watch(spectator, match) as three:
        for _ in range(8):
            hello = [one, two][0].hello
            prompted_seat = repository.load(UUID(match)).due.prompts[0].seat
            seat = [one, two][prompted_seat]
            answer = seat.command(chosen({"game": hello["game"], "view": seat.view}, prompted_seat, rng))
            assert answer["kind"] == "accepted"
            house(match)
            version = repository.version_of(UUID(match))
            for watcher in (one, two, three):
                watcher.reach(version)
        for watcher, who in ((one, players[0]), (two, players[1]), (three, spectator)):
            document = who.get(f"/matches/{match}").json
            assert (watcher.version, watcher.view) == (document["version"], document["view"])
            page = who.get(f"/matches/{match}/events", {"after": watcher.hello["version"], "limit": 500}).json
            assert watcher.events == page["results"]
        assert one.raw != three.raw


def test_greeting_equals_the_match_document_of_rest(web: House) -> None:
    players = [guest(), guest()]
    match = started("reality_benders", *players)
    with web.watch(players[1], match) as watcher:
        document = players[1].get(f"/matches/{match}").json
        hello = watcher.hello
    assert hello["seat"] == 1 and hello["witness"] == "seat:1" and hello["id"] == match
    for name in ("game", "version", "status", "due", "clocks", "outcome", "view"):
        assert hello[name] == document[name]
    assert hello["server_now"].endswith("Z")


def test_command_over_a_socket_gets_the_bytes_of_rest(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    seat = repository.load(UUID(match)).due.prompts[0].seat
    with web.watch(players[seat], match) as watcher:
        refused = [
            (watcher.command(command, "x", **more), players[seat].send(match, command, key="x", **headers))
            for command, more, headers in (
                ("sing", {}, {}),
                ({"type": "no_such"}, {}, {}),
                ({"type": "place", "cell": "Z9"}, {}, {}),
                ("first 1", {"expected": 1}, {"If_Match": '"v1"'}),
            )
        ]
        accepted = watcher.command("first 1", "mine", expected=4)
        raw = watcher.raw[-1]
        repeated = players[seat].send(match, "first 1", key="mine")
        again, reused = watcher.command("first 1", "mine"), watcher.command("sing", "mine")
    for frame, answer in refused:
        assert answer.status >= 400
        assert frame["problem"] | {"request_id": ""} == answer.json | {"request_id": ""}
    assert (repeated.status, repeated.headers["Idempotent-Replayed"]) == (201, "true")
    assert accepted["id"] == "mine" and accepted["replayed"] is False and again["replayed"] is True
    assert raw.split('"answer":', 1)[1] == repeated.body.decode() + "}"
    assert accepted["version"] == repeated.json["version"]
    assert reused["problem"]["code"] == "idempotency_key_reused"


def test_stored_moves_are_answered_and_published_to_all(web: House) -> None:
    """Programs' moves, which name the position that they were decided on, at a process where both players are."""
    players, rng = [guest(), guest()], Random(7)
    match = started("pentagram", *players, clocks=None)
    left = fast_ways_left(web)
    with web.watch(players[0], match) as one, web.watch(players[1], match) as two:
        for _ in range(6):
            state = repository.load(UUID(match))
            seat = state.due.prompts[0].seat
            command = state.game.bot(repository.load(UUID(match), seat).state, seat, rng)
            answer = (one, two)[seat].command(to_json(command), expected=state.version)
            assert answer["kind"] == "accepted", answer
            for watcher in (one, two):
                watcher.reach(answer["version"])
    assert fast_ways_left(web) - left < 6, "None of them was stored by the writer."


def fast_ways_left(web: House) -> float:
    """Return the number of commands that left the fast way."""
    figures = httpx.get(f"{web.origin}/metrics").text
    return sum(map(float, re.findall(r"^croupier_fast_way_left_total\{.*\} (\S+)$", figures, re.MULTILINE)))


def test_account_without_a_seat_may_watch_and_not_play(web: House) -> None:
    match = started("pyramid_poker", guest(), guest())
    with web.watch(guest(), match) as watcher:
        answer = watcher.command("first 1")
    assert (answer["kind"], answer["problem"]["code"]) == ("refused", "forbidden")


def test_resync_from_a_version_sends_the_missed_events(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    advance(match, players, 6, Random(3))
    newest = repository.version_of(UUID(match))
    page = players[0].get(f"/matches/{match}/events", {"after": 3, "limit": 500}).json
    with web.watch(players[0], match) as watcher:
        assert watcher.events == []
        watcher.say(kind="resync", after=3)
        watcher.version = 3
        assert watcher.reach(newest).events == page["results"]
    with web.watch(players[0], match, "?after=3") as watcher:
        watcher.version = 3
        assert watcher.reach(newest).events == page["results"]


def test_event_of_another_process_is_published_within_seconds(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with web.watch(players[0], match) as watcher:
        begun = monotonic()
        advance(match, players, 1, Random(5))
        watcher.reach(repository.version_of(UUID(match)))
        assert monotonic() - begun < 2.5, "The hint, not the pulse, brings the news."


def test_lost_doubled_and_reordered_hints_change_nothing(web: House, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    rng, sent, tell = Random(7), [], publisher.publish

    def mangled(group: str, hint: publisher.Hint) -> None:
        sent.append((group, hint))
        for _ in range(rng.choice((0, 0, 1, 3))):
            tell(*rng.choice(sent))

    monkeypatch.setattr(publisher, "publish", mangled)
    with web.watch(players[0], match) as one, web.watch(guest(), match) as two:
        advance(match, players, 10, rng)
        newest = repository.version_of(UUID(match))
        for watcher, who in ((one, players[0]), (two, guest())):
            watcher.reach(newest)
            assert [event["version"] for event in watcher.events] == list(range(5, newest + 1))
            assert watcher.view == who.get(f"/matches/{match}").json["view"]


def test_socket_ends_with_the_match(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with web.watch(players[0], match) as one, web.watch(guest(), match) as two:
        assert one.command({"type": "resign"})["kind"] == "accepted"
        assert one.end()[0] == two.end()[0] == 4410
        # The first player's leaving may be announced after the end.
        end = [it for it in two.frames if it["kind"] != "presence"][-1]
        assert end["kind"] == "events" and end["status"] == "finished" and end["outcome"]["winners"]
    with web.watch(guest(), match, "?after=0") as late:
        assert late.hello["status"] == "finished"
        late.version = 0
        assert late.end()[0] == 4410
        assert len(late.events) == late.hello["version"]


def test_replaced_player_is_disconnected_before_the_next_secret(web: House) -> None:
    host, players = guest(), [guest(), guest()]
    match = started("pyramid_poker", *players, opener=host)
    with web.watch(players[1], match) as watcher:
        body = {"seat": 1, "player": "bot", "reason": "The train is late."}
        assert host.post(f"/matches/{match}/substitute", body).status == 200
        newest = repository.version_of(UUID(match))
        assert watcher.end()[0] == 4403
        assert watcher.version < newest


def test_spectator_who_takes_a_seat_reconnects_as_that_seat(web: House) -> None:
    host, other = guest(), guest()
    seats = [{"player": None}, {"player": other.id}]
    opened = host.post("/matches", {"game": "pyramid_poker", "seats": seats}).json
    newcomer = guest()
    with web.watch(newcomer, opened["id"]) as watcher:
        body = {"invitation": opened["seats"][0]["invitation"]}
        assert newcomer.post(f"/matches/{opened['id']}/join", body).status == 200
        assert watcher.end()[0] == 1012
    with web.watch(newcomer, opened["id"]) as watcher:
        assert watcher.hello["seat"] == 0


def test_connected_seats_are_published_when_they_change(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with web.watch(guest(), match) as watcher:
        with web.watch(players[1], match):
            watcher.until(lambda frame: frame.get("seats") == [1])
            wait_until(lambda: presence.present_at(UUID(match)) == ((1,), 1))
            with web.watch(players[0], match):
                watcher.until(lambda frame: frame.get("seats") == [0, 1])
            watcher.until(lambda frame: frame.get("seats") == [1])
        watcher.until(lambda frame: frame.get("seats") == [])
    wait_until(lambda: presence.present_at(UUID(match)) == ((), 0))


def test_page_form_gets_each_version_as_its_witness_may_see_it(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with web.socket(match, "?form=page") as line, web.socket(match, "?form=page") as other:
        for socket, player in ((line, players[0]), (other, players[1])):
            socket.send(json.dumps({"kind": "auth", "token": player.token}))
        owners = [json.loads(socket.recv(timeout=10)) for socket in (line, other)]
        assert owners == [{"kind": "owner", "owner": owner_tag(UUID(player.id))} for player in players]
        frames_read = [page(line), page(other)]
        assert [frame["version"] for frame in frames_read] == [4, 4]
        assert frames_read[0]["content"] != frames_read[1]["content"]
        advance(match, players, 1, Random(1))
        newest = repository.version_of(UUID(match))
        while frames_read[0]["version"] < newest:
            frames_read[0] = page(line)
        assert frames_read[0]["v"] == 1 and "<" in frames_read[0]["content"]
    with web.socket(match, f"?form=page&after={newest}") as line:
        line.send(json.dumps({"kind": "auth", "token": players[0].token}))
        advance(match, players, 1, Random(1))
        assert page(line)["version"] > newest, "What the page shows already isn't sent again."


def page(line: ClientConnection) -> dict[str, Any]:
    """The next frame that shows the page."""
    while "content" not in (frame := json.loads(line.recv(timeout=PATIENCE))):
        pass
    return dict(frame)
