"""Pictures of a match's board, for chats and other pages: as one witness knows it, at a version."""

import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from threading import Lock
from typing import Literal

import structlog
from django.db import DEFAULT_DB_ALIAS, connections

from games.drawing import png
from games.drawing.glyphs import drawable
from games.drawing.themes import DARK, LIGHT, SEAT_LETTERS
from games.kernel import Witness
from matches.models import Match
from matches.reads import feed
from matches.reads.sentences import names_of

log = structlog.get_logger(__name__)

ThemeName = Literal["light", "dark"]
THEMES = {"light": LIGHT, "dark": DARK}
_KEPT = 128
_LONGEST_SECONDS = 20
_LONGEST_WAIT_SECONDS = 5


class Busy(Exception):
    """Too many pictures are requested at once."""


def svg_of(match: Match, witness: Witness, theme: ThemeName, at: int | None = None) -> bytes:
    """Return the board as a standalone SVG document."""
    return _drawn(match, witness, theme, at, names_of(match)).encode()


def table_of(match: Match, witness: Witness, theme: ThemeName) -> bytes:
    """Return only the board's table as an SVG document, for small tiles."""
    visible = feed.visible_state(match.id, witness)
    table, *_ = visible.game.board.parts(visible.state, viewer=witness, theme=THEMES[theme], names=names_of(match))
    return table.drawn.encode()


def png_of(match: Match, witness: Witness, theme: ThemeName, width: int, at: int | None = None) -> bytes:
    """Return the board as a PNG of this width; raise Busy. A name that the fonts can't draw is replaced by its seat's
    letter."""
    names = [
        name if drawable(name) else f"Seat {letter}"
        for name, letter in zip(names_of(match), SEAT_LETTERS, strict=False)
    ]
    drawn = _drawn(match, witness, theme, at, names)
    # The conversion may wait, and needs no database meanwhile.
    connections[DEFAULT_DB_ALIAS].close()
    return _pngs.of(drawn, width)


def png_of_drawn(drawn: str, width: int) -> bytes:
    """Return another picture as a PNG of this width, cached like a board's; raise Busy."""
    return _pngs.of(drawn, width)


def tag_of(picture: bytes) -> str:
    """Return an ETag that depends only on the picture."""
    return f'"{sha256(picture).hexdigest()[:32]}"'


def _drawn(match: Match, witness: Witness, theme: ThemeName, at: int | None, names: Sequence[str]) -> str:
    witness = feed.looking_back(match.id, witness, at)
    visible = feed.visible_state(match.id, witness, at)
    return visible.game.board.draw(visible.state, viewer=witness, theme=THEMES[theme], names=names)


def photographed(svg: str, width: int) -> bytes:
    """Return the picture as PNG, made by a process of its own; raise Busy if that fails."""
    program = [sys.executable, "-I", str(png.__file__), str(width)]
    try:
        made = subprocess.run(program, input=svg.encode(), capture_output=True, timeout=_LONGEST_SECONDS, check=True)
    except subprocess.CalledProcessError as error:
        log.error("no_picture", status=error.returncode, said=error.stderr.decode(errors="replace")[-500:])
        raise Busy from error
    except subprocess.SubprocessError as error:
        raise Busy from error
    return made.stdout


class _Pngs:
    """A cache of the latest PNGs. One is made at a time, so pictures never take more than one core."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._made: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
        self._known, self._making = Lock(), Lock()

    def of(self, svg: str, width: int) -> bytes:
        """Return the PNG of a picture; raise Busy."""
        key = (sha256(svg.encode()).digest(), width)
        cached = self._find(key)
        if cached is not None:
            return cached
        if not self._making.acquire(timeout=_LONGEST_WAIT_SECONDS):
            raise Busy
        try:
            return self._find(key) or self._keep(key, photographed(svg, width))
        finally:
            self._making.release()

    def _find(self, key: tuple[bytes, int]) -> bytes | None:
        with self._known:
            if key in self._made:
                self._made.move_to_end(key)
            return self._made.get(key)

    def _keep(self, key: tuple[bytes, int], made: bytes) -> bytes:
        with self._known:
            self._made[key] = made
            while len(self._made) > self._kept:
                self._made.popitem(last=False)
        return made


_pngs = _Pngs(_KEPT)
