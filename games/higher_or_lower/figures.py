"""Drawings of spaces, cards and small boards."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, stamped, stamps, text, tidy
from games.drawing.materials import slab
from games.drawing.shapes import circle, square, stroke, triangle
from games.drawing.themes import Theme
from games.higher_or_lower.fruits import fruit
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import COLOUR_OF, NUMBER_OF, SHAPE_OF, SIDE, SUITS
from games.higher_or_lower.state import FACE_DOWN, State

_SHAPES = {"circle": circle, "square": square, "triangle": triangle}
_BARS = {"cyan": 1, "pink": 2, "grey": 0}


def shape_of(shape: str, colour: str, x: float, y: float, radius: float, theme: Theme) -> svg.Element:
    """Draw a space's shape: an outline, or filled if it is grey."""
    paint: str = getattr(theme, colour)
    if colour == "grey":
        return _SHAPES[shape](x, y, radius, fill=paint)
    return _SHAPES[shape](x, y, radius, fill="none", line=paint, thick=max(1.5, radius * 0.17))


def tally(colour: str, x: float, y: float, size: float, theme: Theme) -> Iterator[svg.Element]:
    """Draw the bars that identify a colour by their number: one for cyan, two for pink, none for grey."""
    for bar in range(_BARS[colour]):
        at = x + bar * size * 0.45
        yield stroke(at, y, at, y + size, line=getattr(theme, colour), thick=max(1.5, size * 0.22))


def front(code: str, x: float, y: float, size: float, theme: Theme) -> Iterator[svg.Element]:
    """Draw a face-down card; its back shows the space's colour and shape."""
    colour, shape = COLOUR_OF[code[0]], SHAPE_OF[code[1]]
    soft, deep = getattr(theme, f"{colour}_soft"), theme.card_deep
    yield from slab(x, y, size, size, fill=soft, edge=deep, radius=size * 0.08, deep=size * 0.05)
    yield from tally(colour, x + size * 0.1, y + size * 0.09, size * 0.15, theme)
    yield shape_of(shape, colour, x + size / 2, y + size * 0.48, size * 0.24, theme)


def face(card: str, x: float, y: float, size: float, theme: Theme, *, now: bool) -> Iterator[svg.Element]:
    """Draw an open card with its number and fruit; paler unless `now`, for a card of the turn shown."""
    yield from slab(
        x, y, size, size, fill=theme.card, edge=theme.card_deep, line=theme.accent if now else theme.card_line,
        thick=2.5 if now else 1, radius=size * 0.08, deep=size * 0.05,
    )  # fmt: skip
    ink = theme.ink if now else theme.muted
    yield text(x + size * 0.4, y + size * 0.42, str(NUMBER_OF[card]), size=size * 0.42, fill=ink, bold=True)
    drawing = fruit(card[0], x + size * 0.77, y + size * 0.73, size * 0.28)
    yield drawing if now else svg.G(opacity=0.6, elements=[drawing])


def small_board(
    view: State, board: str, x: float, y: float, side: float, theme: Theme, *, numbers: bool = True
) -> Iterator[svg.Element]:
    """Draw a small board: the shapes of face-down cards, and with `numbers` the numbers of open ones."""
    codes = layout_of(view.options.boards).codes[board]
    cards = view.cards_open.get(board, FACE_DOWN)
    step = side / SIDE
    hidden: dict[str, list[tuple[float, float]]] = {}
    yield box(x - 3, y - 3, side + 6, side + 6, fill=theme.cell, line=theme.cell_line, radius=5)
    for space, (code, card) in enumerate(zip(codes, cards, strict=True)):
        middle = (x + (space % SIDE + 0.5) * step, y + (space // SIDE + 0.5) * step)
        if card is None:
            hidden.setdefault(code, []).append(middle)
        elif numbers:
            yield text(*middle, str(NUMBER_OF[card]), size=step * 0.62, fill=theme.ink, bold=True)
    for code, middles in sorted(hidden.items()):
        yield from _equal_spaces(code, middles, step, theme)


def _equal_spaces(
    code: str, middles: Sequence[tuple[float, float]], step: float, theme: Theme
) -> Iterator[svg.Element]:
    """Draw all spaces of one colour and shape as two paths, because five boards with a path per space are too large."""
    colour, radius = COLOUR_OF[code[0]], step * 0.27
    paint, soft = getattr(theme, colour), getattr(theme, f"{colour}_soft")
    squares = "".join(_square(*middle, step / 2 - 1) for middle in middles)
    yield svg.Path(d=squares, fill=soft)  # type: ignore[arg-type]
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
CHIP_HIGH: Final = 37


def chip_stamps(theme: Theme) -> svg.Defs:
    """Return the definitions of all chips, without numbers, for `card_chip`."""
    variants = [(suit, struck) for suit in SUITS for struck in (False, True)]
    return stamps(**{_chip_name(suit, struck): list(_chip(suit, struck, theme)) for suit, struck in variants})


def card_chip(
    card: str, x: float, y: float, theme: Theme, *, struck: bool = False, target: bool = False
) -> Iterator[svg.Element]:
    """Draw a small card with its number and fruit; a card that is open on a board is struck out (`struck`).

    A legal target is never struck out. Its outline is an element of its own, which the page highlights.
    """
    if target:
        yield box(x, y, CHIP_WIDE, CHIP_HIGH, fill=theme.card, line=theme.edge, radius=4)
        yield fruit(card[0], x + 33, y + CHIP_HIGH / 2 - 1, 18)
    else:
        yield stamped(_chip_name(card[0], struck), x, y)
    ink, number = theme.muted if struck else theme.ink, NUMBER_OF[card]
    size = 18 if number < 10 else 17
    yield text(x + 13, y + CHIP_HIGH / 2 - 1, str(number), size=size, fill=ink, bold=not struck)


def _chip(suit: str, struck: bool, theme: Theme) -> Iterator[svg.Element]:
    if struck:
        yield box(0, 0, CHIP_WIDE, CHIP_HIGH, fill=theme.inset, line=theme.card_line, radius=4)
        yield stroke(4, CHIP_HIGH / 2, CHIP_WIDE - 4, CHIP_HIGH / 2, line=theme.muted, thick=1.5)
    else:
        yield from slab(
            0, 0, CHIP_WIDE, CHIP_HIGH, fill=theme.card, edge=theme.card_deep, line=theme.card_line, radius=4, deep=3
        )
    yield fruit(suit, 33, CHIP_HIGH / 2 - 1, 18)


def _chip_name(suit: str, struck: bool) -> str:
    return f"card-{suit.lower()}{'-open' if struck else ''}"


def empty_slot(x: float, y: float, width: float, height: float, theme: Theme) -> svg.Element:
    """Draw the slot of a card that isn't assigned yet."""
    return box(x, y, width, height, fill=theme.well, line=theme.cell_line, radius=4)
