"""Cards and goods as pictures: what each does, who may play it, what it costs."""

from collections.abc import Callable, Iterable
from typing import Final

import svg

from games.drawing import shapes
from games.drawing.elements import box, group, stamped, stamps, text, tidy
from games.drawing.themes import Theme
from games.peeling_the_banana.pieces import COINS, SHAPES, Offsets, turned

WIDE: Final = 33
TALL: Final = 45
"""The size of a card in the ribbon."""
GOOD_WIDE: Final = 54
GOOD_TALL: Final = 58
"""The size of an item in the shop."""

Parts = list[svg.Element]


def card(kind: str, seats: tuple[int, ...], theme: Theme, *, gone: bool = False, target: bool = False) -> Parts:
    """A card with its top left at 0, 0; below its face stand the marks of the seats that may play it.

    A target's paper is its own, for the page marks it.
    """
    paper = _card_paper(theme, gone) if target else stamped(_paper_name("card", gone))
    return [paper, stamped(_face_name(kind), WIDE / 2, 18), stamped(_marks_name(seats))]


def good_paper(theme: Theme, *, target: bool) -> svg.Element:
    """What an item of the shop stands on, its top left at 0, 0."""
    return _good_paper(theme) if target else stamped(_paper_name("good"))


def table_stamps(kinds: Iterable[str], theme: Theme) -> svg.Defs:
    """The papers, the faces of these kinds and the marks of the seats, which `card` and `good_paper` show."""
    papers: dict[str, Parts] = {_paper_name("card", gone): [_card_paper(theme, gone)] for gone in (False, True)}
    papers[_paper_name("good")] = [_good_paper(theme)]
    faces = {_face_name(kind): face_of(kind, theme) for kind in sorted(set(kinds))}
    marks = {_marks_name(seats): _marks(seats, theme) for seats in ((0,), (1,), (0, 1))}
    return stamps(**papers, **faces, **marks)


def _card_paper(theme: Theme, gone: bool) -> svg.Rect:
    return box(0, 0, WIDE, TALL, fill=theme.inset if gone else theme.cell, line=theme.cell_line, radius=5)


def _good_paper(theme: Theme) -> svg.Rect:
    return box(0, 0, GOOD_WIDE, GOOD_TALL, fill=theme.cell, line=theme.cell_line)


def _paper_name(what: str, gone: bool = False) -> str:
    return f"banana-{'gone' if gone else what}"


def _face_name(kind: str) -> str:
    return f"banana-{kind}"


def _marks_name(seats: tuple[int, ...]) -> str:
    return f"banana-for-{'-'.join(map(str, seats))}"


def _marks(seats: tuple[int, ...], theme: Theme) -> Parts:
    return [part for seat in (0, 1) for part in seat_mark(seat, 10 + 13 * seat, 37.5, 4, theme, held=seat in seats)]


def seat_mark(seat: int, x: float, y: float, radius: float, theme: Theme, *, held: bool = True) -> Parts:
    """Seat 0 is a disc and seat 1 a square, hollow where it has nothing."""
    draw = shapes.square if seat else shapes.circle
    if held:
        return [draw(x, y, radius + 0.6, fill=theme.seat(seat))]
    return [draw(x, y, radius, fill="none", line=theme.cell_line, thick=1.2)]


def choice_frame(number: int, seat: int, theme: Theme, *, framed: bool) -> Parts:
    """A card that the seat may choose has its number on the upper edge, and a frame unless it has another one."""
    colour = theme.seat(seat)
    badge = [
        shapes.circle(WIDE / 2, -1, 8.5, fill=colour),
        text(WIDE / 2, -1, str(number), size=13, fill=theme.on_seat, bold=True),
    ]
    frame = box(0.5, 0.5, WIDE - 1, TALL - 1, fill="none", line=colour, thick=2.5, radius=5)
    return [frame, *badge] if framed else badge


