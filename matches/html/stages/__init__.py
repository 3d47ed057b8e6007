"""The HTML in place of a board's picture that a game offers the match page; from `stages/SLUG.py`, if it exists."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games.kernel import Witness
from matches.domain.match_state import MatchState
from matches.html.seats import SeatStrip


def stage_of(match_state: MatchState, witness: Witness, seats: Sequence[SeatStrip]) -> Any:
    """Return the context of the game's own templates for a witness; None for a game that shows its board's picture."""
    own = _own(match_state.game.slug)
    return own.stage(match_state, witness, seats) if own else None


@cache
def _own(game: str) -> Any:
    """Return a game's module with `stage`, or None."""
    name = f"{__name__}.{game}"
    return import_module(name) if find_spec(name) else None
