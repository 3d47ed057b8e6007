"""Several web processes behind one address: each serves and is started again by itself, and two houses don't meet."""

import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from config.runner import connection_budget, parts
from config.runner.process import StartFailed
from config.runner.supervisor import StopRequested, Supervisor
from config.runner.web_ports import MOST_WEBS, WebPorts
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE


@pytest.fixture
def shared() -> int:
    """A port with two free ones after it."""
    for port in range(20_000 + os.getpid() % 5_000, 60_000, 3):
        ports = WebPorts(port, 2)
        try:
            ports.take()
        except StartFailed:
            continue
        ports.release()
        return port
    raise AssertionError("No three free ports.")


@pytest.fixture
def webs(shared: int, tmp_path: Path) -> Iterator[tuple[Supervisor, list[parts.Program]]]:
    """Two web processes as a house runs them, on the stage's servers."""
    supervisor = Supervisor(port=shared, data=tmp_path, demo=False, webs=2)
    programs = parts.webs(supervisor.web_ports, os.environ, supervisor.logs)
    for program in programs:
        program.launch()
        supervisor.running.append(program)
    for program in programs:
        program.await_ready()
    yield supervisor, programs
    for program in programs:
        program.request_stop()
    for program in programs:
        program.stop()


def began(port: int) -> str:
    """Since when the process that answers there runs, by a connection of its own."""
    exposition = httpx.get(f"http://127.0.0.1:{port}/metrics", verify=NOBODY).raise_for_status().text
    sample = re.search(r"^process_start_time_seconds (.+)$", exposition, re.MULTILINE)
    assert sample
    return sample[1]


@pytest.mark.slow
def test_one_of_two_web_processes_serves_while_the_other_restarts(
    webs: tuple[Supervisor, list[parts.Program]], shared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor, (one, other) = webs
    alone = [began(shared + 1), began(shared + 2)]
    assert alone[0] != alone[1]
    assert {began(shared) for _ in range(64)} == set(alone), "Both serve at the shared port."
    assert one.child is not None and other.child is not None
    first, other_pid, sleep, starts = one.child, other.child.pid, time.sleep, list[str]()
    until = time.monotonic() + 60
    first.kill()
    first.wait(PATIENCE)

    def look(seconds: float) -> None:
        """At each of the supervisor's waits, those for the new process too."""
        assert time.monotonic() < until
        starts.append(began(shared))
        if one.child is not first and parts.answers(shared + 1) and len({*starts[-64:]}) > 1:
            raise StopRequested
        sleep(min(seconds, 0.01))

    monkeypatch.setattr(time, "sleep", look)
    with pytest.raises(StopRequested):
        supervisor._watch()
    monkeypatch.undo()
    again = began(shared + 1)
    assert set(starts) == {alone[1], again} and alone[0] not in starts, "No request failed, none reached the dead one."
    assert other.child.pid == other_pid
    assert {log.name for log in supervisor.logs.iterdir()} == {"web-1.log", "web-2.log"}


def test_two_houses_never_share_a_port(shared: int) -> None:
    """Though their processes could: the kernel deals connections out to all that listen so."""
    one, other = WebPorts(shared, 2), WebPorts(shared, 2)
    one.take()
    with pytest.raises(StartFailed, match=f"Port {shared} is taken. Choose another with --port."):
        other.take()
    one.release()
    other.take()
    other.release()


@pytest.mark.parametrize("taken", [0, 1, 2])
def test_two_web_processes_refuse_a_port_in_use(shared: int, taken: int) -> None:
    with (
        socket.create_server(("127.0.0.1", shared + taken), reuse_port=True),
        pytest.raises(StartFailed, match=f"Port {shared + taken} is taken."),
    ):
        WebPorts(shared, 2).take()


def test_ports_and_processes_have_their_bounds() -> None:
    assert WebPorts(8000).own == [] and WebPorts(8000, 2).own == [8001, 8002]
    with pytest.raises(StartFailed, match="65536 is no port"):
        WebPorts(65535, 2).take()
    for many in (0, -1, MOST_WEBS + 1):
        with pytest.raises(StartFailed, match=f"{many} web processes can't be run: they go from 1 to {MOST_WEBS}."):
            WebPorts(8000, many).take()


def test_postgres_takes_as_many_connections_as_the_processes_may_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_POOL", raising=False)
    assert connection_budget.embedded_limit(1) == connection_budget.USUAL
    # Eight web processes, a worker and a beat, each with a pool of eight and a beat of its own, three for each
    # web's event loop, and twenty for others.
    assert 10 * 9 + 8 * 3 + 20 <= connection_budget.embedded_limit(8) < 160
    monkeypatch.setenv("DATABASE_POOL", "50")
    assert connection_budget.embedded_limit(2) > 200


def test_server_with_too_few_connections_is_reported_and_an_absent_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    url = os.environ["DATABASE_URL"]
    assert connection_budget.shortage(url, 1) is None
    monkeypatch.setenv("DATABASE_POOL", "5000")
    sentence = connection_budget.shortage(url, 1)
    assert sentence and re.search(r"^takes \d+ connections, and this house may want 15029: ", sentence)
    assert connection_budget.shortage("postgresql://nobody@127.0.0.1:1/none", 1) is None
