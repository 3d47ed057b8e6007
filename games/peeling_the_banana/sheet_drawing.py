"""A seat's sheet as a picture: the banana in its peel, the pieces on it, and every space as a cell."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import svg

from games.drawing.elements import box, cell, group, place, stamped, stamps, target_mark, text, tidy
from games.drawing.themes import Theme
from games.peeling_the_banana.banana import EMPTY, OUTSIDE, Rows
from games.peeling_the_banana.motion import newest_of
from games.peeling_the_banana.outline import Position, outline, seams
from games.peeling_the_banana.pieces import space_name
from games.peeling_the_banana.state import State
from games.peeling_the_banana.tables import lying_on

_UNIT: Final = 40
"""The size of a space before scaling: round numbers make small pictures, and both sheets share a peel."""
_PEEL: Final = 0.2
_STEM: Final = 0.62
_DEEP: Final = 5
"""The thickness of the peel and the length of the stem in spaces, and the depth of a piece in units."""


@dataclass(frozen=True)
class Sheet:
    """A sheet and its size: `size` is that of a space; `edge` is the width of the coordinates left and below."""

    state: State
    seat: int
    size: float
    edge: float = 0

    @property
    def width(self) -> float:
        """The width with peel and coordinates."""
        return self.edge + self.size * (columns_of(self.state.boards[self.seat]) + 2 * _PEEL)

    @property
    def height(self) -> float:
        """The height with stem, peel and coordinates."""
        return self.edge + self.size * (len(self.state.boards[self.seat]) + _STEM + 2 * _PEEL)

    @property
    def places(self) -> list[Position]:
        """The row and column of every space of the banana, from the top."""
        board = self.state.boards[self.seat]
        return [(r, c) for r, row in enumerate(board, 1) for c, mark in enumerate(row, 1) if mark != OUTSIDE]

    @property
    def origin(self) -> tuple[float, float]:
        """The top left of the space in row 1 and column 1."""
        return self.edge + _PEEL * self.size, (_STEM + _PEEL) * self.size

    def corner(self, row: int, col: int) -> tuple[float, float]:
        """Return the top left of a space."""
        x, y = self.origin
        return x + (col - 1) * self.size, y + (row - 1) * self.size


def columns_of(board: Rows) -> int:
    """Return the number of columns up to the last one with a space."""
    return max(len(row.rstrip(OUTSIDE)) for row in board)


def sheet_stamps(rows: Rows) -> svg.Defs:
    """Return definitions of the peel and its background, which all sheets of a picture use."""
    banana = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != OUTSIDE]
    peel = outline(banana, _UNIT, grow=_PEEL * _UNIT, bend=0.3 * _UNIT)
    ground = outline(banana, _UNIT, grow=0.05 * _UNIT, bend=0.15 * _UNIT)
    return stamps(**{"banana-peel": [_path(peel)], "banana-ground": [_path(ground)]})


def sheet(drawn: Sheet, theme: Theme) -> svg.G:
    """Draw the sheet without cells, its top left at 0, 0; the picture must contain `sheet_stamps`."""
    return group(
        *(_coordinates(drawn, theme) if drawn.edge else ()),
        _scaled(drawn, *_banana(drawn, theme), *_pieces(drawn, theme)),
    )


def spaces(drawn: Sheet, theme: Theme, *, targets: Collection[str], last: Collection[str]) -> svg.G:
    """Draw the sheet's spaces as cells, to be placed over it."""
    over = _scaled(drawn, *(_space(drawn, *place, theme, targets, last) for place in drawn.places))
    over.pointer_events, over.fill = "all", "none"
    return over


def rings(drawn: Sheet, theme: Theme, last: Collection[str]) -> svg.G:
    """Draw the rings around spaces that the last move touched, for a sheet without cells."""
    return _scaled(drawn, *(_ring(drawn, *place, theme) for place in drawn.places if space_name(*place) in last))


def _scaled(drawn: Sheet, *elements: svg.Element) -> svg.G:
    x, y = drawn.origin
    return group(*elements, x=x, y=y, scale=round(drawn.size / _UNIT, 3))


def _coordinates(drawn: Sheet, theme: Theme) -> Iterator[svg.Element]:
    board, half = drawn.state.boards[drawn.seat], drawn.size / 2
    size = min(20, drawn.edge * 0.75, drawn.size * 0.8)
    for col in range(1, columns_of(board) + 1):
        x, _ = drawn.corner(1, col)
        below = drawn.height - drawn.edge / 2
        yield _axis(text(x + half, below, space_name(1, col)[0], size=size, fill=theme.muted))
    for row in range(1, len(board) + 1):
        _, y = drawn.corner(row, 1)
        yield _axis(text(drawn.edge * 0.4, y + half, str(row), size=size, fill=theme.muted))


def _axis(words: svg.Text) -> svg.Text:
    """Set the class of a coordinate, which a page hides if the sheet is too small for it."""
    words.class_ = ["axis"]
    return words


