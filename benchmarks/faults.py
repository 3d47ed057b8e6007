"""bench faults: the long versions of trials that the tests run briefly."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
from rich.console import Console

from benchmarks import stage
from benchmarks.report import number, write
from games.kernel import to_json


@dataclass
class Found:
    """Results of one trial: its figures in order, and whether it holds."""

    figures: dict[str, Any] = field(default_factory=dict)
    holds: bool = True
    wrong: list[str] = field(default_factory=list)


def main(argv: list[str]) -> int:
    """Run the trials and print their results; return 1 if one does not hold."""
    parser = argparse.ArgumentParser(prog="bench faults", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=sorted(TRIALS), action="append")
    parser.add_argument("--minutes", type=float, default=1.0, help="grows every trial; 1 is what the names promise")
    arguments = parser.parse_args(argv)
    console, results = Console(width=110), {}
    with stage.service(), tempfile.TemporaryDirectory() as folder:
        for name in arguments.only or TRIALS:
            begun = time.monotonic()
            results[name] = result = TRIALS[name](Path(folder) / name, arguments.minutes)
            console.print(f"{name}: {'holds' if result.holds else 'FALLS SHORT'}", style="bold", highlight=False)
            figures = result.figures | {"seconds": time.monotonic() - begun, "load": os.getloadavg()[0]}
            for what, figure in figures.items():
                figure_text = number(figure) if isinstance(figure, (int, float)) else figure
                console.print(f"  {what:<46} {figure_text}", highlight=False)
            for sentence in result.wrong[:5]:
                console.print(f"  {sentence}", highlight=False)
            result.figures = figures
    write("faults", trials={name: vars(result) for name, result in results.items()})
    return 0 if all(result.holds for result in results.values()) else 1


def killed_workers(folder: Path, minutes: float) -> Found:
    """2,000 deadlines over 30 s; of two workers the one that has worked longest is killed -9 once the other works."""
    return _killed(folder, minutes, workers=2, spared=1)


def killed_by_the_second(folder: Path, minutes: float) -> Found:
    """Repeat `killed_workers` with five workers, so that one a second can be killed though each takes
    seconds to start."""
    return _killed(folder, minutes, workers=5, spared=1)


def killed_to_the_last(folder: Path, minutes: float) -> Found:
    """Repeat `killed_workers` with none of the two workers spared, so that often no worker watches the deadlines: only
    lateness suffers."""
    result = _killed(folder, minutes, workers=2, spared=0)
    return Found(result.figures, not result.wrong, result.wrong)


def _killed(folder: Path, minutes: float, *, workers: int, spared: int) -> Found:
    from tests.matches import fault_scenarios

    count, over = round(2000 * minutes), 30 * minutes
    with fault_scenarios.Staff(folder, workers) as staff:
        armed = fault_scenarios.arm_many(count, count / 60, over)
        until = time.monotonic() + fault_scenarios.seconds_until_the_last(armed)
        fault_scenarios.kill_by_turns(staff, lambda: time.monotonic() > until, spared=spared)
        _wait_for_all(lambda: fault_scenarios.unfallen_of(armed))
    return _lateness(fault_scenarios.how_late(armed), p99=1.0, longest=3.0, more={"kills": staff.kills})


def healthy_workers(folder: Path, minutes: float) -> Found:
    """1,000 running matches on the clock, two workers, nobody killed."""
    from tests.matches import fault_scenarios

    with fault_scenarios.Staff(folder) as staff:
        armed = fault_scenarios.arm_many(round(1000 * minutes), 1000 * minutes / 80, 30 * minutes)
        time.sleep(fault_scenarios.seconds_until_the_last(armed))
        _wait_for_all(lambda: fault_scenarios.unfallen_of(armed))
        memory = staff.memory()
    return _lateness(
        fault_scenarios.how_late(armed), p99=0.25, longest=3.0, more={"memory of the workers, MiB": memory}
    )


def races(folder: Path, minutes: float) -> Found:
    """1,000 commands that race with their flags."""
    from tests.matches import fault_scenarios

    results = fault_scenarios.race(round(1000 * minutes), seed=int(time.time()))
    figures = {"accepted": results.accepted, "flags fallen": results.fallen, "overlaps": results.overlaps}
    figures["wrong"] = len(results.wrong)
    return Found(figures, not results.wrong and results.overlaps >= 50 * minutes, results.wrong)


def _wait_for_all(unfallen: Callable[[], int], patience: float = 60.0) -> None:
    until = time.monotonic() + patience
    while unfallen() and time.monotonic() < until:
        time.sleep(0.1)


def _lateness(late: Any, *, p99: float, longest: float, more: dict[str, Any]) -> Found:
    figures: dict[str, Any] = {"flags": len(late.seconds), "wrong": len(late.wrong), **more}
    figures |= {f"late, p{percent}, ms": 1000 * late.percentile(percent) for percent in (50, 90, 99)}
    figures["late, longest, ms"] = 1000 * max(late.seconds)
    holds = not late.wrong and late.percentile(99) <= p99 and max(late.seconds) <= longest
    return Found(figures, holds, late.wrong)


def season(folder: Path, minutes: float) -> Found:
    """300 matches of all games at once, on the clock: a third with a person at seat 0, over HTTP, the rest bots."""
    from games import catalogue
    from matches.audit import croupier_verify, export
    from matches.storage import repository
    from tests.matches import fault_scenarios
    from tests.table_setting import new_account, new_token

    count, person = round(300 * minutes), new_account()
    with fault_scenarios.Staff(folder, 1) as staff, _web(folder) as web:
        begun = time.monotonic()
        slugs = sorted(catalogue)
        ids = [_open(slugs[n % len(slugs)], person.id if n % 3 == 0 else None) for n in range(count)]
        people = Players(new_token(person), str(person.id), web.port, ids[::3])
        moves = people.play(threads=4, until=begun + 280)
        unfinished = _wait_for_the_ends(ids, until=begun + 290)
        took = time.monotonic() - begun
        figures: dict[str, Any] = {
            "matches": count,
            "unfinished": unfinished,
            "acts a second, all": _acts(ids) / took,
            "moves over HTTP": len(moves),
            "refused over HTTP": people.refused,
            "a move over HTTP, p50, ms": 1000 * fault_scenarios.ranked(moves, 50),
            "a move over HTTP, p99, ms": 1000 * fault_scenarios.ranked(moves, 99),
            "memory of web, MiB": fault_scenarios.resident(web.program),
            "memory of the worker, MiB": staff.memory()[0],
        }
    wrong = []
    for match_id in ids[:: max(1, count // 25)]:
        lines = [line.decode() for line in export.export(match_id)]
        try:
            croupier_verify.verify(lines)
            if repository.load(match_id).outcome:
                export.replay(lines)
        except croupier_verify.Bad as bad:
            wrong.append(f"{match_id}: {bad}")
    return Found(figures | {"exports that don't verify": len(wrong)}, not wrong and not unfinished, wrong)


@dataclass
class Web:
    """A web process of the service."""

    program: Any
    port: int


@contextmanager
def _web(folder: Path) -> Iterator[Web]:
    """Run the service's web process, started as bin/up does."""
    from config.runner import parts
    from config.runner.embedded.server import free_port

    port = free_port()
    program = parts.web(port, os.environ, folder / "log")
    program.start()
    try:
        yield Web(program, port)
    finally:
        program.request_stop()
        program.stop()


