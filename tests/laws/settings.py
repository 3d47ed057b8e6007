"""The spread of tables that the laws are run over: how the options of a game are drawn.

`OPTIONS` in `tests/games/SLUG/laws.py` is made of what stands here: options as a dict, drawn from whatever is worth a
match; every dict drawn can be played.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from games.kernel import Game
from tests.laws.law import Unprepared

Draw = Callable[[Random], Any]


def one_of(*values: Any) -> Draw:
    """One of the values."""
    return lambda rng: rng.choice(values)


def between(least: int, most: int) -> Draw:
    """A whole number, both ends included."""
    return lambda rng: rng.randint(least, most)


def some_of(values: Sequence[Any], at_least: int = 0) -> Draw:
    """Some of the values, each at most once, in any order."""
    return lambda rng: rng.sample(values, rng.randint(at_least, len(values)))


def numbered(names: Sequence[str], number: Draw, at_least: int = 0) -> Draw:
    """An object of some of the names, each with a number."""
    some = some_of(names, at_least)
    return lambda rng: {name: number(rng) for name in some(rng)}


def maybe(**fields: Draw) -> Draw:
    """An object in which each of the fields stands half of the time."""
    return lambda rng: {name: draw(rng) for name, draw in fields.items() if rng.random() < 0.5}


def setting_of(game: Game, seed: int) -> tuple[dict[str, Any], int]:
    """Options and number of seats of the match with this seed; seeds in a row take the numbers of seats in turn."""
    seats = game.seats.min + seed % (game.seats.max - game.seats.min + 1)
    rng = Random(f"{game.slug} {seed}")
    return ({} if rng.random() < 0.25 else options_of(game)(rng)), seats


def options_of(game: Game) -> Draw:
    """Return the strategy for the game's options; raises Unprepared if the game declares none."""
    options: Draw | None = getattr(of_the_game(game), "OPTIONS", None)
    if options is None:
        raise Unprepared(f"Say in tests/games/{game.slug}/laws.py over which OPTIONS the laws are run.")
    return options


def of_the_game(game: Game) -> Any:
    """Return the game's module `tests/games/SLUG/laws.py` for the laws; raises Unprepared if it is missing."""
    name = f"tests.games.{game.slug}"
    if find_spec(name) is None or find_spec(f"{name}.laws") is None:
        raise Unprepared(f"Write tests/games/{game.slug}/laws.py, with the OPTIONS that the laws are run over.")
    return import_module(f"{name}.laws")
