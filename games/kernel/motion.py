"""How a page shows that something has happened: the few motions there are, and which of them an event has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from games.kernel.messages import Event, FlagFallen

Kind = Literal["travel", "reveal", "flag"]


@dataclass(frozen=True)
class Step:
    """One thing that is seen: what lay at `source` travels to `place`, what lies there turns over, or a flag falls.

    Places are named in the board's pictures, as cells or otherwise; `seat 0` is what shows the seat itself.
    """

    kind: Kind
    place: str
    source: str = ""


Motion = Callable[[Any], Sequence[Step]]
"""The steps of an event as a witness was told it, so of a field that is None where it isn't theirs to know."""


def still(event: Event) -> Sequence[Step]:
    """Nothing moves: what the event changes is told in words, or shown by another one."""
    return ()


def travel(source: str, place: str) -> Step:
    """Something goes from one place to another."""
    return Step("travel", place, source)


def reveal(place: str) -> Step:
    """Something turns over where it lies."""
    return Step("reveal", place)


def flag_falls(event: FlagFallen) -> Sequence[Step]:
    """A seat's time has run out."""
    return (Step("flag", f"seat {event.seat}"),)