def _open(game: str, person: UUID | None) -> UUID:
    """Return a running match between bots, or with a person at seat 0, with the game's own clocks."""
    from games import catalogue
    from matches.domain.clocks import ClockTimes
    from matches.services import opening
    from tests.table_setting import new_account

    rules = catalogue[game]
    host = person or new_account().id
    opened = opening.open_match(
        opener=host,
        game=game,
        options={},
        seats=[opening.SeatRequest(person or "bot"), *[opening.SeatRequest("bot")] * (rules.seats.min - 1)],
        clocks={
            name: ClockTimes(min(spec.base, 366 * 86400), spec.reserve, spec.increment)
            for name, spec in rules.clocks.items()
        },
    )
    opening.start(match_id=opened.match_id, by=host, reason="A trial.")
    return opened.match_id


@dataclass
class Players:
    """A program at seat 0 of many matches that sends its bot's moves over HTTP."""

    token: str
    account: str
    port: int
    ids: list[UUID]
    refused: int = 0

    def play(self, threads: int, until: float) -> list[float]:
        """Play them all to their ends; return the seconds that each accepted move took."""
        from tests.matches import fault_scenarios

        shares = [self.ids[n::threads] for n in range(threads)]
        results = fault_scenarios.in_threads(threads, [partial(self._play, share, until) for share in shares])
        return [seconds for share_results in results for seconds in share_results]

    def _play(self, ids: list[UUID], until: float) -> list[float]:
        moves: list[float] = []
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api/v1", timeout=30) as client:
            client.headers.update({"Authorization": f"Bearer {self.token}", "Host": "localhost"})
            waiting = list(ids)
            while waiting and time.monotonic() < until:
                waiting = [match_id for match_id in waiting if self._move(client, match_id, moves)]
                time.sleep(0.02)
        return moves

    def _move(self, client: httpx.Client, match_id: UUID, moves: list[float]) -> bool:
        """Make a move if seat 0 is to move; return False once the match is over."""
        from matches.storage import repository

        match_state = repository.load(match_id, 0)
        if match_state.outcome:
            return False
        if any(prompt.seat == 0 for prompt in match_state.due.prompts):
            command = to_json(match_state.game.bot(match_state.state, 0, Random(match_state.version)))
            headers = {"Idempotency-Key": f"v{match_state.version}", "If-Match": f'"v{match_state.version}"'}
            begun = time.perf_counter()
            answer = client.post(f"/matches/{match_id}/commands", json=command, headers=headers)
            if answer.status_code == 201:
                moves.append(time.perf_counter() - begun)
            else:
                self.refused += 1
        return True


