"""Drawings of colours, cards and workers. Each has a shape, letter or line of its own besides its colour."""

from collections.abc import Iterator
from typing import Any, Final

import svg

from games.drawing.elements import box, text, tidy
from games.drawing.materials import slab
from games.drawing.shapes import arrow, circle, diamond, hexagon, minus, plus, square, stroke, triangle
from games.drawing.themes import SEAT_LETTERS, Theme
from games.pentagram.pieces import COLOURS, FACES, LETTERS, Card, Colour

WIDE: Final = 106
HIGH: Final = 84
"""A card's size."""


def chip(colour: Colour, x: float, y: float, radius: float, theme: Theme) -> svg.G:
    """Draw a colour's shape with its letter."""
    shape: Any = {"orange": diamond, "yellow": circle, "black": square, "purple": triangle, "blue": hexagon}[colour]
    ink = theme.on_deep if colour in ("black", "purple") else theme.on_bright
    lower = radius * 0.24 if colour == "purple" else 0
    return svg.G(
        elements=[
            shape(x, y, radius, fill=fill_of(colour, theme), line=theme.edge, thick=1),
            text(x, y + lower, LETTERS[colour], size=radius * (0.92 if lower else 1.08), fill=ink, bold=True),
        ]
    )


def fill_of(colour: Colour, theme: Theme) -> str:
    """Return the theme's value of a colour."""
    fill: str = getattr(theme, f"c_{colour}")
    return fill


def card_face(card: Card, x: float, y: float, theme: Theme, *, word: bool = True) -> Iterator[svg.Element]:
    """Draw a card: solid with an arrow and a plus if it feeds, dashed with a bar and a minus if it drains.

    Without the `word` there is space for workers at its foot.
    """
    face = FACES[card]
    line = theme.feed if face.adds else theme.drain
    yield from slab(x, y, WIDE, HIGH, fill=theme.card, edge=theme.card_deep, radius=9)
    dash = () if face.adds else (7, 4)
    yield box(x + 1, y + 1, WIDE - 2, HIGH - 6, fill="none", line=line, thick=2, radius=8, dash=dash)
    across, left, right = y + 25, x + 24, x + WIDE - 24
    yield chip(COLOURS[face.source], left, across, 16, theme)
    yield chip(COLOURS[face.target], right, across, 16, theme)
    if face.adds:
        yield arrow(left + 20, across, right - 19, across, line=line, thick=3, head=10)
    else:
        yield stroke(left + 20, across, right - 23, across, line=line, thick=3)
        yield stroke(right - 22, across - 8, right - 22, across + 8, line=line, thick=3)
    sign = plus if face.adds else minus
    yield sign(x + 19, y + 61, 12, line=line, thick=3)
    if word:
        does = "feeds" if face.adds else "drains"
        yield text(x + 32, y + 61, does, size=20, fill=line, bold=True, anchor="start")


def worker(seat: int, count: str, x: float, y: float, theme: Theme, *, size: float = 28) -> Iterator[svg.Element]:
    """Draw a seat's worker with its foot at x, y, with its letter and the number of workers there."""
    half, top = size * 0.42, y - size * 0.96
    outline = f"M{tidy(x - half)} {tidy(y)}V{tidy(top + half)}A{tidy(half)} {tidy(half)} 0 0 1 {tidy(x + half)}"
    outline += f" {tidy(top + half)}V{tidy(y)}Z"
    yield svg.Path(d=outline, fill=theme.seat(seat), stroke=theme.card, stroke_width=1.5)  # type: ignore[arg-type]
    yield text(x, y - size * 0.4, SEAT_LETTERS[seat], size=size * 0.56, fill=theme.on_seat, bold=True)
    if count:
        yield text(x + size * 0.48, y - size * 0.4, count, size=size * 0.56, fill=theme.ink, bold=True, anchor="start")
