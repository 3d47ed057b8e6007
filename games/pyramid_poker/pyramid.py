"""The triangle of spaces, and which spaces support which."""

from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Final

LEAST_BASE: Final = 8
MOST_BASE: Final = 12


@dataclass(frozen=True)
class Pyramid:
    """`rows` from the lowest; `below` and `above` are a space's neighbours; `cover` counts all spaces above it."""

    rows: tuple[tuple[str, ...], ...]
    below: dict[str, tuple[str, ...]]
    above: dict[str, tuple[str, ...]]
    cover: dict[str, int]


@cache
def pyramid_of(base: int) -> Pyramid:
    """Return the triangle with `base` spaces in row A."""
    rows = tuple(tuple(f"{ascii_uppercase[row]}{column}" for column in range(1, base - row + 1)) for row in range(base))
    below: dict[str, tuple[str, ...]] = {
        cell: rows[row - 1][column : column + 2] if row else ()
        for row in range(base)
        for column, cell in enumerate(rows[row])
    }
    above = {cell: tuple(upper for upper in below if cell in below[upper]) for cell in below}
    covering: dict[str, set[str]] = {}
    for cell in reversed(below):
        covering[cell] = set(above[cell]).union(*(covering[upper] for upper in above[cell]))
    return Pyramid(rows, below, above, {cell: len(upper) for cell, upper in covering.items()})
