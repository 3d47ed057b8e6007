"""What hidden things are made of: a brick of clay, the back of a card. Never an empty box."""

from collections.abc import Iterator

import svg

from games.drawing.elements import box, tidy
from games.drawing.shapes import stroke
from games.drawing.themes import Theme


def clay(x: float, y: float, width: float, height: float, theme: Theme, *, radius: float = 6) -> list[svg.Element]:
    """A brick whose face is turned away."""
    middle_x, middle_y, reach = x + width / 2, y + height / 2, width * 0.16
    grain = (
        stroke(middle_x - reach, middle_y + at, middle_x + reach, middle_y + at, line=theme.brick_line, thick=2)
        for at in (-height * 0.16, 0, height * 0.16)
    )
    return [box(x, y, width, height, fill=theme.brick, line=theme.brick_line, thick=1.5, radius=radius), *grain]


def card_back(x: float, y: float, width: float, height: float, theme: Theme, *, radius: float = 5) -> list[svg.Element]:
    """The back of a card: a lattice inside a frame."""
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
    """Slanting lines both ways, cut off at the frame."""
    at = step
    while at < width + height:
        across, down = min(at, width), max(0.0, at - width)
        left, low = max(0.0, at - height), min(at, height)
        yield f"M{tidy(x + across)} {tidy(y + down)}L{tidy(x + left)} {tidy(y + low)}"
        yield f"M{tidy(x + width - across)} {tidy(y + down)}L{tidy(x + width - left)} {tidy(y + low)}"
        at += step
