"""By game: what its tray offers a seat, and which cells an event touched; `trays/SLUG.py`, where there is one."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from matches.html.trays.tray import Choice, Tray, TrayContext, plain

__all__ = ["Choice", "Tray", "TrayContext", "touched", "tray_of"]


def tray_of(game: str, context: TrayContext) -> Tray:
    """The tray of a seat that must act or may replace what it sent; a game without its own gets a button a command."""
    own = _own(game)
    return own.tray(context) if own else plain(context)


def touched(game: str, event: Mapping[str, Any]) -> Sequence[str]:
    """The board's cells that a told event is about; empty where it is about none."""
    own = _own(game)
    return own.touched(event) if own else ()


@cache
def _own(game: str) -> Any:
    """The module of a game of the catalogue, with its `tray` and `touched`; None where it has none."""
    name = f"{__name__}.{game}"
    return import_module(name) if find_spec(name) else None
