"""The lines of play from a state on: counted for a small setting, they show a change of the rules."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from games.kernel import Chance, Game


def lines(game: Game, state: Any, depth: int = 1000) -> Iterator[Any]:
    """The state at the end of each line of so many commands, or fewer where the match ends.

    Every legal command is tried for the first seat that is asked. Flags and resignations aside; chance has one seed.
    """
    due, chance = game.due(state), Chance(seed=b"tree")
    if game.outcome(state) or (depth == 0 and not due.dealer):
        yield state
    elif due.dealer:
        yield from lines(game, reduce(game.evolve, game.deal(state, chance), state), depth)
    else:
        seat = due.prompts[0].seat
        for command in game.legal(state, seat):
            events = game.decide(state, seat, command, chance)
            yield from lines(game, reduce(game.evolve, events, state), depth - 1)


def count(game: Game, state: Any, depth: int = 1000) -> int:
    """Return the number of lines."""
    return sum(1 for _ in lines(game, state, depth))
