"""Pictures that people upload, and some that they shouldn't."""

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image


def picture(kind: str = "PNG", size: tuple[int, int] = (300, 200), colour: Any = (200, 30, 60), **saved: Any) -> bytes:
    """A plain picture of this format."""
    out = BytesIO()
    Image.new("RGBA" if len(colour) == 4 else "RGB", size, colour).save(out, kind, **saved)
    return out.getvalue()


def noisy() -> bytes:
    """A PNG that doesn't pack well: some 300 KB, more than any other body may have."""
    out = BytesIO()
    Image.effect_noise((600, 600), 90).save(out, "PNG")
    return out.getvalue()


def located(size: tuple[int, int] = (300, 200), turn: int = 6) -> bytes:
    """A JPEG that tells where it was taken, and which camera held it how; its top half is white, the other black."""
    image = Image.new("RGB", size, "black")
    image.paste("white", (0, 0, size[0], size[1] // 2))
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = turn, "Camera of Ada"
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (48.0, 12.0, 30.0)
    out = BytesIO()
    image.save(out, "JPEG", exif=exif, comment=b"at home")
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that would unfold to width times height pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(bytes(1_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def moving() -> bytes:
    """A WebP of two frames, red and blue."""
    out = BytesIO()
    frames = [Image.new("RGB", (100, 125), colour) for colour in ("red", "blue")]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], duration=100, lossless=True)
    return out.getvalue()


def opened(jpeg: bytes) -> Image.Image:
    """Return the stored portrait as an image."""
    return Image.open(BytesIO(jpeg))
