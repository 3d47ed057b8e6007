"""Redis dies, readers stop reading: those who watch are told all the same, and nobody else waits."""

import json
import os
import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import monotonic
from uuid import UUID

import httpx
import pytest
import redis
from channels.layers import get_channel_layer
from websockets.client import ClientProtocol
from websockets.uri import parse_uri

from config.runner.embedded.valkey import Valkey
from matches.storage import repository
from tests.api.guests import advance, guest, started
from tests.live.conftest import LITTLE_PATIENCE, served
from tests.live.watching import House
from tests.waiting import PATIENCE, wait_until


@pytest.mark.slow
def test_sockets_are_updated_by_the_pulse_without_redis(
    lonely: tuple[House, Valkey],
) -> None:
    web, valkey = lonely
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with web.watch(players[0], match) as one, web.watch(guest(), match) as two:
        rng = Random(1)
        valkey.kill()
        advance(match, players, 1, rng)
        newest, begun = repository.version_of(UUID(match)), monotonic()
        one.reach(newest)
        two.reach(newest)
        assert monotonic() - begun < 10
        own = one.command("first 1")
        assert own["kind"] in ("accepted", "refused"), "Commands need no Redis."
        valkey.start()

        client = redis.Redis.from_url(valkey.url)

        def comes_at_once() -> bool:
            advance(match, players, 1, rng)
            newest, begun = repository.version_of(UUID(match)), monotonic()
            hint = {"type": "moved", "match": match, "version": newest}
            client.publish(f"croupier__group__match.{match}", get_channel_layer().serialize(hint))
            one.reach(newest)
            return monotonic() - begun < 0.5

        # Once may be the pulse's luck.
        assert wait_until(lambda: all(comes_at_once() for _ in range(3)))
        assert one.view == players[0].get(f"/matches/{match}").json["view"]


@pytest.mark.slow
def test_client_that_never_reads_is_disconnected_in_time_at_little_cost(lonely: tuple[House, Valkey]) -> None:
    web, _ = lonely
    players, deaf = [guest(), guest()], guest()
    match = started("pyramid_poker", *players)
    advance(match, players, 20, Random(1))
    with web.watch(players[0], match) as one:
        before, begun = web.memory(), monotonic()
        silent = [_deaf(web, match, str(deaf.token)) for _ in range(5)]
        asking = [_deaf(web, match, str(deaf.token)) for _ in range(10)]

        def ask_for_everything() -> None:
            for line, protocol in asking:
                protocol.send_text(json.dumps({"kind": "resync", "after": 0}).encode())
                _flush(line, protocol)

        def buffers_are_full() -> bool:
            ask_for_everything()
            return sum(unread > 8192 for unread, _ in web.queues()) == len(asking)

        wait_until(buffers_are_full)
        for _ in range(60):
            ask_for_everything()
        wait_until(lambda: all(unread == 0 for _, unread in web.queues()))
        assert (web.memory() - before) / len(silent + asking) < 256 * 1024
        advance(match, players, 1, Random(2))
        moved = monotonic()
        one.reach(repository.version_of(UUID(match)))
        assert monotonic() - moved < 5
        wait_until(lambda: web.connections() == 1)
        assert monotonic() - begun < 2 * LITTLE_PATIENCE + 2, "Twice its patience, and what the test itself takes."
    for line, _ in silent + asking:
        line.close()


@pytest.mark.slow
def test_server_stops_at_once_with_open_streams(tmp_path: Path) -> None:
    match, who = started("pyramid_poker", guest(), guest()), guest()
    headers = {"Authorization": f"Bearer {who.token}", "Accept": "application/x-ndjson"}
    path = f"/api/v1/matches/{match}/events"
    with (
        served(tmp_path) as web,
        httpx.Client(base_url=web.origin, timeout=PATIENCE) as client,
        web.watch(who, match) as watcher,
        client.stream("GET", path, headers=headers) as response,
    ):
        lines = response.iter_lines()
        assert next(lines)
        begun = monotonic()
        os.kill(web.pid, signal.SIGTERM)
        assert watcher.end()[0] == 1012
        with pytest.raises(httpx.RemoteProtocolError):
            list(lines)
        assert monotonic() - begun < 2.5
    assert '"level": "error"' not in web.log.read_text()


def test_unfinished_request_is_disconnected_and_a_slow_client_is_answered(
    lonely: tuple[House, Valkey],
) -> None:
    web, _ = lonely
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    post = b"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as open_lines:

        def send_text(text: bytes) -> socket.socket:
            line = socket.create_connection(("127.0.0.1", web.port), timeout=3 * LITTLE_PATIENCE)
            open_lines.enter_context(line).sendall(text)
            return line

        def is_answered(line: socket.socket) -> bool:
            received = line.recv(4096)
            while b"}" not in received:
                received += line.recv(4096)
            return received.startswith(b"HTTP/1.1 200")

        again, slow = send_text(whole), send_text(b"")
        assert is_answered(again)
        again.sendall(whole[:9])
        begun = monotonic()
        unfinished = [again, *map(send_text, (b"", whole[:9], whole[:-2], post, post + b"{"))]
        for letter in whole:
            slow.sendall(bytes([letter]))
        assert is_answered(slow)
        for line in unfinished:
            assert line.recv(4096) == b"", "Nobody reads an answer to half a request."
        assert LITTLE_PATIENCE - 1 < monotonic() - begun < 2 * LITTLE_PATIENCE
        slow.sendall(whole)
        assert is_answered(slow), "Whoever has finished a request may send another."


def _deaf(web: House, match: str, token: str) -> tuple[socket.socket, ClientProtocol]:
    """A client that says who it is and then reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", web.port))
    protocol = ClientProtocol(parse_uri(web.address(match)))
    protocol.send_request(protocol.connect())
    _flush(line, protocol)
    while protocol.state.name == "CONNECTING":
        protocol.receive_data(line.recv(4096))
        protocol.events_received()
    protocol.send_text(json.dumps({"kind": "auth", "token": token}).encode())
    _flush(line, protocol)
    line.setblocking(False)
    return line, protocol


def _flush(line: socket.socket, protocol: ClientProtocol) -> None:
    for data in protocol.data_to_send():
        try:
            line.send(data)
        except OSError:
            return
