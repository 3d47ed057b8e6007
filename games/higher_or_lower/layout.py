"""The layout of the five boards: the spaces of each group, and the grey spaces."""

from functools import cache, lru_cache
from typing import NamedTuple

from games.higher_or_lower.pieces import (
    BOARDS,
    CODES,
    COLOUR_OF,
    DIRECTIONS,
    SHAPE_OF,
    SIDE,
    Boards,
    Direction,
    Shape,
)

Place = tuple[str, Shape]
"""The board and shape of a seat's group. Its colour is the seat's."""


class Layout(NamedTuple):
    """The groups of each colour, sorted, with their space indices: 0 in the north-west, row by row."""

    codes: dict[str, tuple[str, ...]]
    groups: dict[str, dict[Place, tuple[int, ...]]]
    greys: dict[str, tuple[int, ...]]


@lru_cache(maxsize=64)
def layout_of(boards: Boards) -> Layout:
    """Return the layout of five boards; cached."""
    codes = {board: tuple(code for row in getattr(boards, board) for code in row) for board in BOARDS}
    groups: dict[str, dict[Place, tuple[int, ...]]] = {colour: {} for colour in COLOUR_OF.values()}
    for board, spaces in codes.items():
        for code in sorted(CODES & set(spaces), key=lambda code: SHAPE_OF[code[1]]):
            places = tuple(i for i, other in enumerate(spaces) if other == code)
            groups[COLOUR_OF[code[0]]][board, SHAPE_OF[code[1]]] = places
    greys = {board: tuple(i for i in range(SIDE * SIDE) if codes[board][i][:1] == "g") for board in BOARDS}
    return Layout(codes, groups, greys)


@cache
def neighbour(space: int, direction: Direction) -> int | None:
    """Return the neighbour of a space, or None at the board's edge."""
    south, east = DIRECTIONS[direction]
    row, col = space // SIDE + south, space % SIDE + east
    return row * SIDE + col if 0 <= row < SIDE and 0 <= col < SIDE else None


NEIGHBOURS: tuple[dict[Direction, int], ...] = tuple(
    {way: beside for way in DIRECTIONS if (beside := neighbour(space, way)) is not None} for space in range(SIDE * SIDE)
)
"""The neighbours of each space, by direction."""
