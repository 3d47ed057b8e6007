"""Conversion of a picture to PNG, with the included fonts only.

As a program it reads an SVG from standard input and writes the PNG to standard output; its argument is the width. A
server must run it as a program, because the renderer blocks all threads of its process.
"""

import sys
from pathlib import Path
from typing import Final

import resvg_py

FONTS: Final = Path(__file__).parent / "fonts"
WIDTHS: Final = range(200, 1601)
"""The allowed widths of a PNG, in pixels."""

_FILES: Final = tuple(str(path) for path in sorted(FONTS.glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """Return a picture with resolved colours as a PNG of this width; raise ValueError outside `WIDTHS`."""
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
