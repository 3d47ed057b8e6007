"""The material: the kinds of card, the shapes of the pieces, and positions on a board."""

import re
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

Rotation = Literal[0, 90, 180, 270]
Offsets = tuple[tuple[int, int], ...]

SHAPES: Final[dict[str, Offsets]] = {
    "domino": ((0, 0), (0, 1)),
    "line3": ((0, 0), (0, 1), (0, 2)),
    "corner3": ((0, 0), (1, 0), (1, 1)),
    "line4": ((0, 0), (0, 1), (0, 2), (0, 3)),
    "tee4": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "skew4": ((0, 1), (0, 2), (1, 0), (1, 1)),
    "ell4": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "square4": ((0, 0), (0, 1), (1, 0), (1, 1)),
    "pent_p": ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)),
    "pent_v": ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)),
}
"""The unturned shape of each piece, as (row, column) offsets from the top left of its box."""

COINS: Final = {"coins2": 2, "coins3": 3, "coins4": 4}
"""The values of the default deck's coin cards; another deck may have any from `coins1` to `coins20`."""

SPECIALS: Final = ("bite", "seconds", "slip", "graft", "regrow", "tumble")

AIMED: Final = ("slip", "graft", "regrow")
"""The specials whose target is a card."""

KINDS: Final = (*SHAPES, *COINS, *SPECIALS)

UPGRADES: Final = {"income": 2, "reach": 2, "haggle": 1}
"""The default number of times that a seat may buy each upgrade."""

ITEMS: Final = (*KINDS, *UPGRADES)
"""Everything that a shop can sell."""

_COIN_CARD: Final = re.compile("coins([1-9]|1[0-9]|20)")

ROTATIONS: Final[tuple[Rotation, ...]] = (0, 90, 180, 270)


class Space(Struct, frozen=True, order=True):
    """A space of a board: row 1 is the top one, column 1 the left one."""

    row: int
    col: int


class Placement(Struct, frozen=True):
    """A piece's position: mirrored left to right if `flip`, then turned clockwise, its top left at row, col."""

    row: int
    col: int
    rotation: Rotation = 0
    flip: bool = False


@lru_cache(maxsize=4096)
def kind_of(card: str) -> str:
    """Convert `domino#2` to `domino`."""
    return card.partition("#")[0]


@lru_cache(maxsize=1024)
def coins_of(kind: str) -> int:
    """Return the value of a coin card, 1 to 20, or 0 for another kind of card."""
    match = _COIN_CARD.fullmatch(kind)
    return int(match[1]) if match else 0


def is_piece(kind: str) -> bool:
    """True if a card of this kind is a piece, the game's or the organiser's own."""
    return kind not in SPECIALS and kind not in UPGRADES and not coins_of(kind)


def space_name(row: int, col: int) -> str:
    """Return the name of a space: row 4, column 2 -> `b4`."""
    return f"{chr(96 + col)}{row}" if 1 <= col <= 26 else f"column {col} of row {row}"


@lru_cache(maxsize=4096)
def turned(shape: Offsets, rotation: int, flip: bool) -> Offsets:
    """Return the sorted offsets of a piece after flipping and turning. R6"""
    if flip:
        width = max(col for _, col in shape)
        shape = tuple((row, width - col) for row, col in shape)
    for _ in range(rotation // 90):
        height = max(row for row, _ in shape)
        shape = tuple((col, height - row) for row, col in shape)
    return tuple(sorted(shape))
