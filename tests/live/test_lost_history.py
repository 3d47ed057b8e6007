"""The database was set back under open sockets and streams: they are told so, then what is left, and play goes on."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from matches.storage import repository
from tests.api.guests import advance, guest, house, started
from tests.live.test_streams import SSE, frames, stream, upto
from tests.live.watching import House, Watcher
from tests.lost import another_process, backup, restore
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE


def told_anew(all_frames: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The next frames that tell of the match: `resync`, and what follows it."""
    first, second = islice((frame for frame in all_frames if frame["kind"] not in ("presence", "ping")), 2)
    return first, second


def frames_of(watcher: Watcher) -> Any:
    """Yield the further frames of a socket."""
    while True:
        yield watcher.next()


def of_page(line: Any) -> Any:
    """Yield the further frames of a page's socket, which have no kind."""
    while True:
        yield {"kind": "page"} | json.loads(line.recv(timeout=PATIENCE))


def resync(version: int, sent: int, *never: str) -> dict[str, Any]:
    """The frame that tells of the loss."""
    return {
        "kind": "resync", "version": version, "told": sent, "reason": "history_changed", "never_happened": list(never),
    }  # fmt: skip


def test_all_watchers_are_notified_of_a_loss_and_continue_with_the_rest(web: House) -> None:
    players, spectator = [guest(), guest()], guest()
    match = started("pyramid_poker", *players)
    path = f"/matches/{match}/events"
    with (
        web.watch(players[0], match) as one, web.watch(players[1], match) as two, web.watch(spectator, match) as three,
        web.socket(match, "?form=page") as page, stream(web, players[0], path) as lines,
        stream(web, spectator, path, SSE) as server_sent,
    ):  # fmt: skip
        page.send(json.dumps({"kind": "auth", "token": players[0].token}))
        streamed, events = frames(lines), server_sent.iter_lines()
        watchers = (one, two, three)
        kept_id = command(watchers, match, "kept")
        left = reached_by_all(watchers, match)
        saved = backup(UUID(match))
        lost_ids = [command(watchers, match, f"lost-{n}") for n in range(3)]
        reached = reached_by_all(watchers, match)
        assert upto(reached, streamed)
        sender = lost_ids[0][0]
        restore(UUID(match), saved)
        begun = monotonic()
        for watcher in watchers:
            first, second = told_anew(frames_of(watcher))
            mine = [key for who, key in lost_ids if who is watcher]
            assert first == resync(left, reached, *mine), "What was kept is not among them."
            assert (second["kind"], second["version"]) == ("hello", left)
        assert told_anew(streamed)[0] == resync(left, reached)
        page_frames = of_page(page)
        assert next(it for it in page_frames if it["kind"] == "resync")["version"] == left
        assert next(it for it in page_frames if it["kind"] == "page")["version"] == left
        assert list(read_to(events, "event: resync"))[-2:] == [f"id: {left}", "event: resync"]
        assert monotonic() - begun < PATIENCE
        assert kept_id[0] in watchers and sender in watchers
        # What was lost is played again under its key, and it happens once.
        again = [command(watchers, match, key) for _, key in lost_ids[:1]]
        assert again[0][0] is sender
        newest = reached_by_all(watchers, match)
        assert left < newest <= reached
        assert upto(newest, streamed)
        assert all(watcher.view for watcher in watchers)
        document = players[0].get(f"/matches/{match}").json
        assert (one.version, one.view) == (document["version"], document["view"])


