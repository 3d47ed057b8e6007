"""Over real HTTP: uvicorn with the body limit, long polls that wake, and bytes that no HTTP library would send."""

import json
import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

import httpx
import pytest
from django.db import connection

from config.runner import parts
from config.runner.embedded.server import free_port
from tests.api.document import check_answer
from tests.api.guests import PASSWORD, Guest, advance, chosen, guest, house, started
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE, wait_until

POLLERS = 40


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A web process of its own on the stage's database."""
    web = parts.web(free_port(), os.environ, tmp_path_factory.mktemp("web"))
    web.start()
    yield int(web.arguments[-1])
    web.request_stop()
    web.stop()


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture(scope="module")
def clients(port: int, players: list[Guest]) -> Iterator[list[httpx.Client]]:
    """The players as programs; each answer is held against the OpenAPI document."""
    connected = [client_of(port, str(player.token)) for player in players]
    yield connected
    for client in connected:
        client.close()


def client_of(port: int, token: str = "") -> httpx.Client:
    def check(response: httpx.Response) -> None:
        request = response.request
        check_answer(request.method, str(request.url), response.status_code, response.headers, response.read())

    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}/api/v1",
        headers=bearer,
        timeout=30,
        event_hooks={"response": [check]},
        verify=NOBODY,
    )


def test_program_signs_up_and_plays_against_a_bot(port: int) -> None:
    login = {"username": f"program {os.getpid()}", "password": PASSWORD}
    with client_of(port) as stranger:
        account = stranger.post("/accounts", json=login).json()
        token = stranger.post("/tokens", json=login).json()["token"]
    rng = Random(2)
    with client_of(port, token) as program:
        seats = [{"player": account["id"]}, {"player": "bot"}]
        match = program.post("/matches", json={"game": "pyramid_poker", "seats": seats}).json()["id"]
        program.post(f"/matches/{match}/start")
        for number in range(4):
            house(match)
            document = program.get(f"/matches/{match}").json()
            headers = {"Idempotency-Key": f"k{number}", "If-Match": f'"v{document["version"]}"'}
            moved = program.post(f"/matches/{match}/commands", json={"text": chosen(document, 0, rng)}, headers=headers)
            assert moved.status_code == 201
        assert len(program.get(f"/matches/{match}/export").text.splitlines()) == moved.json()["version"] + 1


