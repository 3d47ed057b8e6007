"""Colours, cards and workers as they are drawn: each told by its shape, letter and line as well as by its colour."""

from collections.abc import Iterator
from typing import Any, Final

import svg

from games.drawing.elements import box, text
from games.drawing.shapes import arrow, circle, diamond, hexagon, minus, pawn, plus, square, stroke, triangle
from games.drawing.themes import SEAT_LETTERS, Theme
from games.pentagram.pieces import COLOURS, FACES, LETTERS, Card, Colour

WIDE: Final = 100
HIGH: Final = 86
"""A card's size."""


def chip(colour: Colour, x: float, y: float, radius: float, theme: Theme) -> svg.G:
    """A colour's own shape with its letter."""
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
    """A colour's paint."""
    fill: str = getattr(theme, f"c_{colour}")
    return fill


def card_face(card: Card, x: float, y: float, theme: Theme) -> Iterator[svg.Element]:
    """Solid with an arrow where it feeds, dashed with a bar where it drains."""
    face = FACES[card]
    line = theme.feed if face.adds else theme.drain
    middle, across = x + WIDE / 2, y + 40
    yield box(x, y, WIDE, HIGH, fill=theme.cell, line=line, thick=2, radius=8, dash=() if face.adds else (7, 4))
    sign = plus if face.adds else minus
    yield sign(middle - 33, y + 13, 9, line=line, thick=2.4)
    yield text(middle + 6, y + 13, "feeds" if face.adds else "drains", size=15, fill=line, bold=True)
    yield chip(COLOURS[face.source], x + 21, across, 14, theme)
    yield chip(COLOURS[face.target], x + WIDE - 21, across, 14, theme)
    if face.adds:
        yield arrow(middle - 11, across, middle + 12, across, line=line, thick=2.5, head=9)
    else:
        yield stroke(middle - 11, across, middle + 9, across, line=line, thick=2.5)
        yield stroke(middle + 10, across - 7, middle + 10, across + 7, line=line, thick=3)


def worker(seat: int, count: str, x: float, y: float, theme: Theme, *, size: float = 28) -> Iterator[svg.Element]:
    """A seat's worker, its foot at x, y, with its letter and how many stand there."""
    yield pawn(x, y, size, fill=theme.seat(seat), line=theme.stage)
    letter = SEAT_LETTERS[seat]
    yield text(x, y - size * 0.2, letter, size=size * 0.46, fill=theme.on_seat, bold=True)
    if count:
        yield text(x + size * 0.42, y - size * 0.62, count, size=size * 0.5, fill=theme.ink, bold=True, anchor="start")
