"""What a game's picture is, to those who show it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

from games.kernel.due import Outcome
from games.kernel.witnesses import Witness


@dataclass(frozen=True)
class Part:
    """A piece of a board that a page lays out by itself: `name` is its place there, `drawn` a whole `<svg>`.

    Where a page is too narrow for all of them, one with a `tab` lies under a tab of that name.
    """

    name: str
    drawn: str
    tab: str = ""


class Board(Protocol):
    """Draws the state as a witness knows it; pure, so the same view always gives the same picture.

    A `view` is the game's State with what the witness doesn't know left out; `names` are the players' by seat.
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
        """A whole `<svg>` in the colours of a `games.drawing.themes.Theme`.

        `targets` are the cells that a legal command can name, `last` those that the last move touched, both as the
        notation writes them.
        """

    def tables(self, view: Any, *, viewer: Witness, names: Sequence[str]) -> tuple[Any, ...]:
        """The same as `games.drawing.texttable.TextTable`s, for those who listen."""

    def headline(self, view: Any, *, names: Sequence[str]) -> str:
        """Where the match stands or how it ended, in one short line without a full stop: the picture's name, and what a
        list of matches tells of it.
        """


class BoardOf:
    """The `BOARD` of a module, imported when it first draws: most processes never do, and the drawing kit is large."""

    def __init__(self, module: str) -> None:
        self._module = module

    @cached_property
    def _board(self) -> Board:
        board: Board = import_module(self._module).BOARD
        return board

    def draw(self, view: Any, **seen: Any) -> str:
        """As the board draws it."""
        return self._board.draw(view, **seen)

    def parts(self, view: Any, **seen: Any) -> tuple[Part, ...]:
        """The same picture in the pieces that a page lays out: the table first, then what lies beside it. A board
        without `parts` of its own is one piece.
        """
        own = getattr(self._board, "parts", None)
        parts: tuple[Part, ...] = own(view, **seen) if own else (Part("table", self._board.draw(view, **seen)),)
        return parts

    def finale(self, view: Any, *, viewer: Witness, theme: Any, names: Sequence[str]) -> str | None:
        """What decided a match that is over, drawn large as a whole `<svg>` in the colours of the house lights, for a
        scene that has no other colours. None where nothing decides it but the board itself, as after a resignation, and
        from a board without a `finale` of its own.
        """
        own = getattr(self._board, "finale", None)
        drawn: str | None = own(view, viewer=viewer, theme=theme, names=names) if own else None
        return drawn

    def score(self, view: Any, outcome: Outcome) -> str:
        """The score of a match that was played to its end, as it stands behind `Ada wins, `: `two hands to one`. Empty
        where figures tell nothing. A board without a `score` of its own counts points.
        """
        own = getattr(self._board, "score", None)
        told: str = own(view, outcome) if own else _points(outcome)
        return told

    def tables(self, view: Any, *, viewer: Witness, names: Sequence[str]) -> tuple[Any, ...]:
        """As the board tells it."""
        return self._board.tables(view, viewer=viewer, names=names)

    def headline(self, view: Any, *, names: Sequence[str]) -> str:
        """As the board puts it."""
        return self._board.headline(view, names=names)


def _points(outcome: Outcome) -> str:
    """The points of the first winner and, among two, of the other."""
    best, *others = (outcome.score[seat] for rank in outcome.ranking for seat in rank)
    if len(others) == 1:
        return f"{best:,} to {others[0]:,}" if best != others[0] else ""
    return f"with {best:,} point{'' if best == 1 else 's'}"
