"""Colours as eyes meet them: contrast by WCAG 2, and how far apart they are to eyes that miss a cone."""

from itertools import combinations
from math import dist

Triple = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, at full severity, for linear RGB.
EYES: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    dark, light = sorted(_times(_XYZ, _linear(colour))[1] for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def least_distance(colours: list[str], eyes: str) -> float:
    """The smallest CIE76 distance between two of the colours."""
    colours_seen = [_lab(_times(EYES[eyes], _linear(colour))) for colour in colours]
    return min(dist(one, other) for one, other in combinations(colours_seen, 2))


def _linear(colour: str) -> Triple:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


def _lab(linear: Triple) -> Triple:
    clipped = tuple(min(1.0, max(0.0, channel)) for channel in linear)
    xyz = _times(_XYZ, clipped)
    fx, fy, fz = (_root(value / white) for value, white in zip(xyz, _WHITE, strict=True))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _root(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116


def _times(matrix: tuple[Triple, ...], vector: tuple[float, ...]) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three
