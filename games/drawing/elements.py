"""Elements of a board's picture: escaped and fitted text, cells that commands can name, and marks on cells."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Any, Final
from unicodedata import category, combining, east_asian_width

import svg

from games.drawing.inheritance import lightened
from games.drawing.themes import Theme

FONT: Final = "Inter, sans-serif"
FEW: Final = 8
"""The greatest number of targets that get the strong, dashed mark."""

_CAP_MIDDLE: Final = 0.36
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[] ")
_WIDE: Final = frozenset("mwMW@%")


def plain(words: str) -> str:
    """Return the text without characters that XML forbids, escaped for text and attributes."""
    return escape("".join(letter for letter in words if _in_xml(letter)), quote=True)


def _in_xml(letter: str) -> bool:
    code = ord(letter)
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code > 0xFFFF


def picture(
    title: str, width: float, height: float, elements: Iterable[svg.Element], theme: Theme, *, ground: str | None = ""
) -> str:
    """Return a whole `<svg>` that fills the available width; `title` is its accessible name.

    The background is the colour `ground`, the theme's `stage` if it is empty, or none if it is None.
    """
    stage = [svg.Rect(x=0, y=0, width=width, height=height, fill=ground or theme.stage)] if ground is not None else []
    lighter, common = lightened([*stage, *elements])
    whole = svg.SVG(
        viewBox=svg.ViewBoxSpec(0, 0, tidy(width), tidy(height)),
        width=svg.Length(100, "%"),
        elements=lighter,
        extra={"role": "group", "aria-label": plain(title), "font-family": FONT},
    )
    for name, value in common.items():
        setattr(whole, name, value)
    return whole.as_str()


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 14,
    fill: str,
    bold: bool = False,
    anchor: str = "middle",
    width: float | None = None,
) -> svg.Text:
    """Return text with its capitals centred on `y`, cut with an ellipsis if it is wider than `width`."""
    shown = words if width is None else fitted(words, size, width)
    return svg.Text(
        x=tidy(x),
        y=tidy(y + _CAP_MIDDLE * size),
        text=plain(shown),
        font_size=tidy(size),
        font_weight="700" if bold else "500",
        text_anchor=anchor,  # type: ignore[arg-type]
        fill=fill,
    )


def fitted(words: str, size: float, width: float) -> str:
    """Return the text, or as many letters of it as fit, followed by an ellipsis."""
    if width_of(words, size) <= width:
        return words
    shown = words
    while shown and width_of(f"{shown}…", size) > width:
        shown = shown[:-1]
    return f"{shown.rstrip()}…"


def width_of(words: str, size: float) -> float:
    """Return the estimated width of the text, rather too wide than too narrow."""
    return size * sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if combining(letter) or category(letter) == "Cf":
        return 0.0
    if letter in _NARROW:
        return 0.37
    if letter in _WIDE:
        return 1.0
    if east_asian_width(letter) in "WF":
        return 1.05
    return 0.71 if letter.isupper() or letter.isdigit() else 0.61


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str,
    line: str | None = None,
    thick: float = 1,
    radius: float = 6,
    dash: Sequence[float] = (),
) -> svg.Rect:
    """Return a rectangle with round corners."""
    return svg.Rect(
        x=tidy(x), y=tidy(y), width=tidy(width), height=tidy(height), rx=tidy(radius), fill=fill,
        stroke=line, stroke_width=thick if line else None, stroke_dasharray=list(dash) or None,
    )  # fmt: skip


def stamps(**drawn: Iterable[svg.Element]) -> svg.Defs:
    """Return definitions of elements that a picture uses repeatedly through `stamped`.

    Names are ids, unique on the whole page, so they include the game's name.
    """
    return svg.Defs(elements=[svg.G(id=name, elements=list(parts)) for name, parts in drawn.items()])


def stamped(name: str, x: float = 0, y: float = 0) -> svg.Use:
    """Return a use of a stamp with its origin at x, y."""
    return svg.Use(href=f"#{name}", x=tidy(x) or None, y=tidy(y) or None)


def group(*elements: svg.Element, x: float = 0, y: float = 0, scale: float = 1) -> svg.G:
    """Return the elements as a group, moved and scaled."""
    moves: list[svg.Transform] = []
    if x or y:
        moves.append(svg.Translate(tidy(x), tidy(y)))
    if scale != 1:
        moves.append(svg.Scale(scale))
    return svg.G(transform=moves or None, elements=list(elements))


def place(name: str, *elements: svg.Element) -> svg.G:
    """Return a place that animations move items to or from, and that no command can name."""
    return svg.G(elements=list(elements), extra={"data-place": plain(name)})


def cell(name: str, label: str, *elements: svg.Element, target: bool = False, place: str = "") -> svg.G:
    """Return a place that a command can name: `name` is its notation, `label` describes its content.

    The id is `cell-` and the name with hyphens for its spaces; a legal target is a button. `place` is the name that
    animations use, if it is another one.
    """
    extra = {"data-cell": plain(name), "aria-label": plain(f"{name}, {label}")}
    if place:
        extra["data-place"] = plain(place)
    extra |= {"role": "button", "tabindex": "0"} if target else {"role": "img"}
    return svg.G(
        id=f"cell-{plain(name.replace(' ', '-'))}",
        class_=["cell", "target"] if target else ["cell"],
        elements=list(elements),
        extra=extra,
    )


def target_mark(
    x: float, y: float, width: float, height: float, theme: Theme, targets: Collection[str], *, radius: float = 6
) -> list[svg.Element]:
    """Return the mark of a legal target: dashed if there are few of them, else dotted with a dot in its corner."""
    if len(targets) <= FEW:
        dashes = box(x, y, width, height, fill="none", line=theme.accent, thick=2.5, radius=radius, dash=(6, 4))
        return [box(x, y, width, height, fill="none", line=theme.stage, thick=3.5, radius=radius), dashes]
    dot = svg.Circle(cx=tidy(x + width - 8), cy=tidy(y + 8), r=3, fill=theme.accent)
    return [box(x, y, width, height, fill="none", line=theme.accent, thick=1.5, radius=radius, dash=(1.5, 3.5)), dot]


def last_ring(x: float, y: float, width: float, height: float, theme: Theme, *, radius: float = 6) -> svg.Element:
    """Return the ring around a cell that the last move touched."""
    return box(x - 2.5, y - 2.5, width + 5, height + 5, fill="none", line=theme.ink, thick=2, radius=radius + 2.5)


def seat_badge(x: float, y: float, letter: str, colour: str, theme: Theme, *, size: float = 22) -> list[svg.Element]:
    """Return a seat's letter on its colour, centred on x, y."""
    return [
        box(x - size / 2, y - size / 2, size, size, fill=colour, radius=size / 4),
        text(x, y, letter, size=size * 0.6, fill=theme.on_seat, bold=True),
    ]


def tidy(number: float) -> Any:
    """Round a coordinate to two decimals; return an int if it is whole."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded
