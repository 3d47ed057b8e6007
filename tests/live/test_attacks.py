"""A client without an account neither shuts the service nor fills its memory, whatever it sends on its connections."""

import json
import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic
from uuid import UUID

import pytest

from benchmarks._players import framed
from matches.storage.repository import version_of
from tests.api.guests import Guest, advance, guest, started
from tests.live.bare import HANDSHAKE
from tests.live.conftest import served
from tests.live.crowd import Crowd
from tests.live.test_crowd import from_elsewhere
from tests.live.test_deadlines import LONG, SILENT, UNFIT
from tests.live.test_fast_way import move
from tests.live.watching import House, Watcher
from tests.waiting import wait_until

pytestmark = pytest.mark.slow
log = logging.getLogger(__name__)

ADDRESS = "127.0.0.2"
ADDRESSES = [f"127.0.0.{number}" for number in range(3, 12)]
CONNECTIONS = 1800
PACE = 10
"""Connections that an address opens in a second, and opens anew where it has lost some."""
LIVE_PACE = 4
"""Connections per second whose requests are answered like any other, and so use the processor rather than places."""
ACTIONS = 8
MOST_SECONDS = 2.0
MOST_BYTES = 100 * 1024 * 1024
PIPELINES = 60
PIPELINE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * (250 * 1024 // 42)
MATCH = b"GET /ws/matches/x "
SENT = {name: (UNFIT | LONG)[name].replace(b"GET / ", MATCH) for name in ("length", "chunks", "endless chunks")}
SENT |= {name: text.replace(b"GET / ", MATCH).replace(b"GET /a", MATCH[:-1] + b"a") for name, text in LONG.items()}
SENT |= {"handshake": SILENT["handshake"].replace(b"GET / ", MATCH), "half a body": SILENT["half a body"]}
ACCOUNTS = 10
"""Of an attacker's address; each opens as many connections as an account may."""
VIEWERS, OFFICE, OF_ACCOUNT = 1000, 100, 10


def event_stream(match: str, who: Guest) -> bytes:
    """The request for a match as server-sent events."""
    path = f"/api/v1/matches/{match}/events"
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{_bearer(who)}".encode()


def long_poll(match: str, who: Guest) -> bytes:
    """The request for what happens at a match within half a minute."""
    path = f"/api/v1/matches/{match}/events?after={version_of(UUID(match))}&wait=30"
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{_bearer(who)}".encode()


def socket_of(match: str, who: Guest) -> bytes:
    """A handshake, and the frame that says whose socket it is."""
    frame = framed(1, json.dumps({"kind": "auth", "token": who.token}).encode())
    return HANDSHAKE.replace(b"GET / ", f"GET /ws/matches/{match} ".encode()) + frame


def socket_of_nobody(match: str, _: Guest) -> bytes:
    """A handshake of a page without a login."""
    origin = b"Origin: http://localhost\r\n\r\n"
    return HANDSHAKE[:-2].replace(b"GET / ", f"GET /ws/matches/{match}?form=page ".encode()) + origin


def _bearer(who: Guest) -> str:
    return f"Authorization: Bearer {who.token}\r\n\r\n"


LIVE = {it.__name__: it for it in (event_stream, long_poll, socket_of, socket_of_nobody)}


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
        self._longest = 0.0
        self.act()
        self._memory = house.memory()
        held.callback(self._report)

    def memory_growth(self) -> int:
        """Return by how many bytes the web process has grown since the attack began."""
        return self.house.memory() - self._memory

    def _report(self) -> None:
        growth = self.memory_growth() / 1024 / 1024
        log.warning("memory %+.0f MiB, longest action %.2f s", growth, self._longest)

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
        seconds = monotonic() - begun - (self._waited() - waited)
        self._longest = max(self._longest, seconds)
        assert seconds < MOST_SECONDS

    def _waited(self) -> float:
        pids = (self.house.pid, os.getpid())
        return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) for pid in pids) / 1e9


class Pipelines:
    """Connections of one address that send many requests each and read nothing, until the block ends."""

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
def test_1800_waiting_connections_do_not_disturb_another_client(sent: bytes, house: House) -> None:
    with ExitStack() as held:
        client = Client(house, held)
        _attack(client, [[sent]] * len(ADDRESSES), held, PACE)
    assert '"level": "error"' not in house.log.read_text()


@pytest.mark.parametrize("kind", LIVE)
def test_1800_live_connections_do_not_disturb_another_client(kind: str, house: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    sent = [[LIVE[kind](match, guest()) for _ in range(ACCOUNTS)] for _ in ADDRESSES]
    with ExitStack() as held:
        _attack(Client(house, held), sent, held, LIVE_PACE)
    assert '"level": "error"' not in house.log.read_text()


def test_1000_spectators_of_many_addresses_and_an_office_keep_their_streams(house: House) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with ExitStack() as held:
        client = Client(house, held)
        streams = [event_stream(match, guest()) for _ in range(VIEWERS // OF_ACCOUNT)]
        addresses = [f"127.1.{number // 250}.{number % 250 + 1}" for number in range(VIEWERS)]
        viewers = held.enter_context(Crowd(house.port, VIEWERS, addresses, streams, pace=5 * PACE))
        office = held.enter_context(Crowd(house.port, OFFICE, "127.2.0.1", streams, pace=PACE))
        while not (viewers.complete.wait(0.5) and office.complete.wait(0.5)):
            client.act()
        wait_until(lambda: house.connections() >= VIEWERS + OFFICE)
        for _ in range(ACTIONS):
            client.act()
            assert advance(match, players, 1, Random(1)) == 1
        assert (viewers.opened, office.opened) == (VIEWERS, OFFICE), "Nobody had to come again."
    assert '"level": "error"' not in house.log.read_text()


def _attack(client: Client, sent: Sequence[Sequence[bytes]], held: ExitStack, pace: int) -> None:
    """Have each address open its part of the connections and send something on each, while the client acts."""
    size = CONNECTIONS // len(ADDRESSES)
    attackers = [
        Crowd(client.house.port, size, address, each, pace=pace) for address, each in zip(ADDRESSES, sent, strict=True)
    ]
    for attacker in attackers:
        held.enter_context(attacker)
    while not all(it.complete.wait(0.5) for it in attackers):
        client.act()
    for _ in range(ACTIONS):
        client.act()
    assert client.memory_growth() < MOST_BYTES


def test_unread_pipelines_do_not_disturb_another_client(house: House) -> None:
    with ExitStack() as held:
        client = Client(house, held)
        with Pipelines(house.port) as pipelines:
            for _ in range(ACTIONS):
                client.act()
                assert client.memory_growth() < MOST_BYTES
            assert pipelines.sent > 0
        client.act()
        assert client.memory_growth() < MOST_BYTES
    assert '"level": "error"' not in house.log.read_text()