def _wait_for_the_ends(ids: list[UUID], until: float) -> int:
    """Return the number of matches that have not ended by then."""
    from matches.models import Match

    while (left := Match.objects.filter(id__in=ids, finished_at=None).count()) and time.monotonic() < until:
        time.sleep(0.5)
    return left


def _acts(ids: list[UUID]) -> int:
    """Return the number of acts in these matches' logs: events of one instant are one act."""
    from tests.matches.fault_scenarios import query

    return int(query("SELECT count(DISTINCT (stream, at)) FROM events_event WHERE stream = ANY(%s)", [ids])[0][0])


def dealings(folder: Path, minutes: float) -> Found:
    """1,000 processes killed at an act of Pentagram or Peeling the Banana; the deals are compared with those of
    untouched twins."""
    from tests.matches import records

    ids = [records.running(game) for _ in range(round(40 * minutes)) for game in ("pentagram", "peeling_the_banana")]
    arguments = [sys.executable, "-m", "tests.matches.killed", str(round(1000 * minutes)), *map(str, ids)]
    results = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    dealt = [match_id for match_id in ids if len(records.of_the_game(match_id)) > 0]
    wrong = [f"{m}: another deal" for m in dealt if records.of_the_game(m) != records.twin_of(m)] + results["wrong"]
    figures = {
        "processes killed": results["kills"],
        "acts": results["acts"],
        "matches": len(dealt),
        "wrong": len(wrong),
    }
    return Found(figures, not wrong and results["kills"] >= 1000 * minutes, wrong)


TRIALS: dict[str, Callable[[Path, float], Found]] = {
    "healthy_workers": healthy_workers,
    "killed_workers": killed_workers,
    "killed_by_the_second": killed_by_the_second,
    "killed_to_the_last": killed_to_the_last,
    "races": races,
    "dealings": dealings,
    "season": season,
}
