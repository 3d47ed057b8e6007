"""How a page shows that something has happened: the few motions there are, and which of them an event has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from games.kernel.messages import Event, FlagFallen

Kind = Literal["travel", "reveal", "count", "flag"]


@dataclass(frozen=True)
class Step:
    """One thing that is seen: what lay at `source` travels to `place`, what lies there turns over, the number there
    counts from what it was to what it is, or a flag falls.

    Places are named in the board's pictures, as cells or otherwise; `seat 0` is what shows the seat itself. What
    travels looks like what lay at `source`, or at `looks` where that is named. One that is `joined` sets out together
    with the step before it.
    """

    kind: Kind
    place: str
    source: str = ""
    looks: str = ""
    joined: bool = False


Motion = Callable[[Any], Sequence[Step]]
"""The steps of an event as a witness was told it, so of a field that is None where it isn't theirs to know."""


def still(event: Event) -> Sequence[Step]:
    """Nothing moves: what the event changes is told in words, or shown by another one."""
    return ()


def travel(source: str, place: str, looks: str = "") -> Step:
    """Something goes from one place to another."""
    return Step("travel", place, source, looks)


def reveal(place: str) -> Step:
    """Something turns over where it lies."""
    return Step("reveal", place)


def count(place: str) -> Step:
    """A number goes up or down; the place holds nothing else."""
    return Step("count", place)


def together(*steps: Step) -> tuple[Step, ...]:
    """The steps, all of them at once."""
    return (*steps[:1], *(replace(step, joined=True) for step in steps[1:]))


def flag_falls(event: FlagFallen) -> Sequence[Step]:
    """A seat's time has run out."""
    return (Step("flag", f"seat {event.seat}"),)
