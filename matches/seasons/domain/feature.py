"""A feature of a season: a part of its rules that keeps a state of its own. Pure."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from games.kernel import Event


class Feature(NamedTuple):
    """A feature, listed in features.py.

    `start` is its state in a new season, `evolve` returns the state after any event of the season. `sentence` tells
    its own events, given what an account is called; it is empty for others. `refusals` give the status, the title and
    the remedy of each code that only its acts are refused with.
    """

    name: str
    events: tuple[type[Event], ...]
    start: Any
    evolve: Callable[[Any, Event], Any]
    sentence: Callable[[Event, Callable[[str], str]], str]
    refusals: Mapping[str, tuple[int, str, str]]
