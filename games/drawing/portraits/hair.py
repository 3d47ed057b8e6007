"""Hair: each style has a part behind the head and a part in front of it."""

from typing import Final

from games.drawing.portraits.strokes import area, disc, discs, line

_CAP = "M30 53c-2.5-18 6-29 18-29s20.5 11 18 29l-3-9.5c-8-4.5-22-4.5-30 0z"
_PARTED = "M30 59c-1.5-19 6-30.5 18-30.5-2.5 9-8.5 17-18 30.5zM66 59c1.5-19-6-30.5-18-30.5 2.5 9 8.5 17 18 30.5z"
_FRINGE = "M30.5 51.5c-.5-15 7-23 17.5-23s18 8 17.5 23c-9-3.5-26-3.5-35 0z"
_ROUND_BACK = "M24 102c2-18 0-36 1-52 1-17 10-27 23-27s22 10 23 27c1 16-1 34 1 52z"
_SHINE = "#fff"

BACKS: Final = {
    "bob": "M25 74c-4-31 4-52 23-52s27 21 23 52q-4 5-9 4.5V50H34v28.5q-5 .5-9-4.5z",
    "long": _ROUND_BACK,
    "hime": "M23 100c3-16 1-34 2-50 1-18 10-27 23-27s22 9 23 27c1 16-1 34 2 50h-9V50H32v50z",
    "wavy": (
        "M22 98c-5-8 2-13 1-21s-5-14 0-23c1-20 12-31 25-31s24 11 25 31c5 9 1 15 0 23s6 13 1 21c-6 4.5-12 "
        "3-14-1V50H36v47c-2"
        " 4-8 5.5-14 1z"
    ),
    "shag": "M25 80C23 62 22 50 26 40c3-12 12-18 22-18s19 6 22 18c4 10 3 22 1 40l-7-5V50H32v25z",
    "swept": "M26 98c2-16-1-33 0-50 1-17 10-25 22-25s21 8 22 25c1 9 0 16-2 24l-5-5V50H34v41z",
    "pony": "M62 30c12-2 19 8 17 24-1 12 2 18-3 28-8-4-9-14-8-24 1-10-2-20-6-28z",
    "tail": "M64 44c8 4 11 16 9 30-1 10 1 16-3 24-6-4-8-14-7-24 1-10 1-20 1-30z",
}
FRONTS: Final = {
    "crop": "M30 53c-3.5-18 5-29 18-29s21.5 11 18 29l-2.5-2c0-6-1.5-10-4-13-7 2.5-16 2.5-23 0-2.5 3-4 7-4 13z",
    "side": "M29.5 54c-4-18 6-30 20-30 12 0 19 9 16.5 29l-3-9c-10 0-19-3.5-25-9.5-2 6.5-5 11.5-8.5 19.5z",
    "quiff": "M30.5 53c-2.5-8-2-14 1.5-19-1-8 8-15 17-12 9-2.5 18 5 16 14 1.5 5 1.5 10 .5 "
    "17l-3-10.5c-9-.5-18-2.5-24-5.5-4 4-6 9-8 16z",
    "slick": "M30 50c-3-15 5-26.5 18-26.5S69 35 66 50c-1-5-3-8.5-5-10.5-6-4.5-20-4.5-26 0-2 2-4 5.5-5 10.5z",
    "bob": _FRINGE,
    "long": _PARTED,
    "hime": _FRINGE,
    "wavy": _PARTED,
    "bun": _CAP,
    "buns": _CAP,
    "braid": _CAP,
    "braids": _PARTED,
    "pony": _CAP,
    "tail": "M30 53c-2.5-18 6-29 18-29s20.5 11 18 29c-2-8-9-13-16-17-7 2-15 8-20 17z",
    "locs": _CAP,
    "pixie": "M29.5 57c-4.5-19 5-33 19-33s22.5 13 18 31c-2-6-3.5-10-6-12-5 3.5-18 4.5-26-1-2 4-4 9-5 15z",
    "shag": "M29.5 55c-2-17 6-27 18.5-27 13 0 20.5 10 18.5 27-2-5-5-9-8-10-6 0-8-3-10.5-6-4 6-12 7-18.5 16z",
    "swept": "M29.5 58c-2-20 6-30 17.5-30s21 9 19.5 29c-6-3-12-9-15.5-17-4 10-13 13-21.5 18z",
    "undercut": "M33 41c-1-12 6-19 16-19 11 0 19 7 17.5 19l-1 5c-4-5-9-7-15-7s-12 1-17.5 2z",
    "flat": "M30.5 50c-1-10-1-19 .5-27q17-5 34 0c1.5 8 1.5 17 .5 27-3-7-9-9.5-17.5-9.5S33.5 43 30.5 50z",
    "buzz": "M30.3 50c-1.3-14 7-22 17.7-22s19 8 17.7 22c-2.7-8-8.7-11-17.7-11s-15 3-17.7 11z",
    "rows": "M30 51c-2-16 6-25.5 18-25.5S68 35 66 51c-3-8-9-11.5-18-11.5S33 43 30 51z",
    "afro": "M28.5 53c0-17 8-25.5 19.5-25.5S67.5 36 67.5 53c-3.5-8.5-9.5-12-19.5-12s-16 3.5-19.5 12z",
    "cloud": "M28.5 53c0-17 8-25.5 19.5-25.5S67.5 36 67.5 53c-3.5-8.5-9.5-12-19.5-12s-16 3.5-19.5 12z",
    "thin": "M30 59c-4-10-3-20 3.5-26 1.5 3-1 8-1.5 13-.4 4.5-.6 9-2 13zM66 59c4-10 3-20-3.5-26-1.5 3 1 8 1.5 "
    "13 .4 4.5.6 9 2 13z",
    "topknot": "M32 45c-.5-12 6-18.5 16-18.5S64.5 33 64 45c-6-5.5-26-5.5-32 0z",
}
_CURLS = (
    ("31", "44", "6"), ("33", "34", "7"), ("41", "28", "8"), ("51", "26.5", "8"), ("60", "31.5", "7.5"),
    ("65", "41", "6.5"), ("45", "35", "6"), ("55", "35.5", "5.5"),
)  # fmt: skip
_CLOUD = (
    ("26", "56", "8"), ("23", "45", "9"), ("27", "33", "10"), ("37", "24", "10"), ("49", "21", "10"),
    ("60", "24.5", "10"), ("69", "33.5", "10"), ("73", "45", "9"), ("70", "56", "8"), ("48", "40", "24"),
)  # fmt: skip
_LOCS = "M25 44v46M31 40v54M65 40v54M71 44v46M28 42v38M68 42v38"

