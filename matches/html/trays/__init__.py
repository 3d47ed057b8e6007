"""By game: what its tray offers a seat, and which cells an event touched; `trays/SLUG.py`, where there is one."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from games.kernel import Command
from matches.html.trays.tray import Choice, Tray, TrayContext, plain
from matches.http.problems import Problem

__all__ = ["Choice", "Tray", "TrayContext", "completed", "touched", "tray_of"]


def tray_of(game: str, context: TrayContext) -> Tray:
    """The tray of a seat that must act or may replace what it sent; a game without its own gets a button a command."""
    own = _own(game)
    return own.tray(context) if own else plain(context)


def completed(game: str, state: Any, seat: int, drafts: Sequence[Command], rng: Random) -> list[dict[str, Any]]:
    """What a seat may still send, made up for it from what it knows and has begun; raises Problem where a game has no
    such thing.
    """
    own = _own(game)
    if not hasattr(own, "completed"):
        raise Problem("not_found", "There is nothing to fill in at this game.")
    made: list[dict[str, Any]] = own.completed(state, seat, drafts, rng)
    return made


def touched(game: str, events: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The board's cells that the latest told event with a place of its own is about; what `FOLLOWS` from a move in a
    game is shown together with it.
    """
    own = _own(game)
    cells: list[str] = []
    for event in reversed(events) if own else ():
        found = own.touched(event)
        cells += found
        if found and event["type"] not in getattr(own, "FOLLOWS", ()):
            break
    return tuple(cells)


@cache
def _own(game: str) -> Any:
    """The module of a game of the catalogue, with its `tray` and `touched`; None where it has none."""
    name = f"{__name__}.{game}"
    return import_module(name) if find_spec(name) else None
