"""Spaces, cards and small boards as they are drawn."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, stamped, stamps, text, tidy
from games.drawing.shapes import circle, square, stroke, triangle
from games.drawing.themes import Theme
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import COLOUR_OF, NUMBER_OF, SHAPE_OF, SIDE, SUITS
from games.higher_or_lower.state import FACE_DOWN, State

_SHAPES = {"circle": circle, "square": square, "triangle": triangle}
_BARS = {"cyan": 1, "pink": 2, "grey": 0}


def shape_of(shape: str, colour: str, x: float, y: float, radius: float, theme: Theme) -> svg.Element:
    """A space's shape: an outline, or filled where it is grey."""
    paint: str = getattr(theme, colour)
    if colour == "grey":
        return _SHAPES[shape](x, y, radius, fill=paint)
    return _SHAPES[shape](x, y, radius, fill="none", line=paint, thick=max(1.5, radius * 0.17))


def tally(colour: str, x: float, y: float, size: float, theme: Theme) -> Iterator[svg.Element]:
    """The bars that tell a colour without colour: cyan one, pink two, grey none."""
    for bar in range(_BARS[colour]):
        at = x + bar * size * 0.45
        yield stroke(at, y, at, y + size, line=getattr(theme, colour), thick=max(1.5, size * 0.22))


def front(code: str, x: float, y: float, size: float, theme: Theme) -> Iterator[svg.Element]:
    """A card that lies face down: its back shows the space's colour and shape."""
    colour, shape = COLOUR_OF[code[0]], SHAPE_OF[code[1]]
    soft: str = getattr(theme, f"{colour}_soft")
    yield box(x, y, size, size, fill=soft, line=getattr(theme, colour), thick=1.5, radius=size * 0.1)
    yield from tally(colour, x + size * 0.1, y + size * 0.1, size * 0.15, theme)
    yield shape_of(shape, colour, x + size / 2, y + size / 2, size * 0.25, theme)


def face(code: str, card: str, x: float, y: float, size: float, theme: Theme) -> Iterator[svg.Element]:
    """A card that lies open: its number and its fruit."""
    colour, middle = COLOUR_OF[code[0]], x + size / 2
    yield box(x, y, size, size, fill=theme.cell, line=getattr(theme, colour), thick=2, radius=size * 0.1)
    yield from tally(colour, x + size * 0.1, y + size * 0.1, size * 0.15, theme)
    small = shape_of(SHAPE_OF[code[1]], colour, x + size * 0.84, y + size * 0.17, size * 0.08, theme)
    yield small
    yield text(middle, y + size * 0.43, str(NUMBER_OF[card]), size=size * 0.46, fill=theme.ink, bold=True)
    yield text(middle, y + size * 0.82, SUITS[card[0]], size=size * 0.165, fill=theme.muted)


def small_board(view: State, board: str, x: float, y: float, side: float, theme: Theme) -> Iterator[svg.Element]:
    """A board in little: shapes where cards lie face down, numbers where they lie open."""
    codes = layout_of(view.options.boards).codes[board]
    cards = view.cards_open.get(board, FACE_DOWN)
    step = side / SIDE
    hidden: dict[str, list[tuple[float, float]]] = {}
    yield box(x - 3, y - 3, side + 6, side + 6, fill=theme.cell, line=theme.cell_line, radius=5)
    for space, (code, card) in enumerate(zip(codes, cards, strict=True)):
        middle = (x + (space % SIDE + 0.5) * step, y + (space // SIDE + 0.5) * step)
        if card is None:
            hidden.setdefault(code, []).append(middle)
        else:
            yield text(*middle, str(NUMBER_OF[card]), size=step * 0.62, fill=theme.ink, bold=True)
    for code, middles in sorted(hidden.items()):
        yield from _spaces_alike(code, middles, step, theme)


def _spaces_alike(
    code: str, middles: Sequence[tuple[float, float]], step: float, theme: Theme
) -> Iterator[svg.Element]:
    """All spaces of one colour and shape, as two paths: five boards of single spaces would weigh too much."""
    colour, radius = COLOUR_OF[code[0]], step * 0.27
    paint, soft = getattr(theme, colour), getattr(theme, f"{colour}_soft")
    grounds = "".join(_square(*middle, step / 2 - 1) for middle in middles)
    yield svg.Path(d=grounds, fill=soft)  # type: ignore[arg-type]
    outline = "".join(_OUTLINES[SHAPE_OF[code[1]]](*middle, radius) for middle in middles)
    if colour == "grey":
        yield svg.Path(d=outline, fill=paint)  # type: ignore[arg-type]
    else:
        yield svg.Path(d=outline, fill="none", stroke=paint, stroke_width=1.5)  # type: ignore[arg-type]


def _square(x: float, y: float, half: float) -> str:
    return f"M{tidy(x - half)} {tidy(y - half)}h{tidy(2 * half)}v{tidy(2 * half)}h{tidy(-2 * half)}z"


def _circle(x: float, y: float, radius: float) -> str:
    r = tidy(radius)
    return f"M{tidy(x - radius)} {tidy(y)}a{r} {r} 0 1 0 {tidy(2 * radius)} 0a{r} {r} 0 1 0 {tidy(-2 * radius)} 0z"


def _triangle(x: float, y: float, radius: float) -> str:
    return f"M{tidy(x)} {tidy(y - radius)}l{tidy(radius * 1.01)} {tidy(radius * 1.75)}h{tidy(-2.02 * radius)}z"


_OUTLINES: Final[dict[str, Callable[[float, float, float], str]]] = {
    "circle": _circle,
    "square": lambda x, y, radius: _square(x, y, radius * 0.9),
    "triangle": _triangle,
}


CHIP_WIDE: Final = 45
CHIP_HEIGHTS: Final = (36, 37)


def chip_stamps(theme: Theme) -> svg.Defs:
    """The cards without their codes, which `card_chip` draws by their names."""
    ways = [(high, struck) for high in CHIP_HEIGHTS for struck in (False, True)]
    return stamps(**{_chip_name(high, struck): list(_chip(high, struck, theme)) for high, struck in ways})


def card_chip(
    card: str, x: float, y: float, height: int, theme: Theme, *, struck: bool = False, target: bool = False
) -> Iterator[svg.Element]:
    """A small card with its code, in one of CHIP_HEIGHTS; struck out once it lies open on a board.

    A legal target isn't struck out, and its outline is its own, for the page marks it.
    """
    if target:
        yield box(x, y, CHIP_WIDE, height, fill=theme.cell, line=theme.edge, radius=4)
    else:
        yield stamped(_chip_name(height, struck), x, y)
    ink = theme.muted if struck else theme.ink
    size = min(height * 0.52, CHIP_WIDE * 0.42)
    yield text(x + CHIP_WIDE / 2, y + height / 2, card, size=size, fill=ink, bold=not struck)


def _chip(height: int, struck: bool, theme: Theme) -> Iterator[svg.Element]:
    yield box(0, 0, CHIP_WIDE, height, fill=theme.inset if struck else theme.cell, line=theme.edge, radius=4)
    if struck:
        yield stroke(4, height / 2, CHIP_WIDE - 4, height / 2, line=theme.muted, thick=1.5)


def _chip_name(height: int, struck: bool) -> str:
    return f"fruit-card-{height}{'-open' if struck else ''}"


def empty_slot(x: float, y: float, width: float, height: float, theme: Theme) -> svg.Element:
    """Where a card is still to be laid."""
    return box(x, y, width, height, fill=theme.cell_off, line=theme.cell_line, radius=4)
