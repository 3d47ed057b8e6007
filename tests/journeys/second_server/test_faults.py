"""Parts of a running house are killed. What was acknowledged stays, play goes on, and nobody has to come to help."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random
from threading import Event
from time import monotonic

import httpx
import psycopg
import pytest

from tests.journeys.guests import PROBLEM, Guest, prompted
from tests.journeys.house import House, embedded_servers, figures
from tests.journeys.stubborn import BOUND, Player, Stubborn, assert_all_is_kept, record_of
from tests.waiting import wait_until

pytestmark = pytest.mark.slow
embedded = pytest.mark.skipif(not embedded_servers(), reason="The servers are not the house's own.")


@pytest.fixture
def inn(inn: House) -> Iterator[House]:
    """The house to break: whole before, and whole again afterwards."""
    wait_until(inn.whole, BOUND)
    yield inn
    wait_until(inn.whole, BOUND)


@pytest.fixture
def mira(inn: House) -> Guest:
    return inn.demo_guest("mira")


@pytest.fixture
def tobias(inn: House) -> Guest:
    return inn.demo_guest("tobias")


@pytest.fixture
def stubborn(mira: Guest) -> Stubborn:
    return Stubborn(mira)


@embedded
def test_acknowledged_moves_survive_a_killed_postgres(inn: House, mira: Guest, tobias: Guest) -> None:
    tables = [mira.open("pentagram", mira, tobias, clocks=None) for _ in range(3)]
    seats = [(guest, table, seat) for table in tables for seat, guest in enumerate((mira, tobias))]
    seats += [(guest, guest.open("pentagram", guest, "bot", clocks=None), 0) for guest in (mira, tobias)]
    enough = Event()
    players = [Player(Stubborn(guest), match, seat, enough) for guest, match, seat in seats]
    assert len(players) == 8

    def moves(player: Player) -> int:
        return len(player.client.acknowledged)

    for player in players:
        player.start()
    try:
        wait_until(lambda: all(moves(player) >= 3 for player in players), BOUND)
        killed, victim, before = monotonic(), inn.postmaster(), [moves(player) for player in players]
        os.kill(victim, signal.SIGKILL)
        wait_until(
            lambda: (
                any(p.fault for p in players)
                or all(moves(p) >= count + 4 or not p.is_alive() for p, count in zip(players, before, strict=True))
            ),
            2 * BOUND,
        )
    finally:
        enough.set()
        for player in players:
            player.join(BOUND)
    for player in players:
        if player.fault:
            raise player.fault

    moments = sorted(acknowledged.at for player in players for acknowledged in player.client.acknowledged)
    outage = max(later - earlier for earlier, later in pairwise(moments) if later > killed)
    figures["outage at a kill -9 of Postgres"] = outage
    assert outage < BOUND
    failures = Counter(failure for player in players for failure in player.client.failures)
    print(f"outage {outage:.2f} s, {len(moments)} moves acknowledged, {dict(failures)}")
    answered = {failure for failure in failures if failure[0].isdigit()}
    assert answered <= {f"503 {PROBLEM} unavailable"}, inn.tracebacks()
    assert inn.postmaster() != victim
    assert_all_is_kept(players)


@embedded
def test_server_answers_again_after_a_long_absence_of_postgres(inn: House, stubborn: Stubborn) -> None:
    match = stubborn.guest.open("pyramid_poker", stubborn.guest, "bot")
    url = inn.services()["DATABASE_URL"]
    with ThreadPoolExecutor(12) as crowd:
        assert {answer.status_code for answer in crowd.map(stubborn.guest.ask, [f"/matches/{match}"] * 120)} == {200}

    with inn.unattended():
        os.kill(inn.postmaster(), signal.SIGKILL)
        killed = monotonic()
        # Its processes answer what they are asked until they notice that they are alone.
        wait_until(lambda: stubborn.guest.ask(f"/matches/{match}").status_code != 200, BOUND)
        problem = stubborn.guest.ask(f"/matches/{match}")
        assert (problem.status_code, problem.headers["content-type"]) == (503, PROBLEM)
        assert problem.json()["code"] == "unavailable" and problem.headers["Retry-After"] == "1"
        assert problem.elapsed.total_seconds() < BOUND
        # Tries that lie twice as far apart each time would come at 1, 3, 7 and 15 seconds.
        wait_until(lambda: monotonic() > killed + 7.5)
    wait_until(lambda: accepts(url), BOUND)
    back = monotonic()
    stubborn.send(match, 0, {"text": "first me"})

    figures["until an answer, Postgres long away"] = monotonic() - back
    assert monotonic() - back < BOUND


def accepts(url: str) -> bool:
    """True if a Postgres accepts connections."""
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


PARTS = ["web", "worker", "beat", pytest.param("Valkey", marks=embedded)]


@pytest.mark.parametrize("part", PARTS)
def test_match_continues_after_a_process_is_killed(inn: House, stubborn: Stubborn, part: str) -> None:
    guest = stubborn.guest
    match = guest.open("pyramid_poker", guest, "bot")
    victim = inn.pid(part)
    assert victim is not None

    os.kill(victim, signal.SIGKILL)
    began = monotonic()
    stubborn.send(match, 0, {"text": "first me"})
    stubborn.send(match, 0, {"text": "A1"})
    moved = monotonic() - began
    wait_until(lambda: "place" in prompted(stubborn.read(match), 0), BOUND)

    figures[f"until the bot answers, {part} killed"] = monotonic() - began
    if part != "web":
        assert stubborn.failures == [], "No move waits for it."
        assert moved < 5
    wait_until(lambda: inn.pid(part) not in (None, victim), BOUND)
    wait_until(inn.whole, BOUND)
    assert [event["type"] for event in record_of(match, guest)].count("brick_placed") == 2


@embedded
def test_moves_need_no_valkey_and_the_sweep_finds_a_match_without_a_hint(
    inn: House, stubborn: Stubborn, tobias: Guest
) -> None:
    guest = stubborn.guest
    against_bot = guest.open("pyramid_poker", guest, "bot")
    together = guest.open("pyramid_poker", guest, tobias)
    valkey = inn.pid("Valkey")
    assert valkey is not None

    # Stopped, not ended: it still takes connections and never answers, which is worse than being away.
    os.kill(valkey, signal.SIGSTOP)
    try:
        began = monotonic()
        stubborn.send(against_bot, 0, {"text": "first me"})
        stubborn.send(against_bot, 0, {"text": "A1"})
        stubborn.send(together, 0, {"text": "first me"})
        stubborn.send(together, 0, {"text": "A1"})
        document = tobias.read(together)
        tobias.send(together, {"text": "A2"})
        took = monotonic() - began
        assert prompted(document, 1) == ["place"]
        readiness = httpx.get(f"{inn.url}/readyz").json()
        assert readiness["parts"]["database"] and not readiness["parts"]["broker"]
        assert "broker" in [away["part"] for away in readiness["away"]]
    finally:
        os.kill(valkey, signal.SIGKILL)

    figures["five moves without Valkey"] = took
    assert stubborn.failures == [] and took < 10
    wait_until(lambda: "place" in prompted(guest.read(against_bot), 0), BOUND)
    record_of(against_bot, guest)
    record_of(together, guest)


def test_killed_supervisor_leaves_no_process_and_matches_continue_at_restart(inn: House, mira: Guest) -> None:
    match = mira.open("pyramid_poker", mira, "bot")
    mira.send(match, {"text": "first me"})
    mira.send(match, {"text": "A1"})
    before = mira.turn(match, seat=0)
    record = record_of(match, mira)

    assert len(inn.residents()) > 5
    inn.kill()
    wait_until(lambda: inn.residents() == [], BOUND)
    figures["start after a kill -9 of bin/up"] = inn.start()

    after = mira.read(match)
    assert after == before
    assert record_of(match, mira) == record
    mira.send(match, mira.choose(after, 0, Random(0)))
    assert mira.turn(match, seat=0)["version"] > before["version"]
