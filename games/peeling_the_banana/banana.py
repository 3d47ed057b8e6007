"""A banana sheet: its spaces, and all positions of the pieces on it, computed once per sheet."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.peeling_the_banana.pieces import ROTATIONS, SHAPES, Offsets, Placement, Rotation, Space, turned

OUTSIDE: Final = "."
EMPTY: Final = "#"
FILLED: Final = "o"

Rows = tuple[str, ...]
Own = tuple[tuple[str, Offsets], ...]
"""The organiser's own pieces, as pairs of kind and shape."""


@dataclass(frozen=True)
class Lie:
    """A position of a piece on the sheet: its placement, and the covered spaces, sorted and as bits."""

    placement: Placement
    cells: tuple[Space, ...]
    mask: int


class Banana:
    """A sheet, with the game's pieces and `own` ones. Bit (row - 1) * width + col - 1 of a mask is a space."""

    def __init__(self, rows: Rows, own: Own = ()) -> None:
        self._shapes = {**SHAPES, **dict(own)}
        self._lies: dict[str, dict[Placement, Lie]] = {}
        self._distinct: dict[str, tuple[Lie, ...]] = {}
        self.rows = rows
        self.height, self.width = len(rows), len(rows[0])
        self.mask = self.bits_of(rows, EMPTY)
        self._first_column = sum(1 << row * self.width for row in range(self.height))
        self._last_column = self._first_column << (self.width - 1)
        self.spaces = tuple(
            Space(r, c) for r, row in enumerate(rows, 1) for c, mark in enumerate(row, 1) if mark != OUTSIDE
        )

    def bit(self, space: Space) -> int:
        """Return the bit of a space."""
        return 1 << (space.row - 1) * self.width + space.col - 1

    def around(self, bits: int) -> int:
        """Return the banana spaces beside any of these."""
        beside = (bits << self.width) | (bits >> self.width)
        beside |= ((bits & ~self._last_column) << 1) | ((bits & ~self._first_column) >> 1)
        return beside & self.mask

    @staticmethod
    def bits_of(rows: Rows, mark: str) -> int:
        """Return the spaces with a mark, as bits."""
        return sum(1 << i for i, other in enumerate("".join(rows)) if other == mark)

    def lies(self, kind: str) -> dict[Placement, Lie]:
        """Return every position of a piece that is fully on the banana, by placement. R6"""
        if kind not in self._lies:
            self._lies[kind] = {
                lie.placement: lie
                for flip in (False, True)
                for rotation in ROTATIONS
                for lie in self._lies_turned(self._shapes[kind], rotation, flip)
            }
        return self._lies[kind]

    def distinct(self, kind: str) -> tuple[Lie, ...]:
        """Return one position of a piece for each set of spaces: the unflipped, least turned one. R7"""
        if kind not in self._distinct:
            self._distinct[kind] = _one_for_each_mask(self.lies(kind))
        return self._distinct[kind]

    def placements(self, kind: str) -> tuple[Placement, ...]:
        """Return the placements of the distinct positions."""
        return tuple(lie.placement for lie in self.distinct(kind))

    def _lies_turned(self, shape: Offsets, rotation: Rotation, flip: bool) -> list[Lie]:
        offsets = turned(shape, rotation, flip)
        lies = []
        for row in range(1, self.height + 1):
            for col in range(1, self.width + 1):
                cells = tuple([Space(row + down, col + right) for down, right in offsets])
                if all(cell.row <= self.height and cell.col <= self.width for cell in cells):
                    mask = sum(map(self.bit, cells))
                    if mask & self.mask == mask:
                        lies.append(Lie(Placement(row, col, rotation, flip), cells, mask))
        return lies


def _one_for_each_mask(lies: dict[Placement, Lie]) -> tuple[Lie, ...]:
    first: dict[int, Lie] = {}
    for lie in lies.values():
        first.setdefault(lie.mask, lie)
    return tuple(first.values())


@lru_cache(maxsize=64)
def banana(rows: Rows, own: Own = ()) -> Banana:
    """Return the sheet of an empty board; cached."""
    return Banana(rows, own)
