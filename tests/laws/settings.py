"""The spread of tables that the laws are run over: for every game, how its options are drawn."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from games.kernel import Game
from games.peeling_the_banana.pieces import ITEMS as BANANA_ITEMS
from games.peeling_the_banana.pieces import KINDS as BANANA_KINDS
from games.reality_benders.pieces import RULES as BENDERS_RULES
from tests.games.higher_or_lower.staged import UNEVEN_BOARDS
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


OPTIONS: dict[str, Draw] = {
    "higher_or_lower": one_of({}, {"boards": UNEVEN_BOARDS}),
    "peeling_the_banana": maybe(
        board=one_of(["#"], ["##.", ".##"], ["####"] * 3, [".".join("#" * 10)] * 20),
        deck=numbered(BANANA_KINDS, between(1, 3), at_least=1),
        shop=numbered(BANANA_ITEMS, between(1, 6)),
        turns=between(1, 25),
    ),
    "pentagram": maybe(
        zero_column=one_of("empty", "dealt"),
        end=one_of("deck", "target"),
        score=one_of("total", "weakest", "product"),
        start_coins=one_of(1, 2, 5, 2**53),
        target=between(10, 120),
        workers=between(0, 4),
    ),
    "pyramid_poker": maybe(base=between(8, 12)),
    "reality_benders": maybe(
        rules=some_of(BENDERS_RULES),
        items=some_of(["bonus", "break", "bridge"]),
        tie_trash_phase=between(1, 20),
        tie_trash_phase_first=between(1, 34),
        max_bouts=between(1, 6),
    ),
}
"""By slug: options as a dict, drawn from whatever is worth a match; every dict drawn can be played."""


def setting_of(game: Game, seed: int) -> tuple[dict[str, Any], int]:
    """Options and number of seats of the match with this seed; seeds in a row take the numbers of seats in turn."""
    seats = game.seats.min + seed % (game.seats.max - game.seats.min + 1)
    rng = Random(f"{game.slug} {seed}")
    return ({} if rng.random() < 0.25 else options_of(game)(rng)), seats


def options_of(game: Game) -> Draw:
    """How the game's options are drawn; raises Unprepared for a game that doesn't say."""
    if game.slug not in OPTIONS:
        raise Unprepared(f"Say in tests/laws/settings.py which options of {game.title} the laws are run over.")
    return OPTIONS[game.slug]
