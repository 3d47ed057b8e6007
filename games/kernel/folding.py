"""State from a log: the reducer folded over events, as one witness was told them."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from games.kernel.game import Game


def fold(game: Game, options: object, seats: int, priority: int, events: Iterable[object]) -> Any:
    """The state after the events (objects, or dicts as `Table.events` gives them, redacted or not)."""
    opening = game.open(options, seats, priority)
    return reduce(game.evolve, map(game.read_event, events), opening)
