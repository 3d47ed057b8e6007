"""The tray that each game offers a seat, and the cells that an event touched; from `trays/SLUG.py`, if it exists."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from games.kernel import Command
from matches.html.trays.filling import Raw
from matches.html.trays.tray import Tray, TrayContext, plain
from matches.http.problems import Problem


def tray_of(game: str, context: TrayContext) -> Tray:
    """Return the tray of a seat that must act or may replace what it sent; by default a button for each command."""
    own = _own(game)
    return own.tray(context) if own else plain(context)


def completed(game: str, state: Any, seat: int, drafts: Sequence[Command], rng: Random) -> list[dict[str, Any]]:
    """Return drafts for the rest of a seat's command, from what it knows and has begun; raise Problem if the game has
    no drafts."""
    own = _own(game)
    if not hasattr(own, "completed"):
        raise Problem("not_found", "There is nothing to fill in at this game.")
    drafted: list[dict[str, Any]] = own.completed(state, seat, drafts, rng)
    return drafted


def body_of(game: str, posted: Raw) -> dict[str, Any] | None:
    """Return the command that a tray's form has posted; None if a button or a text is the command."""
    own = _own(game)
    body: dict[str, Any] | None = own.body_of(posted) if hasattr(own, "body_of") else None
    return body


def touched(game: str, events: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the board's cells of the latest event that has any. Event types in a game's `FOLLOWS` are shown together
    with the move before them."""
    own = _own(game)
    cells: list[str] = []
    for event in reversed(events) if own else ():
        of_event = own.touched(event)
        cells += of_event
        if of_event and event["type"] not in getattr(own, "FOLLOWS", ()):
            break
    return tuple(cells)


@cache
def _own(game: str) -> Any:
    """Return a game's module with `tray` and `touched`, or None."""
    name = f"{__name__}.{game}"
    return import_module(name) if find_spec(name) else None
