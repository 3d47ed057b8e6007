"""One guest doesn't shut the door: however many connections an address opens, another one plays on."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from select import select
from statistics import quantiles

import pytest

from tests.api.doors import InProcess
from tests.api.guests import Guest, advance, guest, started
from tests.live.conftest import served
from tests.live.crowd import Crowd, Elsewhere
from tests.live.watching import House
from tests.waiting import PATIENCE, wait_until

FEW = {"CROUPIER_CONCURRENCY": "40", "CROUPIER_CONNECTIONS_PER_ADDRESS": "10"}


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with room for few."""
    with served(tmp_path_factory.mktemp("narrow"), **FEW) as house:
        yield house


def from_elsewhere(house: House) -> tuple[list[Guest], str, Elsewhere]:
    """Two players of another address, and their match."""
    elsewhere, players = Elsewhere(house.port), [guest(), guest()]
    match = started("pyramid_poker", *players)
    for player in players:
        player._own = InProcess(elsewhere)
    return players, match, elsewhere


@pytest.mark.slow
def test_slow_requests_of_one_address_leave_another_in_peace(narrow: House) -> None:
    players, match, _ = from_elsewhere(narrow)
    with Crowd(narrow.port, 60) as crowd:
        assert advance(match, players, 5, Random(1)) == 5
        assert crowd.failures == 0, "All of them were let in, and none for long."
    assert "too_many_connections" not in narrow.log.read_text(), "The slow ones made room for each other."


@pytest.mark.slow
def test_slow_requests_of_many_addresses_leave_another_in_peace(narrow: House) -> None:
    players, match, _ = from_elsewhere(narrow)
    with ExitStack() as crowds:
        for number in range(6):
            crowds.enter_context(Crowd(narrow.port, 10, f"127.0.1.{number}"))
        assert advance(match, players, 5, Random(2)) == 5


def test_waiting_request_is_served_before_slow_ones_of_its_address(narrow: House) -> None:
    with Crowd(narrow.port, 60):
        neighbour = Elsewhere(narrow.port, "127.0.0.1")
        statuses = [neighbour.generic("GET", "/healthz", b"", "text/plain", {}).status_code for _ in range(20)]
    assert statuses == [200] * 20


def test_address_with_only_waiting_connections_gets_a_refusal(narrow: House) -> None:
    who = guest()
    match = started("pyramid_poker", who, guest())
    newest = who.get(f"/matches/{match}").json["version"]
    request_head = f"GET /api/v1/matches/{match}/events?after={newest}&wait=20 HTTP/1.1\r\nHost: localhost\r\n"
    poll = f"{request_head}Authorization: Bearer {who.token}\r\n\r\n".encode()
    with ExitStack() as lines:

        def connected(address: str) -> socket.socket:
            line = socket.create_connection(("127.0.0.1", narrow.port), timeout=PATIENCE, source_address=(address, 0))
            return lines.enter_context(line)

        with stopped(narrow):
            # It finds them all at once, so that it has read none of their requests when it meets the eleventh.
            polls = [connected("127.0.0.3") for _ in range(10)]
            for line in polls:
                line.sendall(poll)
            one_more = connected("127.0.0.3")
        head, _, body = one_more.recv(4096).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert json.loads(body)["code"] == "too_many_connections"
        other = connected("127.0.0.4")
        other.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert other.recv(4096).startswith(b"HTTP/1.1 200")
        assert not select(polls, [], [], 0)[0], "None was answered, or cut for one that came after it."


@contextmanager
def stopped(house: House) -> Iterator[None]:
    """While the block lasts the kernel alone takes connections and bytes for the house."""
    os.kill(house.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(house.pid, signal.SIGCONT)


def is_refused(house: House, address: str) -> bool:
    """True if another connection of this address gets a 429 before its request."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=1, source_address=(address, 0)) as line:
        try:
            return line.recv(4096).startswith(b"HTTP/1.1 429 ")
        except (TimeoutError, ConnectionResetError):
            return False


def test_socket_is_counted_while_it_is_open(narrow: House) -> None:
    match, here = started("pyramid_poker", guest(), guest()), {"source_address": ("127.0.0.5", 0)}
    for _ in range(3):
        with ExitStack() as sockets:
            for _ in range(10):
                line = narrow.socket(match, "?form=page", origin=narrow.origin, **here)
                assert sockets.enter_context(line).recv(timeout=PATIENCE)
            wait_until(lambda: is_refused(narrow, "127.0.0.5"))
        wait_until(lambda: narrow.connections() == 0)


@pytest.mark.slow
def test_1100_slow_requests_of_one_address_are_not_noticed_by_another(tmp_path: Path) -> None:
    with served(tmp_path) as house:
        players, match, elsewhere = from_elsewhere(house)
        with Crowd(house.port, 1100) as crowd:
            assert advance(match, players, 40, Random(3)) > 10
            assert crowd.opened >= 1100 and crowd.failures == 0
        assert quantiles(elsewhere.seconds, n=20)[-1] < 1.0, elsewhere.seconds
        assert '"level": "error"' not in house.log.read_text()
