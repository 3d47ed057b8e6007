"""The state folded from a log of events."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from games.kernel.game import Game


def fold(game: Game, options: object, seats: int, priority: int, events: Iterable[object]) -> Any:
    """Return the state after the events (objects, or dicts as `Table.events` returns them, redacted or not)."""
    opening = game.open(options, seats, priority)
    return reduce(game.evolve, map(game.read_event, events), opening)