def test_watcher_is_notified_of_another_history_of_the_same_length(web: House, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    saved = backup(UUID(match))
    with web.watch(players[0], match) as watcher:
        advance(match, players, 2, Random(1))
        reached = repository.version_of(UUID(match))
        watcher.reach(reached)
        restore(UUID(match), saved)
        with another_process(monkeypatch):
            advance(match, players, 2, Random(2))
        assert [frame["kind"] for frame in told_anew(frames_of(watcher))] == ["resync", "hello"]
        watcher.reach(reached)
        document = players[0].get(f"/matches/{match}").json
        assert (watcher.version, watcher.view) == (document["version"], document["view"])


def test_reconnection_with_lost_events_gets_a_resync_first(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    left = repository.version_of(UUID(match))
    saved = backup(UUID(match))
    advance(match, players, 2, Random(1))
    reached = repository.version_of(UUID(match))
    hashes = [it["hash"] for it in players[0].get(f"/matches/{match}/events", {"limit": 500}).json["results"]]
    restore(UUID(match), saved)
    with web.watch(players[0], match, f"?after={reached}") as watcher:
        assert [it["kind"] for it in watcher.frames] == ["resync", "hello"]
        assert watcher.frames[0] == resync(left, reached)
        watcher.say(kind="resync", after=reached)
        assert told_anew(frames_of(watcher))[0] == resync(left, reached)
    advance(match, players, 3, Random(2))
    with web.watch(players[0], match, f"?after={reached}&hash={hashes[-1]}") as watcher:
        assert [it["kind"] for it in watcher.frames] == ["resync", "hello"]
    with web.watch(players[0], match, f"?after={left}&hash={hashes[left - 1][:8]}") as watcher:
        assert [it["kind"] for it in watcher.frames] == ["hello"]


def test_long_poll_for_a_lost_version_is_answered_with_409(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    saved = backup(UUID(match))
    advance(match, players, 2, Random(2))
    address = f"{web.origin}/api/v1/matches/{match}/events?after={repository.version_of(UUID(match))}&wait=20"
    with ThreadPoolExecutor(1) as threads:
        headers = {"Authorization": f"Bearer {players[0].token}"}
        poll = threads.submit(httpx.get, address, headers=headers, timeout=PATIENCE, verify=NOBODY)
        with pytest.raises(TimeoutError):
            poll.result(0.5)
        restore(UUID(match), saved)
        answer = poll.result(PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (409, "history_changed")


@pytest.mark.parametrize("moves", [2, 3])
def test_long_poll_is_answered_with_409_when_another_history_replaces_its_own(web: House, moves: int) -> None:
    """Replace the history by one as long or longer: callers name no hash, but the process knows what it sent."""
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    saved = backup(UUID(match))
    advance(match, players, moves, Random(2))
    another = backup(UUID(match))
    restore(UUID(match), saved)
    advance(match, players, 2, Random(1))
    reached = repository.version_of(UUID(match))
    address = f"{web.origin}/api/v1/matches/{match}/events?after={reached}&wait=20"
    with ThreadPoolExecutor(1) as threads:
        headers = {"Authorization": f"Bearer {players[0].token}"}
        poll = threads.submit(httpx.get, address, headers=headers, timeout=PATIENCE, verify=NOBODY)
        with pytest.raises(TimeoutError):
            poll.result(0.5)
        restore(UUID(match), another)
        answer = poll.result(PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (409, "history_changed")
    assert answer.json()["version"] == repository.version_of(UUID(match)) >= reached


def test_watcher_of_a_match_that_was_lost_is_closed(web: House) -> None:
    match = started("pyramid_poker", guest(), guest())
    with web.watch(guest(), match) as watcher:
        restore(UUID(match), None)
        assert watcher.end() == (
            4403, "The house has lost this match: the database was set back to before it was opened."
        )  # fmt: skip


def command(watchers: Any, match: str, key: str = "") -> tuple[Watcher, str]:
    """The next move, over its seat's socket; gives who made it and under which key."""
    key = key or str(uuid4())
    with_turn = repository.load(UUID(match))
    seat = with_turn.due.prompts[0].seat
    legal = with_turn.game.legal(repository.load(UUID(match), seat).state, seat)
    frame = watchers[seat].command(with_turn.game.notation.form(next(iter(legal))), key)
    assert frame["kind"] == "accepted", frame
    house(match)
    return watchers[seat], key


def reached_by_all(watchers: Any, match: str) -> int:
    """Everybody is told the newest version."""
    newest = repository.version_of(UUID(match))
    for watcher in watchers:
        watcher.reach(newest)
    return newest


def read_to(lines: Any, last: str) -> Any:
    """Lines up to one that is sought."""
    for line in lines:
        yield line
        if line == last:
            return
