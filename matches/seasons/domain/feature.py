"""A feature of a season: a part of its rules that has a state of its own. Pure."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from games.kernel import Event

S = TypeVar("S")


def _refuse_nothing(state: object, events: Sequence[Event], now: datetime) -> None: ...


class Feature(NamedTuple, Generic[S]):
    """A feature, listed in features.py. `Season.state_of` returns its state.

    `start` is its state in a new season, `evolve` returns the state after any event of the season. `sentence` tells
    its own events, given what an account is called; it is empty for others. `refusals` give the status, the title and
    the remedy of each code that only its acts are refused with. `refuse_untimely` raises Illegal if an act's events
    come too early or too late; it gets the state before them, and the instant at which the act arrived.
    """

    name: str
    events: tuple[type[Event], ...]
    start: S
    evolve: Callable[[S, Event], S]
    sentence: Callable[[Event, Callable[[str], str]], str]
    refusals: Mapping[str, tuple[int, str, str]]
    refuse_untimely: Callable[[S, Sequence[Event], datetime], None] = _refuse_nothing
