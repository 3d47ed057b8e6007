"""Running clocks while a part of the service is away for half a minute."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import httpx
import psycopg
import pytest

from tests.journeys.house import ROOT, House, embedded_servers, figures
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
embedded = pytest.mark.skipif(not embedded_servers(), reason="The run was given servers, which no test may stop.")
AWAY_SECONDS = 30.0
LATEST_SECONDS = 12.0


def run_arming(inn: House, *words: object, typed: str = "") -> Any:
    """Return the output of tests.matches.arming on the house's database."""
    # So many matches of one account are more than it may open.
    env = inn.beside() | {"PYTHONPATH": str(ROOT), "CROUPIER_LIMITS": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.matches.arming", *map(str, words)],
        input=typed, capture_output=True, text=True, cwd=ROOT, env=env, timeout=90,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def stop(inn: House, part: str) -> int:
    """SIGSTOP of a part that runs; gives its process."""
    pid = wait_until(lambda: inn.pid(part))
    os.kill(pid, signal.SIGSTOP)
    return int(pid)


@contextmanager
def kept_away(inn: House, part: str) -> Iterator[None]:
    """A part is stopped, and so is whatever the supervisor puts in its place."""
    ended = Event()

    def keep() -> None:
        while not ended.is_set():
            if pid := inn.pid(part):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            ended.wait(0.05)

    thread = Thread(target=keep)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        if pid := inn.pid(part):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def locked(inn: House, statement: str, *values: object) -> Iterator[None]:
    """Somebody else has what this statement locks."""
    with psycopg.connect((inn.data / "run/owner_url").read_text()) as other:
        other.execute(statement, values)
        yield


@contextmanager
def pool_exhausted(inn: House, matches: list[str]) -> Iterator[None]:
    """Everything of the web process waits for one match that is locked."""
    guest, ended = inn.guest("rosa"), Event()
    own = guest.open("pyramid_poker", guest, "bot")

    def ask() -> None:
        with httpx.Client(base_url=f"{inn.url}/api/v1", headers={"Authorization": f"Bearer {guest.token}"}) as client:
            while not ended.is_set():
                try:
                    client.post(
                        f"/matches/{own}/commands", json={"text": "first me"}, timeout=20,
                        headers={"Idempotency-Key": f"k{monotonic()}"},
                    )  # fmt: skip
                except httpx.TransportError:
                    sleep(0.1)

    with locked(inn, "SELECT FROM events_head WHERE stream = %s FOR UPDATE", own):
        askers = [Thread(target=ask) for _ in range(24)]
        for asker in askers:
            asker.start()
        yield
        ended.set()
    for asker in askers:
        asker.join()


HEAD = "SELECT FROM events_head WHERE stream = %s FOR UPDATE"
FAULTS: dict[str, Callable[[House, list[str]], Any]] = {
    "worker": lambda inn, _: kept_away(inn, "worker"),
    "beat": lambda inn, _: kept_away(inn, "beat"),
    "one match locked": lambda inn, matches: locked(inn, HEAD, matches[0]),
    "a table locked": lambda inn, _: locked(inn, "LOCK TABLE matches_notice, events_signed, seasons_season"),
    "pool exhausted": pool_exhausted,
}
NAMED = {"worker": "worker", "beat": "beat"}
"""Names of the processes in the answer of /readyz."""


@pytest.mark.parametrize("fault", FAULTS)
def test_flags_fall_within_twelve_seconds_and_never_early_in_an_outage(inn: House, fault: str) -> None:
    flags = run_arming(inn, "arm", 100, 25, AWAY_SECONDS)
    names = [name for name, _, _ in flags["armed"]]
    last, readings = monotonic() + flags["last"], []
    with ExitStack() as away:
        away.enter_context(FAULTS[fault](inn, names))
        until = monotonic() + AWAY_SECONDS
        while monotonic() < max(until, last + 1):
            readings.append(httpx.get(f"{inn.url}/readyz", timeout=PATIENCE))
            sleep(1)
    # The one that was held itself goes on later.
    counted = flags["armed"][1:] if fault == "one match locked" else flags["armed"]
    sleep(LATEST_SECONDS)
    late = run_arming(inn, "late", typed=json.dumps(counted))
    assert late["wrong"] == []
    assert len(late["seconds"]) == len(counted)
    figures[f"the latest flag of 100, {fault}"] = max(late["seconds"])
    assert max(late["seconds"]) < LATEST_SECONDS
    if part := NAMED.get(fault):
        unready = [answer.json()["away"] for answer in readings if answer.status_code == 503]
        assert unready, "Readiness says it."
        assert part in [it["part"] for it in unready[-1] if not it["in_grace"]]
        assert all(it["since"] for it in unready[-1])
    wait_until(inn.whole)


@embedded
def test_flags_fall_while_valkey_accepts_connections_and_never_answers(inn: House) -> None:
    flags = run_arming(inn, "arm", 50, 15, 15)
    last = monotonic() + flags["last"]
    valkey = stop(inn, "Valkey")
    try:
        answers = []
        while monotonic() < last + LATEST_SECONDS:
            answers.append(httpx.get(f"{inn.url}/readyz", timeout=PATIENCE))
            sleep(1)
    finally:
        os.kill(valkey, signal.SIGKILL)
    late = run_arming(inn, "late", typed=json.dumps(flags["armed"]))
    assert late["wrong"] == [] and len(late["seconds"]) == 50
    figures["the latest flag of 50, Valkey stopped"] = max(late["seconds"])
    assert max(late["seconds"]) < LATEST_SECONDS
    assert "broker" in [it["part"] for it in answers[-1].json()["away"]] and answers[-1].status_code == 503
    wait_until(inn.whole)


@pytest.mark.parametrize("part", ["worker", "beat", "web"])
def test_hanging_process_is_replaced_within_ten_seconds(inn: House, part: str) -> None:
    hanging, began = stop(inn, part), monotonic()
    wait_until(lambda: inn.pid(part) not in (None, hanging))
    figures[f"until a {part} that hangs is replaced"] = took = monotonic() - began
    assert took < 10
    wait_until(inn.whole)
    assert f"{part} has given no sign of life for " in inn.output


def test_suspended_machine_restarts_no_process(inn: House) -> None:
    """Stop all processes, and let the supervisor continue first, like a suspended machine that wakes up."""
    before = {part: inn.pid(part) for part in ("web", "worker", "beat")}
    with inn.unattended():
        for pid in before.values():
            os.kill(pid, signal.SIGSTOP)  # type: ignore[arg-type]
        sleep(12)
    # The supervisor goes on first.
    sleep(2)
    for pid in before.values():
        os.kill(pid, signal.SIGCONT)  # type: ignore[arg-type]
    wait_until(inn.whole)
    sleep(8)
    assert {part: inn.pid(part) for part in before} == before