def _banana(drawn: Sheet, theme: Theme) -> Iterator[svg.Element]:
    """Draw the peel around all spaces, the stem and the tip, and a pale square for each empty space."""
    yield _filled(stamped("banana-peel", y=0.12 * _UNIT), theme.peel_deep)
    yield from _ends([(row - 1, col - 1) for row, col in drawn.places], _UNIT, theme)
    yield _filled(stamped("banana-peel"), theme.peel)
    yield _filled(stamped("banana-ground"), theme.banana_line)
    board = drawn.state.boards[drawn.seat]
    empty = [(row - 1, col - 1) for row, col in drawn.places if board[row - 1][col - 1] == EMPTY]
    if empty:
        gap, bend = 2, 5
        side = _UNIT - 2 * (gap + bend)
        corners = ((col * _UNIT + gap + bend, row * _UNIT + gap + bend) for row, col in empty)
        hollows = _path("".join(f"M{x} {y}h{side}v{side}h-{side}Z" for x, y in corners), theme.banana)
        hollows.stroke, hollows.stroke_width, hollows.stroke_linejoin = theme.banana, 2 * bend, "round"
        yield hollows


def _ends(banana: list[Position], size: float, theme: Theme) -> Iterator[svg.Element]:
    """Draw the stem above the highest space, and the tip beside the leftmost one."""
    top = max(col for row, col in banana if row == banana[0][0])
    left = min(col for _, col in banana)
    low = min(row for row, col in banana if col == left)
    x, y = (tidy(top * size), tidy(banana[0][0] * size))
    reach, wide = tidy((_STEM + _PEEL) * size), tidy(0.5 * size)
    yield _path(
        f"M{x + tidy(0.22 * size)} {y}l{tidy(-0.06 * size)}-{reach}h{wide}l{tidy(0.1 * size)} {reach}Z", theme.stem
    )
    x, y, nub = tidy((left - _PEEL) * size), tidy((low + 0.3) * size), tidy(0.18 * size)
    yield svg.Ellipse(cx=x, cy=y + nub, rx=tidy(0.14 * size), ry=tidy(1.5 * nub), fill=theme.stem)


def _pieces(drawn: Sheet, theme: Theme) -> Iterator[svg.Element]:
    """Draw each piece as one shape; the one laid last is a place, as an animation moves it there."""
    lying: dict[int, list[Position]] = {}
    for row, numbers in enumerate(drawn.state.laid[drawn.seat]):
        for col, number in enumerate(numbers):
            if number:
                lying.setdefault(number, []).append((row, col))
    *older, latest = sorted(lying.items()) or [(0, [])]
    if older:
        yield from _piled(drawn, f"banana-laid-{drawn.seat}", [places for _, places in older], theme)
    if latest[1]:
        newly = _piled(drawn, f"banana-newest-{drawn.seat}", [latest[1]], theme)
        yield place(newest_of(drawn.seat), *newly)


def _piled(drawn: Sheet, name: str, pieces: list[list[Position]], theme: Theme) -> list[svg.Element]:
    """Draw pieces as slabs: their edges, their faces, and the lines between their squares."""
    face = "".join(outline(piece, _UNIT, grow=-2, bend=5) for piece in pieces)
    inner = "".join(seams(piece, _UNIT) for piece in pieces)
    top, deep = (theme.piece_b, theme.piece_b_deep) if drawn.seat else (theme.piece_a, theme.piece_a_deep)
    elements: list[svg.Element] = [
        stamps(**{name: [_path(face)]}),
        _filled(stamped(name, y=_DEEP), deep),
        _filled(stamped(name), top),
    ]
    if inner:
        lines = _path(inner, "none")
        lines.stroke, lines.stroke_width = deep, 1.2
        elements.append(lines)
    return elements


def _path(d: str, fill: str | None = None) -> svg.Path:
    drawing: Any = d
    return svg.Path(d=drawing, fill=fill)


def _filled(use: svg.Use, fill: str) -> svg.Use:
    use.fill = fill
    return use


def _ring(drawn: Sheet, row: int, col: int, theme: Theme) -> svg.Element:
    """Draw the mark of the last move inside a space, in a colour that is visible on it."""
    line = theme.on_deep if drawn.state.laid[drawn.seat][row - 1][col - 1] else theme.on_ticket
    x, y, side = (col - 1) * _UNIT + 6, (row - 1) * _UNIT + 6, _UNIT - 12
    return box(x, y, side, side, fill="none", line=line, thick=2, radius=4)


def _space(
    drawn: Sheet, row: int, col: int, theme: Theme, targets: Collection[str], last: Collection[str]
) -> svg.Element:
    """Draw a space as a cell: an area to click, and the marks of a target and of the last move."""
    name, x, y = space_name(row, col), (col - 1) * _UNIT, (row - 1) * _UNIT
    parts: list[svg.Element] = [svg.Rect(x=x, y=y, width=_UNIT, height=_UNIT)]
    if name in targets:
        parts += target_mark(x + 2, y + 2, _UNIT - 4, _UNIT - 4, theme, targets)
    if name in last:
        parts.append(_ring(drawn, row, col, theme))
    return cell(name, lying_on(drawn.state, drawn.seat, row, col), *parts, target=name in targets)
