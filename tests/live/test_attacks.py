"""A client without an account neither shuts the service nor fills its memory, whatever it sends on its connections."""

import os
import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic

import pytest

from tests.api.guests import Guest, advance, guest, started
from tests.live.conftest import served
from tests.live.crowd import Crowd
from tests.live.test_crowd import from_elsewhere
from tests.live.test_deadlines import LONG, SILENT, UNFIT
from tests.live.test_fast_way import move
from tests.live.watching import House, Watcher

pytestmark = pytest.mark.slow

ADDRESS = "127.0.0.2"
ADDRESSES = [f"127.0.0.{number}" for number in range(3, 9)]
CONNECTIONS = 1200
PACE = 15
"""Connections that an address opens in a second, and opens anew where it has lost some."""
ACTIONS = 8
MOST_SECONDS = 2.0
MOST_BYTES = 100 * 1024 * 1024
PIPELINES = 60
PIPELINE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * (250 * 1024 // 42)
MATCH = b"GET /ws/matches/x "
SENT = {name: (UNFIT | LONG)[name].replace(b"GET / ", MATCH) for name in ("length", "chunks", "endless chunks")}
SENT |= {name: text.replace(b"GET / ", MATCH).replace(b"GET /a", MATCH[:-1] + b"a") for name, text in LONG.items()}
SENT |= {"handshake": SILENT["handshake"].replace(b"GET / ", MATCH), "half a body": SILENT["half a body"]}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An ordinary one."""
    with served(tmp_path_factory.mktemp("attacked"), CROUPIER_LIMIT_COMMANDS="1000/second") as house:
        yield house


class Client:
    """A client of another address, who plays over REST and over sockets. Each action has to be quick."""

    def __init__(self, house: House, held: ExitStack) -> None:
        self.house = house
        self._sockets = held.enter_context(ExitStack())
        self._rng = Random(1)
        self._left = 0
        self.act()

    def act(self) -> None:
        """Act once over REST, once over a socket that has been open for a while, and open another."""
        if not self._left:
            self._sit_down()
        self._left -= 1
        self._elsewhere.seconds.clear()
        with self._quickly():
            assert advance(self._by_rest, self._players, 1, self._rng) == 1
        with self._quickly():
            assert move(self._seats, self._rng.randrange(1000)) == "accepted"
        with self._quickly(), self._watch(self._players[0], self._by_rest):
            pass

    def _sit_down(self) -> None:
        self._sockets.close()
        self._players, self._by_rest, self._elsewhere = from_elsewhere(self.house)
        others = [guest(), guest()]
        match = started("pyramid_poker", *others)
        self._seats = [self._sockets.enter_context(self._watch(other, match)) for other in others]
        self._left = 10

    def _watch(self, who: Guest, match: str) -> AbstractContextManager[Watcher]:
        return self.house.watch(who, match, source_address=(ADDRESS, 0))

    @contextmanager
    def _quickly(self) -> Iterator[None]:
        """Assert that the block is done in time, less what the machine made both sides wait for a processor."""
        begun, waited = monotonic(), self._waited()
        yield
        assert monotonic() - begun - (self._waited() - waited) < MOST_SECONDS

    def _waited(self) -> float:
        pids = (self.house.pid, os.getpid())
        return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) for pid in pids) / 1e9


class Pipelines:
    """So many connections of one address that each send many requests and read nothing, as long as the block lasts."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sent = 0
        self._over = Event()
        self._threads = [Thread(target=self._pipeline) for _ in range(PIPELINES)]

    def __enter__(self) -> "Pipelines":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _pipeline(self) -> None:
        with suppress(OSError), socket.socket() as line:
            line.bind((ADDRESSES[0], 0))
            line.settimeout(1)
            line.connect(("127.0.0.1", self.port))
            place = 0
            while place < len(PIPELINE) and not self._over.is_set():
                with suppress(TimeoutError):
                    count = line.send(PIPELINE[place:])
                    place += count
                    self.sent += count
            self._over.wait()


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_1200_connections_that_wait_for_their_client_leave_another_in_peace(sent: bytes, house: House) -> None:
    with ExitStack() as held:
        client = Client(house, held)
        before = house.memory()
        size = CONNECTIONS // len(ADDRESSES)
        attackers = [Crowd(house.port, size, address, [sent], pace=PACE) for address in ADDRESSES]
        for attacker in attackers:
            held.enter_context(attacker)
        while not all(it.complete.wait(0.5) for it in attackers):
            client.act()
        for _ in range(ACTIONS):
            client.act()
        assert house.memory() - before < MOST_BYTES
    assert '"level": "error"' not in house.log.read_text()


def test_pipelines_that_nobody_reads_leave_another_in_peace(house: House) -> None:
    with ExitStack() as held:
        client = Client(house, held)
        before = house.memory()
        with Pipelines(house.port) as pipelines:
            for _ in range(ACTIONS):
                client.act()
                assert house.memory() - before < MOST_BYTES
            assert pipelines.sent > 0
        client.act()
        assert house.memory() - before < MOST_BYTES
    assert '"level": "error"' not in house.log.read_text()
