"""bench sizes: disk, log, Redis commands and computing per move in a whole service, and for a day of matches.

Two people play matches of Pyramid Poker to their ends by REST, one after the other: each move with a read before it, at
times with a list of what is legal. The idle use of the service is measured first and subtracted.
"""

import argparse
import os
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import redis

from benchmarks.report import Row, print_results

_TICK = os.sysconf("SC_CLK_TCK")
_IDLE_SECONDS = 10.0
_DAY = 86_400
_PARTS = ("web", "worker", "Postgres", "Valkey")
_RECORD, _KEYS = ("events_event", "events_head", "events_place"), ("events_key",)
_ALL = """
SELECT sum(pg_total_relation_size(oid))::float8 FROM pg_class WHERE relkind = 'r' AND relnamespace = %s::regnamespace
"""


def main(argv: list[str]) -> int:
    """Measure and print the results."""
    parser = argparse.ArgumentParser(prog="bench sizes", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=10, help="in a round")
    parser.add_argument("--a-day", type=int, default=1_000_000, help="matches that the sums at the end are for")
    arguments = parser.parse_args(argv)
    from tests.journeys.house import open_house

    with open_house("sizes", "--no-demo", stopped_by=signal.SIGTERM) as house:
        players, rng = [house.guest(name) for name in ("mira", "tobias")], Random(1)
        idle = _between(house, lambda: time.sleep(_IDLE_SECONDS))
        rounds, moves = [], []
        for _ in range(arguments.rounds):
            played: list[int] = []
            taken = _between(
                house, lambda played=played: played.extend(_play(players, rng) for _ in range(arguments.matches))
            )
            share = taken["seconds"] / idle["seconds"]
            moves.append(sum(played) / arguments.matches)
            rounds.append({name: (taken[name] - idle[name] * share) / sum(played) for name in taken})
    _print(arguments, rounds, moves)
    return 0


def _print(arguments: argparse.Namespace, rounds: list[dict[str, float]], moves: list[float]) -> None:
    def row(what: str, name: str, unit: str, times: float = 1.0) -> Row:
        return Row(what, unit, tuple(times * figures[name] for figures in rounds))

    rows = [
        row("record", "record", "B a move"),
        row("keys", "keys", "B a move"),
        row("all tables and indexes", "disk", "B a move"),
        row("write-ahead log", "wal", "B a move"),
        row("Redis, with what its scripts do", "redis", "commands a move"),
        *(row(f"computing, {part}", part, "ms a move", 1000) for part in _PARTS),
        Row("moves", "a match", tuple(moves)),
    ]
    medians = {row.what: row.median for row in rows}
    second = medians["moves"] * arguments.a_day / _DAY
    cores = ", ".join(f"{part} {second * medians[f'computing, {part}'] / 1000:,.1f}" for part in _PARTS)
    disk, keys = (second * _DAY * medians[what] / 1e9 for what in ("all tables and indexes", "keys"))
    log, commands = second * medians["write-ahead log"] / 1e6, second * medians["Redis, with what its scripts do"]
    notes = [
        f"{arguments.a_day:,} matches a day: {second:,.0f} moves a second on the mean,",
        f"{disk:,.0f} GB of disk a day, of which keys {keys:,.0f} GB; {log:,.1f} MB of WAL a second,",
        f"{commands:,.0f} commands of Redis a second; busy cores: {cores}",
    ]
    print_results("sizes", rows, notes)


def _play(players: list[Any], rng: Random) -> int:
    """Play a match from its opening to its end; return the number of commands."""
    match, moves = players[0].open("pyramid_poker", *players, clocks=None), 0
    while not (document := players[0].read(match))["outcome"]:
        if not document["due"]["prompts"]:
            players[0].get(f"/matches/{match}/events", after=document["version"], wait=5)
            continue
        seat = document["due"]["prompts"][0]["seat"]
        players[seat].send(match, players[seat].choose(players[seat].read(match), seat, rng))
        moves += 1
    return moves


def _between(house: Any, act: Any) -> dict[str, float]:
    """Return the resources that the service used while something was done, and the seconds that it took."""
    before = _figures(house)
    act()
    return {name: figure - before[name] for name, figure in _figures(house).items()}


def _figures(house: Any) -> dict[str, float]:
    with psycopg.connect((house.data / "run/owner_url").read_text(), autocommit=True) as owner:

        def ask(question: str, *values: object) -> float:
            row = owner.execute(question, values or None).fetchone()
            assert row is not None
            return float(row[0])

        size = "SELECT sum(pg_total_relation_size(name::regclass))::float8 FROM unnest(%s::text[]) name"
        figures = {
            "record": ask(size, list(_RECORD)),
            "keys": ask(size, list(_KEYS)),
            "disk": ask(_ALL, "public"),
            "wal": ask("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"),
        }
    with redis.Redis.from_url(house.services()["REDIS_URL"]) as client:
        figures["redis"] = float(client.info("stats")["total_commands_processed"])
    cpu = {name: _cpu(house.pid(name)) for name in ("web", "worker", "Valkey")}
    return figures | cpu | {"Postgres": _cpu_of_postgres(house.postmaster()), "seconds": time.monotonic()}


def _cpu(pid: int, children: bool = False) -> float:
    """Return the processor seconds of a process, and of its children that have ended."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return sum(map(int, words[11 : 15 if children else 13])) / _TICK


def _cpu_of_postgres(postmaster: int) -> float:
    running = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return _cpu(postmaster, children=True) + sum(_cpu(int(pid)) for pid in running)
