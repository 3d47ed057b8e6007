"""bench bots: each game's bot against random play, from every seat and with the priority at every seat.

Two seats: the bot wins at least 80 %. More seats: one bot among random players wins more than its share. A move
takes at most 50 ms of computing; the longest by the wall clock is printed too, for a shared machine.
The bot receives only its seat's witness.
"""

import argparse
import json
import os
from dataclasses import asdict, dataclass, field
from random import Random
from statistics import mean
from time import perf_counter, thread_time
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from benchmarks.report import number, write
from games import catalogue
from games.kernel import Chance, Command, Game, Table

WINS_OF_TWO = 80.0
MOVE_MS = 50.0
COLUMNS = ("game", "seats", "matches", "bot wins", "needed", "moves", "mean ms", "longest ms", "longest, wall ms", "")


@dataclass
class Result:
    """One game with one number of seats."""

    game: str
    seats: int
    matches: int = 0
    wins: float = 0
    computing_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """The percentage of matches that the bot won; a shared win counts in parts."""
        return 100 * self.wins / self.matches

    @property
    def needed(self) -> float:
        """The least percentage with two seats; with more, the percentage that must be exceeded."""
        return WINS_OF_TWO if self.seats == 2 else 100 / self.seats

    @property
    def holds(self) -> bool:
        """True if the bot is good enough and fast enough."""
        wins = self.percent >= self.needed if self.seats == 2 else self.percent > self.needed
        return wins and max(self.computing_ms) <= MOVE_MS


def main(argv: list[str]) -> int:
    """Play and print the results; return 1 if a bot is too weak or too slow."""
    parser = argparse.ArgumentParser(prog="bench bots", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--game", choices=sorted(catalogue))
    parser.add_argument("--options", type=json.loads, default={}, help="of the game, as JSON")
    arguments = parser.parse_args(argv)
    games = [catalogue[slug] for slug in ([arguments.game] if arguments.game else sorted(catalogue))]
    results = [
        _measure(game, seats, arguments.matches, arguments.options)
        for game in games
        for seats in range(game.seats.min, game.seats.max + 1)
    ]
    _print(results)
    return 0 if all(result.holds for result in results) else 1


def _measure(game: Game, seats: int, matches: int, options: dict[str, Any]) -> Result:
    result = Result(game.slug, seats)
    for match in track(range(matches), f"{game.slug}, {seats} seats", transient=True, console=Console(stderr=True)):
        _play(game, options, match, result)
    return result


def _play(game: Game, options: dict[str, Any], match: int, result: Result) -> None:
    """Play one match; its number determines the bot's seat and the seat with the priority."""
    seats, rng = result.seats, Random(match)
    bot_seat, priority = match % seats, match // seats % seats
    table = Table(game, options, seats, priority, Chance(seed=match.to_bytes(32, "big")))
    while table.outcome is None:
        if table.due.dealer:
            table.deal()
            continue
        seat = rng.choice(table.due.prompts).seat
        table.act(seat, _timed(table, seat, rng, result) if seat == bot_seat else table.sample(seat, rng))
    result.matches += 1
    result.wins += bot_seat in table.outcome.winners and 1 / len(table.outcome.winners)


def _timed(table: Table, seat: int, rng: Random, result: Result) -> Command:
    witness_state = table.witness(seat)
    begun, computed = perf_counter(), thread_time()
    command = table.game.bot(witness_state, seat, rng)
    result.computing_ms.append(1000 * (thread_time() - computed))
    result.wall_ms.append(1000 * (perf_counter() - begun))
    return command


def _row(result: Result) -> dict[str, Any]:
    figures = asdict(result)
    computing, wall = figures.pop("computing_ms"), figures.pop("wall_ms")
    return figures | {
        "percent": result.percent,
        "needed": result.needed,
        "moves": len(computing),
        "mean_ms": mean(computing),
        "longest_ms": max(computing),
        "longest_wall_ms": max(wall),
        "holds": result.holds,
    }


def _print(results: list[Result]) -> None:
    grid = Grid(title="bench bots", title_justify="left")
    for heading in COLUMNS:
        grid.add_column(heading, justify="left" if heading in ("game", "") else "right")
    rows = [_row(result) for result in results]
    for row in rows:
        figures = (number(row[name]) for name in ("mean_ms", "longest_ms", "longest_wall_ms"))
        wins = (f"{row['percent']:.1f} %", f"{'>=' if row['seats'] == 2 else '>'} {row['needed']:.0f} %")
        verdict = "holds" if row["holds"] else "FALLS SHORT"
        grid.add_row(row["game"], str(row["seats"]), str(row["matches"]), *wins, f"{row['moves']:,}", *figures, verdict)
    console = Console(width=120)
    console.print(grid)
    load = [round(figure, 2) for figure in os.getloadavg()]
    console.print(f"  load of the machine over 1, 5 and 15 minutes: {load}", highlight=False)
    write("bots", rows=rows, load=load)
