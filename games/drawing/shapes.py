"""Suits, arrows, signs and geometric shapes as paths, as a font may lack them."""

from math import cos, hypot, pi, sin
from typing import Any

import svg

from games.drawing.elements import tidy

_SUITS = {
    "S": "M0-10C2.6-6 9.4-2.4 9.4 3.2C9.4 7.2 4.2 8.4 1.4 4.9C1.6 7.4 2.4 8.9 4.2 10H-4.2C-2.4 8.9-1.6 7.4-1.4 4.9"
    "C-4.2 8.4-9.4 7.2-9.4 3.2C-9.4-2.4-2.6-6 0-10Z",
    "H": "M0 9.6C-2.4 5.6-9.6 1.6-9.6-4C-9.6-7.6-6.8-9.4-4.4-9.4C-2.2-9.4-.7-8 0-6.2C.7-8 2.2-9.4 4.4-9.4"
    "C6.8-9.4 9.6-7.6 9.6-4C9.6 1.6 2.4 5.6 0 9.6Z",
    "D": "M0-10.4C2-6.6 4.8-3 7.8 0C4.8 3 2 6.6 0 10.4C-2 6.6-4.8 3-7.8 0C-4.8-3-2-6.6 0-10.4Z",
    "C": "M0-10A4.4 4.4 0 0 1 3.5-2.9A4.5 4.5 0 1 1 1.4 4.7C1.6 7.3 2.5 8.9 4.2 10H-4.2C-2.5 8.9-1.6 7.3-1.4 4.7"
    "A4.5 4.5 0 1 1-3.5-2.9A4.4 4.4 0 0 1 0-10Z",
}
"""Paths by letter, with coordinates from -10 to 10."""

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def suit(letter: str, x: float, y: float, size: float, fill: str) -> svg.G:
    """Draw a suit by its letter S, H, D or C, centred on x, y; `size` is its height."""
    path = svg.Path(d=_SUITS[letter], fill=fill)  # type: ignore[arg-type]
    scale = round(size / 20, 3)
    return svg.G(transform=[svg.Translate(tidy(x), tidy(y)), svg.Scale(scale)], elements=[path])


def circle(x: float, y: float, radius: float, *, fill: str, line: str | None = None, thick: float = 1.5) -> svg.Element:
    return svg.Circle(
        cx=tidy(x), cy=tidy(y), r=tidy(radius), fill=fill, stroke=line, stroke_width=thick if line else None
    )


def polygon(
    sides: int,
    x: float,
    y: float,
    radius: float,
    *,
    fill: str,
    line: str | None = None,
    thick: float = 1.5,
    turn: float = 0,
) -> svg.Element:
    """Draw a regular polygon with a corner on top; `turn` rotates it clockwise, 1 being a full turn."""
    corners: list[Any] = []
    for corner in range(sides):
        angle = 2 * pi * (corner / sides + turn)
        corners += [tidy(x + radius * sin(angle)), tidy(y - radius * cos(angle))]
    return svg.Polygon(
        points=corners, fill=fill, stroke=line, stroke_width=thick if line else None, stroke_linejoin="round"
    )


def triangle(
    x: float, y: float, radius: float, *, fill: str, line: str | None = None, thick: float = 1.5
) -> svg.Element:
    """Draw a triangle on its base, visually centred on x, y."""
    return polygon(3, x, y + radius * 0.17, radius * 1.17, fill=fill, line=line, thick=thick)


def square(x: float, y: float, radius: float, *, fill: str, line: str | None = None, thick: float = 1.5) -> svg.Element:
    """Draw an upright square with about the area of a circle of this radius."""
    half = radius * 0.9
    return svg.Rect(
        x=tidy(x - half), y=tidy(y - half), width=tidy(2 * half), height=tidy(2 * half), rx=tidy(radius * 0.12),
        fill=fill, stroke=line, stroke_width=thick if line else None,
    )  # fmt: skip


def diamond(
    x: float, y: float, radius: float, *, fill: str, line: str | None = None, thick: float = 1.5
) -> svg.Element:
    """Draw a square on its corner."""
    return polygon(4, x, y, radius * 1.15, fill=fill, line=line, thick=thick)


def hexagon(
    x: float, y: float, radius: float, *, fill: str, line: str | None = None, thick: float = 1.5
) -> svg.Element:
    """Draw a hexagon with corners to the left and right."""
    return polygon(6, x, y, radius * 1.08, fill=fill, line=line, thick=thick, turn=1 / 12)


def arrow(
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    *,
    line: str,
    thick: float = 2,
    head: float = 8,
    dash: tuple[float, ...] = (),
) -> svg.G:
    """Draw a line from the first point with an arrowhead at the second one."""
    length = hypot(x2 - x1, y2 - y1) or 1
    along, across = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - along * head * 0.8, y2 - across * head * 0.8
    base_x, base_y, half = x2 - along * head, y2 - across * head, head * 0.5
    tip = [x2, y2, base_x - across * half, base_y + along * half, base_x + across * half, base_y - along * half]
    return svg.G(
        elements=[
            stroke(x1, y1, neck_x, neck_y, line=line, thick=thick, dash=dash),
            svg.Polygon(points=[tidy(number) for number in tip], fill=line),
        ]
    )


def stroke(
    x1: float, y1: float, x2: float, y2: float, *, line: str, thick: float = 2, dash: tuple[float, ...] = ()
) -> svg.Line:
    """Draw a straight line with round ends."""
    return svg.Line(
        x1=tidy(x1), y1=tidy(y1), x2=tidy(x2), y2=tidy(y2), stroke=line, stroke_width=thick,
        stroke_dasharray=list(dash) or None, stroke_linecap="round" if not dash else None,
    )  # fmt: skip


def plus(x: float, y: float, size: float, *, line: str, thick: float = 2) -> svg.G:
    half = size / 2
    return svg.G(
        elements=[
            stroke(x - half, y, x + half, y, line=line, thick=thick),
            stroke(x, y - half, x, y + half, line=line, thick=thick),
        ]
    )


def minus(x: float, y: float, size: float, *, line: str, thick: float = 2) -> svg.Line:
    return stroke(x - size / 2, y, x + size / 2, y, line=line, thick=thick)
