"""The letters that the fonts contain, and their widths."""

from functools import cache
from pathlib import Path
from struct import iter_unpack, unpack_from

from games.drawing.png import FONTS


def drawable(words: str) -> bool:
    """True if every letter has a glyph in every font."""
    return all(ord(letter) in held for held in map(letters_of, sorted(FONTS.glob("*.ttf"))) for letter in words)


def wide(words: str, *, bold: bool = False) -> float:
    """Return the width of the text at font size 1, without kerning; a letter without a glyph counts as 1."""
    widths = _widths(FONTS / ("Inter-Bold.ttf" if bold else "Inter-Medium.ttf"))
    return sum(widths.get(ord(letter), 1.0) for letter in words)


@cache
def letters_of(font: Path) -> frozenset[int]:
    """Return the code points that a TrueType file maps to a glyph."""
    return frozenset(_glyphs(font))


@cache
def _widths(font: Path) -> dict[int, float]:
    """Return the advance width of each letter as a fraction of the font size: tables `head`, `hhea` and `hmtx`."""
    data = font.read_bytes()
    size = unpack_from(">H", data, _table(data, b"head") + 18)[0]
    count, at = unpack_from(">H", data, _table(data, b"hhea") + 34)[0], _table(data, b"hmtx")
    return {
        code: unpack_from(">H", data, at + 4 * min(glyph, count - 1))[0] / size for code, glyph in _glyphs(font).items()
    }


@cache
def _glyphs(font: Path) -> dict[int, int]:
    """Return the glyph of each code point, from the file's `cmap` subtable of format 4 (segments)."""
    data = font.read_bytes()
    cmap = _table(data, b"cmap")
    for at in range(unpack_from(">H", data, cmap + 2)[0]):
        start = cmap + unpack_from(">I", data, cmap + 4 + 8 * at + 4)[0]
        if unpack_from(">H", data, start)[0] == 4:
            return _in_segments(data, start)
    raise ValueError(f"{font.name} has no character map in segments.")


def _table(data: bytes, tag: bytes) -> int:
    """Return the offset of a table."""
    count = unpack_from(">H", data, 4)[0]
    tables = {name: offset for name, _, offset, _ in iter_unpack(">4sIII", data[12 : 12 + 16 * count])}
    return int(tables[tag])


def _in_segments(data: bytes, start: int) -> dict[int, int]:
    double = unpack_from(">H", data, start + 6)[0]
    ends, starts = start + 14, start + 16 + double
    deltas, offsets = starts + double, starts + 2 * double
    glyphs: dict[int, int] = {}
    for at in range(0, double, 2):
        first, last = unpack_from(">H", data, starts + at)[0], unpack_from(">H", data, ends + at)[0]
        delta, offset = unpack_from(">H", data, deltas + at)[0], unpack_from(">H", data, offsets + at)[0]
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code if offset == 0 else unpack_from(">H", data, offsets + at + offset + 2 * (code - first))[0]
            if number := (glyph + delta if glyph or offset == 0 else 0) & 0xFFFF:
                glyphs[code] = number
    return glyphs