def face_of(kind: str, theme: Theme, size: float = 7.4) -> Parts:
    """What a card or an upgrade does, drawn round 0, 0; `size` is that of a piece's square."""
    if kind in SHAPES:
        return [squares(turned(kind, 0, False), size, theme.piece)]
    if kind in COINS:
        return coin(str(COINS[kind]), theme)
    return list(_SIGNS[kind](theme))


def squares(offsets: Offsets, size: float, fill: str) -> svg.Path:
    """A piece as squares whose box has its middle at 0, 0."""
    tall, wide = (1 + max(offset[axis] for offset in offsets) for axis in (0, 1))
    bend = size / 8
    side = tidy(size - 0.8 - 2 * bend)
    corners = [((col - wide / 2) * size + 0.4 + bend, (row - tall / 2) * size + 0.4 + bend) for row, col in offsets]
    return svg.Path(
        d="".join(f"M{tidy(x)} {tidy(y)}h{side}v{side}h-{side}Z" for x, y in corners),  # type: ignore[arg-type]
        fill=fill,
        stroke=fill,
        stroke_width=tidy(2 * bend),
        stroke_linejoin="round",
    )


def coin(words: str, theme: Theme, radius: float = 9.5) -> Parts:
    """A coin with what it is worth."""
    return [
        shapes.circle(0, 0, radius, fill=theme.gold_soft, line=theme.gold, thick=1.6),
        text(0, 0, words, size=tidy(radius * 1.3), fill=theme.gold, bold=True),
    ]


def _bite(theme: Theme) -> Parts:
    """One space among others."""
    corners = [(x - 2.5, y - 2.5) for x in (-7.5, 0, 7.5) for y in (-7.5, 0, 7.5) if x or y]
    around = "".join(f"M{tidy(x)} {tidy(y)}h5v5h-5Z" for x, y in corners)
    return [
        svg.Path(d=around, fill=theme.banana, stroke=theme.banana_line, stroke_width=0.8),  # type: ignore[arg-type]
        box(-3.6, -3.6, 7.2, 7.2, fill=theme.piece, radius=1.2),
    ]


def _seconds(theme: Theme) -> Parts:
    """A card on a card."""
    back = box(-9, -10, 12, 15, fill=theme.inset, line=theme.muted, thick=1.6, radius=2.5)
    return [back, box(-3, -5, 12, 15, fill=theme.cell, line=theme.ink, thick=1.6, radius=2.5)]


def _small_card(theme: Theme, x: float = -4) -> svg.Element:
    return box(x - 6, -8, 12, 16, fill=theme.inset, line=theme.ink, thick=1.6, radius=2.5)


def _slip(theme: Theme) -> Parts:
    return [_small_card(theme), shapes.minus(8, 0, 8, line=theme.bad, thick=2.4)]


def _graft(theme: Theme) -> Parts:
    return [_small_card(theme), shapes.plus(8, 0, 8, line=theme.ok, thick=2.4)]


def _regrow(theme: Theme) -> Parts:
    return [_small_card(theme), shapes.arrow(8, 8, 8, -8.5, line=theme.ok, thick=2.2, head=8)]


def _tumble(theme: Theme) -> Parts:
    """Two arrows that go round."""
    ink = theme.ink
    return [
        shapes.arrow(-9, -4.5, 10, -4.5, line=ink, thick=2, head=8),
        shapes.arrow(9, 4.5, -10, 4.5, line=ink, thick=2, head=8),
    ]


def _income(theme: Theme) -> Parts:
    return [group(*coin("", theme, 7.5), x=-4), shapes.plus(8.5, 0, 8, line=theme.ok, thick=2.4)]


def _reach(theme: Theme) -> Parts:
    fan = [box(x - 3, -8, 6, 16, fill=theme.inset, line=theme.ink, thick=1.4, radius=2) for x in (-9.5, -2)]
    return [*fan, shapes.plus(8.5, 0, 8, line=theme.ok, thick=2.4)]


def _haggle(theme: Theme) -> Parts:
    return [group(*coin("", theme, 7.5), x=-4), shapes.minus(8.5, 0, 8, line=theme.ok, thick=2.4)]


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
