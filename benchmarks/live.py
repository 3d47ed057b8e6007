"""bench live: how fast a move reaches those who watch, and what that costs the web process.

python -m benchmarks live                  a move to the other seat's screen and socket; 200 and 1,000
                                           spectators on one match; 500 of them while 50 remarks
                                           a second are said, and while none are; 50 matches at 4 moves a second, over
                                           sockets and over REST; 50 sockets that never read; 200 clients
                                           whose hints are lost, or whose Valkey is dead
python -m benchmarks live --apart          the same, each socket's frame made for it alone: what hubs save
python -m benchmarks live --quick          a little of everything, to see that it works
"""

import argparse
import asyncio
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks import stage
from benchmarks._convergence import converge, mangled_hints, mortal_valkey
from benchmarks._lines import allow_many_files, cpu_seconds, memory, open_line
from benchmarks._screens import to_the_other_screen
from benchmarks._tables import Table, new_match, new_player
from benchmarks._talk import talked
from benchmarks.report import Row, tell
from games import catalogue

_PARTS = ["screens", "seats", "spectators", "talk", "matches", "deaf", "convergence"]
_REACHED = re.compile(rb'^\{"kind":"(?:events"|hello")[^\[{]*?"(?:to|version)":(\d+)')


@dataclass
class Web:
    """The web process that is measured."""

    port: int
    pid: int


@contextmanager
def served(apart: bool, **env: str) -> Iterator[Web]:
    """A web process, with hubs or without."""
    from config.runner import embedded, parts

    with tempfile.TemporaryDirectory() as folder:
        port = embedded.free_port()
        program = parts.web(port, dict(os.environ) | {"CROUPIER_CONCURRENCY": "5000"} | env, Path(folder))
        if apart:
            program.arguments[0] = "benchmarks._apart"
        program.start()
        assert program.child is not None
        try:
            yield Web(port, program.child.pid)
        finally:
            program.ask_to_stop()
            program.stop()


async def to_the_other_seat(web: Web, table: Table, moves: int) -> list[Row]:
    """A move to the other seat's socket."""
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


async def spectators(web: Web, table: Table, token: str, many: int, moves: int) -> list[Row]:
    """Many spectators on one match."""
    await table.sit()
    reached: dict[int, list[float]] = defaultdict(list)

    def take(text: bytes) -> None:
        if found := _REACHED.match(text):
            reached[int(found[1])].append(perf_counter())

    before, begun, cpu = memory(web.pid), perf_counter(), cpu_seconds(web.pid)
    start, lines = table.seats[0].version, []
    for first in range(0, many, 50):
        lines += await asyncio.gather(
            *(open_line(web.port, table.match, token, take) for _ in range(min(50, many - first)))
        )
        await _wait_for(lambda: len(reached[start]) >= len(lines))  # noqa: B023
    connecting, welcome = perf_counter() - begun, cpu_seconds(web.pid) - cpu
    grown, cpu, firsts, lasts = memory(web.pid) - before, cpu_seconds(web.pid), [], []
    for _ in range(moves):
        sent, _ = await table.move()
        version = table.seats[0].version
        await _wait_for(lambda: len(reached[version]) >= many)  # noqa: B023
        firsts.append(min(reached[version]) - sent)
        lasts.append(max(reached[version]) - sent)
    cost = (cpu_seconds(web.pid) - cpu) / moves
    for line in lines:
        line.transport.abort()
    table.leave()
    return [
        Row(f"{many} spectators: all connected and greeted", "s", (connecting,)),
        Row(f"{many} spectators: server CPU to greet one", "ms", (1000 * welcome / many,)),
        Row(f"{many} spectators: memory a socket", "KB", (grown / many / 1024,)),
        Row(f"{many} spectators: move to the first", "ms", tuple(1000 * it for it in firsts)),
        Row(f"{many} spectators: move to the last", "ms", tuple(1000 * it for it in lasts)),
        Row(f"{many} spectators: server CPU a move", "ms", (1000 * cost,)),
    ]


async def many_matches(web: Web, tables: list[Table], rate: float, seconds: float) -> list[Row]:
    """Many matches at a steady pace, each with its two seats connected."""
    for table in tables:
        await table.sit()
    took: list[float] = []
    begun, cpu = perf_counter(), cpu_seconds(web.pid)

    async def play(table: Table, offset: float) -> None:
        due = begun + offset
        while due < begun + seconds and not table.over:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            took.append((await table.move())[1])
            due += 1 / rate

    await asyncio.gather(*(play(table, number / rate / len(tables)) for number, table in enumerate(tables)))
    lasted = perf_counter() - begun
    cost = cpu_seconds(web.pid) - cpu
    for table in tables:
        table.leave()
    what = f"{len(tables)} matches, {rate:g} moves/s each{' over REST' if tables[0].rest else ''}"
    return [
        Row(f"{what}: moves a second", "1/s", (len(took) / lasted,)),
        Row(f"{what}: move to the other seat, p50", "ms", (1000 * _percentile(took, 50),)),
        Row(f"{what}: move to the other seat, p99", "ms", (1000 * _percentile(took, 99),)),
        Row(f"{what}: server CPU a move", "ms", (1000 * cost / len(took),)),
    ]


