"""Animations: the few kinds of steps in which a page shows an event."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from games.kernel.messages import Event, FlagFallen

Kind = Literal["travel", "reveal", "count", "flag", "grow"]


@dataclass(frozen=True)
class Step:
    """One animation step: an item travels from `source` to `place`, the item at `place` turns over, the number there
    counts to its new value, a flag falls, or the bars at `place` grow to their lengths.

    Places are named in the board's pictures, as cells or otherwise; `seat 0` is the picture of the seat itself. The
    travelling item looks like the one at `looks`, or else at `source`. A `joined` step starts together with the
    previous one.
    """

    kind: Kind
    place: str
    source: str = ""
    looks: str = ""
    joined: bool = False


Motion = Callable[[Any], Sequence[Step]]
"""Returns the steps of an event as redacted for a witness: secret fields may be None."""


def still(event: Event) -> Sequence[Step]:
    """Return no steps: the event is described in words, or shown by another event."""
    return ()


def travel(source: str, place: str, looks: str = "") -> Step:
    """Return the step in which an item moves from one place to another."""
    return Step("travel", place, source, looks)


def reveal(place: str) -> Step:
    """Return the step in which an item turns over."""
    return Step("reveal", place)


def count(place: str) -> Step:
    """Return the step in which a number changes; the place holds nothing else."""
    return Step("count", place)


def grow(place: str) -> Step:
    """Return the step in which all bars at a place grow."""
    return Step("grow", place)


def together(*steps: Step) -> tuple[Step, ...]:
    """Return the steps, all starting at once."""
    return (*steps[:1], *(replace(step, joined=True) for step in steps[1:]))


def flag_falls(event: FlagFallen) -> Sequence[Step]:
    """Return the step for a seat whose time has run out."""
    return (Step("flag", f"seat {event.seat}"),)
