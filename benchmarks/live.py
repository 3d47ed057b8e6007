"""bench live: time until all watchers have received a move, and its cost for each process.

python -m benchmarks live                    all parts; --only PART, repeated, for some
python -m benchmarks live --against ../base  the parts marked * on another checkout too, in turn with this one,
                                             each with servers of its own; that one needs a .venv, and may be older
python -m benchmarks live --apart            a frame of its own for each socket: what hubs save
python -m benchmarks live --limits           with limits, never reached; otherwise they are off
python -m benchmarks live --quick            a short run of every part, to check that it works

  screens       a move to the other seat's screen, in a browser
  seats         a move to the other seat's socket, one match
  flat        * 50 matches flat out, over sockets and over REST: a match's next move is sent once all have the last
  pace        * 50 matches at 200 moves a second together, over sockets and REST: p50 and p99 from when each was due
  webs        * two web processes flat out: the seats of a match at one of them, and at both
  standing    * 500, 1,500 and 5,000 running matches with a socket a seat: their cost idle, and at 200 moves a second
  spectators  * 200 and 1,000 spectators on one match
  games       * each game flat out, with a worker
  contest     * submissions to a contest of 30 seats, beside moves of Pyramid Poker
  growth      * matches of 100 and of 3,000 events
  stored      * 50 matches flat out among 100,000 stored events, and among 5 million
  restart     * a web process killed under 500 and 1,500 matches: until all of them have moved again, how long a move
                takes meanwhile
  talk          500 spectators with 50 remarks a second, and with none
  deaf          50 sockets that never read
  convergence   200 clients whose hints are lost, or whose Valkey is dead

Players of the parts marked * compute nothing: the moves of each seat's bot are prepared from the match's own seed,
bytes included. The table also has the processor time of web, Postgres and the clients per move; on a shared machine,
trust that figure. Figures are medians of five rounds.
"""

import argparse
import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter

from benchmarks import stage
from benchmarks._convergence import converge, mangled_hints, mortal_valkey
from benchmarks._lines import allow_many_files, cpu_seconds, memory, open_line
from benchmarks._scenarios import SCENARIOS, Scale
from benchmarks._screens import to_the_other_screen
from benchmarks._sides import sides
from benchmarks._tables import Table, new_match, new_player
from benchmarks._talk import talked
from benchmarks.report import Row, print_results
from games import catalogue

_PARTS = ["screens", "seats", *SCENARIOS, "talk", "deaf", "convergence"]


@dataclass
class Web:
    """The measured web process."""

    port: int
    pid: int


@contextmanager
def served(apart: bool, **env: str) -> Iterator[Web]:
    """Run a web process, with hubs or without."""
    from config.runner import parts
    from config.runner.embedded.server import free_port

    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        program = parts.web(port, dict(os.environ) | {"CROUPIER_CONCURRENCY": "5000"} | env, Path(folder))
        if apart:
            program.arguments[0] = "benchmarks._apart"
        program.start()
        assert program.child is not None
        try:
            yield Web(port, program.child.pid)
        finally:
            program.request_stop()
            program.stop()


async def to_the_other_seat(web: Web, table: Table, moves: int) -> list[Row]:
    """Measure a move to the other seat's socket."""
    await table.sit()
    seconds: list[float] = []
    cpu = cpu_seconds(web.pid)
    while len(seconds) < moves and not table.over:
        seconds.append((await table.move())[1])
    cost = (cpu_seconds(web.pid) - cpu) / len(seconds)
    table.leave()
    return [
        Row("move to the other seat's socket, p50", "ms", (1000 * _percentile(seconds, 50),)),
        Row("move to the other seat's socket, p99", "ms", (1000 * _percentile(seconds, 99),)),
        Row("server CPU a move, two seats", "ms", (1000 * cost,)),
    ]


