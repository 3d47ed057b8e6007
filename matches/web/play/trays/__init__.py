"""By game: what its tray offers a seat, and which cells an event touched."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matches.web.play.trays import (
    higher_or_lower,
    peeling_the_banana,
    pentagram,
    pyramid_poker,
    reality_benders,
)
from matches.web.play.trays.tray import Asked, Choice, Tray, plain

__all__ = ["Asked", "Choice", "Tray", "touched", "tray_of"]

_TRAYS: Mapping[str, Callable[[Asked], Tray]] = {
    "higher_or_lower": higher_or_lower.tray,
    "peeling_the_banana": peeling_the_banana.tray,
    "pentagram": pentagram.tray,
    "pyramid_poker": pyramid_poker.tray,
    "reality_benders": reality_benders.tray,
}
_TOUCHED: Mapping[str, Callable[[Mapping[str, Any]], Sequence[str]]] = {
    "higher_or_lower": higher_or_lower.touched,
    "peeling_the_banana": peeling_the_banana.touched,
    "pentagram": pentagram.touched,
    "pyramid_poker": pyramid_poker.touched,
    "reality_benders": reality_benders.touched,
}


def tray_of(game: str, asked: Asked) -> Tray:
    """The tray of a seat that must act or may replace what it sent; a game without its own gets a button a command."""
    return _TRAYS.get(game, plain)(asked)


def touched(game: str, event: Mapping[str, Any]) -> Sequence[str]:
    """The board's cells that a told event is about; empty where it is about none."""
    return _TOUCHED.get(game, lambda _: ())(event)
