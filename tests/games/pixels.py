"""The pixels of a PNG, read with the standard library: 8 bits a channel, RGB or RGBA, not interlaced."""

import zlib
from dataclasses import dataclass
from itertools import pairwise
from struct import unpack, unpack_from

Pixel = tuple[int, ...]


@dataclass(frozen=True)
class Pixels:
    """Rows of pixels from the top."""

    width: int
    height: int
    rows: tuple[tuple[Pixel, ...], ...]

    @classmethod
    def of(cls, png: bytes) -> "Pixels":
        """Read a PNG."""
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        header, data, at = b"", b"", 8
        while at < len(png):
            size, kind = unpack(">I4s", png[at : at + 8])
            body = png[at + 8 : at + 8 + size]
            header, data = (body, data) if kind == b"IHDR" else (header, data + body if kind == b"IDAT" else data)
            at += 12 + size
        width, height, depth, colour, _, _, interlaced = unpack_from(">IIBBBBB", header)
        assert (depth, interlaced) == (8, 0) and colour in (2, 6)
        return cls(width, height, tuple(_rows(zlib.decompress(data), width, height, 3 if colour == 2 else 4)))

    @property
    def colours(self) -> set[Pixel]:
        """Every colour that occurs."""
        return {pixel[:3] for row in self.rows for pixel in row}

    def edge(self, wide: int) -> set[Pixel]:
        """The colours in a band of so many pixels along the four edges."""
        level = [*self.rows[:wide], *self.rows[-wide:]]
        upright = [(*row[:wide], *row[-wide:]) for row in self.rows]
        return {pixel[:3] for row in (*level, *upright) for pixel in row}


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height as the header says."""
    width, height = unpack(">II", png[16:24])
    return width, height


def _rows(data: bytes, width: int, height: int, size: int) -> list[tuple[Pixel, ...]]:
    stride = width * size
    before, rows = bytearray(stride), []
    for start in (row * (stride + 1) for row in range(height)):
        line = bytearray(data[start + 1 : start + 1 + stride])
        _unfilter(data[start], line, before, size)
        cuts = pairwise(range(0, stride + 1, size))
        rows.append(tuple(tuple(line[left:right]) for left, right in cuts))
        before = line
    return rows


def _unfilter(kind: int, line: bytearray, above: bytearray, size: int) -> None:
    for at in range(len(line)):
        left = line[at - size] if at >= size else 0
        corner = above[at - size] if at >= size else 0
        up = above[at]
        guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
        line[at] = (line[at] + guess) & 0xFF


def _paeth(left: int, up: int, corner: int) -> int:
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner
