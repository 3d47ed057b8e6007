"""Share of wins of each seat of a game between equal bots, and of a bot against random play.

python -m benchmarks balance peeling_the_banana
python -m benchmarks balance peeling_the_banana --matches 200 --options my.toml
python -m benchmarks balance peeling_the_banana --against random
"""

import argparse
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from games import catalogue
from games.kernel import Chance, Game, Table

Player = Callable[[Table, int, Random], Any]


def bot(table: Table, seat: int, rng: Random) -> Any:
    """Return a command of the game's own bot, from its witness."""
    return table.game.bot(table.witness(seat), seat, rng)


def chance(table: Table, seat: int, rng: Random) -> Any:
    """Return any legal command."""
    return table.sample(seat, rng)


def play(game: Game, options: Mapping[str, Any], players: list[Player], number: int) -> Table:
    """Play a whole match at a table of its own; seat 0 holds the priority."""
    table = Table(game, dict(options), len(players), 0, Chance(f"balance {number}".encode()))
    rng = Random(number)
    while table.outcome is None:
        if table.due.dealer:
            table.deal()
            continue
        seat = table.due.seats[0]
        table.act(seat, players[seat](table, seat, rng))
    return table


def winner_empty(table: Table) -> int:
    """Return the number of spaces that the winner of Peeling the Banana left empty."""
    return "".join(table.state.boards[winner_of(table)]).count("#")


def winner_of(table: Table) -> int:
    """Return the first of the winners."""
    assert table.outcome is not None
    return table.outcome.winners[0]


MEASURES: dict[str, dict[str, Callable[[Table], int]]] = {
    "peeling_the_banana": {
        "spaces the winner leaves empty": winner_empty,
        "turns of the starting seat": lambda table: max(table.state.turns),
    },
}


def between_bots(game: Game, options: Mapping[str, Any], seats: int, matches: int) -> None:
    """Print each seat's share of the wins between bots, with a shared win in parts, and the game's measures."""
    tables = [play(game, options, [bot] * seats, number) for number in range(matches)]
    for seat in range(seats):
        won = sum(1 / len(winners_of(table)) for table in tables if seat in winners_of(table))
        print(f"seat {seat} wins {100 * won / matches:.1f} %")
    for name, measure in MEASURES.get(game.slug, {}).items():
        values = [measure(table) for table in tables]
        print(f"{name}: median {median(values):g}, from {min(values)} to {max(values)}")


def against_chance(game: Game, options: Mapping[str, Any], seats: int, matches: int) -> None:
    """Print the wins of one bot among seats that play at random, from every seat in turn."""
    won = 0
    for number in range(matches):
        bot_seat = number % seats
        players: list[Player] = [bot if seat == bot_seat else chance for seat in range(seats)]
        won += winners_of(play(game, options, players, number)) == (bot_seat,)
    print(f"the bot wins {100 * won / matches:.1f} %")


def winners_of(table: Table) -> tuple[int, ...]:
    """Return the winners of a match that is over."""
    assert table.outcome is not None
    return table.outcome.winners


def read_options(given: str) -> dict[str, Any]:
    """Return options from a TOML file, or from JSON."""
    if given.endswith(".toml"):
        return tomllib.loads(Path(given).read_text(encoding="utf-8"))
    read: dict[str, Any] = json.loads(given)
    return read


def main(argv: list[str]) -> int:
    """Play the matches and print the figures."""
    ask = argparse.ArgumentParser(prog="python -m benchmarks balance", description=__doc__.splitlines()[0])
    ask.add_argument("game", choices=sorted(catalogue))
    ask.add_argument("--matches", type=int, default=1000)
    ask.add_argument("--seats", type=int)
    ask.add_argument("--options", default="{}", metavar="JSON|FILE.toml")
    ask.add_argument("--against", choices=("bot", "random"), default="bot")
    given = ask.parse_args(argv)
    game = catalogue[given.game]
    measure = between_bots if given.against == "bot" else against_chance
    began = perf_counter()
    print(f"{game.title}: {given.matches} matches, bot against {given.against}")
    measure(game, read_options(given.options), given.seats or game.seats.min, given.matches)
    print(f"{1000 * (perf_counter() - began) / given.matches:.1f} ms a match")
    return 0
