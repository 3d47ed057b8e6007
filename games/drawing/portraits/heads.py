"""Heads without hair: closed eyes, brows, nose, mouth, ears, signs of age, beards, glasses."""

from typing import Final

from games.drawing.portraits.palette import BRASS, INK, Skin
from games.drawing.portraits.strokes import area, discs, line

HEADS: Final = {
    "oval": (
        "M31 50c0-12 7-20 17-20s17 8 17 20v8c0 13-8.5 21.5-17 21.5S31 71 31 58z",
        "M48 30c10 0 17 8 17 20v8c0 13-8.5 21.5-17 21.5z",
    ),
    "round": (
        "M29.5 51c0-13 8-21 18.5-21s18.5 8 18.5 21v6c0 13-9 21-18.5 21s-18.5-8-18.5-21z",
        "M48 30c10.5 0 18.5 8 18.5 21v6c0 13-9 21-18.5 21z",
    ),
    "square": (
        "M31 49c0-12 7-19 17-19s17 7 17 19v13c0 6-3.5 11-8 14.5q-4 2.5-9 2.5t-9-2.5c-4.5-3.5-8-8.5-8-14.5z",
        "M48 30c10 0 17 7 17 19v13c0 6-3.5 11-8 14.5q-4 2.5-9 2.5z",
    ),
    "heart": (
        "M30.5 49c0-12 7-19 17.5-19s17.5 7 17.5 19c0 11-3.5 18-9 25q-4 5.5-8.5 5.5t-8.5-5.5c-5.5-7-9-14-9-25z",
        "M48 30c10.5 0 17.5 7 17.5 19 0 11-3.5 18-9 25q-4 5.5-8.5 5.5z",
    ),
    "long": (
        "M32 48c0-11 6.5-18 16-18s16 7 16 18v14c0 12-7.5 19-16 19s-16-7-16-19z",
        "M48 30c9.5 0 16 7 16 18v14c0 12-7.5 19-16 19z",
    ),
}
"""Paths of each whole head and of its shaded right half."""

EYES: Final = {
    "calm": "M36 54.5q4 3.4 8 0M52 54.5q4 3.4 8 0",
    "lashes": "M36 54.5q4 3.4 8 0M52 54.5q4 3.4 8 0M36.3 55l-2.3 1M59.7 55l2.3 1",
    "smiling": "M36 56.5q4-3.6 8 0M52 56.5q4-3.6 8 0",
    "level": "M36 55.5q4 1.2 8 0M52 55.5q4 1.2 8 0",
}
BROWS: Final = (
    "M35.5 48.5q4-2.6 8.5-.8M52 47.7q4.5-1.8 8.5.8",
    "M35.5 48.3q4.5-1.5 8.5 0M52 48.3q4-1.5 8.5 0",
    "M36 49.5q3-3.2 8-2.5M52 47q5-.7 8 2.5",
    "M35.5 47.5q4.5-1 8.5 1M52 48.5q4-2 8.5-1",
)
NOSES: Final = (
    "M48 53v10.5l-4 1.5",
    "M48 53v9.5q-4.5 1-3.5 3.4 1.5 1 3.5.6",
    "M48 54v9q-3 2.8-4.5 1.5 2 2.6 6.5 1.2",
    "M48 55.5v7.5q-3.5.5-3.2 2.6",
)
_MOUTHS: Final = (
    (False, "M43.5 71.5q4.5 2 9 0"),
    (False, "M42.5 70.5q5.5 4 11 0"),
    (True, "M42.5 71.5q2.8-2.4 5.5-1.2 2.7-1.2 5.5 1.2-5.5 4.8-11 0z"),
    (False, "M44 71.8h8"),
    (False, "M43.5 71.8q5.5 1.2 9.5-1.8"),
    (True, "M43 70.5q5 1.4 10 0-1.5 4.5-5 4.5t-5-4.5z"),
)
MOUTHS: Final = range(len(_MOUTHS))

_FRECKLES: Final = tuple((x, y, ".8") for x, y in (
    ("37", "61"), ("40", "62.5"), ("42.5", "60.5"), ("53.5", "60.5"), ("56", "62.5"), ("59", "61"),
))  # fmt: skip
_WRINKLES: Final = "M37 59.5q3 1.6 6 .6M53 60.1q3 1 6-.6M41 67.5q-2 2.5-1.6 5M55 67.5q2 2.5 1.6 5M41 41q7-1.6 14 0"


