"""A seat's sheet as a picture: the banana's spaces, the pieces on it, and every space as a cell."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import svg

from games.drawing.elements import box, cell, group, target_mark, text, tidy
from games.drawing.themes import Theme
from games.peeling_the_banana.banana import EMPTY, OUTSIDE
from games.peeling_the_banana.pieces import space_name
from games.peeling_the_banana.state import State
from games.peeling_the_banana.tables import lying_on

Position = tuple[int, int]

_LEGIBLE: Final = 28
"""Spaces smaller than this bear no number."""

_HATCHES: Final = (
    ((0, 1, 1, 0),),
    ((0, 0, 1, 1),),
    ((0, 0.5, 1, 0.5),),
    ((0.5, 0, 0.5, 1),),
    ((0, 0.5, 0.5, 0), (0.5, 1, 1, 0.5)),
    ((0, 0.5, 0.5, 1), (0.5, 0, 1, 0.5)),
)
"""Lines across a square of side 1; pieces take them in turn."""


@dataclass(frozen=True)
class Sheet:
    """How large a sheet is drawn: `size` is a space's; `edge` is what the coordinates take to the left and on top."""

    state: State
    seat: int
    size: float
    edge: float

    @property
    def width(self) -> float:
        """With its coordinates."""
        return self.edge + self.size * len(self.state.boards[self.seat][0])

    @property
    def height(self) -> float:
        """With its coordinates."""
        return self.edge + self.size * len(self.state.boards[self.seat])

    @property
    def places(self) -> list[Position]:
        """The row and column of every space of the banana, from the top."""
        board = self.state.boards[self.seat]
        return [(r, c) for r, row in enumerate(board, 1) for c, mark in enumerate(row, 1) if mark != OUTSIDE]

    def corner(self, row: int, col: int) -> tuple[float, float]:
        """The top left of a space."""
        return self.edge + (col - 1) * self.size, self.edge + (row - 1) * self.size


def newest(state: State, seat: int) -> set[str]:
    """The spaces of the piece that was laid last on a sheet; none before the first."""
    number = max(map(max, state.laid[seat]))
    rows = enumerate(state.laid[seat], 1)
    return {space_name(r, c) for r, row in rows for c, found in enumerate(row, 1) if number and found == number}


def sheet(drawn: Sheet, theme: Theme) -> svg.G:
    """The sheet to look at, its top left at 0, 0."""
    return group(*_coordinates(drawn, theme), *_ground(drawn, theme), *_pieces(drawn, theme))


def spaces(drawn: Sheet, theme: Theme, *, targets: Collection[str], last: Collection[str]) -> svg.G:
    """The sheet's spaces as cells, to lie over it."""
    over = group(*(_space(drawn, *place, theme, targets, last) for place in drawn.places))
    over.pointer_events = "all"
    return over


def rings(drawn: Sheet, theme: Theme, last: Collection[str]) -> svg.G:
    """What the last move touched, on a sheet without cells."""
    return group(*(_ring(drawn, *place, theme) for place in drawn.places if space_name(*place) in last))


def _coordinates(drawn: Sheet, theme: Theme) -> Iterator[svg.Element]:
    board, half = drawn.state.boards[drawn.seat], drawn.size / 2
    size = min(15, drawn.edge * 0.75, drawn.size * 0.8)
    for col in range(1, len(board[0]) + 1):
        x, y = drawn.corner(1, col)
        yield text(x + half, y - drawn.edge / 2, space_name(1, col)[0], size=size, fill=theme.muted)
    for row in range(1, len(board) + 1):
        x, y = drawn.corner(row, 1)
        yield text(x - drawn.edge / 2, y + half, str(row), size=size, fill=theme.muted)


def _ground(drawn: Sheet, theme: Theme) -> Iterator[svg.Element]:
    """The empty spaces: each a square with round corners, its border what is seen of a larger one below."""
    board = drawn.state.boards[drawn.seat]
    empty = [((row, col), (row, col)) for row, col in drawn.places if board[row - 1][col - 1] == EMPTY]
    if empty:
        yield _rounded(drawn, empty, theme.banana_line, 0)
        yield _rounded(drawn, empty, theme.banana, 1)


