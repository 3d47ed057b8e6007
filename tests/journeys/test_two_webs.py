"""Two web processes, workers and beats behind a proxy: each is killed, all are replaced, and nobody loses anything."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic

import httpx
import pytest

from tests.journeys.deployment import Deployment
from tests.journeys.followers import TRANSPORTS, Follower
from tests.journeys.house import figures
from tests.journeys.people import Reader, people
from tests.journeys.proxies import PROXIES, Front, behind, lacking
from tests.journeys.stubborn import BOUND
from tests.journeys.tables import CLOCKS, Table, assert_each_is_kept_once, lateness, move, played
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

LATE_SECONDS = 5.0
"""Web processes let a flag fall that is three seconds late, and look once a second."""


@pytest.fixture(scope="module")
def deployment() -> Iterator[Deployment]:
    """Two of each stand ready, and are cleared away at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-webs-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        deployment = Deployment(Path(name), held)
        wait_until(deployment.whole, BOUND)
        yield deployment


@pytest.fixture
def front(deployment: Deployment, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Front]:
    """The two web processes behind the proxy that the test names."""
    if why := lacking(request.param):
        pytest.skip(why)
    with behind(request.param, deployment.ports, tmp_path / "proxy") as front:
        yield front


@pytest.mark.parametrize("front", PROXIES, indirect=True)
def test_streams_and_commands_pass_the_example_proxy(deployment: Deployment, front: Front) -> None:
    players = people(deployment, front, [], Random(1))
    match = players[0].open("pentagram", *players, clocks=None)
    followers = [Follower(transport, front, players[0].token, match) for transport in TRANSPORTS]
    for follower in followers:
        follower.start()
    behind_hand = []
    for _ in range(6):
        version = move(players, match, Random(2))
        sent_at = monotonic()
        wait_until(lambda version=version: all(len(it.told) >= version for it in followers), 5)
        behind_hand.append(monotonic() - sent_at)
    for follower in followers:
        follower.stop()
    for player in players:
        player.leave()
    assert [follower.returns for follower in followers] == [0] * len(TRANSPORTS), "Nothing was cut off."
    assert sorted(behind_hand)[2] < 0.3, behind_hand

    with httpx.Client(base_url=front.url, verify=front.trust) as client:
        headers = {"Authorization": f"Bearer {players[0].token}", "Idempotency-Key": "large"}
        large = client.post(f"/api/v1/matches/{match}/commands", content=b"x" * 70_000, headers=headers)
        assert large.status_code == 413
        # The page is for callers from this machine: what a client says of where it comes from isn't believed.
        assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 200
        counts = [requests_of(url) for url in deployment.urls]
        for _ in range(20):
            client.get(f"/api/v1/matches/{match}", headers=headers).raise_for_status()
        more = sorted(now - before for now, before in zip(map(requests_of, deployment.urls), counts, strict=True))
        assert more[0] == 0 and more[1] == 20, "The requests of a match meet at one web process."


@pytest.mark.parametrize("front", ["haproxy"], indirect=True)
def test_nothing_is_lost_or_doubled_while_every_process_is_replaced(deployment: Deployment, front: Front) -> None:
    rng, enough = Random(3), Event()
    tables = [Table(people(deployment, front, deployment.urls, rng), front, enough, seed) for seed in range(2)]
    host = people(deployment, front, [], rng)[0]
    ticking: list[str] = []
    reader = Reader(front, host.token)
    for thread in (*tables, reader):
        thread.start()
    try:
        for program in deployment.programs:
            ticking.append(host.open("pentagram", host, tables[0].players[0], clocks=CLOCKS))
            deployment.kill(program)
            played(tables, 4)
            program.start()
        wait_until(deployment.whole, BOUND)
        reader.refused.clear()
        for program in deployment.programs:
            ticking.append(host.open("pentagram", host, tables[0].players[0], clocks=CLOCKS))
            deployment.restart(program)
            played(tables, 4)
        refused = list(reader.refused)
    finally:
        enough.set()
        reader.enough.set()
        for thread in (*tables, reader):
            thread.join(BOUND)
    for table in tables:
        table.finish()

    move_count = sum(assert_each_is_kept_once(table) for table in tables)
    late = [seconds for match in ticking for seconds in lateness(host, match)]
    figures["flags late at most, each process killed and replaced"] = max(late)
    failures = Counter(failure for table in tables for failure in table.failures)
    returns = Counter(it.transport for table in tables for it in table.followers for _ in range(it.returns))
    print(f"{move_count} moves, {dict(failures)}; {len(late)} flags; {reader.asked} reads; came again: {dict(returns)}")
    assert len(late) >= len(ticking) and min(late) >= 0 and max(late) < LATE_SECONDS, late
    assert refused == [], "Who comes by the proxy notices no rolling restart."
    assert all(failure.startswith("connection") for failure in failures), (
        "A process that is gone answers nothing wrong."
    )
    assert deployment.errors() == ""
    for player in (host, *(player for table in tables for player in table.players)):
        player.leave()
    verified = deployment.run("manage.py", "verify", "--all", "--processes", "1")
    assert verified.returncode == 0, verified.stdout


def requests_of(url: str) -> float:
    """Return the number of requests for a match that a web process has answered."""
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    series = 'croupier_requests_total{method="GET",route="api/v1/matches/<str:name>",'
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(series))