def head(shape: str, skin: Skin, *, ears: bool) -> str:
    """Draw the head without features, lit from the left."""
    full, half = HEADS[shape]
    drawn_ears = (
        f'<ellipse cx="30.5" cy="57.5" rx="3.2" ry="4.8" fill="{skin.light}"/>'
        f'<ellipse cx="65.5" cy="57.5" rx="3.2" ry="4.8" fill="{skin.shade}"/>'
        if ears
        else ""
    )
    return drawn_ears + area(full, skin.light) + area(half, skin.shade)


def eyes(kind: str, skin: Skin) -> str:
    """Draw closed eyes, on dark skin with lighter lids so that they are visible."""
    lid = line("M36.5 52q3.5 2 7 0M52.5 52q3.5 2 7 0", skin.lid, "1.5") if skin.lid else ""
    return lid + line(EYES[kind], skin.line, "2.1")


def mouth(kind: int, skin: Skin) -> str:
    """Draw a mouth in the colour of the lips."""
    filled, d = _MOUTHS[kind]
    return area(d, skin.lips) if filled else line(d, skin.lips, "2.2")


def freckles(skin: Skin) -> str:
    """Draw six freckles on the cheeks."""
    return f'<g opacity=".5">{discs(skin.lips, *_FRECKLES)}</g>'


def blush(skin: Skin) -> str:
    """Draw warm cheeks."""
    return f'<g opacity=".2">{discs(skin.lips, ("37.5", "63", "4"), ("58.5", "63", "4"))}</g>'


def wrinkles(skin: Skin) -> str:
    """Draw the wrinkles of an old face."""
    return line(_WRINKLES, skin.line if skin.lid else skin.lips, "1.2", ".42")


_MOUSTACHE = "M48 66.5c2.5-2 8-1.5 10.5 3-4.5 1-7.5.2-10.5-1-3 1.2-6 2-10.5 1 2.5-4.5 8-5 10.5-3z"
_BEARD = "M30.5 55c2.5 4 5.5 8 8.5 12.5q9-5 18 0c3-4.5 6-8.5 8.5-12.5 1 17-7 27.5-17.5 27.5S29.5 72 30.5 55z"
_FULL = "M30.5 53c2 5 5 9.5 8.5 14q9-4.5 18 0c3.5-4.5 6.5-9 8.5-14 3 20-5 36-17.5 36S27.5 73 30.5 53z"
BEARDS: Final = ("beard", "full", "moustache", "goatee", "stubble", "handlebar")


def beard(kind: str, colour: str, skin: Skin) -> str:
    """Draw a beard; one that covers the mouth draws it again."""
    if kind == "moustache":
        return area(_MOUSTACHE, colour)
    if kind == "handlebar":
        return line("M47.5 68q-4.5 2.8-9-1.5M48.5 68q4.5 2.8 9-1.5", colour, "3")
    if kind == "goatee":
        return area(_MOUSTACHE, colour) + area("M43.5 75.5q4.5-1.8 9 0 .5 8-4.5 9.5-5-1.5-4.5-9.5z", colour)
    if kind == "stubble":
        return f'<g opacity=".26">{area(_BEARD, colour)}</g>'
    return area(_FULL if kind == "full" else _BEARD, colour) + line("M44 71.5q4 1.5 8 0", skin.lips, "2.2")


GLASSES: Final = ("round", "square", "half")


def glasses(kind: str, skin: Skin) -> str:
    """Draw glasses over the closed eyes."""
    frame = BRASS if kind == "half" else "#d8cfc2" if skin.lid else INK
    d = {
        "round": "M46 55.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM62 55.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM46 55q2-1.5 4 "
        "0M34 54.5l-4-1M62 54.5l4-1",
        "square": "M35 50.5h10l1 1.5v6l-1.5 2h-9L34 58v-6zM51 50.5h10l1 1.5v6l-1.5 2h-9L50 58v-6zM46 53.5h4M34 "
        "53l-4-1M62 53l4-1",
        "half": "M34 57h12q0 6-6 6t-6-6zM50 57h12q0 6-6 6t-6-6zM46 57.5h4M34 57l-4-2.5M62 57l4-2.5",
    }[kind]
    return f'<path fill="#fff" fill-opacity=".16" stroke="{frame}" stroke-width="1.7" stroke-linejoin="round" d="{d}"/>'


def earrings() -> str:
    """Draw a brass lozenge at each ear."""
    return area("m30.5 63.5 2.6 5-2.6 5-2.6-5zM65.5 63.5l2.6 5-2.6 5-2.6-5z", BRASS)


def rings() -> str:
    """Draw a brass ring at each ear."""
    return line("M30.5 63a3.5 3.5 0 1 0 .1 0zM65.5 63a3.5 3.5 0 1 0 .1 0z", BRASS, "1.6")