def _pieces(drawn: Sheet, theme: Theme) -> Iterator[svg.Element]:
    lying: dict[int, list[Position]] = {}
    for row, numbers in enumerate(drawn.state.laid[drawn.seat], 1):
        for col, number in enumerate(numbers, 1):
            if number:
                lying.setdefault(number, []).append((row, col))
    for number, places in sorted(lying.items()):
        yield from _piece(drawn, number, places, theme)


def _piece(drawn: Sheet, number: int, places: list[Position], theme: Theme) -> Iterator[svg.Element]:
    size, named = drawn.size, places[0]
    yield _rounded(drawn, list(_blocks(places)), theme.seat(drawn.seat), 0)
    hatch = _HATCHES[number % len(_HATCHES)]
    strokes = [_line(drawn, place, line) for place in places if place != named for line in hatch]
    if strokes:
        yield svg.Path(
            d="".join(strokes),  # type: ignore[arg-type]
            stroke=theme.on_seat,
            stroke_width=tidy(size / 22),
            stroke_opacity=0.55,
            fill="none",
        )
    if size >= _LEGIBLE:
        x, y = drawn.corner(*named)
        yield text(x + size / 2, y + size / 2, str(number), size=size * 0.42, fill=theme.on_seat, bold=True)


def _blocks(places: list[Position]) -> Iterator[tuple[Position, Position]]:
    """What a piece is made of, by first and last space: every two that touch, every square of four, and loners."""
    for row, col in places:
        for last in ((row, col + 1), (row + 1, col), (row + 1, col + 1)):
            between = {(r, c) for r in (row, last[0]) for c in (col, last[1])}
            if between <= set(places):
                yield (row, col), last
        if not {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)} & set(places):
            yield (row, col), (row, col)


def _rounded(drawn: Sheet, blocks: list[tuple[Position, Position]], colour: str, inset: float) -> svg.Path:
    """Blocks of spaces as one path: a wide border of the same colour makes the corners round."""
    gap, bend = drawn.size / 26 + inset, drawn.size / 7 - inset
    edge = gap + bend
    strokes = []
    for first, last in blocks:
        (x, y), (right, below) = drawn.corner(*first), drawn.corner(*last)
        wide, tall = tidy(right - x + drawn.size - 2 * edge), tidy(below - y + drawn.size - 2 * edge)
        strokes.append(f"M{tidy(x + edge)} {tidy(y + edge)}h{wide}v{tall}h-{wide}Z")
    return svg.Path(
        d="".join(strokes),  # type: ignore[arg-type]
        fill=colour,
        stroke=colour,
        stroke_width=tidy(2 * bend),
        stroke_linejoin="round",
    )


def _line(drawn: Sheet, place: Position, line: tuple[float, float, float, float]) -> str:
    """A line within a space, given on a square of side 1."""
    x, y = drawn.corner(*place)
    inset = (0.1 + 0.8 * part for part in line)
    x1, y1, x2, y2 = (tidy(start + drawn.size * part) for start, part in zip((x, y, x, y), inset, strict=True))
    return f"M{x1} {y1}L{x2} {y2}"


def _ring(drawn: Sheet, row: int, col: int, theme: Theme) -> svg.Element:
    """The mark of the last move within a space, in what can be seen on it."""
    x, y = drawn.corner(row, col)
    inside, thick = drawn.size * 0.12, max(1.2, drawn.size / 20)
    line = theme.on_seat if drawn.state.laid[drawn.seat][row - 1][col - 1] else theme.ink
    side = drawn.size - 2 * inside
    return box(x + inside, y + inside, side, side, fill="none", line=line, thick=thick, radius=drawn.size / 10)


def _space(
    drawn: Sheet, row: int, col: int, theme: Theme, targets: Collection[str], last: Collection[str]
) -> svg.Element:
    """A space as a cell: what can be asked for, what the last move touched, and room to click on."""
    name, (x, y), size, gap = space_name(row, col), drawn.corner(row, col), drawn.size, drawn.size / 26
    room = (x + gap, y + gap, size - 2 * gap, size - 2 * gap)
    parts: list[svg.Element] = [box(*room, fill="none", radius=size / 7)]
    if name in targets:
        parts += target_mark(*room, theme, targets, radius=size / 7)
    if name in last:
        parts.append(_ring(drawn, row, col, theme))
    return cell(name, lying_on(drawn.state, drawn.seat, row, col), *parts, target=name in targets)
