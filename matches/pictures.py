"""A match's board as a picture, for chats and for pages elsewhere: as one witness knows it, at a version."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from threading import Lock
from typing import Literal

from games.drawing.glyphs import drawable
from games.drawing.png import png
from games.drawing.themes import DARK, LIGHT, SEAT_LETTERS
from games.kernel import Witness
from matches import feed
from matches.models import Match

ThemeName = Literal["light", "dark"]
THEMES = {"light": LIGHT, "dark": DARK}
_KEPT = 128


def svg_of(match: Match, witness: Witness, theme: ThemeName, at: int | None = None) -> bytes:
    """The board as an SVG document that stands alone."""
    return _drawn(match, witness, theme, at, seat_names(match)).encode()


def png_of(match: Match, witness: Witness, theme: ThemeName, width: int, at: int | None = None) -> bytes:
    """The board as a PNG of this width; a name with letters that the fonts don't hold is its seat's letter."""
    names = [
        name if drawable(name) else f"Seat {letter}"
        for name, letter in zip(seat_names(match), SEAT_LETTERS, strict=False)
    ]
    return _pngs.of(_drawn(match, witness, theme, at, names), width)


def seat_names(match: Match) -> list[str]:
    """What pictures call the seats, by number."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    return [
        "Bot" if seat.is_bot else seat.account.username if seat.account else f"Seat {SEAT_LETTERS[seat.number]}"
        for seat in seats
    ]


def tag_of(picture: bytes) -> str:
    """An ETag that tells pictures apart by what they show and by nothing else."""
    return f'"{sha256(picture).hexdigest()[:32]}"'


def _drawn(match: Match, witness: Witness, theme: ThemeName, at: int | None, names: Sequence[str]) -> str:
    seen = feed.as_told(match.id, witness, at)
    return seen.game.board.draw(seen.state, viewer=witness, theme=THEMES[theme], names=names)


class _Pngs:
    """The latest PNGs by what was drawn: one is made at a time, so pictures never take more than one core."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._made: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
        self._lock = Lock()

    def of(self, svg: str, width: int) -> bytes:
        key = (sha256(svg.encode()).digest(), width)
        with self._lock:
            if key not in self._made:
                self._made[key] = png(svg, width)
                if len(self._made) > self._kept:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            return self._made[key]


_pngs = _Pngs(_KEPT)
