"""The outline of spaces that belong together, as one path with round corners."""

from collections.abc import Collection, Iterator
from typing import Final

from games.drawing.elements import tidy

Position = tuple[int, int]
"""Row and column."""

_Step = tuple[int, int]
_SIDES: Final[tuple[tuple[_Step, Position, _Step], ...]] = (
    ((-1, 0), (0, 0), (0, 1)),
    ((0, 1), (0, 1), (1, 0)),
    ((1, 0), (1, 1), (0, -1)),
    ((0, -1), (1, 0), (-1, 0)),
)
"""Of a space, clockwise: which neighbour a side faces, the corner it begins at, the way it goes."""


def outline(spaces: Collection[Position], size: float, *, grow: float = 0, bend: float = 0) -> str:
    """The `d` of a path round the spaces, space 0, 0 at the top left; `grow` pushes it outwards, `bend` rounds it."""
    return "".join(_path(loop, size, grow, bend) for loop in _loops(set(spaces)))


def seams(spaces: Collection[Position], size: float) -> str:
    """The `d` of short lines between spaces that belong together."""
    inner, known = 0.3 * size, set(spaces)
    strokes = []
    for row, col in sorted(known):
        x, y = col * size, row * size
        if (row, col + 1) in known:
            strokes.append(f"M{tidy(x + size)} {tidy(y + inner)}v{tidy(size - 2 * inner)}")
        if (row + 1, col) in known:
            strokes.append(f"M{tidy(x + inner)} {tidy(y + size)}h{tidy(size - 2 * inner)}")
    return "".join(strokes)


def _loops(spaces: set[Position]) -> Iterator[list[tuple[Position, _Step, _Step]]]:
    """Each closed way round, as its corners with the steps that lead in and out; spaces that touch at a corner alone
    have ways of their own.
    """
    sides: dict[Position, list[_Step]] = {}
    for row, col in sorted(spaces):
        for (down, right), (top, left), way in _SIDES:
            if (row + down, col + right) not in spaces:
                sides.setdefault((row + top, col + left), []).append(way)
    while sides:
        yield _loop(sides)


def _loop(sides: dict[Position, list[_Step]]) -> list[tuple[Position, _Step, _Step]]:
    """The corners of one way round, whose sides are taken."""
    start = at = next(iter(sides))
    first = way = sides[at][0]
    corners = []
    while True:
        _leave(sides, at, way)
        at = (at[0] + way[0], at[1] + way[1])
        onward, right = sides.get(at, []), (way[1], -way[0])
        if at == start and right not in onward:
            break
        # Where two ways begin, the one to the right stays with the same space.
        ahead = right if right in onward else onward[0]
        if ahead != way:
            corners.append((at, way, ahead))
        way = ahead
    return [*corners, (at, way, first)] if way != first else corners


def _leave(sides: dict[Position, list[_Step]], at: Position, way: _Step) -> None:
    sides[at].remove(way)
    if not sides[at]:
        del sides[at]


def _path(corners: list[tuple[Position, _Step, _Step]], size: float, grow: float, bend: float) -> str:
    drawn: list[str] = []
    for (row, col), (down_in, right_in), (down_out, right_out) in corners:
        # Left of the way is outside: of (down, right) that is (-right, down).
        x = col * size + grow * (down_in + down_out) - right_in * bend
        y = row * size - grow * (right_in + right_out) - down_in * bend
        drawn.append((f"H{tidy(x)}" if right_in else f"V{tidy(y)}") if drawn else f"M{tidy(x)} {tidy(y)}")
        if bend:
            over = (right_in * bend, down_in * bend, (right_in + right_out) * bend, (down_in + down_out) * bend)
            drawn.append(f"q{' '.join(str(tidy(part)) for part in over)}")
    return f"{''.join(drawn)}Z"
