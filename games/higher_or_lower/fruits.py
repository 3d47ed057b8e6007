"""Pictures of the five suits, which are fruits: reusable stamps, named by the suit's letter."""

from collections.abc import Iterator
from typing import Any

import svg

from games.drawing.elements import group, stamped, stamps
from games.drawing.shapes import circle, stroke
from games.drawing.themes import Theme
from games.higher_or_lower.pieces import SUITS

SIZE = 32
"""A stamp's width and height."""

_GRAPES = ((8, 13), (24, 13), (16, 14), (12, 20), (20, 20), (16, 26))
_APPLE = "M16 10C12 7 5 8 5 16C5 23 10 29 14 29C15 29 15 28 16 28C17 28 17 29 18 29C22 29 27 23 27 16C27 8 20 7 16 10Z"
_APPLE_HALF = "M16 10V28C17 28 17 29 18 29C22 29 27 23 27 16C27 8 20 7 16 10Z"
_STAR = "M16 8L18 12L22 12L19.5 15L21 19L16 17L11 19L12.5 15L10 12L14 12Z"
_LEAF = "M17 8Q19 2 26 4Q24 10 17 8Z"
_HALF_SPINES = "M16 3L19 7L23 5L24 9L28 10L26 14L30 17L26 20L28 24L24 25L23 29L19 27L16 31"
_SPINES = _HALF_SPINES + "L13 27L9 29L8 25L4 24L6 20L2 17L6 14L4 10L8 9L9 5L13 7Z"


def fruit_stamps(theme: Theme) -> svg.Defs:
    """Return definitions of the fruits, which `fruit` uses; needed once per page."""
    drawn = {"A": _apple, "B": _blueberry, "C": _clementine, "D": _durian, "E": _elderberry}
    return stamps(**{_name(suit): drawn[suit](theme) for suit in SUITS})


def fruit(suit: str, x: float, y: float, size: float) -> svg.Element:
    """Draw a suit's fruit, centred on x, y."""
    return group(stamped(_name(suit)), x=x - size / 2, y=y - size / 2, scale=round(size / SIZE, 3))


def _name(suit: str) -> str:
    return f"fruit-{suit.lower()}"


def _path(drawn: str, fill: str) -> svg.Element:
    shape: Any = drawn
    return svg.Path(d=shape, fill=fill)


def _apple(theme: Theme) -> Iterator[svg.Element]:
    yield _path(_APPLE, theme.fruit_a)
    yield _path(_APPLE_HALF, theme.fruit_a_deep)
    yield _path(_LEAF, theme.leaf)


def _blueberry(theme: Theme) -> Iterator[svg.Element]:
    yield circle(16, 17, 12, fill=theme.fruit_b)
    yield _path("M16 5A12 12 0 0 1 16 29Z", theme.fruit_b_deep)
    yield _path(_STAR, theme.on_bright)


def _clementine(theme: Theme) -> Iterator[svg.Element]:
    yield circle(16, 18, 11.5, fill=theme.fruit_c_deep)
    yield circle(16, 18, 9, fill=theme.fruit_c)
    for x, y in ((16, 10), (9, 14), (9, 22), (16, 26), (23, 22), (23, 14)):
        yield stroke(16, 18, x, y, line=theme.fruit_c_deep, thick=1.5)
    yield _path(_LEAF, theme.leaf)


def _durian(theme: Theme) -> Iterator[svg.Element]:
    yield _path(_SPINES, theme.fruit_d)
    yield _path(_HALF_SPINES + "Z", theme.fruit_d_deep)
    for x, y in ((12, 12), (19, 12), (15, 17), (10, 20), (20, 20)):
        yield stroke(x, y, x + 2, y + 3, line=theme.on_bright, thick=1.3)


def _elderberry(theme: Theme) -> Iterator[svg.Element]:
    for x, y in ((8, 12), (24, 12), (16, 13)):
        yield stroke(16, 4, x, y, line=theme.leaf, thick=1.6)
    for x, y in _GRAPES:
        yield circle(x, y, 4.2, fill=theme.fruit_e_deep)
        yield circle(x - 1, y - 1, 1.6, fill=theme.fruit_e)
