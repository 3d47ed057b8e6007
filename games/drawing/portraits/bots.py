"""The portrait of a bot: a metal head with a garnet on its antenna."""

from typing import Final

from games.drawing.portraits.chance import Chance
from games.drawing.portraits.grounds import ground
from games.drawing.portraits.palette import INK, Pair
from games.drawing.portraits.strokes import area, disc, discs, document, line

_GARNET: Final = "#c2385c"
_GROUNDS: Final = (
    Pair("#1f4a52", "#2a5a62"), Pair("#b5532a", "#c4633a"), Pair("#2b3a67", "#38497c"), Pair("#5a2a45", "#6d3755"),
    Pair("#3f5b3a", "#4f6d49"), Pair("#43202c", "#5a2d3b"),
)  # fmt: skip
_METALS: Final = (
    Pair("#e8dcc4", "#cbbb9a"), Pair("#cdd3d8", "#a3abb3"), Pair("#dcae42", "#b98a22"), Pair("#a9c2b7", "#7f9a8e"),
    Pair("#d39b76", "#a87150"),
)  # fmt: skip
_HEADS: Final = (
    ("M35 34h26q9 0 9 9v30q0 9-9 9H35q-9 0-9-9V43q0-9 9-9z", "M48 34h13q9 0 9 9v30q0 9-9 9H48z"),
    ("M48 33a25 25 0 1 1 0 50 25 25 0 0 1 0-50z", "M48 33a25 25 0 0 1 0 50z"),
    ("M36 34h24l12 24-12 24H36L24 58z", "M48 34h12l12 24-12 24H48z"),
    ("M28 82V54a20 20 0 0 1 40 0v28z", "M48 34a20 20 0 0 1 20 20v28H48z"),
    ("M30 36h36l4 46H26z", "M48 36h18l4 46H48z"),
)
_EYES: Final = (
    discs(INK, ("39", "54", "5"), ("57", "54", "5")) + discs("#fff", ("40.5", "52.5", "1.3"), ("58.5", "52.5", "1.3")),
    line("M34 55q5 4 9 0M53 55q5 4 9 0", INK, "3"),
    area("M37.5 50h21a4.5 4.5 0 0 1 0 9h-21a4.5 4.5 0 0 1 0-9z", INK) + disc("41", "54.5", "2.6", "#e8708c"),
    area("M35 50h8v8h-8zM53 50h8v8h-8z", INK),
    area("M34 54a5 5 0 0 1 10 0zM52 54a5 5 0 0 1 10 0z", INK) + line("M33 54h30", INK, "1.6"),
)
_MOUTHS: Final = (
    line("M37 72h22M41 69v6M48 69v6M55 69v6", INK, "2"),
    line("M41 71h14", INK, "2.6"),
    discs(INK, ("42", "71", "1.8"), ("48", "71", "1.8"), ("54", "71", "1.8")),
    line("M40 69h16M42 72.5h12M44 76h8", INK, "1.8"),
)
_EARS: Final = (
    "",
    "M21 52h6v12h-6zM69 52h6v12h-6z",
    "M24 54a4 4 0 1 0 .1 0zM72 54a4 4 0 1 0 .1 0z",
)


def bot(chance: Chance) -> str:
    """Return the SVG document."""
    light, shade = chance.pick("metal", _METALS)
    full, half = chance.pick("head", _HEADS)
    ears = chance.pick("ears", _EARS)
    return document(
        ground(chance.pick("pattern", ("lozenges", "dots", "bars", "arches")), chance.pick("ground", _GROUNDS)),
        area("M14 122v-18q0-12 12-12h44q12 0 12 12v18z", light) + area("M48 92h22q12 0 12 12v18H48z", shade),
        discs(INK, ("24", "102", "1.5"), ("72", "102", "1.5")),
        area("M42 78h12v16H42z", INK) + line("M42.5 84h11M42.5 89h11", shade, "1.2"),
        line("M48 36V22", INK, "3") + area("m48 7 8 7.5-8 13.5-8-13.5z", _GARNET) + area("m48 7 8 7.5h-16z", "#e06a8a"),
        area(ears, shade) if ears else "",
        area(full, light) + area(half, shade),
        chance.pick("eyes", _EYES) + chance.pick("mouth", _MOUTHS),
        area("m48 99 5.5 5.5-5.5 9-5.5-9z", _GARNET),
    )