async def never_reading(web: Web, table: Table, token: str, many: int) -> list[Row]:
    """Sockets that ask for everything and read nothing, beside a table that plays."""
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
    begun, took, grown = perf_counter(), [], 0
    while perf_counter() - begun < 60 and _established(web.port) > table.connected:
        for line in lines:
            if not line.transport.is_closing() and line.transport.get_write_buffer_size() < 10_000:
                line.say(kind="resync", after=0)
        grown = max(grown, memory(web.pid) - before)
        if not table.over:
            took.append((await table.move())[1])
        await asyncio.sleep(0.2)
    gone = perf_counter() - begun
    left = _established(web.port) - table.connected
    for line in lines:
        line.transport.abort()
    table.leave()
    return [
        Row(f"{many} that never read: most memory for each", "KB", (grown / many / 1024,)),
        Row(f"{many} that never read: all cut off after", "s", (gone,)),
        Row(f"{many} that never read: left at the end", "", (float(left),)),
        Row(f"{many} that never read: others' move to the other seat, p99", "ms", (1000 * _percentile(took, 99),)),
    ]


def _established(port: int) -> int:
    lines = map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "01" for line in lines)


async def _wait_for(holds: Any) -> None:
    async with asyncio.timeout(120):
        while not holds():
            await asyncio.sleep(0.002)


def _percentile(values: list[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def main(argv: list[str]) -> int:
    """Run every part on one web process each, and tell."""
    parser = argparse.ArgumentParser(prog="bench live", description=__doc__.splitlines()[0])
    parser.add_argument("--apart", action="store_true", help="make each socket's frame for it alone")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--only", choices=_PARTS, action="append")
    asked = parser.parse_args(argv)
    wanted, quick = asked.only or _PARTS, asked.quick
    allow_many_files()
    rows: list[Row] = []
    with stage.service():
        _, token = new_player()
        if "screens" in wanted:
            with tempfile.TemporaryDirectory() as folder:
                rows += to_the_other_screen(Path(folder), tuple(catalogue), 4 if quick else 30)
        if "seats" in wanted:
            with served(asked.apart) as web:
                rows += asyncio.run(to_the_other_seat(web, Table(web.port), 10 if quick else 50))
        if "spectators" in wanted:
            for many in (50,) if quick else (200, 1000):
                with served(asked.apart) as web:
                    rows += asyncio.run(spectators(web, Table(web.port), token, many, 3 if quick else 20))
        if "talk" in wanted:
            with served(asked.apart, CROUPIER_LIMIT_TALK="1000/second") as web:
                tokens = [new_player()[1] for _ in range(5 if quick else 50)]
                size = {"many": 50 if quick else 500, "rate": 5 if quick else 50}
                pace = {"moves": 3 if quick else 20, "seconds": 3 if quick else 20}
                rows += asyncio.run(talked(web.port, web.pid, Table(web.port), tokens, **size, **pace))
        if "matches" in wanted:
            for rest in (False, True):
                with served(asked.apart) as web:
                    tables = [Table(web.port, rest) for _ in range(5 if quick else 50)]
                    rows += asyncio.run(many_matches(web, tables, 4, 2 if quick else 12))
        if "deaf" in wanted:
            with served(asked.apart) as web:
                rows += asyncio.run(never_reading(web, Table(web.port), token, 5 if quick else 50))
        if "convergence" in wanted:
            many, moves = (2, 3) if quick else (20, 10)
            with served(asked.apart) as web, mangled_hints(Random(2)):
                matches = [new_match() for _ in range(many)]
                what = "hints halved and disordered"
                rows += asyncio.run(converge(web.port, what, matches, token, moves, lambda: None))
            with mortal_valkey() as valkey, served(asked.apart, REDIS_URL=valkey.url) as web:
                matches = [new_match() for _ in range(many)]
                rows += asyncio.run(converge(web.port, "Valkey killed", matches, token, moves, valkey.kill))
    notes = [f"load average {os.getloadavg()[0]:.1f}; clients and server share the machine"]
    tell("live-apart" if asked.apart else "live", rows, notes)
    return 0
