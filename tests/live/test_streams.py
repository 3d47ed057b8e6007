"""Streams over HTTP: lines of JSON and server-sent events, told by the same hubs as the sockets."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest

from matches.realtime.streams import Streams
from matches.storage import repository
from tests.api.document import check_answer
from tests.api.guests import Guest, advance, guest, opened, started
from tests.live.watching import House
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE, wait_until

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


@contextmanager
def stream(web: House, who: Guest, path: str, accept: str = NDJSON, **headers: str) -> Iterator[httpx.Response]:
    """An answer that goes on."""
    sent_headers = {"Authorization": f"Bearer {who.token}", "Accept": accept, **headers}
    with (
        httpx.Client(timeout=PATIENCE, verify=NOBODY) as client,
        client.stream("GET", f"http://127.0.0.1:{web.port}/api/v1{path}", headers=sent_headers) as response,
    ):
        yield response


def frames(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """The lines that tell something."""
    return (json.loads(line) for line in response.iter_lines() if line)


def upto(version: int, all_frames: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Read on until this version has been told."""
    frames_read = []
    for frame in all_frames:
        frames_read.append(frame)
        if frame.get("to", frame.get("version")) == version:
            return frames_read
    raise AssertionError("The stream has ended.")


def events_of(all_frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for frame in all_frames for event in frame.get("events", ())]