async def never_reading(web: Web, table: Table, token: str, many: int) -> list[Row]:
    """Measure sockets that request everything and read nothing, beside a match that is played."""
    await table.sit()
    for _ in range(15):
        await table.move()
    lines, before = [], memory(web.pid)
    for _ in range(many):
        line = await open_line(web.port, table.match, token, lambda _: None)
        lines.append(line)
    await asyncio.sleep(1)
    for line in lines:
        line.transport.pause_reading()
    begun, latencies, grown = perf_counter(), [], 0
    while perf_counter() - begun < 60 and _established(web.port) > table.connected:
        for line in lines:
            if not line.transport.is_closing() and line.transport.get_write_buffer_size() < 10_000:
                line.say(kind="resync", after=0)
        grown = max(grown, memory(web.pid) - before)
        if not table.over:
            latencies.append((await table.move())[1])
        await asyncio.sleep(0.2)
    cut_off_after = perf_counter() - begun
    left = _established(web.port) - table.connected
    for line in lines:
        line.transport.abort()
    table.leave()
    return [
        Row(f"{many} that never read: most memory for each", "KB", (grown / many / 1024,)),
        Row(f"{many} that never read: all cut off after", "s", (cut_off_after,)),
        Row(f"{many} that never read: left at the end", "", (float(left),)),
        Row(f"{many} that never read: others' move to the other seat, p99", "ms", (1000 * _percentile(latencies, 99),)),
    ]


def _established(port: int) -> int:
    lines = map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "01" for line in lines)


def _percentile(values: list[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def main(argv: list[str]) -> int:
    """Run every selected part, each on new web processes, and print the results."""
    parser = argparse.ArgumentParser(
        prog="bench live", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--apart", action="store_true", help="make each socket's frame for it alone")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--limits", action="store_true", help="count limits that nobody reaches")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure another one in turn with this one")
    parser.add_argument("--rounds", type=int, help="of each part marked *; 5, or 1 with --quick")
    parser.add_argument("--only", choices=_PARTS, action="append")
    arguments = parser.parse_args(argv)
    wanted = [part for part in _PARTS if part in (arguments.only or _PARTS)]
    allow_many_files()
    scale = Scale(arguments.rounds or (1 if arguments.quick else 5), arguments.quick, arguments.apart, arguments.limits)
    rows = list(_in_turn([part for part in wanted if part in SCENARIOS], scale, arguments.against))
    if local_parts := [part for part in wanted if part not in SCENARIOS]:
        rows += _run_locally(local_parts, arguments.apart, arguments.quick)
    notes = [f"load average {os.getloadavg()[0]:.1f} at the end; clients and servers share the machine"]
    print_results("live-apart" if arguments.apart else "live", rows, notes)
    return 0


def _in_turn(wanted: list[str], scale: Scale, against: Path | None) -> Iterator[Row]:
    """Yield the rows of parts with a process of its own for each side."""
    if wanted:
        with sides(against) as measured:
            for part in wanted:
                yield from SCENARIOS[part](measured, scale)


def _run_locally(wanted: list[str], apart: bool, quick: bool) -> list[Row]:
    """Return the rows of parts whose clients are in the process that prepared the service."""
    rows: list[Row] = []
    with stage.service():
        _, token = new_player()
        if "screens" in wanted:
            with tempfile.TemporaryDirectory() as folder:
                rows += to_the_other_screen(Path(folder), tuple(catalogue), 4 if quick else 30)
        if "seats" in wanted:
            with served(apart) as web:
                rows += asyncio.run(to_the_other_seat(web, Table(web.port), 10 if quick else 50))
        if "talk" in wanted:
            with served(apart, CROUPIER_LIMIT_TALK="1000/second") as web:
                tokens = [new_player()[1] for _ in range(5 if quick else 50)]
                size = {"many": 50 if quick else 500, "rate": 5 if quick else 50}
                pace = {"moves": 3 if quick else 20, "seconds": 3 if quick else 20}
                rows += asyncio.run(talked(web.port, web.pid, Table(web.port), tokens, **size, **pace))
        if "deaf" in wanted:
            with served(apart) as web:
                rows += asyncio.run(never_reading(web, Table(web.port), token, 5 if quick else 50))
        if "convergence" in wanted:
            many, moves = (2, 3) if quick else (20, 10)
            with served(apart) as web, mangled_hints(Random(2)):
                matches = [new_match() for _ in range(many)]
                what = "hints halved and disordered"
                rows += asyncio.run(converge(web.port, what, matches, token, moves, lambda: None))
            with mortal_valkey() as valkey, served(apart, REDIS_URL=valkey.url) as web:
                matches = [new_match() for _ in range(many)]
                rows += asyncio.run(converge(web.port, "Valkey killed", matches, token, moves, valkey.kill))
    return rows
