"""Other truths: for each game, `resample(table, witness, rng)` changes what the witness can't know of a log.

It stands in `tests/games/SLUG/laws.py`, and gives a log of the same length that the witness was told word for word
alike, or None where it knows all.
"""

from collections.abc import Callable, Sequence
from random import Random

from games.kernel import Event, Game, Table, Witness, secrecy_of
from tests.laws.law import Unprepared
from tests.laws.settings import of_the_game

Resample = Callable[[Table, Witness, Random], Sequence[Event] | None]


def resampler_of(game: Game) -> Resample:
    """The game's own `resample`; a game without secrets has no other truths."""
    if not any(secrecy_of(kind).fields for kind in game.events):
        return lambda table, witness, rng: None
    resample: Resample | None = getattr(of_the_game(game), "resample", None)
    if resample is None:
        raise Unprepared(f"{game.title} keeps secrets: write a `resample` in tests/games/{game.slug}/laws.py.")
    return resample