def test_stream_begins_with_the_match_and_ends_with_it(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with stream(web, players[0], f"/matches/{match}/events") as response:
        check_answer("GET", str(response.request.url), response.status_code, response.headers, b"")
        frames_read = frames(response)
        hello = next(frames_read)
        assert hello["kind"] == "hello" and hello["view"] == players[0].get(f"/matches/{match}").json["view"]
        advance(match, players, 3, Random(2))
        newest = repository.version_of(UUID(match))
        page = players[0].get(f"/matches/{match}/events", {"after": hello["version"]}).json
        assert events_of(upto(newest, frames_read)) == page["results"]
        assert players[1].send(match, {"type": "resign"}).status == 201
        last = list(frames_read)[-1]
    assert last["status"] == "finished" and last["to"] == repository.version_of(UUID(match))


def test_stream_resumes_from_the_readers_version(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    advance(match, players, 4, Random(2))
    newest = repository.version_of(UUID(match))
    page = players[1].get(f"/matches/{match}/events", {"after": 2}).json
    with stream(web, players[1], f"/matches/{match}/events?after=2") as response:
        hello, missed = islice(frames(response), 2)
        assert hello["version"] == newest
        assert missed["events"] == page["results"]
    with stream(web, players[1], f"/matches/{match}/events", SSE, **{"Last-Event-ID": str(newest - 1)}) as response:
        lines = response.iter_lines()
        text = [next(lines) for _ in range(7)]
    assert text[0] == "event: hello" and text[2] == "", "Cut off here, a reader still lacks what they missed."
    assert text[3] == f"id: {newest}" and text[4] == "event: events"
    assert [event["version"] for event in json.loads(text[5].removeprefix("data: "))["events"]] == [newest]
    with stream(web, players[1], f"/matches/{match}/events", SSE) as response:
        assert next(response.iter_lines()) == f"id: {newest}", "Who has missed nothing goes on from the hello."


def test_stream_gets_204_once_its_reader_has_all_of_a_finished_match(web: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    path = f"/matches/{match}/events"
    newest = repository.version_of(UUID(match))
    with stream(web, players[0], path, SSE, **{"Last-Event-ID": str(newest)}) as running:
        assert running.status_code == 200
    assert players[1].send(match, {"type": "resign"}).status == 201
    last = repository.version_of(UUID(match))
    with stream(web, players[0], path, SSE, **{"Last-Event-ID": str(newest)}) as response:
        ids = [line for line in response.iter_lines() if line.startswith("id: ")]
    assert response.status_code == 200 and ids[-1] == f"id: {last}"
    with stream(web, players[0], path, SSE, **{"Last-Event-ID": str(last)}) as response:
        check_answer("GET", str(response.request.url), response.status_code, response.headers, b"")
        assert response.status_code == 204 and response.read() == b""


def test_many_streams_cost_no_thread_and_no_connection_each(web: House) -> None:
    players, reader = [guest(), guest()], [guest() for _ in range(4)]
    match = started("pyramid_poker", *players)
    threads = Path(f"/proc/{web.pid}/task")
    with httpx.Client(timeout=PATIENCE, verify=NOBODY) as client:
        before, held = len(list(threads.iterdir())), []
        for number in range(40):
            headers = {"Authorization": f"Bearer {reader[number % 4].token}", "Accept": NDJSON}
            request = client.build_request("GET", f"{web.origin}/api/v1/matches/{match}/events", headers=headers)
            held.append(client.send(request, stream=True))
        streams = [frames(response) for response in held]
        assert all(next(lines)["kind"] == "hello" for lines in streams)
        assert len(list(threads.iterdir())) < before + 12
        advance(match, players, 1, Random(1))
        newest = repository.version_of(UUID(match))
        assert all(upto(newest, lines) for lines in streams)
        for response in held:
            response.close()


@pytest.mark.parametrize(("path", "accept", "status"), [
    ("/matches/ZZZZZZZZ/events", NDJSON, 404), ("/matches/{match}/events?after=x", SSE, 400),
    ("/matches/{match}/events?as=host", NDJSON, 400), ("/matches/{match}/events?as=spectator", NDJSON, 200),
    ("/matches/{match}/events", "text/html, application/json", 200), ("/me/stream?x=1", NDJSON, 400),
])  # fmt: skip
def test_refused_stream_gets_the_usual_status(web: House, path: str, accept: str, status: int) -> None:
    match = started("pyramid_poker", guest(), guest())
    with stream(web, guest(), path.format(match=match), accept) as response:
        assert response.status_code == status
        if status >= 400:
            assert json.loads(response.read())["status"] == status


def test_a_stranger_gets_no_stream(web: House) -> None:
    match = started("pyramid_poker", guest(), guest())
    for path in (f"/matches/{match}/events", "/me/stream"):
        with stream(web, Guest("crp_nonsense"), path) as response:
            assert response.status_code == 401


def test_long_polls_share_the_places_of_streams_and_return_them(short: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    newest = repository.version_of(UUID(match))

    def poll(reader: Guest, wait: int = 30, after: int = newest) -> httpx.Response:
        query = {"after": after, "wait": wait}
        headers = {"Authorization": f"Bearer {reader.token}"}
        address = f"{short.origin}/api/v1/matches/{match}/events"
        return httpx.get(address, params=query, headers=headers, timeout=60, verify=NOBODY)

    wait_until(lambda: not short.connections())
    with ThreadPoolExecutor(5) as threads:
        polls = [threads.submit(poll, players[0]) for _ in range(4)]
        refused = next(as_completed(polls, timeout=PATIENCE)).result()
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert refused.headers["Retry-After"] == "5"
        others = threads.submit(poll, players[1])
        advance(match, players, 1, Random(1))
        statuses = [poll.result(PATIENCE).status_code for poll in (*polls, others)]
    assert sorted(statuses) == [200, 200, 200, 200, 429]
    assert poll(players[0], wait=1, after=repository.version_of(UUID(match))).status_code == 200


def test_account_stream_names_the_matches_that_need_the_account(web: House) -> None:
    players = [guest(), guest()]
    first = started("pyramid_poker", *players)
    needed = next(player for player in players if player.get("/matches?needs_me=1").json["results"])
    other = next(player for player in players if player is not needed)
    with stream(web, needed, "/me/stream") as response, stream(web, other, "/me/stream", SSE) as waits:
        frames_read, lines = frames(response), waits.iter_lines()
        assert next(frames_read)["match"]["id"] == first
        assert needed.send(first, "first 1").status == 201
        while needed.get(f"/matches/{first}").json["due"]["prompts"][0]["seat"] == players.index(needed):
            advance(first, players, 1, Random(1))
        called = [next(lines) for _ in range(2)]
        assert called[0] == "event: needed"
        assert json.loads(called[1].removeprefix("data: "))["match"]["id"] == first
        second = started("pyramid_poker", needed, "bot")
        assert next(frames_read)["match"]["id"] in (first, second)


def test_account_stream_is_silent_for_a_waiting_match_and_sends_keepalives(web: House) -> None:
    player = guest()
    opened(player, "pyramid_poker", player, None)
    with stream(web, player, "/me/stream") as response:
        assert next(response.iter_lines()) == ""


@pytest.mark.parametrize("accept", ["*/*", NDJSON, SSE])
def test_response_that_is_no_stream_is_sent_in_pieces(accept: str) -> None:
    pieces_made = 0
    sent_pieces: list[int] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal pieces_made
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for pieces_made in range(1, 4):
            await send({"type": "http.response.body", "body": b"a piece", "more_body": pieces_made < 3})

    async def send(message: Any) -> None:
        sent_pieces.append(pieces_made)

    async def receive() -> Any:
        return {"type": "http.request"}

    headers = [(b"accept", accept.encode())]
    scope = {"type": "http", "method": "GET", "path": "/api/v1/matches/x/export", "headers": headers}
    asyncio.run(Streams(application)(scope, receive, send))
    assert sent_pieces == [0, 1, 2, 3], "None waits for another."
