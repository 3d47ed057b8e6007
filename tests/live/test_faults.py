"""Redis dies, readers stop reading: those who watch are told all the same, and nobody else waits."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import monotonic
from uuid import UUID

from websockets.client import ClientProtocol
from websockets.uri import parse_uri

from config import embedded
from matches import table
from tests.api.guests import advance, guest, started
from tests.live.watching import House
from tests.table_setting import in_another_process
from tests.waiting import wait_until

MOVE = """
from random import Random
from uuid import UUID
from tests.table_setting import send
from matches import table
match = UUID("{match}")
send(match, table.load(match).due.prompts[0].seat, Random(1))
from time import monotonic, sleep
print(monotonic(), flush=True)
from matches import heralds
from tests.waiting import wait_until
wait_until(lambda: not heralds._herald()._pending)
sleep(0.2)
"""


def test_without_redis_news_comes_by_the_pulse_and_with_it_at_once_again(
    lonely: tuple[House, embedded.Valkey],
) -> None:
    web, valkey = lonely
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    with web.watch(players[0], match) as one, web.watch(guest(), match) as two:
        valkey.kill()
        advance(match, players, 1, Random(1))
        newest, begun = table.version_of(UUID(match)), monotonic()
        one.reach(newest)
        two.reach(newest)
        assert monotonic() - begun < 10
        own = one.command("first 1")
        assert own["kind"] in ("accepted", "refused"), "Commands need no Redis."
        valkey.start()

        def comes_at_once() -> bool:
            with ThreadPoolExecutor(1) as threads:
                moving = threads.submit(in_another_process, MOVE.format(match=match), REDIS_URL=valkey.url)
                one.until(lambda frame: frame["kind"] == "events", 30)
                told = monotonic()
                moved = moving.result()
            assert moved.returncode == 0, moved.stderr
            return told - float(moved.stdout) < 0.5

        # Once may be the pulse's luck.
        assert wait_until(lambda: comes_at_once() and comes_at_once(), 60)
        assert one.view == players[0].get(f"/matches/{match}").json["view"]


def test_who_never_reads_is_cut_off_and_costs_little_meanwhile(lonely: tuple[House, embedded.Valkey]) -> None:
    web, _ = lonely
    players, deaf = [guest(), guest()], guest()
    match = started("pyramid_poker", *players)
    advance(match, players, 20, Random(1))
    with web.watch(players[0], match) as one:
        before = web.memory()
        lines = [_deaf(web, match, str(deaf.token)) for _ in range(10)]
        for _ in range(60):
            for line, protocol in lines:
                protocol.send_text(json.dumps({"kind": "resync", "after": 0}).encode())
                _flush(line, protocol)
            time.sleep(0.01)
        grown = web.memory() - before
        advance(match, players, 1, Random(2))
        begun = monotonic()
        one.reach(table.version_of(UUID(match)))
        assert monotonic() - begun < 5
        assert wait_until(lambda: web.connections() == 1, 15)
        assert grown / len(lines) < 512 * 1024
    for line, _ in lines:
        line.close()


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
