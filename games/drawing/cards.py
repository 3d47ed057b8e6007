"""Preview pictures for links in chats, 1200 by 630, in the `HOUSE` theme: a card with text, portraits and drawings."""

from typing import Final
from xml.etree.ElementTree import fromstring, register_namespace, tostring

from games.drawing import glyphs
from games.drawing.elements import FONT, plain, tidy
from games.drawing.themes import HOUSE

WIDE: Final = 1200
HIGH: Final = 630
FOOT: Final = HIGH - 18
"""The lower edge of the inlay, on which portraits stand."""

_SVG: Final = "http://www.w3.org/2000/svg"
_TIGHT: Final = 0.045
"""The reduction of letter spacing for large text, as a fraction of the font size."""
_LARGE: Final = 40
_DEFS: Final = (
    '<defs><clipPath id="arch"><path d="M0 120V48a48 48 0 0 1 96 0v72z"/></clipPath>'
    '<filter id="out"><feColorMatrix values=".2 .35 .1 0 .02 .2 .35 .1 0 .02 .2 .35 .1 0 .02 0 0 0 1 0"/></filter>'
    "</defs>"
)

register_namespace("", _SVG)


def card(title: str, *parts: str) -> str:
    """Return the whole picture; `title` is its accessible name."""
    inlay = (
        f'<rect x="18.5" y="18.5" width="{WIDE - 37}" height="{HIGH - 37}" rx="10" fill="none" '
        f'stroke="{HOUSE.brass}" stroke-opacity=".55"/>'
    )
    return (
        f'<svg xmlns="{_SVG}" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" '
        f'aria-label="{plain(title)}" font-family="{FONT}" color="{HOUSE.muted}">{_DEFS}'
        f'<rect width="{WIDE}" height="{HIGH}" fill="{HOUSE.stage}"/>{"".join(parts)}{inlay}</svg>'
    )


def words(
    x: float, y: float, text: str, size: float, fill: str = HOUSE.ink, *, bold: bool = False, anchor: str = "start",
    width: float | None = None,
) -> str:  # fmt: skip
    """Return a line of text on the baseline `y`, cut with an ellipsis if it is wider than `width`."""
    shown = text if width is None else _cut(text, size, width, bold)
    tight = f' letter-spacing="{tidy(-_TIGHT * size)}"' if size >= _LARGE else ""
    return (
        f'<text x="{tidy(x)}" y="{tidy(y)}" font-size="{tidy(size)}" font-weight="{700 if bold else 500}" '
        f'text-anchor="{anchor}" fill="{fill}"{tight}>{plain(shown)}</text>'
    )


def fitting(text: str, largest: float, least: float, width: float) -> float:
    """Return the largest font size, from `largest` down to `least`, at which the bold text fits into `width`.

    At `least` the text may still be too wide; the caller cuts it.
    """
    size = largest
    while size > least and wide(text, size, bold=True) > width:
        size -= 1
    return max(least, size)


def lines(text: str, size: float, width: float, most: int) -> list[str]:
    """Wrap the text into at most `most` lines of this width; cut the rest with an ellipsis."""
    wrapped: list[str] = []
    rest = text.split()
    while rest and len(wrapped) < most:
        taken = 1
        while taken < len(rest) and wide(" ".join(rest[: taken + 1]), size) <= width:
            taken += 1
        wrapped.append(_cut(" ".join(rest if len(wrapped) == most - 1 else rest[:taken]), size, width, False))
        rest = rest[taken:]
    return wrapped


def wide(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line."""
    tight = _TIGHT * len(text) if size >= _LARGE else 0
    return size * (glyphs.wide(text, bold=bold) - tight)


def _cut(text: str, size: float, width: float, bold: bool) -> str:
    """Return the text, or as many letters of it as fit, followed by an ellipsis."""
    if wide(text, size, bold=bold) <= width:
        return text
    shown = text
    while shown and wide(f"{shown}…", size, bold=bold) > width:
        shown = shown[:-1]
    return f"{shown.rstrip()}…"


def face(portrait: str, x: float, y: float, width: float, *, is_out: bool = False, ring: bool = False) -> str:
    """Return a portrait in an arch, 4 by 5: grey for an eliminated player, with a golden ring for a winner."""
    inner = portrait[portrait.index(">") + 1 : portrait.rindex("</svg>")]
    scale, radius = width / 96, width / 2
    filtered = ' filter="url(#out)"' if is_out else ""
    drawn = (
        f'<g transform="translate({tidy(x)} {tidy(y)}) scale({round(scale, 4)})"{filtered}>'
        f'<g clip-path="url(#arch)">{inner}</g></g>'
    )
    if not ring:
        return drawn
    gap, high = width * 0.026 + 2, width * 1.25
    outer, left = radius + gap, x - gap
    path = f"M{tidy(left)} {tidy(y + high)}V{tidy(y + radius)}a{tidy(outer)} {tidy(outer)} 0 0 1 {tidy(2 * outer)} 0V"
    return f'<path d="{path}{tidy(y + high)}" fill="none" stroke="{HOUSE.gold}" stroke-width="4"/>{drawn}'


def inset(drawn: str, x: float, y: float, width: float, height: float, *, align: str = "xMinYMid") -> str:
    """Return another drawing, with resolved colours, scaled to fit into this box."""
    root = fromstring(drawn)  # noqa: S314 (our own picture)
    root.attrib |= {
        "x": str(tidy(x)), "y": str(tidy(y)), "width": str(tidy(width)), "height": str(tidy(height)),
        "preserveAspectRatio": f"{align} meet",
    }  # fmt: skip
    return tostring(root, encoding="unicode")


def signed(x: float, y: float) -> str:
    """Return the product's logo and name on a baseline."""
    gem = "M9 0 18 6.5 9 20 0 6.5Z"
    return (
        f'<path transform="translate({tidy(x)} {tidy(y - 17)})" d="{gem}" fill="{HOUSE.accent}"/>'
        f"{words(x + 28, y, 'Croupier', 20, bold=True)}"
    )
