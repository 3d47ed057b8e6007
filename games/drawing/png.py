"""A picture as PNG, with the fonts that come with it and no others.

Run as a program it reads an SVG and writes the PNG; its argument is the width. Whoever serves others runs it so: the
renderer lets no other thread of its process go on.
"""

import sys
from pathlib import Path
from typing import Final

import resvg_py

FONTS: Final = Path(__file__).parent / "fonts"
WIDTHS: Final = range(200, 1601)
"""How wide a PNG may be, in pixels."""

_FILES: Final = tuple(str(path) for path in sorted(FONTS.glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """The picture, drawn with resolved colours, as a PNG of this width; raises ValueError outside `WIDTHS`."""
    if width not in WIDTHS:
        raise ValueError(f"A picture is {WIDTHS[0]} to {WIDTHS[-1]} pixels wide, not {width}.")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(_FILES),
            font_family="Inter",
            sans_serif_family="Inter",
        )
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), int(sys.argv[1])))
