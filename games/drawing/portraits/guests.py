"""The portrait of a guest, a paper cut-out with a mask, and that of a missing account, without a mask."""

from typing import Final

from games.drawing.portraits.chance import Chance
from games.drawing.portraits.strokes import area, document, line

_MASKS: Final = ("#9b1b3b", "#0b6bcb", "#0d7350", "#8a6100", "#5a2a45", "#23303f", "#b5532a", "#2f565e")
_FEATHERS: Final = (
    "",
    "M66 47q13-12 9-25-7 8-13 21z",
    "M44 44q-2-14 4-23 6 9 4 23z",
    "M30 47Q17 35 21 22q7 8 13 21z",
)
_EYES: Final = (
    "M35 55q4.5 3.2 9 0M52 55q4.5 3.2 9 0",
    "M35 56.5q4.5-3.4 9 0M52 56.5q4.5-3.4 9 0",
    "M35 56h9M52 56h9",
)


def guest(chance: Chance) -> str:
    """Return the SVG document."""
    mask, feather = chance.pick("mask", _MASKS), chance.pick("feather", _FEATHERS)
    return _paper(
        area(feather, mask) if feather else "",
        area("M27 50q10-8.5 21-1 11-7.5 21 1 2 14.5-9 15.5-9 0-12-7.5-3 7.5-12 7.5-11-1-9-15.5z", mask)
        + line(chance.pick("eyes", _EYES), "#fbf7f0", "2.4"),
    )


def nobody(_: Chance) -> str:
    """Return the SVG document of a missing account, the same for all."""
    return _paper()


def _paper(behind: str = "", mask: str = "") -> str:
    """Draw the paper cut-out, with the parts of a mask behind and in front of the head."""
    return document(
        area("M0 0h96v120H0z", "#ded6c9"),
        line("M9 120V48a39 39 0 0 1 78 0v72", "#c3b8a6", "2.5", cap="butt", dashes="5 5"),
        area("M6 122c0-22 13-30 32-34.5h20c19 4.5 32 12.5 32 34.5z", "#8f8679"),
        area("M48 87.5h10c19 4.5 32 12.5 32 34.5H48z", "#7d7468"),
        area("M40 68h16v20q-8 8-16 0z", "#cfc5b4"),
        behind,
        area("M31 50c0-12 7-20 17-20s17 8 17 20v8c0 13-8.5 21.5-17 21.5S31 71 31 58z", "#fbf7f0"),
        area("M48 30c10 0 17 8 17 20v8c0 13-8.5 21.5-17 21.5z", "#e9e1d4"),
        mask,
    )
