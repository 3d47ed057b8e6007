"""A spell as a tall card: its letter, name, sign, effect and targets."""

from collections.abc import Iterator
from typing import Final

import svg

from games.drawing.elements import group, text, width_of
from games.drawing.materials import slab
from games.drawing.shapes import stroke
from games.drawing.themes import Theme
from games.reality_benders.pieces import DOES, NAMES
from games.reality_benders.telling import aim_words

WIDE: Final = 150
HIGH: Final = 262

_SIGNS: Final = {
    "A": "M-16 0A16 16 0 1 0 16 0A16 16 0 1 0-16 0M-8-4H8M-8 4H8",
    "B": "M-19 0A6 6 0 1 0-7 0A6 6 0 1 0-19 0M7 0A6 6 0 1 0 19 0A6 6 0 1 0 7 0"
    "M-9-9Q0-17 8-10M8-16V-10H2M9 9Q0 17-8 10M-8 16V10H-2",
    "C": "M-5-16H14V9M-14-9H8V16H-14ZM-3-3V10M-9 3.5H3",
    "D": "M0 0C3-3 7 2 3 6C-3 11-10 4-7-3C-3-12 10-11 13-1C16 11 5 17-4 16C-13 15-17 7-16-1",
    "E": "M0-18L4-7L13-13L9-3L18 0L9 4L13 13L4 8L0 18L-4 8L-13 13L-9 4L-18 0L-9-3L-13-13L-4-7Z",
    "F": "M-18 0Q0-20 18 0Q0 20-18 0ZM-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0",
    "G": "M0-17L8-9L0 3L-8-9ZM-10 1L-3 8L-10 17L-17 8ZM10 1L17 8L10 17L3 8Z",
    "H": "M0-18C2-10 12-6 12 5A12 12 0 0 1-12 5C-12 0-8-3-7-8C-3-6-2-3-2 0C2-4 2-12 0-18Z",
    "I": "M-7 8C-14 2-13-16 0-16C13-16 14 2 7 8V12H-7ZM-4 17H4",
}
"""Paths by spell, with coordinates from -20 to 20."""


def sign(spell: str, x: float, y: float, colour: str, *, scale: float = 1) -> svg.G:
    """Draw the spell's sign, centred on x, y."""
    path = svg.Path(
        d=_SIGNS[spell],  # type: ignore[arg-type]
        fill="none", stroke=colour, stroke_width=2.2, stroke_linejoin="round", stroke_linecap="round",
    )  # fmt: skip
    return group(path, x=x, y=y, scale=scale)


def spell_card(
    x: float, y: float, seat: int, spell: str, targets: tuple[str, ...], bonus: bool, theme: Theme
) -> Iterator[svg.Element]:
    """Draw the card of a spell that a seat casts."""
    ink, middle = theme.on_brick, x + WIDE / 2
    yield from slab(x, y, WIDE, HIGH, fill=theme.brick, edge=theme.brick_deep, radius=12, deep=6)
    yield seat_bar(x, y, seat, theme)
    yield text(middle, y + 34, spell, size=34, fill=ink, bold=True)
    yield text(middle, y + 64, NAMES[spell], size=18, fill=ink, bold=True)
    yield sign(spell, middle, y + 101, ink)
    yield from paragraph(middle, y + 140, DOES[spell], 14, WIDE - 18, ink)
    aim = aim_words(spell, targets).strip()
    foot = ", ".join(filter(None, (f"{aim[:1].upper()}{aim[1:]}" if aim else "", "with the bonus" if bonus else "")))
    lines = wrapped(foot, 13, WIDE - 14)
    yield from paragraph(middle, y + HIGH - 4 - 16 * len(lines), foot, 13, WIDE - 14, ink, bold=True)


def seat_bar(x: float, y: float, seat: int, theme: Theme) -> svg.Element:
    """Draw the bar that shows the card's seat, by its side as well as by its colour."""
    at = x + 9 if seat == 0 else x + WIDE - 9
    return stroke(at, y + 18, at, y + 66, line=theme.seat(seat), thick=6)


def paragraph(
    x: float, y: float, words: str, size: float, wide: float, fill: str, *, bold: bool = False, anchor: str = "middle"
) -> Iterator[svg.Element]:
    """Draw text in as many lines as it needs, the first one centred on y."""
    for number, line in enumerate(wrapped(words, size, wide)):
        yield text(x, y + number * size * 1.25, line, size=size, fill=fill, bold=bold, anchor=anchor)


def wrapped(words: str, size: float, wide: float) -> list[str]:
    """Wrap the words into lines that fit."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size) * 0.9 <= wide:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
