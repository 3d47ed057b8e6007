"""The broker loses a server under play: RabbitMQ a node, Valkey behind Sentinels its master. Nobody has to help."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic

import pytest

from tests.journeys import rabbits
from tests.journeys.deployment import Deployment
from tests.journeys.followers import Follower
from tests.journeys.guests import Guest
from tests.journeys.house import figures
from tests.journeys.proxies import Anyhow, Front
from tests.journeys.rabbits import Rabbits
from tests.journeys.sentinels import Sentinels
from tests.journeys.stubborn import BOUND
from tests.journeys.tables import CLOCKS, Table, assert_each_is_kept_once, lateness, move, played
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

HINTED_SECONDS = 0.5
"""Without hints a web process hears of another's moves with its pulse, every four seconds."""
LATE_SECONDS = 5.0
"""Web processes let a flag fall that is three seconds late, and look once a second."""


@pytest.fixture
def place() -> Iterator[tuple[Path, ExitStack]]:
    """A folder, and what is to be cleared away."""
    with tempfile.TemporaryDirectory(prefix="croupier-brokers-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        yield Path(name), held


def test_play_continues_while_the_sentinels_elect_another_master(place: tuple[Path, ExitStack]) -> None:
    folder, held = place
    servers = Sentinels(folder / "valkeys", held)
    deployment = Deployment(folder, held, beats=1, REDIS_URL=servers.url, CROUPIER_HTTPS="0")
    with played_through(deployment, "Valkey's master killed") as bot_answers:
        former_master = servers.kill_master()
        bot_answers()
        servers.start(former_master)
        servers.kill_master()
        bot_answers()


def test_play_continues_without_a_node_of_rabbitmq(place: tuple[Path, ExitStack]) -> None:
    if why := rabbits.lacking():
        pytest.skip(why)
    folder, held = place
    nodes = Rabbits(folder / "rabbits", held)
    deployment = Deployment(folder, held, beats=1, CROUPIER_BROKER_URL=nodes.url, CROUPIER_HTTPS="0")
    assert {kind for name, kind in nodes.kinds().items() if name in ("celery", "moves", "bots", "trials")} == {"quorum"}
    with played_through(deployment, "a node of RabbitMQ killed") as bot_answers:
        for name in nodes.used():
            nodes.kill(name)
            bot_answers()
            nodes.start(name)


@contextmanager
def played_through(deployment: Deployment, fault: str) -> Iterator[Callable[[], None]]:
    """People play, and flags fall, until what is done within is done; then nothing is lost or doubled.

    Gives what waits for a bot's answer, and for some moves more.
    """
    wait_until(deployment.whole, BOUND)
    rng, enough, front = Random(5), Event(), Front(deployment.ports[0])
    people = [deployment.account(f"person{n}", Anyhow(front, deployment.urls, rng)) for n in range(3)]
    table, host = Table(people[:2], front, enough, 1), people[2]
    ticking = [host.open("pentagram", host, people[0], clocks=CLOCKS)]
    pids = [program.child and program.child.pid for program in deployment.programs]
    worst = 0.0

    def bot_answers() -> None:
        nonlocal worst
        ticking.append(host.open("pentagram", host, people[0], clocks=CLOCKS))
        worst = max(worst, until_the_bot_answers(host))
        played([table], 4)

    table.start()
    try:
        bot_answers()
        worst = 0.0
        yield bot_answers
    finally:
        enough.set()
        table.join(BOUND)
    table.finish()
    wait_until(deployment.whole, BOUND)
    assert until_others_are_told(deployment, people) < HINTED_SECONDS
    assert pids == [program.child and program.child.pid for program in deployment.programs], "Nobody was restarted."
    late = [seconds for match in ticking for seconds in lateness(host, match)]
    figures[f"until a bot answers, {fault}"] = worst
    figures[f"flags late at most, {fault}"] = max(late)
    print(f"{assert_each_is_kept_once(table)} moves, {dict(Counter(table.failures))}; {len(late)} flags")
    assert table.failures == [], "No move waits for a broker."
    assert len(late) >= len(ticking) and min(late) >= 0 and max(late) < LATE_SECONDS, late
    # What a worker had from a node that is gone can't be acknowledged there, and is handed out once more.
    assert [line for line in deployment.errors().splitlines() if "Couldn't ack" not in line] == []
    for person in people:
        person.leave()


def until_the_bot_answers(host: Guest) -> float:
    """Seconds from a move against a bot to the bot's own."""
    match = host.open("pyramid_poker", host, "bot", clocks=None)
    host.send(match, {"text": "first me"})
    host.send(match, {"text": "A1"})
    begun = monotonic()
    host.turn(match, 0, BOUND)
    return monotonic() - begun


def until_others_are_told(deployment: Deployment, people: list[Guest]) -> float:
    """Seconds from a move by one web process until who follows at the other is told: the median of nine."""
    here, there = (Front(port) for port in deployment.ports)
    by_here = [Guest(here.url, person.name, person.token) for person in people[:2]]
    match = by_here[0].open("pentagram", *by_here, clocks=None)
    follower, took = Follower("socket", there, people[0].token, match), []
    follower.start()
    for _ in range(9):
        version = move(by_here, match, Random(1))
        begun = monotonic()
        wait_until(lambda version=version: len(follower.told) >= version)
        took.append(monotonic() - begun)
    follower.stop()
    for person in by_here:
        person.leave()
    return sorted(took)[4]
