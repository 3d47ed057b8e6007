"""Pictures of cards and shop items: their effect, the seats that may play them, their price."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import svg

from games.drawing import shapes
from games.drawing.elements import box, group, stamped, stamps, text, tidy
from games.drawing.materials import slab
from games.drawing.themes import Theme
from games.peeling_the_banana.outline import outline, seams
from games.peeling_the_banana.pieces import SHAPES, Offsets, coins_of, turned

WIDE: Final = 33
TALL: Final = 45
"""The size of a small card."""
SQUARE: Final = 8
"""The size of a piece's square on a card."""
_MOST_SQUARES: Final = 4
"""The number of squares in a line above which a piece is drawn smaller."""
GOOD_WIDE: Final = 54
GOOD_TALL: Final = 58
"""The size of a shop item in the whole picture."""

Parts = list[svg.Element]


def card(kind: str, seats: tuple[int, ...]) -> Parts:
    """Draw a small card with its top left at 0, 0, and below its face the marks of the seats that may play it."""
    return [stamped(f"banana-card-{kind}"), stamped(_marks_name(seats))]


def face(kind: str, x: float, y: float, scale: float = 1) -> svg.Element:
    """Draw the face of a card or an upgrade, centred on x, y; a piece's square is `SQUARE` units at scale 1."""
    return stamped(f"banana-{kind}", x, y) if scale == 1 else group(stamped(f"banana-{kind}"), x=x, y=y, scale=scale)


def price(number: int, x: float, y: float, theme: Theme) -> Parts:
    """Draw a coin with a price on it."""
    return [stamped("banana-coin", x, y), text(x, y, str(number), size=15, fill=theme.on_coin, bold=True)]


def table_stamps(cards: Iterable[str], goods: Iterable[str], shapes: Mapping[str, Offsets], theme: Theme) -> svg.Defs:
    """Return definitions of the small cards and all faces, the marks of the seats, and the shop items' background."""
    kinds = sorted(set(cards))
    faces = {f"banana-{kind}": face_of(kind, theme, shapes) for kind in sorted({*kinds, *goods})}
    small: dict[str, Parts] = {"banana-paper": _paper(theme)}
    small |= {f"banana-card-{kind}": [stamped("banana-paper"), face(kind, WIDE / 2, 18, 0.92)] for kind in kinds}
    marks = {_marks_name(seats): marks_of(seats, 10, 37.5, theme) for seats in ((0,), (1,), (0, 1))}
    tile = slab(0, 0, 36, 37, fill=theme.ticket, edge=theme.ticket_deep, radius=5, deep=3)
    return stamps(**faces, **small, **marks, **{"banana-tile": tile, "banana-coin": _blank(12, theme)})


def _paper(theme: Theme) -> Parts:
    return slab(0, 0, WIDE, TALL, fill=theme.ticket, edge=theme.ticket_deep, line=theme.ticket_line, radius=4, deep=2.5)


def _marks_name(seats: tuple[int, ...]) -> str:
    return f"banana-for-{'-'.join(map(str, seats))}"


def marks_of(seats: tuple[int, ...], x: float, y: float, theme: Theme) -> Parts:
    """Draw the marks of both seats side by side, hollow for one that may not play the card."""
    return [part for seat in (0, 1) for part in seat_mark(seat, x + 13 * seat, y, 3.6, theme, held=seat in seats)]


def seat_mark(seat: int, x: float, y: float, radius: float, theme: Theme, *, held: bool = True) -> Parts:
    """Draw the mark of a seat: a disc for seat 0, a square for seat 1; hollow unless `held`."""
    draw = shapes.square if seat else shapes.circle
    if held:
        return [draw(x, y, radius + 0.6, fill=theme.seat(seat))]
    return [draw(x, y, radius, fill="none", line=theme.ticket_deep, thick=1.2)]


def number_badge(x: float, y: float, number: int, seat: int, theme: Theme, *, radius: float = 8.5) -> Parts:
    """Draw the number by which a seat may choose a card."""
    return [
        shapes.circle(x, y, radius, fill=theme.seat(seat)),
        text(x, y, str(number), size=radius * 1.5, fill=theme.on_seat, bold=True),
    ]


def choice_frame(number: int, seat: int, theme: Theme, *, framed: bool) -> Parts:
    """Draw the number of a card that the seat may choose on its upper edge, with a frame if `framed`."""
    badge = number_badge(WIDE / 2, -1, number, seat, theme)
    frame = box(0.5, 0.5, WIDE - 1, TALL - 1, fill="none", line=theme.seat(seat), thick=2.5, radius=5)
    return [frame, *badge] if framed else badge


