"""bench kills: kill -9 at many random moments while 30 matches are played flat out over sockets.

python -m benchmarks kills                   100 moments
python -m benchmarks kills --moments 500     so many

At each moment one of these dies: a Postgres process, with which the postmaster ends all others; the whole Postgres
server; one of two web processes. The next moment comes once matches move again. No move that was
acknowledged or sent may be lost or happen twice, the response to a repeated key must have the same bytes, every stream
must verify, and no flag may fall early.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread
from typing import TYPE_CHECKING
from uuid import UUID

from rich.console import Console

from benchmarks import _side, stage
from benchmarks._survivors import Crowd, Survivor
from benchmarks.report import number, write
from config.runner import parts
from config.runner.embedded.postgres import Postgres
from config.runner.embedded.server import free_port
from config.runner.process import last_lines

if TYPE_CHECKING:
    from tests.matches.fault_scenarios import Armed, Lateness

_AT_ONCE = 30
_MOVES = 100
_LONGEST_STAND_SECONDS = 60.0
_TOLD_EVERY = 25
_STUCK_SECONDS = 15.0
"""A Postgres may wait in recovery for ever if one of its processes was killed while it recovered: observed with 18.6.
It is then killed as a whole, which is counted separately."""


class House:
    """A Postgres and two web processes, each of which can be killed."""

    def __init__(self, postgres: Postgres, logs: Path, rng: Random) -> None:
        self._postgres, self._rng = postgres, rng
        self.ports = [free_port() for _ in range(2)]
        env = dict(os.environ) | {"CROUPIER_CONCURRENCY": "10000"}
        self._webs = [parts.web(port, env, logs, name=f"web-{port}") for port in self.ports]

    def start(self) -> None:
        """Start the web processes."""
        for web in self._webs:
            web.launch()
        for web in self._webs:
            web.await_ready()

    def stop(self) -> None:
        """Kill the web processes."""
        for web in self._webs:
            web.kill()
            if web.child is not None:
                web.child.wait()

    def tend(self) -> None:
        """Restart what has ended by itself, as the supervisor does: a web process that found no database as it started,
        a Postgres whose recovery was killed."""
        if not self._postgres.alive():
            self._postgres.start()
        for web in self._webs:
            if not web.alive():
                web.launch()

    def logs(self) -> str:
        """Return the last lines of the servers' logs."""
        return "\n".join(
            f"{log.name}:\n{last_lines(log, 12)}" for log in (self._postgres.log, *(it.log for it in self._webs))
        )

    def kill_any(self) -> str:
        """Kill one thing; return its name."""
        kinds: list[Callable[[], str]] = [self._kill_backend, self._kill_backend, self._kill_server, self._kill_web]
        return self._rng.choice(kinds)()

    def _kill_backend(self) -> str:
        """Kill one Postgres process: the postmaster then ends all the others, and restarts by itself."""
        if backends := self._backends():
            with suppress(ProcessLookupError):
                os.kill(self._rng.choice(backends), signal.SIGKILL)
        return "Postgres processes"

    def restart_server(self) -> None:
        """Kill and restart the whole server, as an operator does if it does not recover."""
        self._kill_server()

    def _kill_server(self) -> str:
        assert self._postgres.pid is not None
        # The postmaster first, which would otherwise begin to clean up.
        for pid in (self._postgres.pid, *self._backends()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while self._postgres.alive():
            time.sleep(0.005)
        self._postgres.start()
        return "Postgres servers"

    def _kill_web(self) -> str:
        """Kill a process that is ready, so that another one is ready or starting."""
        ready = [web for web in self._webs if web.ready()]
        if not ready:
            return self._kill_backend()
        web = self._rng.choice(ready)
        assert web.child is not None
        web.child.kill()
        web.child.wait()
        web.launch()
        return "web processes"

    def _backends(self) -> list[int]:
        return [
            int(word)
            for word in Path(f"/proc/{self._postgres.pid}/task/{self._postgres.pid}/children").read_text().split()
        ]


def main(argv: list[str]) -> int:
    """Kill, and check the matches afterwards; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(
        prog="bench kills", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moments", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args(argv)
    rng = Random(options.seed)
    with stage.servers() as (postgres, _), tempfile.TemporaryDirectory() as folder:
        figures, wrong = _trial(House(postgres, Path(folder), rng), options.moments, rng)
    console = Console(width=110)
    console.print(f"kills: {'FALLS SHORT' if wrong else 'holds'} (seed {options.seed})", style="bold", highlight=False)
    for what, figure in figures.items():
        console.print(f"  {what:<46} {number(figure)}", highlight=False)
    for sentence in wrong[:5]:
        console.print(f"  {sentence}", highlight=False)
    write("kills", figures=figures, wrong=wrong, seed=options.seed)
    return 1 if wrong else 0


def _trial(house: House, moments: int, rng: Random) -> tuple[dict[str, float], list[str]]:
    from tests.matches import fault_scenarios

    # There are about 120 moves between two moments.
    count = _AT_ONCE + 3 * moments // 2
    survivors = [Survivor(_side.new_match("pyramid_poker", _MOVES, seed), house.ports, rng) for seed in range(count)]
    armed = fault_scenarios.arm_many(moments, 10.0, 1.0 * moments)
    # This process makes no queries until the end.
    stage.forget_connections()
    crowd = Crowd(survivors, _AT_ONCE)
    house.start()
    thread = Thread(target=crowd.run)
    thread.start()
    begun = time.monotonic()
    try:
        killed, stalls = _kill(house, crowd, moments, rng)
    finally:
        lasted = time.monotonic() - begun
        crowd.stop()
        thread.join()
    try:
        _await_the_database(house)
        late = _lateness(armed)
    finally:
        house.stop()
    wrong = [it.broken for it in survivors if it.broken] + late.wrong + stalls + _unsound(survivors)
    figures: dict[str, float] = {f"killed: {what}": many for what, many in sorted(killed.items())}
    figures |= {
        "moments": killed.total(),
        "seconds": lasted,
        "moves acknowledged": sum(len(it.answers) for it in survivors),
        "keys used again after a kill": sum(it.asked_again for it in survivors),
        "flags fallen": len(late.seconds),
        "wrong": len(wrong),
        "load": os.getloadavg()[0],
    }
    return figures, wrong


def _kill(house: House, crowd: Crowd, moments: int, rng: Random) -> tuple[Counter[str], list[str]]:
    """Kill so many times, or until too few matches are left; return the counts by kind, and a fault if matches then
    stopped."""
    killed: Counter[str] = Counter()
    while _await_moves(house, crowd, killed):
        if killed.total() >= moments or not crowd.is_busy:
            return killed, []
        if not killed.total() % _TOLD_EVERY:
            print(f"{killed.total()} moments, {crowd.moves} moves", file=sys.stderr, flush=True)
        time.sleep(rng.random() * 0.2)
        killed[house.kill_any()] += 1
    print(house.logs(), file=sys.stderr, flush=True)
    return killed, [f"Nobody could move for {_LONGEST_STAND_SECONDS:g} s after a kill."]


def _await_moves(house: House, crowd: Crowd, killed: Counter[str]) -> bool:
    """Wait until moves are made; return False if there are none for too long."""
    before, begun = crowd.moves, time.monotonic()
    is_stuck = False
    while crowd.moves < before + _AT_ONCE // 2 and time.monotonic() < begun + _LONGEST_STAND_SECONDS:
        house.tend()
        if not is_stuck and crowd.moves == before and time.monotonic() > begun + _STUCK_SECONDS:
            is_stuck = True
            print(house.logs(), file=sys.stderr, flush=True)
            house.restart_server()
            killed["Postgres servers that stood in recovery"] += 1
        time.sleep(0.005)
    return time.monotonic() < begun + _LONGEST_STAND_SECONDS


def _await_the_database(house: House) -> None:
    """Wait until it accepts connections again; raise OperationalError if it does not for too long."""
    from django.db import OperationalError

    from events import store

    until = time.monotonic() + _LONGEST_STAND_SECONDS
    while True:
        house.tend()
        stage.forget_connections()
        try:
            store.raw_connection()
        except OperationalError:
            if time.monotonic() > until:
                raise
        else:
            return


def _lateness(armed: "Sequence[Armed]") -> "Lateness":
    """Wait until all flags have fallen; return how late each was."""
    from tests.matches import fault_scenarios

    until = time.monotonic() + fault_scenarios.seconds_until_the_last(armed) + 60
    while time.monotonic() < until and (
        fault_scenarios.seconds_until_the_last(armed) or fault_scenarios.unfallen_of(armed)
    ):
        time.sleep(0.2)
    return fault_scenarios.how_late(armed)


def _unsound(survivors: list[Survivor]) -> list[str]:
    """Return the faults of the stored matches: their chains, their rows, and their versions."""
    from events import verifying
    from matches.models import Match
    from matches.storage import repository

    wrong = []
    for it in survivors:
        match_id = UUID(it.id)
        if broken := verifying.verify(match_id):
            wrong.append(str(broken))
            continue
        repository._cache.clear()
        stored, row = repository.load(match_id), Match.objects.get(id=match_id)
        if (row.version, row.status) != (stored.version, stored.lifecycle.status):
            wrong.append(f"{it.id}: its row says {row.version}, its log {stored.version}")
        # One move may have been in progress when the players disconnected.
        reached = {it.moves[it.next][3]} if it.next < len(it.moves) else set()
        if stored.version not in {it.newest, *reached}:
            wrong.append(f"{it.id}: {it.newest} was told, its log says {stored.version}")
    return wrong
