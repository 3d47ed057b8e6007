"""Clothes: shoulders with a collar, and headwear."""

from typing import Final

from games.drawing.portraits.palette import BRASS, LINEN, Pair, Skin
from games.drawing.portraits.strokes import area, disc, discs, line

_BODY = "M6 122c0-22 13-30 32-34.5h20c19 4.5 32 12.5 32 34.5z"
_SHADOW = "M48 87.5h10c19 4.5 32 12.5 32 34.5H48z"
_PEARLS = tuple(
    (x, y, "6")
    for x, y in (
        ("24", "87"), ("30", "88.5"), ("36", "89.7"), ("42", "90.5"), ("48", "90.8"), ("54", "90.5"),
        ("60", "89.7"), ("66", "88.5"), ("72", "87"),
    )
)  # fmt: skip
COLLARS: Final = (
    "vee", "crew", "turtle", "suit", "shirt", "striped", "ruff", "scarf", "bow", "crossed", "hood", "clasp", "garnet",
)  # fmt: skip


def dressed(collar: str, worn: Pair, skin: Skin) -> str:
    """Draw shoulders and neck with this collar."""
    main, second = worn
    body = area(_BODY, main) + area(_SHADOW, "#000", ".1")
    neck = area("M40 68h16v20q-8 8-16 0z", skin.shade)
    bare = area("M38 86h20q0 11-10 11T38 86z", skin.shade)
    open_neck = area("M38.5 86h19L48 106z", skin.shade)
    if collar == "turtle":
        return body + neck + area("M37.5 79q10.5 5 21 0l1.5 11q-12 7-24 0z", second)
    if collar == "ruff":
        return body + neck + discs("#ddd1bf", *_PEARLS[::2]) + discs(LINEN, *_PEARLS[1::2])
    if collar == "scarf":
        return body + neck + area("m53 90 10-2 5 34H56z", second) + area("M33 81q15 10 30 0l3 10q-18 12-36 0z", second)
    if collar == "hood":
        hood = area("M26 93c4-10 12-13 22-13s18 3 22 13c-6 8-14 11-22 11s-16-3-22-11z", second)
        return body + hood + neck + bare + line("M42 97v11M54 97v11", LINEN, "1.8")
    return body + neck + {
        "vee": open_neck + line("m37.5 86 10.5 21 10.5-21", second, "3.2"),
        "crew": bare + line("M37 86q1 12.5 11 12.5T59 86", second, "3.5", cap="butt"),
        "suit": area("M38 86h20L48 113z", LINEN) + area("m38 85-9 5 19 32zM58 85l9 5-19 32z", second)
        + area("M45.7 94.5h4.6l1.7 19-4 6-4-6z", main),
        "shirt": bare + area("m38 84-6.5 6 9 9.5L48 95zM58 84l6.5 6-9 9.5L48 95z", second)
        + line("M48 97v24", second, "1.6", ".8") + discs(second, ("51", "104", "1.1"), ("51", "113", "1.1")),
        "striped": line("M17 100h62M11 109h74M8 118h80", second, "4.2", cap="butt") + bare,
        "bow": area("M38 86h20L48 116z", LINEN) + area("m48 95-9-4.5v9.5zM48 95l9-4.5v9.5z", second)
        + disc("48", "95", "2", main),
        "crossed": area("m38 86 10 15 10-15z", LINEN) + line("m58 85-24 38M38 85l14 20", second, "5.5", cap="butt"),
        "clasp": area("M38.5 83q9.5 5 19 0l1.5 8q-11 6-22 0z", main) + line("M48 91v30", second, "1.8")
        + line("M43.5 99h9M43.5 108h9", BRASS, "2"),
        "garnet": bare + line("M37.5 87q1.5 15 10.5 15.5T58.5 87", BRASS, "1.5")
        + area("m48 101 4 4.5-4 7-4-7z", "#c2385c"),
    }[collar]  # fmt: skip


COVERS: Final = ("headscarf", "turban", "cap", "beret", "hat", "beanie", "band")
WHOLE: Final = frozenset(("headscarf", "turban", "hat", "beanie", "cap"))
"""Headwear that hides the hair."""


def scarf_behind(worn: Pair) -> str:
    """Draw the part of a headscarf behind the head."""
    return area("M24 64c-2-29 8-43 24-43s26 14 24 43c-1 14-5 22-11 29H35c-6-7-10-15-11-29z", worn.main)


def cover_before(cover: str, worn: Pair) -> str:
    """Draw the part of the headwear in front of the head."""
    main, second = worn
    return {
        "headscarf": area(
            "M48 21c16 0 26 14 24 43-1 14-5 24-11 32-3-4-4-8-3-12 5.5-7 7.5-15 7.5-25 0-17-5.5-29-17.5-29"
            "s-17.5 12-17.5 29c0 10 2 18 7.5 25 1 4 0 8-3 12-6-8-10-18-11-32-2-29 8-43 24-43z", main,
        ) + line("M32 47c2-13 7-19.5 16-19.5S62 34 64 47", second, "1.6", ".7"),
        "turban": area("M26.5 48c-5-20 6-33.5 21.5-33.5S74.5 28 69.5 48c-5-8-12-11-21.5-11s-16.5 3-21.5 11z", main)
        + line("M29 40.5q17-19 38-5.5M32 30q14-13 31-4M28 46q8-12 20-16", second, "2.2")
        + area("m48 30 3 4.5-3 4.5-3-4.5z", BRASS),
        "cap": area("M27.5 43.5C27 28 36 21.5 48 21.5s21 6.5 20.5 22z", main)
        + area("M25 43.5c7-6.5 40-7.5 47-1-6 4.5-14 4.5-24 4.5s-18 .5-23-3.5z", second)
        + disc("48", "21.5", "2", second),
        "beret": area("M23 37c1-13 14-18 27-18s25 7 25 15c0 6-9 8.5-25 8.5S22.5 43 23 37z", main)
        + line("M49 20v-4", main, "3") + line("M31 41.5q17 2.5 34-1", second, "2"),
        "hat": area("M33 38c-.5-15 5-23 15-23s15.5 8 15 23z", main) + area("M32.8 33.5h30.4l.3 5h-31z", second)
        + area("M16 40c10-5.5 20-6.5 32-6.5s22 1 32 6.5c-9 4-20 5.5-32 5.5S25 44 16 40z", main)
        + area("M33 34.5q15-2.5 30 0v-3.5q-15-2.5-30 0z", second),
        "beanie": area("M29.5 42c-1-14 6-22.5 18.5-22.5S67.5 28 66.5 42z", main)
        + area("M28 40q20-5 40 0l-.5 7q-19.5-5-39 0z", second) + disc("48", "17.5", "4.5", second),
        "band": area("M30.3 44q17.7-10 35.4 0l.5 4.5q-18.2-10-36.4 0z", main)
        + area("m48 36.5 2.5 3.5-2.5 3.5-2.5-3.5z", second),
    }[cover]  # fmt: skip
