"""The colours of portraits, and their contrast; computed with integers, so that all machines choose the same."""

from collections.abc import Callable, Sequence
from functools import cache
from math import isqrt
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

INK: Final = "#1d1a17"
BRASS: Final = "#e5b94a"
LINEN: Final = "#f4ece0"


class Skin(NamedTuple):
    """The colours of a face: lit half, shaded half, lips, lighter lids (or empty), and the line of the eyes."""

    light: str
    shade: str
    lips: str
    lid: str
    line: str


class Pair(NamedTuple):
    """A colour and a matching second one."""

    main: str
    second: str


SKINS: Final = (
    Skin("#f4dcc8", "#e0bb9f", "#b85c52", "", INK),
    Skin("#eac29e", "#cd9973", "#a84a40", "", INK),
    Skin("#dcab80", "#bb8659", "#983f30", "", INK),
    Skin("#c48f63", "#9d6943", "#86382c", "", INK),
    Skin("#96633f", "#714629", "#5f271f", "#b5825b", INK),
    Skin("#704830", "#51301d", "#47201a", "#9b6f52", "#150d09"),
    Skin("#5b3925", "#402719", "#3c1b12", "#93684d", "#120a07"),
)
DEEP: Final = 3
"""The index in SKINS from which hair is dark."""

DARK_HAIR: Final = ("#1b1618", "#241b1f", "#2b1b13", "#3c251b", "#55361f")
HAIR: Final = (*DARK_HAIR, "#6d4c2c", "#8b4c25", "#b5642c", "#d2ac60")
GREY: Final = ("#d9d4cb", "#beb7ad", "#918c86", "#e8e4dc")

GROUNDS: Final = (
    Pair("#9b1b3b", "#85152f"), Pair("#1f4a52", "#2c656d"), Pair("#d9b36a", "#cba455"), Pair("#b9c7d3", "#a8b9c8"),
    Pair("#7a8f57", "#6a7f49"), Pair("#e3b7a0", "#d5a289"), Pair("#5a2a45", "#6c3755"), Pair("#b5532a", "#c5653c"),
    Pair("#2b3a67", "#39497b"), Pair("#c9b79c", "#bda785"), Pair("#3f5b3a", "#53734b"), Pair("#e3d2ae", "#d6c293"),
    Pair("#7d8fa3", "#6b7d92"), Pair("#43202c", "#5a2d3b"), Pair("#d98a6a", "#cb7957"), Pair("#a8b8a0", "#97a88e"),
    Pair("#8fb0ad", "#7c9f9c"), Pair("#efe3cf", "#e2d2b6"),
)  # fmt: skip
CLOTHES: Final = (
    Pair("#6f0f28", "#b83456"), Pair("#23303f", "#47607a"), Pair("#d9a93a", "#f4d37a"), Pair("#2d4a3a", "#578a6c"),
    Pair("#2b3a67", "#8fa3d9"), Pair("#5a2a45", "#d98a9d"), Pair("#5b4a36", "#94795a"), Pair("#f4ece0", "#2b3a67"),
    Pair("#2a2623", "#5f5851"), Pair("#7c1430", "#e3a0b0"), Pair("#2f565e", "#6ba3ad"), Pair("#9a4a1e", "#e5a966"),
    Pair("#e8ddcb", "#9b1b3b"), Pair("#3b3550", "#8f83bd"), Pair("#b9563f", "#f0c9a4"), Pair("#55703f", "#cfd8a0"),
)  # fmt: skip


@cache
def distance(one: str, other: str) -> int:
    """Return the visual difference of two colours, about 0 to 765, by the "redmean" formula."""
    (r, g, b), (s, h, c) = _channels(one), _channels(other)
    mean = (r + s) // 2
    squared = ((512 + mean) * (r - s) ** 2 >> 8) + 4 * (g - h) ** 2 + ((767 - mean) * (b - c) ** 2 >> 8)
    return isqrt(squared)


def apart(choices: Sequence[Pair], *others: str, least: int) -> list[Pair]:
    """Return the pairs whose colours both differ from each of the others by `least`, or else the most different one."""
    return _apart(choices, lambda pair: min(_nearest(colour, others) for colour in pair), least)


def unlike(colours: Sequence[str], *others: str, least: int) -> list[str]:
    """Return the colours that differ from each of the others by `least`, or else the most different one."""
    return _apart(colours, lambda colour: _nearest(colour, others), least)


def _apart(choices: Sequence[T], nearest: Callable[[T], int], least: int) -> list[T]:
    return [choice for choice in choices if nearest(choice) >= least] or [max(choices, key=nearest)]


def _nearest(colour: str, others: Sequence[str]) -> int:
    return min(distance(colour, other) for other in others)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
