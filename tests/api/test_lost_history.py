"""The database was set back: REST tells a caller plainly that what they hold is no longer in the record."""

import json
from random import Random
from uuid import UUID

import pytest

from matches.storage import repository
from tests.api.guests import Guest, advance, guest, started
from tests.lost import another_process, backup, restore


@pytest.fixture
def players() -> list[Guest]:
    """Two people."""
    return [guest(), guest()]


@pytest.fixture
def match(players: list[Guest]) -> str:
    """Their match, some moves old."""
    match = started("pyramid_poker", *players)
    advance(match, players, 4, Random(1))
    return match


def lose(match: str, players: list[Guest], moves: int) -> int:
    """Make so many moves and lose them again; gives the version that they had reached."""
    saved = backup(UUID(match))
    advance(match, players, moves, Random(2))
    reached = repository.version_of(UUID(match))
    restore(UUID(match), saved)
    return reached


def test_cached_etag_of_another_history_is_never_current(
    match: str, players: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = backup(UUID(match))
    advance(match, players, 3, Random(2))
    before = players[0].get(f"/matches/{match}")
    restore(UUID(match), saved)
    with another_process(monkeypatch):
        advance(match, players, 3, Random(3))
    after = players[0].get(f"/matches/{match}", If_None_Match=before.headers["ETag"])
    assert (after.status, after.json["version"]) == (200, before.json["version"])
    # The moves, and so the views, may be alike by chance; the histories never are.
    assert after.headers["ETag"] != before.headers["ETag"]
    seat = after.json["due"]["prompts"][0]["seat"]
    command = players[seat].get(f"/matches/{match}/legal").json["text"][0]
    refused = players[seat].send(match, command, If_Match=before.headers["ETag"])
    assert refused.refusal == (412, "version_behind")
    assert players[seat].send(match, command, If_Match=after.headers["ETag"]).status == 201


def test_events_after_a_lost_version_get_409_with_the_remaining_version(match: str, players: list[Guest]) -> None:
    left = repository.version_of(UUID(match))
    reached = lose(match, players, 3)
    for path in ("/matches/{}/events?after={}", "/matches/{}/events?after={}&wait=30"):
        answer = players[0].get(path.format(match, reached))
        assert answer.refusal == (409, "history_changed")
        assert answer.json["version"] == left
    assert players[0].get(f"/matches/{match}/events", {"after": left}).json["results"] == []


def test_hash_of_another_history_gets_409_at_any_length(match: str, players: list[Guest]) -> None:
    saved = backup(UUID(match))
    advance(match, players, 2, Random(2))
    last = players[0].get(f"/matches/{match}/events", {"limit": 500}).json["results"][-1]
    path, held = f"/matches/{match}/events", {"after": last["version"], "hash": last["hash"][:8]}
    assert players[0].get(path, held).json["results"] == []
    restore(UUID(match), saved)
    advance(match, players, 5, Random(3))
    assert players[0].get(path, {"after": last["version"]}).status == 200
    assert players[0].get(path, held).refusal == (409, "history_changed")
    for hash in ("abc", "g" * 64, "A" * 64, "0" * 65, f"{'a' * 64}\n"):
        assert players[0].get(path, held | {"hash": hash}).refusal == (400, "malformed"), hash


@pytest.mark.parametrize("accepted", ["application/x-ndjson", "text/event-stream"])
def test_stream_resumed_after_a_lost_version_begins_with_a_resync(
    match: str, players: list[Guest], accepted: str
) -> None:
    left = repository.version_of(UUID(match))
    reached = lose(match, players, 3)
    headers = {"Last_Event_ID": str(reached)} if accepted == "text/event-stream" else {}
    text = players[0].get(f"/matches/{match}/events", {} if headers else {"after": reached}, Accept=accepted, **headers)
    frames = [line.removeprefix("data: ") for line in text.body.decode().split("\n")]
    resync, hello = (json.loads(frame) for frame in frames if frame.startswith("{"))
    assert resync == {
        "kind": "resync", "reason": "history_changed", "version": left, "told": reached, "never_happened": [],
    }  # fmt: skip
    assert (hello["kind"], hello["version"]) == ("hello", left)
    if headers:
        assert [line for line in frames if line.startswith("id:")] == [f"id: {left}"]


def test_status_of_a_lost_command_says_that_it_never_happened(match: str, players: list[Guest]) -> None:
    saved = backup(UUID(match))
    document = players[0].get(f"/matches/{match}").json
    seat = document["due"]["prompts"][0]["seat"]
    command = players[seat].get(f"/matches/{match}/legal").json["text"][0]
    key = "a/key?with=signs"
    path = f"/matches/{match}/commands/a%2Fkey%3Fwith%3Dsigns"
    first = players[seat].send(match, command, key=key)
    status = players[seat].get(path)
    assert (status.status, status.body, status.headers["ETag"]) == (200, first.body, first.headers["ETag"])
    assert status.headers["Idempotent-Replayed"] == "true"
    for other in (players[1 - seat], guest()):
        assert other.get(path).refusal == (404, "never_happened"), "A key is its sender's."
    restore(UUID(match), saved)
    response = players[seat].get(path)
    assert response.refusal == (404, "never_happened") and response.json["version"] == document["version"]
    again = players[seat].send(match, command, key=key)
    assert again.status == 201 and "Idempotent-Replayed" not in again.headers
    assert players[seat].get(path).body == again.body
