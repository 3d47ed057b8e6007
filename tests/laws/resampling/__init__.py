"""Other truths: for each game, `resample(table, witness, rng)` changes what the witness can't know of a log.

It gives a log of the same length that the witness was told word for word alike, or None where it knows all.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random

from games.kernel import Event, Game, Table, Witness, secrecy_of
from tests.laws.law import Unprepared

Resample = Callable[[Table, Witness, Random], Sequence[Event] | None]


def resampler_of(game: Game) -> Resample:
    """The game's own `resample`; a game without secrets has no other truths."""
    if not any(secrecy_of(kind).fields for kind in game.events):
        return lambda table, witness, rng: None
    if find_spec(f"tests.laws.resampling.{game.slug}") is None:
        raise Unprepared(f"{game.title} keeps secrets: write tests/laws/resampling/{game.slug}.py with a `resample`.")
    resample: Resample = import_module(f"tests.laws.resampling.{game.slug}").resample
    return resample