def test_a_long_poll_wakes_when_another_client_moves(clients: list[httpx.Client], players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    with ThreadPoolExecutor(1) as threads:
        begun = monotonic()
        poll = threads.submit(clients[1].get, f"/matches/{match}/events?after=4&wait=25")
        wait_until(lambda: monotonic() - begun > 0.7)
        assert not poll.done()
        moved = clients[0].post(
            f"/matches/{match}/commands", json={"text": "first 1"}, headers={"Idempotency-Key": "k"}
        )
        page = poll.result(PATIENCE).json()
    assert (moved.status_code, page["version"], len(page["results"])) == (201, 6, 2)
    assert page["results"][1]["brick"] is not None, "The one who waits is told what its own seat is told."


def test_long_poll_of_a_delayed_spectator_waits_for_the_delay(port: int, players: list[Guest]) -> None:
    match = started("pyramid_poker", *players, spectator_delay=2)
    with client_of(port, str(guest().token)) as watcher, ThreadPoolExecutor(1) as threads:
        newest = players[0].get(f"/matches/{match}").json["version"]
        wait_until(lambda: watcher.get(f"/matches/{match}").json()["version"] == newest)
        begun = monotonic()
        poll = threads.submit(watcher.get, f"/matches/{match}/events?after={newest}&wait=25")
        assert players[0].send(match, "first 0").status == 201
        page, seconds = poll.result(PATIENCE).json(), monotonic() - begun
    assert len(page["results"]) == 2
    assert seconds > 2


def connections_of_the_service() -> int:
    """All of them, those of other tests' processes on the same server too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'croupier'")
        return int(cursor.fetchone()[0])


def test_waiting_long_polls_do_not_block_other_requests(clients: list[httpx.Client], players: list[Guest]) -> None:
    match = started("pyramid_poker", *players)
    events = f"/matches/{match}/events?after=4"
    with ThreadPoolExecutor(POLLERS) as threads:
        begun, before = monotonic(), connections_of_the_service()
        short, *polls = [threads.submit(clients[1].get, f"{events}&wait={1 if n == 0 else 25}") for n in range(POLLERS)]
        wait_until(lambda: monotonic() - begun > 1.5)
        response = clients[0].get("/me")
        waiting = [poll for poll in polls if not poll.done()]
        more = connections_of_the_service() - before
        moved = clients[0].post(
            f"/matches/{match}/commands", json={"text": "first 1"}, headers={"Idempotency-Key": "k"}
        )
        pages = [poll.result(PATIENCE) for poll in polls]
    assert (response.status_code, moved.status_code, waiting) == (200, 201, polls)
    assert more < POLLERS / 2
    assert short.result().json()["results"] == [] and short.result().elapsed.total_seconds() >= 1
    assert all(len(page.json()["results"]) == 2 for page in pages)


def test_web_process_serves_at_once_what_another_process_appends(
    clients: list[httpx.Client], players: list[Guest]
) -> None:
    match = started("pyramid_poker", *players)
    for _ in range(3):
        advance(match, players, 1, Random(4))
        for client, player in zip(clients, players, strict=True):
            assert client.get(f"/matches/{match}").content == player.get(f"/matches/{match}").body


@pytest.mark.parametrize("path", ["/accounts", "/tokens", "/matches", "/matches/AAAAAAAA/commands"])
@pytest.mark.parametrize("size", [65_537, 2**20])
def test_a_body_above_the_limit_is_not_read(port: int, path: str, size: int) -> None:
    for announced in (True, False):
        body = b" " * size
        answer = httpx.post(
            f"http://127.0.0.1:{port}/api/v1{path}", content=body if announced else iter([body]), verify=NOBODY
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_deep_body_is_refused_over_http_too(clients: list[httpx.Client]) -> None:
    deep = b"[" * 60_000
    answer = clients[0].post("/matches", content=deep, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def raw(port: int, data: bytes) -> tuple[int, bytes]:
    """Status and body of the answer to these very bytes; 0 where the server hangs up."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line, suppress(ConnectionError):
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        while part := line.recv(65536):
            received += part
    return (int(received.split()[1]), received.partition(b"\r\n\r\n")[2]) if received else (0, b"")


RAW: dict[str, bytes] = {
    "bytes in the path": b"GET /api/v1/matches/\xff\xfe HTTP/1.1\r\n",
    "an escaped NUL": b"GET /api/v1/matches/%00 HTTP/1.1\r\n",
    "a NUL in the path": b"GET /api/v1/matches/\x00 HTTP/1.1\r\n",
    "dots": b"GET /api/v1/matches/../../admin/ HTTP/1.1\r\n",
    "a NUL in the query": b"GET /api/v1/matches?game=\x00 HTTP/1.1\r\n",
    "bytes in a key": b"POST /api/v1/matches/A/commands HTTP/1.1\r\nIdempotency-Key: \xff\x80\r\n",
    "two lengths": b"POST /api/v1/matches HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n",
    "a negative length": b"POST /api/v1/matches HTTP/1.1\r\nContent-Length: -1\r\n",
    "a length and chunks": b"POST /api/v1/matches HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n",
    "a foreign host": b"GET /api/v1/me HTTP/1.1\r\nHost: evil.example\r\n",
    "a long header": b"GET /api/v1/me HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n",
    "many headers": b"GET /api/v1/me HTTP/1.1\r\n" + b"X: a\r\n" * 20_000,
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "an unknown HTTP": b"GET /api/v1/me HTTP/7.9\r\n",
}
"""Request lines; the caller's token and the empty line follow."""


@pytest.mark.parametrize("what", RAW)
def test_odd_bytes_are_refused_and_the_next_caller_is_served(
    what: str, port: int, players: list[Guest], clients: list[httpx.Client]
) -> None:
    bearer = f"Authorization: Bearer {players[0].token}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    status, body = raw(port, RAW[what] + bearer)
    assert status == 0 or 400 <= status < 500, body
    assert b"Traceback" not in body
    assert clients[0].get("/me").status_code == 200


def test_caller_who_disconnects_within_a_request_changes_nothing(
    port: int, players: list[Guest], clients: list[httpx.Client]
) -> None:
    match = started("pyramid_poker", *players)
    body = json.dumps({"text": "first 1"}).encode()
    head = (
        f"POST /api/v1/matches/{match}/commands HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\n"
        f"Authorization: Bearer {players[0].token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body) + 10}\r\n\r\n"
    ).encode()
    status, _ = raw(port, head + body)
    assert status in (0, 400)
    document: Any = clients[0].get(f"/matches/{match}").json()
    assert document["version"] == 4
