"""Costs of a move, a frame, a connection and an idle match: processor time of each running process."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import psycopg

from benchmarks._lines import open_line
from benchmarks._tables import Table

_MOVES_OF_MATCH = 30
"""Minimum number of moves of a match between two programs."""


class Spent(NamedTuple):
    """Processor seconds of the web process, of all Postgres processes, of Valkey and of the clients."""

    web: float
    postgres: float
    valkey: float
    clients: float

    def __sub__(self, before: "Spent") -> "Spent":
        return Spent(*(now - then for now, then in zip(self, before, strict=True)))


@dataclass
class Run:
    """Moves that were made one after the other in `lanes` concurrent matches."""

    lanes: int
    moves: int
    seconds: float
    latencies: list[float]
    spent: Spent

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    @property
    def latency(self) -> float:
        """Median of the seconds until the other seat received a move."""
        return median(self.latencies)


class Meter:
    """Reads the processor time of the measured processes."""

    def __init__(self, web: int, owner_url: str) -> None:
        import redis
        from django.conf import settings

        with psycopg.connect(owner_url, autocommit=True) as owner:
            ((backend,),) = owner.execute("SELECT pg_backend_pid()").fetchall()
            self._postmaster = _parent(backend)
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            self._valkey = client.info("server")["process_id"]
        self._web = web

    def spent(self) -> Spent:
        """Return the processor time so far."""
        children = [int(it.name) for it in Path("/proc").iterdir() if it.name.isdigit()]
        postgres = [pid for pid in children if self._postmaster in (pid, _parent(pid))]
        return Spent(_cpu(self._web), sum(map(_cpu, postgres)), _cpu(self._valkey), _cpu(os.getpid()))


def flat_out(port: int, meter: Meter, lanes: int, moves: int) -> Run:
    """Play so many moves in so many concurrent matches, each as soon as both seats have received the one before."""
    tables = [Table(port) for _ in range(lanes + moves // _MOVES_OF_MATCH)]
    return asyncio.run(_flat_out(tables, meter, lanes, moves))


async def _flat_out(tables: list[Table], meter: Meter, lanes: int, moves: int) -> Run:
    for table in tables:
        await table.sit()
    latencies: list[float] = []
    waiting = iter(tables)
    before, begun = meter.spent(), perf_counter()

    async def play() -> None:
        for table in waiting:
            while not table.over:
                if len(latencies) >= moves:
                    return
                latencies.append((await table.move())[1])

    await asyncio.gather(*(play() for _ in range(lanes)))
    seconds, spent = perf_counter() - begun, meter.spent() - before
    for table in tables:
        table.leave()
    return Run(lanes, len(latencies), seconds, latencies, spent)


def idle(port: int, meter: Meter, matches: int, seconds: float) -> Spent:
    """Return the cost of a second in which nothing happens at so many connected matches with two sockets each."""
    return asyncio.run(_idle([Table(port) for _ in range(matches)], meter, seconds))


async def _idle(tables: list[Table], meter: Meter, seconds: float) -> Spent:
    for table in tables:
        await table.sit()
    await asyncio.sleep(2)
    before = meter.spent()
    await asyncio.sleep(seconds)
    spent = meter.spent() - before
    for table in tables:
        table.leave()
    return Spent(*(it / seconds for it in spent))


def watched(port: int, meter: Meter, token: str, spectators: int, moves: int) -> tuple[Spent, Spent, float]:
    """Return the cost of greeting a spectator, the cost of a move with so many of them, and the bytes of a frame."""
    return asyncio.run(_watched(Table(port), meter, token, spectators, moves))


async def _watched(table: Table, meter: Meter, token: str, spectators: int, moves: int) -> tuple[Spent, Spent, float]:
    sizes: list[int] = []
    await table.sit()
    before, lines = meter.spent(), []
    for _ in range(spectators):
        lines.append(await open_line(table.port, table.match, token, lambda text: sizes.append(len(text))))
        await asyncio.sleep(0)
    await _until(lambda: len(sizes) >= spectators)
    greeted = meter.spent() - before
    await asyncio.sleep(1)
    sizes.clear()
    before = meter.spent()
    for number in range(moves):
        await table.move()
        await _until(lambda: len(sizes) >= (number + 1) * spectators)  # noqa: B023
    moved = meter.spent() - before
    for line in lines:
        line.transport.abort()
    table.leave()
    return (
        Spent(*(it / spectators for it in greeted)),
        Spent(*(it / moves for it in moved)),
        sum(sizes) / len(sizes),
    )


def commit_seconds(owner_url: str, many: int = 200) -> float:
    """Return the seconds that the commit of a row waits for the disk: the median of so many, less the median of commits
    without that wait."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("CREATE TABLE IF NOT EXISTS bench_commits (n int)")
        durable = _median_insert(owner, many)
        owner.execute("SET synchronous_commit = off")
        return max(0.0, durable - _median_insert(owner, many))


def _median_insert(owner: psycopg.Connection[Any], many: int) -> float:
    took = []
    for number in range(many):
        begun = perf_counter()
        owner.execute("INSERT INTO bench_commits VALUES (%s)", (number,))
        took.append(perf_counter() - begun)
    return median(took)


@contextmanager
def bytes_written(owner_url: str) -> Iterator[dict[str, float]]:
    """Yield a dictionary that is filled at the end: growth of the log, of the keys and of the database, and bytes of
    write-ahead log."""
    grown: dict[str, float] = {}
    with psycopg.connect(owner_url, autocommit=True) as owner:
        before = _sizes(owner)
        yield grown
        grown.update({name: size - before[name] for name, size in _sizes(owner).items()})


def _sizes(owner: psycopg.Connection[Any]) -> dict[str, float]:
    tables = {"events": "events_event", "keys": "events_key"}
    columns = ", ".join(f"pg_total_relation_size('{table}')" for table in tables.values())
    query = f"SELECT {columns}, pg_database_size(current_database()), pg_current_wal_lsn() - '0/0'::pg_lsn"
    (row,) = owner.execute(query).fetchall()
    return dict(zip((*tables, "database", "wal"), map(float, row), strict=True))


async def _until(holds: Any) -> None:
    async with asyncio.timeout(120):
        while not holds():
            await asyncio.sleep(0.001)


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _parent(pid: int) -> int:
    try:
        return int(_stat(pid)[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _cpu(pid: int) -> float:
    """Return the processor time of all threads of a process, more precise than the ticks in its `stat`."""
    try:
        lines = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(int(line.split()[0]) for line in lines) / 1e9