SHORT: Final = frozenset(
    (
        "crop",
        "side",
        "quiff",
        "slick",
        "undercut",
        "flat",
        "buzz",
        "rows",
        "thin",
        "topknot",
        "curls",
        "bald",
        "pixie",
        "bun",
        "buns",
    )
)
"""Styles with visible ears."""
STYLES: Final = tuple(sorted({*FRONTS, "curls", "bald"}))


def behind(style: str, colour: str) -> str:
    """Draw the part behind the head and shoulders."""
    if style in BACKS:
        return area(BACKS[style], colour)
    if style == "bun":
        return disc("48", "18.5", "9", colour)
    if style == "topknot":
        return disc("48", "19", "7.5", colour)
    if style == "buns":
        return discs(colour, ("29", "26", "9.5"), ("67", "26", "9.5"))
    if style == "afro":
        return disc("48", "41", "28", colour)
    if style == "cloud":
        return discs(colour, *_CLOUD)
    if style == "locs":
        return line(_LOCS, colour, "5") + area("M23.5 54C21 33 33 22 48 22s27 11 24.5 32z", colour)
    if style in ("braid", "braids"):
        right = "".join(_plait(71 - step, 66 + 10 * step, colour) for step in range(5))
        left = "".join(_plait(25 + step, 66 + 10 * step, colour) for step in range(5)) if style == "braids" else ""
        return area("M27 62c-4-24 5-39 21-39s25 15 21 39z", colour) + left + right
    return ""


def before(style: str, colour: str) -> str:
    """Draw the part in front of the head."""
    if style == "curls":
        return discs(colour, *_CURLS)
    if style not in FRONTS:
        return ""
    over = {
        "locs": line("M40 26v14M48 25v15M56 26v14", _SHINE, "1.3", ".16"),
        "rows": line(
            "M35 42q0-9 5-14M41.5 39.5q0-8 3-12.5M48 39v-12.5M54.5 39.5q0-8-3-12.5M61 42q0-9-5-14",
            _SHINE,
            "1.2",
            ".2",
        ),
        "slick": line("M37 34q4-6.5 11-7M43 35q5-5.5 12-4M51 36q4-3 8.5-1", _SHINE, "1.4", ".17"),
        "undercut": line("M40 31q8-5 17-1M38 36q9-5 20-1", _SHINE, "1.3", ".14"),
    }.get(style, "")
    if style == "undercut":
        over += area("M30.5 52c-.8-7 0-11 2.5-13l1.5 9zM65.5 52c.8-7 0-11-2.5-13l-1.5 9z", colour, ".6")
    if style == "topknot":
        over += area("M30.5 53c-1-8 0-12 3.5-15l.5 10zM65.5 53c1-8 0-12-3.5-15l-.5 10z", colour, ".6")
    if style == "thin":
        over += area("M34 35c6-8 22-8 28 0-9-4-19-4-28 0z", colour, ".4")
    return area(FRONTS[style], colour, ".88" if style == "buzz" else "") + over


def _plait(x: int, y: int, colour: str) -> str:
    return f'<ellipse cx="{x}" cy="{y}" rx="5.5" ry="6.5" fill="{colour}"/>'
