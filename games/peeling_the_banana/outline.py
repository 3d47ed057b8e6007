"""The outline of connected spaces, as one path with round corners."""

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
"""The sides of a space, clockwise: the neighbour beyond the side, its first corner, its direction."""


def outline(spaces: Collection[Position], size: float, *, grow: float = 0, bend: float = 0) -> str:
    """Return the `d` of a path around the spaces, space 0, 0 at the top left.

    `grow` moves the path outwards, `bend` is the radius of its corners.
    """
    return "".join(_path(loop, size, grow, bend) for loop in _loops(set(spaces)))


def seams(spaces: Collection[Position], size: float) -> str:
    """Return the `d` of short lines between neighbouring spaces."""
    inner, unique = 0.3 * size, set(spaces)
    strokes = []
    for row, col in sorted(unique):
        x, y = col * size, row * size
        if (row, col + 1) in unique:
            strokes.append(f"M{tidy(x + size)} {tidy(y + inner)}v{tidy(size - 2 * inner)}")
        if (row + 1, col) in unique:
            strokes.append(f"M{tidy(x + inner)} {tidy(y + size)}h{tidy(size - 2 * inner)}")
    return "".join(strokes)


def _loops(spaces: set[Position]) -> Iterator[list[tuple[Position, _Step, _Step]]]:
    """Yield each closed loop as its corners with the directions before and after.

    Spaces that touch only at a corner have separate loops.
    """
    sides: dict[Position, list[_Step]] = {}
    for row, col in sorted(spaces):
        for (down, right), (top, left), way in _SIDES:
            if (row + down, col + right) not in spaces:
                sides.setdefault((row + top, col + left), []).append(way)
    while sides:
        yield _loop(sides)


def _loop(sides: dict[Position, list[_Step]]) -> list[tuple[Position, _Step, _Step]]:
    """Return the corners of one loop, and remove its sides."""
    start = at = next(iter(sides))
    first = way = sides[at][0]
    corners = []
    while True:
        _remove(sides, at, way)
        at = (at[0] + way[0], at[1] + way[1])
        onward, right = sides.get(at, []), (way[1], -way[0])
        if at == start and right not in onward:
            break
        # If two sides begin here, the one to the right belongs to the same space.
        ahead = right if right in onward else onward[0]
        if ahead != way:
            corners.append((at, way, ahead))
        way = ahead
    return [*corners, (at, way, first)] if way != first else corners


def _remove(sides: dict[Position, list[_Step]], at: Position, way: _Step) -> None:
    sides[at].remove(way)
    if not sides[at]:
        del sides[at]


def _path(corners: list[tuple[Position, _Step, _Step]], size: float, grow: float, bend: float) -> str:
    drawn: list[str] = []
    for (row, col), (down_in, right_in), (down_out, right_out) in corners:
        # The outside is to the left of the direction: for (down, right) that is (-right, down).
        x = col * size + grow * (down_in + down_out) - right_in * bend
        y = row * size - grow * (right_in + right_out) - down_in * bend
        drawn.append((f"H{tidy(x)}" if right_in else f"V{tidy(y)}") if drawn else f"M{tidy(x)} {tidy(y)}")
        if bend:
            over = (right_in * bend, down_in * bend, (right_in + right_out) * bend, (down_in + down_out) * bend)
            drawn.append(f"q{' '.join(str(tidy(part)) for part in over)}")
    return f"{''.join(drawn)}Z"
