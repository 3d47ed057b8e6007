"""Backgrounds of portraits: a plain colour with a pattern in a similar one."""

from collections.abc import Callable, Mapping
from typing import Final

from games.drawing.portraits.palette import Pair
from games.drawing.portraits.strokes import area, disc, line

_RAYS = (
    "M48 58 28-20h14zM48 58 56-20h14zM48 58 96-6l14 12zM48 58l70-20v15zM48 58l70 12v15zM48 58l70 46-8 14zM48 "
    "58l40 82H74z"
    "M48 58l8 82H41zM48 58 22 140H7zM48 58-14 118l-8-14zM48 58-22 85V70zM48 58-22 53V38zM48 58-14 6 0-6z"
)
_LOZENGES = "".join(
    f"M{x} {y}{'l9 12-9 12' * 6}{'l-9-12 9-12' * 6}z" for x, y in ((0, -12), (24, -12), (48, -12), (72, -12), (96, -12))
)
_CHEVRONS = "".join(
    f"m{x} {y} 54-32 54 32" for x, y in ((-6, 28), (-108, 24), (-108, 24), (-108, 24), (-108, 24), (-108, 24))
)
_BARS = "".join(f"M{x} 0v120" for x in (4, 26, 48, 70, 92))
_DOTS = "".join(f"M{x} {y}h108" for x, y in ((0, 6), (9, 20), (0, 34), (9, 48), (0, 62), (9, 76), (0, 90), (9, 104)))
_WAVES = "".join(f"M-6 {y}q9-10 18 0t18 0 18 0 18 0 18 0 18 0" for y in (10, 26, 42, 58, 74, 90, 106))
_STEPS = "M9 120V48a39 39 0 0 1 78 0v72M19 120V50a29 29 0 0 1 58 0v70"

PATTERNS: Final[Mapping[str, Callable[[str], str]]] = {
    "sun": lambda b: disc("48", "46", "37", b),
    "moon": lambda b: disc("67", "33", "25", b),
    "half": lambda b: area("M48 0h48v120H48z", b),
    "rays": lambda b: area(_RAYS, b),
    "lozenges": lambda b: area(_LOZENGES, b),
    "chevrons": lambda b: line(_CHEVRONS, b, "7", cap="butt"),
    "bars": lambda b: line(_BARS, b, "9", cap="butt"),
    "dots": lambda b: line(_DOTS, b, "5.5", dashes="0 18"),
    "waves": lambda b: line(_WAVES, b, "3.5"),
    "arches": lambda b: line(_STEPS, b, "3.5", cap="butt"),
}


def ground(pattern: str, colours: Pair) -> str:
    """Draw the background with its pattern."""
    return area("M0 0h96v120H0z", colours.main) + PATTERNS[pattern](colours.second)
