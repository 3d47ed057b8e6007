"""The interface of a game's board: its picture, its tables and its headline."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

from games.kernel.due import Outcome
from games.kernel.witnesses import Witness


@dataclass(frozen=True)
class Part:
    """A part of a board that a page lays out separately: `name` is its place there, `drawn` a whole `<svg>`.

    On a page that is too narrow for all parts, a part with a `tab` is shown under a tab of that name.
    """

    name: str
    drawn: str
    tab: str = ""


class Board(Protocol):
    """Draws a witness's state. Pure: the same view always gives the same picture.

    A `view` is the game's State as folded for the witness; `names` are the players' names by seat.
    """

    def draw(
        self,
        view: Any,
        *,
        viewer: Witness,
        theme: Any,
        names: Sequence[str],
        targets: Collection[str] = (),
        last: Collection[str] = (),
    ) -> str:
        """Return a whole `<svg>` in the colours of a `games.drawing.themes.Theme`.

        `targets` are the cells that a legal command can name, `last` those that the last move touched, both in the
        game's notation.
        """

    def tables(self, view: Any, *, viewer: Witness, names: Sequence[str]) -> tuple[Any, ...]:
        """Return the same information as `games.drawing.texttable.TextTable`s, for screen readers."""

    def headline(self, view: Any, *, names: Sequence[str]) -> str:
        """Return the match's current position or its end in one short line without a full stop.

        It is the accessible name of the picture, and the text of the match in lists.
        """


class BoardOf:
    """The `BOARD` of a module, imported at the first use: most processes never draw, and the drawing code is large."""

    def __init__(self, module: str) -> None:
        self._module = module

    @cached_property
    def _board(self) -> Board:
        board: Board = import_module(self._module).BOARD
        return board

    def draw(self, view: Any, **arguments: Any) -> str:
        return self._board.draw(view, **arguments)

    def parts(self, view: Any, **arguments: Any) -> tuple[Part, ...]:
        """Return the picture in parts that a page lays out: the table first, then the others.

        A board without a `parts` method has one part. The arguments are those of `Board.draw`.
        """
        own = getattr(self._board, "parts", None)
        if own is None:
            return (Part("table", self._board.draw(view, **arguments)),)
        parts: tuple[Part, ...] = own(view, **arguments)
        return parts

    def finale(self, view: Any, *, viewer: Witness, theme: Any, names: Sequence[str]) -> str | None:
        """Return a whole `<svg>` that shows what decided a finished match, in the given theme.

        None if there is nothing to show, as after a resignation, or if the board has no `finale` method.
        """
        own = getattr(self._board, "finale", None)
        drawn: str | None = own(view, viewer=viewer, theme=theme, names=names) if own else None
        return drawn

    def score(self, view: Any, outcome: Outcome) -> str:
        """Return the score of a match that was played to its end, to follow `Ada wins, `: `two hands to one`.

        Empty if numbers add nothing. A board without a `score` method counts points.
        """
        own = getattr(self._board, "score", None)
        score: str = own(view, outcome) if own else _points(outcome)
        return score

    def tables(self, view: Any, *, viewer: Witness, names: Sequence[str]) -> tuple[Any, ...]:
        return self._board.tables(view, viewer=viewer, names=names)

    def headline(self, view: Any, *, names: Sequence[str]) -> str:
        return self._board.headline(view, names=names)


def _points(outcome: Outcome) -> str:
    """Return the first winner's points and, in a match of two, the other seat's."""
    best, *others = (outcome.score[seat] for rank in outcome.ranking for seat in rank)
    if len(others) == 1:
        return f"{best:,} to {others[0]:,}" if best != others[0] else ""
    return f"with {best:,} point{'' if best == 1 else 's'}"
