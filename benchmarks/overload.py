"""bench overload: completed moves at offered loads from half the best throughput to three times as much.

python -m benchmarks overload [--against ../base] [--rounds 3] [--seconds 6] [--matches 200] [--rest] [--quick]

First the best throughput of each side: all matches flat out. Then moves are due at a fixed pace, whether or not the
service follows: at a half, the whole, twice and three times the best throughput of the slowest side, so that all sides
are offered the same; on a quiet machine and beside processes that burn its cores. A move that is due while its match
waits is sent once the match has the last one. Each turn has 30 seconds and no reserve. A refused move is sent again
when Retry-After says so.

Of each load: moves completed a second, processor time a move, refusals, moves that left the fast way, and flags that
fell. Only flags of players who respond at once are counted: no flag should fall. Latencies are measured from when a
move was due, and from when it was sent. At full load and above, the first grows with the length of the run; the second
is the time of the service itself.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import _loads
from benchmarks._lines import allow_many_files
from benchmarks._players import Play, sit_all
from benchmarks._scenarios import Scale
from benchmarks._sides import Side, sides
from benchmarks.report import Row, print_results

FACTORS = (0.5, 1.0, 2.0, 3.0)
TURN_SECONDS = 30
_DRAIN_SECONDS = 30
_BURN = "while True: pass"


@dataclass
class Seen:
    """The result of one offered load."""

    completed: int
    seconds: float
    took: list[float]
    """Seconds of each move from when it was due."""
    answered: list[float]
    """Seconds of each move from when it was sent."""
    refused: int
    lost: int
    """Moves refused for good because their time had run out."""
    cpu: dict[str, float]


def main(argv: list[str]) -> int:
    """Measure each side in turn and print the results."""
    parser = argparse.ArgumentParser(
        prog="bench overload", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure another one in turn with this one")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each load")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rest", action="store_true", help="over REST instead of sockets")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    arguments = parser.parse_args(argv)
    allow_many_files()
    scale = Scale(1 if arguments.quick else arguments.rounds, arguments.quick)
    many, seconds = scale.of(arguments.matches, 10), 1.0 if arguments.quick else arguments.seconds
    rows: list[Row] = []
    with sides(arguments.against) as measured:
        for burners in (0, os.cpu_count() or 1):
            for side in measured:
                scale.serve(side, worker=True)
            for _ in range(scale.rounds):
                _round(measured, scale, many, seconds, burners, arguments.rest)
            rows += scale.rows(measured)
    print_results(
        "overload", rows, [f"load average {os.getloadavg()[0]:.1f} at the end; clients and servers share the machine"]
    )
    return 0


def _round(measured: list[Side], scale: Scale, many: int, seconds: float, burners: int, rest: bool) -> None:
    where = f"beside {burners} that burn" if burners else "quiet"
    bests = []
    for side in measured:
        with burning(burners):
            plays = [Play(match, rest) for match in side.matches(many, moves=40)]
            bests.append(_loads.flat_out(side, plays).rate)
        scale.note(f"{where}: best", "moves/s", side, bests[-1])
    for factor in FACTORS:
        for side in measured:
            _offer(side, scale, f"{where}, {factor:g} times", min(bests) * factor, many, seconds, burners, rest)


def _offer(
    side: Side, scale: Scale, what: str, rate: float, many: int, seconds: float, burners: int, rest: bool
) -> None:
    # A match without a further move offers no load.
    plays = [Play(match, rest) for match in side.matches(many, moves=60, seconds=TURN_SECONDS)]
    left = _left(side)
    with burning(burners):
        run = _loads.run(partial(_offered, side, plays, rate, seconds))
    since_due, since_sent = _loads.percentile(run.took, 99), _loads.percentile(run.answered, 99)
    print(
        f"{side.name}, {what}: offered {rate:.0f}/s, completed {run.completed / run.seconds:.0f}/s, "
        f"p99 {since_due:.0f} ms since due, {since_sent:.0f} ms since sent, refused {run.refused}, lost {run.lost}",
        file=sys.stderr,
    )
    scale.note(f"{what}: offered", "moves/s", side, rate)
    scale.note(f"{what}: completed", "moves/s", side, run.completed / run.seconds)
    for part in ("web", "Postgres"):
        scale.note(f"{what}: {part} CPU a move", "us", side, 1e6 * run.cpu[part] / max(1, len(run.took)))
    for percent in (50, 99):
        scale.note(f"{what}: p{percent} since due", "ms", side, _loads.percentile(run.took, percent))
        scale.note(f"{what}: p{percent} since sent", "ms", side, _loads.percentile(run.answered, percent))
    scale.note(f"{what}: refused, to be sent again", "", side, run.refused)
    scale.note(f"{what}: left the fast way", "", side, sum(_left(side).values()) - sum(left.values()))
    scale.note(f"{what}: not stored in time by the fast way", "", side, _not_stored(side, left))
    scale.note(f"{what}: flags fallen", "", side, side.ask("flags", matches=[play.id for play in plays]))


async def _offered(side: Side, plays: list[Play], rate: float, seconds: float) -> Seen:
    """Offer so many moves per second, and wait until all that was sent is done."""
    loop = asyncio.get_running_loop()
    await sit_all(plays, _loads.together(side))
    due: dict[int, deque[float]] = {id(play): deque() for play in plays}
    refused, lost, ends, offering = 0, set[int](), list[float](), True

    def moved(play: Play) -> None:
        ends.append(perf_counter())
        if offering and due[id(play)] and not play.over:
            play.send(due[id(play)].popleft())

    def refuse(play: Play, problem: dict[str, Any]) -> None:
        nonlocal refused
        if problem["status"] == 503:
            refused += 1
            loop.call_later(problem.get("retry_after", 1), play.send_again)
        else:
            lost.add(id(play))

    for play in plays:
        play.moved = moved
        for line in play.lines:
            line.refused = partial(refuse, play)
    before, begun = side.cpu(), perf_counter()
    for number in range(round(rate * seconds)):
        at, play = begun + number / rate, plays[number % len(plays)]
        if (early := at - perf_counter()) > 0:
            await asyncio.sleep(early)
        if play.over or id(play) in lost:
            continue
        if play.waits:
            play.send(at)
        else:
            due[id(play)].append(at)
    offering = False
    over = perf_counter()
    while not all(play.waits or id(play) in lost for play in plays) and perf_counter() - over < _DRAIN_SECONDS:
        await asyncio.sleep(0.01)
    lost |= {id(play) for play in plays if not play.waits}
    after = side.cpu()
    took = [each for play in plays for each in play.took]
    answered = [each for play in plays for each in play.answered]
    for play in plays:
        play.leave()
    completed = sum(end <= over for end in ends)
    cpu = {part: after[part] - before[part] for part in after}
    return Seen(completed, over - begun, took, answered, refused, len(lost), cpu)


def _left(side: Side) -> dict[str, float]:
    """Return how many commands have left the fast way, by reason."""
    with urllib.request.urlopen(f"http://127.0.0.1:{side.ports[0]}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    name = "croupier_fast_way_left_total{why="
    return {line.split('"')[1]: float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name)}


def _not_stored(side: Side, before: dict[str, float]) -> float:
    return _left(side).get("not_stored", 0.0) - before.get("not_stored", 0.0)


@contextmanager
def burning(many: int) -> Iterator[None]:
    """Run so many processes beside the service that only use the processor."""
    burners = [subprocess.Popen([sys.executable, "-c", _BURN]) for _ in range(many)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
