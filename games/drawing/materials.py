"""Drawings of hidden items: the back of a brick, the back of a card."""

from collections.abc import Iterator

import svg

from games.drawing.elements import box, tidy
from games.drawing.shapes import stroke
from games.drawing.themes import Theme


def slab(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str,
    edge: str,
    line: str | None = None,
    thick: float = 1,
    radius: float = 6,
    deep: float = 4,
) -> list[svg.Element]:
    """Draw a flat item with `deep` units of its darker edge at the bottom, within the height."""
    return [
        box(x, y + deep, width, height - deep, fill=edge, radius=radius),
        box(x, y, width, height - deep, fill=fill, line=line, thick=thick, radius=radius),
    ]


def well(x: float, y: float, width: float, height: float, theme: Theme, *, radius: float = 6) -> list[svg.Element]:
    """Draw an empty place."""
    lip = stroke(x + radius, y + 1.5, x + width - radius, y + 1.5, line=theme.cell_line, thick=1.5)
    return [box(x, y, width, height, fill=theme.well, radius=radius), lip]


def clay(x: float, y: float, width: float, height: float, theme: Theme, *, radius: float = 6) -> list[svg.Element]:
    """Draw the back of a brick, with a gem on it."""
    size = min(width, height) * 0.42
    gem = _gem(x + width / 2, y + (height - 4) / 2, size, theme.brick_line)
    return [*slab(x, y, width, height, fill=theme.brick, edge=theme.brick_deep, radius=radius), gem]


def _gem(x: float, y: float, size: float, line: str) -> svg.Element:
    left, inner, middle, outer, right = (tidy(x + size * part) for part in (-0.5, -0.25, 0, 0.25, 0.5))
    top, belt, foot = (tidy(y + size * part) for part in (-0.5, -0.28, 0.5))
    outline = f"M{inner} {top}H{outer}L{right} {belt}L{middle} {foot}L{left} {belt}Z"
    facets = f"M{left} {belt}H{right}M{inner} {belt}L{middle} {foot}L{outer} {belt}L{middle} {top}L{inner} {belt}"
    return svg.Path(
        d=outline + facets,  # type: ignore[arg-type]
        fill="none", stroke=line, stroke_width=1.2, stroke_linejoin="round",
    )  # fmt: skip


def card_back(x: float, y: float, width: float, height: float, theme: Theme, *, radius: float = 5) -> list[svg.Element]:
    """Draw the back of a card: a lattice inside a frame."""
    inner_x, inner_y, inner_width, inner_height = x + 3, y + 3, width - 6, height - 6
    lattice = svg.Path(
        d="".join(_lattice(inner_x, inner_y, inner_width, inner_height)),  # type: ignore[arg-type]
        fill="none", stroke=theme.card_back_line, stroke_width=1,
    )  # fmt: skip
    frame = box(
        inner_x, inner_y, inner_width, inner_height,
        fill="none", line=theme.card_back_line, radius=max(1, radius - 2),
    )  # fmt: skip
    return [box(x, y, width, height, fill=theme.card_back, radius=radius), lattice, frame]


def _lattice(x: float, y: float, width: float, height: float, step: float = 7) -> Iterator[str]:
    """Yield the paths of diagonal lines in both directions, clipped at the frame."""
    at = step
    while at < width + height:
        across, down = min(at, width), max(0.0, at - width)
        left, low = max(0.0, at - height), min(at, height)
        yield f"M{tidy(x + across)} {tidy(y + down)}L{tidy(x + left)} {tidy(y + low)}"
        yield f"M{tidy(x + width - across)} {tidy(y + down)}L{tidy(x + width - left)} {tidy(y + low)}"
        at += step
