"""The board as one picture (deck, discard, both sheets, shop), in parts for a page, and as tables."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, cell, fitted, group, last_ring, picture, plain, target_mark, text
from games.drawing.scene import Scene
from games.drawing.texttable import TextTable
from games.drawing.themes import Theme
from games.kernel import Outcome, Part, Witness, quantity
from games.peeling_the_banana.banana import EMPTY
from games.peeling_the_banana.card_drawing import (
    GOOD_TALL,
    GOOD_WIDE,
    TALL,
    WIDE,
    card,
    choice_frame,
    coin,
    face,
    seat_mark,
    table_stamps,
)
from games.peeling_the_banana.finale import finale, score_words
from games.peeling_the_banana.options import shapes_of
from games.peeling_the_banana.part_drawing import TableParts
from games.peeling_the_banana.pieces import UPGRADES, kind_of
from games.peeling_the_banana.rules import score
from games.peeling_the_banana.sheet_drawing import Sheet, rings, sheet, sheet_stamps, spaces
from games.peeling_the_banana.shop import price_for, sold_out
from games.peeling_the_banana.state import Cards, State
from games.peeling_the_banana.tables import choices, description_of, headline, laid_last, players_of, shopper, tables
from games.peeling_the_banana.words import name_of

__all__ = ["BOARD"]

Parts = Iterator[svg.Element]

WIDTH: Final = 560
_LEFT: Final = 6
_NAME: Final = 240
_IN_A_ROW: Final = 15
_PITCH: Final = (WIDTH - 2 * _LEFT - WIDE) / (_IN_A_ROW - 1)
_ROW: Final = TALL + 6
_TITLE: Final = 38
_CAPTION: Final = 26
_GAP: Final = 6
_STRIP: Final = 50
_EDGE: Final = 20


class BananaBoard:
    """Draws the board. Everything on it is public; for a seat its own sheet is the large one."""

    def draw(
        self,
        view: State,
        *,
        viewer: Witness,
        theme: Theme,
        names: Sequence[str],
        targets: Collection[str] = (),
        last: Collection[str] = (),
    ) -> str:
        """Return the whole picture; a seat sees its own sheet large, all others see both side by side."""
        scene = Scene(view, viewer, theme, names, targets, last)
        title, shown = headline(view, names), headline(view, [fitted(name, 18, _NAME) for name in names])
        below = _TITLE + _ribbons_height(scene)
        lower, height = _for_seat(scene, viewer, below) if isinstance(viewer, int) else _for_watchers(scene, below)
        parts: list[svg.Element] = [
            table_stamps(
                map(kind_of, (*view.deck, *view.discard)),
                (*view.options.shop, *UPGRADES),
                shapes_of(view.options),
                theme,
            ),
            sheet_stamps(view.options.board),
            text(_LEFT, 18, shown, size=18, fill=theme.ink, bold=True, anchor="start"),
            *_ribbons(scene, _TITLE),
            *lower,
        ]
        return picture(f"Peeling the Banana. {title}.", WIDTH, height, parts, theme)

    def parts(
        self,
        view: State,
        *,
        viewer: Witness,
        theme: Theme,
        names: Sequence[str],
        targets: Collection[str] = (),
        last: Collection[str] = (),
    ) -> tuple[Part, ...]:
        """Return the sheets, the cards in reach, deck and discard, and the shop."""
        title = f"Peeling the Banana. {headline(view, names)}."
        return tuple(TableParts(view, viewer, theme, names, targets, last).parts(title))

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the seats, both sheets, deck, discard and shop."""
        return tables(view, viewer=viewer, names=names)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return the seat on turn and the number of the turn, or the result."""
        return headline(view, names)

    def finale(self, view: State, *, viewer: Witness, theme: Theme, names: Sequence[str]) -> str | None:
        """Draw both bananas and their scores."""
        return finale(view, theme, names)

    def score(self, view: State, outcome: Outcome) -> str:
        """Return the points of both seats."""
        return score_words(view)


BOARD: Final = BananaBoard()


def _ribbons_height(scene: Scene[State]) -> float:
    """Return the greatest height of deck and discard, whatever their sizes, so that the rest doesn't move."""
    cards = len(scene.view.deck) + len(scene.view.discard)
    return 2 * _CAPTION + _GAP + (1 + max(1, -(-cards // _IN_A_ROW))) * _ROW


def _ribbons(scene: Scene[State], y: float) -> Parts:
    deck, discard = scene.view.deck, scene.view.discard
    yield from _ribbon(scene, y, f"Deck, top first: {quantity(len(deck), 'card')}", deck)
    y += _CAPTION + max(1, -(-len(deck) // _IN_A_ROW)) * _ROW + _GAP
    yield from _ribbon(scene, y, f"Discard, latest first: {quantity(len(discard), 'card')}", discard[::-1])


def _ribbon(scene: Scene[State], y: float, caption: str, cards: Cards) -> Parts:
    yield text(_LEFT, y + 7, caption, size=14, fill=scene.theme.muted, anchor="start")
    for place, name in enumerate(cards):
        row, col = divmod(place, _IN_A_ROW)
        yield group(_card(scene, name), x=_LEFT + col * _PITCH, y=y + _CAPTION + row * _ROW)


def _card(scene: Scene[State], name: str) -> svg.Element:
    """Draw a card as a cell, pale if it isn't available to the viewer's seat or the seat on turn."""
    state, theme, kind = scene.view, scene.theme, kind_of(name)
    seats, chosen = state.available[name], choices(state)
    drawn = group(*card(kind, seats))
    if shopper(state, scene.viewer) not in seats:
        drawn.opacity = 0.45
    parts: list[svg.Element] = [svg.Title(text=plain(name_of(name))), drawn]
    label = f"{description_of(scene.view, name)}, for {players_of(state, name, scene.names)}"
    parts += _marks(scene, name, WIDE, TALL)
    if name in chosen and state.seat is not None:
        framed = name not in scene.targets
        parts.append(group(*choice_frame(1 + chosen.index(name), state.seat, theme, framed=framed)))
        label += f", choice {1 + chosen.index(name)}"
    return cell(name, label, *parts, target=name in scene.targets)


def _marks(scene: Scene[State], name: str, wide: float, tall: float) -> list[svg.Element]:
    """Draw the marks of an item at 0, 0 that is a target or was touched last."""
    marks = target_mark(0, 0, wide, tall, scene.theme, scene.targets) if name in scene.targets else []
    return [*marks, last_ring(0, 0, wide, tall, scene.theme)] if name in scene.last else marks


def _for_seat(scene: Scene[State], seat: int, y: float) -> tuple[list[svg.Element], float]:
    """Draw the seat's own sheet large, the other one and the shop below it; return them with their lower edge."""
    own = _sheet(scene, seat, WIDTH - 2 * _LEFT, 43)
    other = _sheet(scene, 1 - seat, 242, 18.5)
    beside = _LEFT + 242 + 14
    centred = (WIDTH - own.width) / 2
    parts = [*_strip(scene, seat, _LEFT, y, WIDTH - 2 * _LEFT), *_large(scene, own, centred, y + _STRIP)]
    y += _STRIP + own.height + 14
    parts += [*_strip(scene, 1 - seat, _LEFT, y, 242), *_small(scene, other, _LEFT, y + _STRIP)]
    goods, shop_ends = _shop(scene, beside, y, 5)
    return [*parts, *goods], max(y + _STRIP + other.height, shop_ends) + 8


def _for_watchers(scene: Scene[State], y: float) -> tuple[list[svg.Element], float]:
    """Draw both sheets side by side, and the shop; return them with their lower edge."""
    half = (WIDTH - 2 * _LEFT - 14) / 2
    first, second = (_sheet(scene, seat, half, 24) for seat in (0, 1))
    right = _LEFT + half + 14
    parts = [*_strip(scene, 0, _LEFT, y, half), *_strip(scene, 1, right, y, half)]
    parts += [*_large(scene, first, _LEFT, y + _STRIP), *_small(scene, second, right, y + _STRIP)]
    goods, ends = _shop(scene, _LEFT, y + _STRIP + first.height + 14, 9)
    return [*parts, *goods], ends + 8


def _sheet(scene: Scene[State], seat: int, wide: float, most: float) -> Sheet:
    """Return a sheet as large as fits into a width, its spaces at most of size `most`."""
    edge = _EDGE if most > 20 else 15
    return Sheet(scene.view, seat, min(most, (wide - edge) / len(scene.view.boards[seat][0])), edge)


def _large(scene: Scene[State], drawn: Sheet, x: float, y: float) -> Parts:
    """Draw the sheet whose spaces are cells."""
    last = scene.last if laid_last(scene.view, scene.last, drawn.seat) == drawn.seat else ()
    yield group(sheet(drawn, scene.theme), spaces(drawn, scene.theme, targets=scene.targets, last=last), x=x, y=y)


def _small(scene: Scene[State], drawn: Sheet, x: float, y: float) -> Parts:
    """Draw the sheet without cells."""
    last = scene.last if laid_last(scene.view, scene.last, 1 - drawn.seat) == drawn.seat else ()
    image = group(sheet(drawn, scene.theme), rings(drawn, scene.theme, last), x=x, y=y)
    image.extra = {"role": "img", "aria-label": plain(f"Sheet of {scene.names[drawn.seat]}")}
    yield image


def _strip(scene: Scene[State], seat: int, x: float, y: float, wide: float) -> Parts:
    """Draw a seat's name, points, empty spaces, coins and upgrades."""
    state, theme = scene.view, scene.theme
    on_turn = state.seat == seat and state.stage != "over"
    yield box(x, y, wide, _STRIP - 8, fill=theme.seat_soft(seat) if on_turn else theme.inset, radius=6)
    yield box(x, y, 4, _STRIP - 8, fill=theme.seat(seat), radius=2)
    yield from seat_mark(seat, x + 18, y + 12.5, 7, theme)
    owned = [name for name in UPGRADES for _ in range(getattr(state.upgrades[seat], name))]
    name = scene.names[seat] + (" (you)" if seat == scene.viewer else "")
    room = wide - 42 - 24 * len(owned)
    yield text(x + 32, y + 13, name, size=15, fill=theme.ink, bold=True, anchor="start", width=room)
    for place, upgrade in enumerate(reversed(owned)):
        yield face(upgrade, x + wide - 17 - 24 * place, y + 13, 0.8)
    empty = "".join(state.boards[seat]).count(EMPTY)
    worth = f"{quantity(score(state)[seat], 'point')}, {empty} empty"
    yield text(x + 12, y + 31, worth, size=14, fill=theme.muted, anchor="start", width=wide - 50)
    yield group(*coin(str(state.coins[seat]), theme, 9), x=x + wide - 17, y=y + 30.5)


def _shop(scene: Scene[State], x: float, y: float, in_a_row: int) -> tuple[list[svg.Element], float]:
    """Draw the shop with the prices of the viewer's seat or the seat on turn; return it with its lower edge."""
    seat = shopper(scene.view, scene.viewer)
    caption = "Shop" if seat == scene.viewer else f"Shop, prices for {scene.names[seat]}"
    parts: list[svg.Element] = [
        text(x, y + 7, caption, size=14, fill=scene.theme.muted, anchor="start", width=WIDTH - _LEFT - x)
    ]
    pitch = (WIDTH - _LEFT - x - GOOD_WIDE) / (in_a_row - 1)
    for place, item in enumerate(scene.view.options.shop):
        row, col = divmod(place, in_a_row)
        at = y + _CAPTION + row * (GOOD_TALL + 6)
        parts.append(group(_good(scene, item, seat), x=x + col * pitch, y=at))
    rows = -(-len(scene.view.options.shop) // in_a_row)
    return parts, y + _CAPTION + rows * (GOOD_TALL + 6)


def _good(scene: Scene[State], item: str, seat: int) -> svg.Element:
    """Draw an item as a cell, with its price on a coin; pale if the seat can't have more of it."""
    theme, none_left = scene.theme, sold_out(scene.view, seat, item)
    price = price_for(scene.view, seat, item)
    paper = box(0, 0, GOOD_WIDE, GOOD_TALL, fill=theme.ticket, line=theme.ticket_line)
    drawn = group(
        face(item, 20, 23),
        group(*coin(str(price), theme, 8.5 if price < 10 else 10), x=43, y=12),
        text(GOOD_WIDE / 2, 48, name_of(item), size=12, fill=theme.on_ticket, width=GOOD_WIDE + 12),
    )
    if none_left:
        drawn.opacity = 0.45
    label = f"{description_of(scene.view, item)}, " + ("sold out" if none_left else quantity(price, "coin"))
    return cell(item, label, paper, drawn, *_marks(scene, item, GOOD_WIDE, GOOD_TALL), target=item in scene.targets)