def face_of(kind: str, theme: Theme, shapes: Mapping[str, Offsets] = SHAPES) -> Parts:
    """Draw the face of a card or an upgrade, centred on 0, 0."""
    if kind in shapes:
        offsets = turned(shapes[kind], 0, False)
        across = 1 + max(max(offset) for offset in offsets)
        return piece(offsets, SQUARE * min(1, _MOST_SQUARES / across), theme)
    coins = coins_of(kind)
    return coin(str(coins), theme) if coins else list(_SIGNS[kind](theme))


def piece(offsets: Offsets, size: float, theme: Theme) -> Parts:
    """Draw a piece as a slab whose box is centred on 0, 0."""
    tall, wide = (1 + max(offset[axis] for offset in offsets) for axis in (0, 1))
    face: Any = outline(offsets, size, bend=size * 0.2)
    inner: Any = seams(offsets, size)
    deep = svg.Path(d=face, fill=theme.piece_deep)
    deep.transform = [svg.Translate(0, tidy(max(1, size / 8)))]
    lines = svg.Path(d=inner, fill="none", stroke=theme.piece_deep, stroke_width=tidy(max(0.8, size / 14)))
    return [group(deep, svg.Path(d=face, fill=theme.piece), lines, x=-wide * size / 2, y=-tall * size / 2)]


def coin(words: str, theme: Theme, radius: float = 9.5) -> Parts:
    """Draw a coin with its value."""
    return [
        *_blank(radius, theme),
        text(0, 0, words, size=tidy(radius * 1.25), fill=theme.on_coin, bold=True),
    ]


def _blank(radius: float, theme: Theme) -> Parts:
    return [
        shapes.circle(0, radius * 0.16, radius, fill=theme.coin_deep),
        shapes.circle(0, 0, radius - 0.5, fill=theme.coin, line=theme.coin_deep, thick=1),
    ]


def _bite(theme: Theme) -> Parts:
    """Draw one space among others."""
    ground = box(-11, -11, 22, 22, fill=theme.banana, line=theme.banana_line, thick=1.2, radius=4)
    return [ground, box(-4, -4, 8, 8, fill=theme.piece_deep, radius=1.5)]


def _card_sign(theme: Theme, x: float, y: float = 0) -> svg.Element:
    return box(x - 6, y - 8, 12, 16, fill=theme.ticket, line=theme.on_ticket, thick=1.6, radius=2.5)


def _seconds(theme: Theme) -> Parts:
    """Draw a card on a card."""
    return [_card_sign(theme, -3, -2), _card_sign(theme, 3, 2)]


def _slip(theme: Theme) -> Parts:
    return [_card_sign(theme, -4), shapes.minus(8, 0, 8, line=theme.on_ticket, thick=2.4)]


def _graft(theme: Theme) -> Parts:
    return [_card_sign(theme, -4), shapes.plus(8, 0, 8, line=theme.piece_deep, thick=2.4)]


def _regrow(theme: Theme) -> Parts:
    return [_card_sign(theme, -4), shapes.arrow(8, 8, 8, -8.5, line=theme.piece_deep, thick=2.2, head=8)]


def _tumble(theme: Theme) -> Parts:
    """Draw two opposite arrows."""
    ink = theme.on_ticket
    return [
        shapes.arrow(-9, -4.5, 10, -4.5, line=ink, thick=2, head=8),
        shapes.arrow(9, 4.5, -10, 4.5, line=ink, thick=2, head=8),
    ]


def _income(theme: Theme) -> Parts:
    return [group(*_blank(7.5, theme), x=-4), shapes.plus(8.5, 0, 8, line=theme.piece_deep, thick=2.4)]


def _reach(theme: Theme) -> Parts:
    fan = [_card_sign(theme, x) for x in (-6.5, -2)]
    return [*fan, shapes.plus(9.5, 0, 8, line=theme.piece_deep, thick=2.4)]


def _haggle(theme: Theme) -> Parts:
    return [group(*_blank(7.5, theme), x=-4), shapes.minus(8.5, 0, 8, line=theme.on_ticket, thick=2.4)]


_SIGNS: Final[dict[str, Callable[[Theme], Parts]]] = {
    "bite": _bite,
    "seconds": _seconds,
    "slip": _slip,
    "graft": _graft,
    "regrow": _regrow,
    "tumble": _tumble,
    "income": _income,
    "reach": _reach,
    "haggle": _haggle,
}
