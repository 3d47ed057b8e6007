"""bench rebuild: every projection rebuilt over logs of several sizes, as by `manage.py rebuild`, in a live service.

    rebuild             events a second into a new generation of every projection, and the cost of an event by size
    the service         moves and views over HTTP meanwhile: their number, latencies and failures

python -m benchmarks rebuild 10000 100000 1000000
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any
from uuid import UUID

import httpx

from benchmarks import stage
from benchmarks._side import fill, how_many
from benchmarks.report import Row, number, print_results

_PAUSE = 0.05


def main(argv: list[str]) -> int:
    """Measure and print the results; return 1 if the service failed anyone meanwhile."""
    parser = argparse.ArgumentParser(prog="bench rebuild", description=__doc__.splitlines()[0])
    parser.add_argument("events", type=int, nargs="*", default=[10_000, 100_000], help="events in the log, rising")
    arguments = parser.parse_args(argv)
    rows, notes, failed = [], [], 0
    with stage.service(), tempfile.TemporaryDirectory() as folder, _web(Path(folder)) as port:
        for size in arguments.events:
            fill(size)
            stored = how_many()
            visitor = Visitor(port)
            with visitor.visiting():
                spent = _rebuild()
            rows += [
                Row(f"rebuild of all projections, {stored:,} events", "events/s", (stored / spent,)),
                Row("a view meanwhile", "ms", tuple(1000 * seconds for seconds in visitor.views)),
                Row("a move meanwhile", "ms", tuple(1000 * seconds for seconds in visitor.moves)),
            ]
            failed += len(visitor.failures)
            notes.append(
                f"{stored:,} events: {number(1e6 * spent / stored)} us an event; meanwhile {len(visitor.views)} views, "
                f"{len(visitor.moves)} moves, {len(visitor.failures)} failures {visitor.failures[:2] or ''}"
            )
    print_results("rebuild", rows, notes)
    return 1 if failed else 0


@contextmanager
def _web(folder: Path) -> Iterator[int]:
    """Run the service's web process, started as bin/up does; yield its port."""
    from config.runner import parts
    from config.runner.embedded.server import free_port

    port = free_port()
    program = parts.web(port, os.environ, folder)
    program.start()
    try:
        yield port
    finally:
        program.request_stop()
        program.stop()


def _rebuild() -> float:
    """Run the command; return the seconds that it took without its start."""
    program = "import django; django.setup(); from time import time; from django.core.management import call_command"
    program += "; begun = time(); call_command('rebuild'); print(time() - begun)"
    output = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(output.splitlines()[-1])


@dataclass
class Visitor:
    """Two people at a match who read and move in turn over HTTP, match after match."""

    port: int
    views: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @contextmanager
    def visiting(self) -> Iterator[None]:
        """Visit from now until the end of the block."""
        from tests.table_setting import new_account, new_token

        stop, people = Event(), [new_account(), new_account()]
        tokens = [new_token(person) for person in people]
        visit = Thread(target=self._visit, args=([person.id for person in people], tokens, stop))
        visit.start()
        try:
            yield
        finally:
            stop.set()
            visit.join()

    def _visit(self, people: list[UUID], tokens: list[str], stop: Event) -> None:
        from matches.services import opening
        from matches.storage import repository

        match_id, rng = None, Random(1)
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api/v1", timeout=30) as client:
            while not stop.wait(_PAUSE):
                if match_id is None or repository.load(match_id).outcome:
                    seats = [opening.SeatRequest(person) for person in people]
                    match_id = opening.open_match(
                        opener=people[0], game="pyramid_poker", options={}, seats=seats
                    ).match_id
                    opening.start(match_id=match_id, by=people[0], reason="A trial.")
                self._look_and_move(client, match_id, tokens, rng)

    def _look_and_move(self, client: httpx.Client, match_id: UUID, tokens: list[str], rng: Random) -> None:
        from games.kernel import to_json
        from matches.services import playing
        from matches.storage import repository

        public = repository.load(match_id)
        if public.due.dealer:
            playing.attend(match_id=match_id, most=10)
            return
        seat = public.due.seats[0]
        match_state = repository.load(match_id, seat)
        always = {"Authorization": f"Bearer {tokens[seat]}", "Host": "localhost"}
        path = f"/matches/{match_id}"
        self._timed(self.views, 200, lambda: client.get(f"{path}/view", headers=always))
        move = {"Idempotency-Key": f"v{match_state.version}", "If-Match": f'"v{match_state.version}"'}
        command = to_json(match_state.game.sample(match_state.state, seat, rng))
        self._timed(self.moves, 201, lambda: client.post(f"{path}/commands", json=command, headers=always | move))

    def _timed(self, spent: list[float], wanted: int, ask: Any) -> None:
        begun = time.perf_counter()
        answer = ask()
        if answer.status_code == wanted:
            spent.append(time.perf_counter() - begun)
        else:
            self.failures.append(f"{answer.status_code} {answer.text[:120]}")
