"""Convert an uploaded picture into the stored form: upright, 4 to 5, small, without the file's metadata.

As a program it reads the file from stdin and writes a JPEG; it exits with status 3 and writes the reason on its last
line if it refuses the file. A server runs it as a process of its own, so that a faulty decoder harms only that process.
"""

import resource
import sys
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps

SIZE: Final = (400, 500)
LEAST: Final = (80, 100)
MOST_PIXELS: Final = 30_000_000
FORMATS: Final = ("PNG", "JPEG", "WEBP")
REFUSED: Final = 3
_MEMORY: Final = 1 << 30
_SECONDS: Final = 10
_PAPER: Final = (246, 244, 241)


# Pictures that are too large are refused below, with the project's own message.
Image.MAX_IMAGE_PIXELS = None


class Refused(Exception):
    """The picture breaks a rule, which the message names."""


def redrawn(data: bytes) -> bytes:
    """Return the first frame as a JPEG of `SIZE`, rotated as its EXIF data says and cropped to its middle; raise
    Refused."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            # The size is in the file's header: nothing is decoded yet.
            _measure(*picture.size)
            picture.draft("RGB", (2 * SIZE[0], 2 * SIZE[1]))
            fitted = ImageOps.fit(_on_paper(ImageOps.exif_transpose(picture)), SIZE, centering=(0.5, 0.4))
    except Refused:
        raise
    except (Exception, MemoryError) as error:
        raise Refused("It is no PNG, JPEG or WebP picture that can be read to its end.") from error
    # On a new image: the old one would carry metadata of its file, such as a comment.
    sheet, out = Image.new("RGB", SIZE), BytesIO()
    sheet.paste(fitted)
    sheet.save(out, "JPEG", quality=86, optimize=True)
    return out.getvalue()


def _measure(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise Refused(
            f"A picture has at most {MOST_PIXELS // 1_000_000} million pixels; this one is {width} x {height}."
        )
    if width < LEAST[0] or height < LEAST[1]:
        raise Refused(f"A picture is at least {LEAST[0]} x {LEAST[1]} pixels; this one is {width} x {height}.")


def _on_paper(picture: Image.Image) -> Image.Image:
    """Return the picture in RGB, with paper behind transparent pixels."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    opaque = picture.convert("RGBA")
    paper = Image.new("RGB", opaque.size, _PAPER)
    paper.paste(opaque, mask=opaque.getchannel("A"))
    return paper


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    try:
        sys.stdout.buffer.write(redrawn(sys.stdin.buffer.read()))
    except Refused as refused:
        print(refused, file=sys.stderr)
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
