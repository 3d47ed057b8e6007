"""Upgraded under play from an earlier release to this one, by the documented steps: nothing is lost, little is late."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

import httpx
import pytest

from config.runner.parts import Program
from tests.journeys.deployment import Deployment
from tests.journeys.house import figures
from tests.journeys.people import Reader, people
from tests.journeys.proxies import Front, behind, lacking
from tests.journeys.releases import HERE, checked_out
from tests.journeys.socket_clients import SocketClient
from tests.journeys.stubborn import BOUND, Stubborn
from tests.journeys.tables import CLOCKS, Table, assert_each_is_kept_once, lateness, played
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

RELEASES = {
    "0.1.0": "ed251b055256b27c0ea3d26c648c88569f5852b6",
    "0.2.0": "94011a262f2d87196d6a056b067d8688e35466ad",
}
MOVE_SECONDS = 2.0
GRACE_SECONDS = 1.0
"""Never charged: before it is over a flag would be early."""
FLAG_SECONDS = 5.0
"""Web processes let a flag fall that is three seconds late, and look once a second."""
CLOSED = "RemoteProtocolError"
"""A request was on its way to a web process that closed the connection as idle; the proxy doesn't send it again."""


@pytest.fixture(params=RELEASES)
def deployment(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Deployment]:
    """Two web processes, two workers and two beats of an earlier release; they are cleared away at the end."""
    if why := lacking("haproxy"):
        pytest.skip(why)
    release = checked_out(RELEASES[request.param], tmp_path)
    with tempfile.TemporaryDirectory(prefix="croupier-upgrade-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        deployment = Deployment(Path(name), held, release=release)
        wait_until(deployment.whole, BOUND)
        yield deployment


@pytest.fixture
def front(deployment: Deployment, tmp_path: Path) -> Iterator[Front]:
    """The two web processes behind HAProxy's example."""
    with behind("haproxy", deployment.ports, tmp_path / "proxy") as front:
        yield front


def test_upgrade_loses_nothing_and_delays_little(
    deployment: Deployment, front: Front, request: pytest.FixtureRequest
) -> None:
    rng, enough = Random(3), Event()
    tables = [table_of_both_ways(deployment, front, enough, seed) for seed in range(2)]
    hosts, ticking = people(deployment, front, [], rng), []
    reader = Reader(front, hosts[0].token)
    for thread in (*tables, reader):
        thread.start()
    try:
        ticking.append(hosts[0].open("pentagram", *hosts, clocks=CLOCKS))
        played(tables, 4)
        deployment.release = HERE
        prepared = deployment.run("-m", "config.database")
        assert prepared.returncode == 0, prepared.stderr
        played(tables, 4)
        for program in deployment.programs:
            ticking.append(hosts[0].open("pentagram", *hosts, clocks=CLOCKS))
            deployment.restart(program)
            if program in deployment.webs:
                wait_until(partial(is_led_to, program), BOUND)
            played(tables, 4)
    finally:
        enough.set()
        reader.enough.set()
        for thread in (*tables, reader):
            thread.join(BOUND)
    wait_until(deployment.whole, BOUND)
    for table in tables:
        table.finish()

    move_count = sum(assert_each_is_kept_once(table) for table in tables)
    by_rest, by_socket = ([it.took for table in tables for it in table.clients[seat].acknowledged] for seat in range(2))
    failures = Counter(failure for table in tables for failure in table.failures)
    returns = Counter(it.transport for table in tables for it in table.followers for _ in range(it.returns))
    late = [seconds for match in ticking for seconds in lateness(hosts[0], match)]
    release = request.node.callspec.params["deployment"]
    figures[f"a move at most, {release} replaced"] = max(by_rest + by_socket)
    figures[f"a flag late at most, {release} replaced"] = max(late)
    print(
        f"{release}: {len(by_rest)} moves by REST, {max(by_rest):.2f} s at most, {len(by_socket)} by socket, "
        f"{max(by_socket):.2f} s at most, sent again after {dict(failures)}; came again: {dict(returns)}; "
        f"{len(late)} flags, {min(late):.2f} to {max(late):.2f} s late; {reader.asked} reads, "
        f"{reader.longest:.2f} s at most, refused: {reader.refused}"
    )
    assert move_count == len(by_rest) + len(by_socket)
    assert max(by_rest + by_socket) < MOVE_SECONDS, failures
    assert len(late) >= len(ticking) and min(late) >= GRACE_SECONDS and max(late) < FLAG_SECONDS, late
    assert set(reader.refused) <= {CLOSED} and set(failures) <= {f"connection: {CLOSED}", "socket, command: 1012"}
    assert deployment.errors() == ""
    for client in (*hosts, *(client for table in tables for client in table.clients)):
        client.leave()
    verified = deployment.run("manage.py", "verify", "--all", "--processes", "1")
    assert verified.returncode == 0, verified.stdout


def table_of_both_ways(deployment: Deployment, front: Front, enough: Event, seed: int) -> Table:
    """A table at which one plays over REST, the other by socket."""
    players = people(deployment, front, [], Random(seed))
    return Table(players, front, enough, seed, [Stubborn(players[0]), SocketClient(players[1], front)])


def is_led_to(web: Program) -> bool:
    """True if the proxy has sent a request to this web process since its start."""
    return 'route="api/v1/me"' in httpx.get(f"http://127.0.0.1:{web.arguments[-1]}/metrics").text
