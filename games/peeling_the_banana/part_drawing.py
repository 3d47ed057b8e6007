"""The parts of the board on the match page: the sheets, the reach, deck and discard, the shop."""

from collections.abc import Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, cell, fitted, group, last_ring, picture, place, plain, stamped, text, width_of
from games.drawing.materials import slab
from games.drawing.scene import Scene
from games.drawing.themes import SEAT_LETTERS
from games.kernel import Part, quantity
from games.peeling_the_banana.banana import Rows
from games.peeling_the_banana.card_drawing import (
    SQUARE,
    TALL,
    WIDE,
    card,
    coin,
    face,
    marks_of,
    number_badge,
    price,
    table_stamps,
)
from games.peeling_the_banana.motion import purse_of
from games.peeling_the_banana.options import shapes_of
from games.peeling_the_banana.pieces import ITEMS, UPGRADES, is_piece, kind_of
from games.peeling_the_banana.rules import outcome, score
from games.peeling_the_banana.sheet_drawing import Sheet, columns_of, rings, sheet, sheet_stamps, spaces
from games.peeling_the_banana.shop import price_for, sold_out
from games.peeling_the_banana.state import State, reach, runs_short
from games.peeling_the_banana.tables import choices, laid_last, shopper, words_of
from games.peeling_the_banana.words import name_of, short_of

Parts = Iterator[svg.Element]

_TABLE_WIDE: Final = 690
_BAND: Final = 140
_AXIS: Final = 30
_LARGEST: Final = 57.8
_OTHER: Final = (180, 140)
"""The greatest width and height of the other sheet."""
_REACH_WIDE: Final = 370
_HEAD: Final = 22
_CARD_TALL: Final = 124
_CARD_WIDE: Final = 110
"""The greatest width; with many cards in reach they are narrower."""
_IN_A_ROW: Final = 10
_PITCH: Final = 36
_ROW: Final = 50
_DECK_WIDE: Final = 363
_SHOP_WIDE: Final = 360
_TILE: Final = (176, 44)
_PALE: Final = 0.45


class TableParts(Scene[State]):
    """Draws the parts. Everything in this game is public; for a seat its own sheet is the large one."""

    @property
    def own(self) -> int:
        """The seat with the large sheet."""
        return self.viewer if isinstance(self.viewer, int) else 0

    def parts(self, title: str) -> Iterator[Part]:
        """Yield the parts, the sheets first."""
        yield Part("table", self._table(title))
        if outcome(self.view) is None and self.view.deck:
            yield Part("reach", self._reach())
        yield Part("deck", self._piles(), tab="Deck")
        if self.view.options.shop:
            yield Part("shop", self._shop(), tab="Shop")

    def _table(self, title: str) -> str:
        rows = self.view.boards[self.own]
        wide = (_TABLE_WIDE - _AXIS) / (columns_of(rows) + 0.4)
        large = Sheet(self.view, self.own, min(_LARGEST, wide, 600 / len(rows)), _AXIS)
        top = 0 if _has_hollow(rows) else _BAND
        left = (_TABLE_WIDE - large.width) / 2
        at = (168, 177) if not top else (_TABLE_WIDE - 250, 30)
        last = self.last if self._laid_last == self.own else ()
        elements: list[svg.Element] = [
            sheet_stamps(rows),
            group(sheet(large, self.theme), spaces(large, self.theme, targets=self.targets, last=last), x=left, y=top),
            *self._other(),
            *self._sum(*at),
        ]
        return picture(title, _TABLE_WIDE, top + large.height, elements, self.theme)

    @property
    def _watches(self) -> bool:
        """True if neither sheet is the viewer's own, so that both are labelled with a name."""
        return self.own != self.viewer

    @property
    def _laid_last(self) -> int:
        return laid_last(self.view, self.last, self.own)

    def _other(self) -> Parts:
        """Draw the other sheet small, with its seat's name, points and coins."""
        seat, theme, rows = 1 - self.own, self.theme, self.view.boards[1 - self.own]
        size = min(_OTHER[0] / (columns_of(rows) + 0.4), _OTHER[1] / (len(rows) + 1.02), 15.4)
        small = Sheet(self.view, seat, size)
        last = self.last if self._laid_last == seat else ()
        image = group(sheet(small, theme), rings(small, theme, last), x=_AXIS + 8, y=4)
        image.extra = {"role": "img", "aria-label": plain(f"Sheet of {self.names[seat]}: {self._worth(seat)}")}
        yield image
        x = _AXIS + 22 + small.width
        name = text(x, 42, self.names[seat], size=23, fill=theme.ink, bold=True, anchor="start", width=480 - x)
        yield _fine(name)
        yield _fine(text(x, 72, self._worth(seat), size=22, fill=theme.muted, anchor="start"))
        yield self._purse(seat, x + 17, 106)
        coins = "coins" if self._watches else "their coins"
        yield _fine(text(x + 42, 106, coins, size=22, fill=theme.muted, anchor="start"))

    def _sum(self, x: float, y: float) -> Parts:
        """Draw the points of the large sheet as a subtraction, and its coins."""
        theme = self.theme
        ended = "in the end" if outcome(self.view) else "if it ended now"
        whose = fitted(self.names[self.own], 22, 240) if self._watches else ended
        yield text(x, y, self._worth(self.own), size=34, fill=theme.ink, bold=True, anchor="start")
        yield _fine(text(x, y + 31, whose, size=22, fill=theme.muted, anchor="start"))
        yield self._purse(self.own, x + 17, y + 65)
        coins = "coins" if self._watches else "your coins"
        yield _fine(text(x + 42, y + 65, coins, size=22, fill=theme.muted, anchor="start"))

    def _purse(self, seat: int, x: float, y: float) -> svg.Element:
        coins = self.view.coins[seat]
        words = svg.Title(text=plain(f"{self.names[seat]} has {quantity(coins, 'coin')}"))
        return place(purse_of(seat), words, group(*coin(str(coins), self.theme, 17), x=x, y=y))

    def _worth(self, seat: int) -> str:
        filled = sum(row.count("o") for row in self.view.boards[seat])
        empty = sum(row.count("#") for row in self.view.boards[seat])
        return f"{filled} − {empty} = {signed(score(self.view)[seat])}"

    @property
    def _chooser(self) -> int:
        """The seat whose reach is shown: the seat on turn, or the next one while it is in the shop."""
        if self.view.seat is None:
            return self.own
        return 1 - self.view.seat if self.view.stage == "shop" else self.view.seat

    def _reach(self) -> str:
        seat, cards = self._chooser, reach(self.view, self._chooser)
        number = max(3, len(cards))
        wide = min(_CARD_WIDE, (_REACH_WIDE - 8 * (number - 1) - 4) / number)
        elements: list[svg.Element] = [
            text(2, 8, self._reach_head(seat), size=14, fill=self.theme.muted, anchor="start", width=_REACH_WIDE)
        ]
        for at, name in enumerate(cards):
            elements.append(self._large_card(name, 2 + at * (wide + 8), _HEAD, wide, at + 1, seat))
        return picture("Cards in reach", _REACH_WIDE, _HEAD + _CARD_TALL + 4, elements, self.theme, ground=None)

    def _reach_head(self, seat: int) -> str:
        if self.view.seat is None:
            return "On top of the deck"
        if self.view.stage == "reshuffle" or (self.view.stage == "shop" and runs_short(self.view, seat)):
            return f"The dealer shuffles, then {'you choose' if seat == self.viewer else f'{self.names[seat]} chooses'}"
        if self.view.stage == "shop":
            return "Then you choose" if seat == self.viewer else f"{self.names[seat]} chooses next"
        return "Choose one card" if seat == self.viewer else f"{self.names[seat]} chooses"

    def _large_card(self, name: str, x: float, y: float, wide: float, number: int, seat: int) -> svg.Element:
        theme, kind, target = self.theme, kind_of(name), name in self.targets
        middle = x + wide / 2
        does = _lines(self._short(kind), 12.5, wide - 8)
        named = _lines(name_of(kind), 14, wide - 6)
        under = y + 99 - 14 * (len(does) - 1)
        title = under - 17 - 15 * (len(named) - 1)
        line = theme.accent if target else theme.ticket_line
        elements: list[svg.Element] = [
            box(x - 2, y - 2, wide + 4, _CARD_TALL + 3, fill="none", radius=10),
            svg.Title(text=plain(self._card_words(name))),
            *slab(
                x, y, wide, _CARD_TALL, fill=theme.ticket, edge=theme.ticket_deep, line=line, thick=1 + target, radius=8
            ),
            box(x + 5, y + 5, wide - 10, _CARD_TALL - 14, fill="none", line=theme.ticket_line, radius=5),
            face(kind, middle, (y + title) / 2, round(min(15, (wide - 22) / 4) / SQUARE, 2)),
            *(
                text(middle, title + 15 * row, words, size=14, fill=theme.on_ticket, bold=True)
                for row, words in enumerate(named)
            ),
            *(text(middle, under + 14 * row, words, size=12.5, fill=theme.on_ticket) for row, words in enumerate(does)),
            group(*marks_of(self.view.available[name], middle - 6.5, y + 112, theme)),
        ]
        if name in choices(self.view):
            elements += number_badge(x + 9, y + 7, number, seat, theme, radius=9)
        if name in self.last:
            elements.append(last_ring(x, y, wide, _CARD_TALL, theme, radius=8))
        return self._labelled(cell(name, "", *elements, target=target), f"{number}, {self._card_words(name)}")

    def _short(self, kind: str) -> str:
        return short_of(kind, shapes_of(self.view.options))

    def _card_words(self, name: str) -> str:
        kind = kind_of(name)
        does = self._short(kind) if is_piece(kind) else words_of(kind, shapes_of(self.view.options))
        seats = self.view.available[name]
        if len(seats) == 2:
            return f"{name_of(name)}: {does}"
        return f"{name_of(name)}: {does}, for {'you' if seats[0] == self.viewer else SEAT_LETTERS[seats[0]]} alone"

    def _labelled(self, drawn: svg.G, words: str) -> svg.G:
        """Label a cell with words instead of its notation; its title has the same words."""
        extra = {**(drawn.extra or {}), "aria-label": plain(words)}
        if extra["role"] == "img":
            del extra["aria-label"]
        drawn.extra = extra
        return drawn

    def _piles(self) -> str:
        in_reach = reach(self.view, self._chooser) if outcome(self.view) is None else ()
        deck = [name for name in self.view.deck if name not in in_reach]
        discard = self.view.discard[::-1]
        theme = self.theme
        below = 20 + _rows(deck) * _ROW
        pile = place("deck", box(0, 18, 1, 1, fill="none"), *self._pile(deck, 19))
        # Keyboards must reach the pile: it scrolls if it is longer than the space on the page.
        pile.extra = {**(pile.extra or {}), "role": "group", "aria-label": "Next in the deck", "tabindex": "0"}
        elements: list[svg.Element] = [
            table_stamps(
                map(kind_of, (*self.view.deck, *discard)), self.view.options.shop, shapes_of(self.view.options), theme
            ),
            text(1, 8, "Next in the deck", size=17, fill=theme.ink, bold=True, anchor="start"),
            text(_DECK_WIDE - 1, 8, quantity(len(deck), "more card"), size=17, fill=theme.muted, anchor="end"),
            pile,
            text(1, below + 8, "Discard", size=17, fill=theme.ink, bold=True, anchor="start"),
            text(_DECK_WIDE - 1, below + 8, f"{len(discard)}, latest first", size=17, fill=theme.muted, anchor="end"),
            *self._pile(discard, below + 19),
        ]
        high = below + 20 + _rows(discard) * _ROW
        return picture("Deck and discard", _DECK_WIDE, high, elements, theme, ground=None)

    def _pile(self, cards: Sequence[str], y: float) -> Parts:
        for at, name in enumerate(cards):
            row, col = divmod(at, _IN_A_ROW)
            yield group(self._small_card(name), x=1 + col * _PITCH, y=y + row * _ROW)

    def _small_card(self, name: str) -> svg.Element:
        shown = group(*card(kind_of(name), self.view.available[name]))
        if shopper(self.view, self.viewer) not in self.view.available[name]:
            shown.opacity = _PALE
        words = self._card_words(name)
        elements: list[svg.Element] = [svg.Title(text=plain(words)), shown]
        if name in self.last:
            elements.append(last_ring(0, 0, WIDE, TALL, self.theme, radius=4))
        drawn = self._labelled(cell(name, "", *elements, target=name in self.targets), words)
        drawn.id = None  # There are many of them, and nothing refers to one by its id.
        return drawn

    def _shop(self) -> str:
        theme, seat = self.theme, shopper(self.view, self.viewer)
        coins = self.view.coins[seat]
        whose = "your coins" if seat == self.viewer else f"{fitted(self.names[seat], 15, 150)}’s coins"
        elements: list[svg.Element] = [
            text(2, 14, "Shop", size=18, fill=theme.ink, bold=True, anchor="start"),
            text(_SHOP_WIDE - 36, 14, whose, size=15, fill=theme.muted, anchor="end"),
            group(*coin(str(coins), theme, 13), x=_SHOP_WIDE - 17, y=14),
        ]
        wide, high = _TILE
        for at, item in enumerate(sorted(self.view.options.shop, key=self._rank)):
            row, col = divmod(at, 2)
            elements.append(self._good(item, seat, col * (_SHOP_WIDE - wide), 32 + row * high))
        rows = -(-len(self.view.options.shop) // 2)
        return picture("Shop", _SHOP_WIDE, 34 + rows * high, elements, theme, ground=None)

    def _rank(self, item: str) -> tuple[bool, int, int]:
        """Return a sort key: cards before upgrades, cheaper ones first."""
        own = item not in ITEMS
        return item in UPGRADES, self.view.options.shop[item], len(ITEMS) if own else ITEMS.index(item)

    def _good(self, item: str, seat: int, x: float, y: float) -> svg.Element:
        """Draw a shop item with its effect and its price on a coin, pale if the seat can't buy it now."""
        theme, (wide, high) = self.theme, _TILE
        cost, gone, target = price_for(self.view, seat, item), sold_out(self.view, seat, item), item in self.targets
        dear = self.view.stage == "shop" and self.view.seat == seat and cost > self.view.coins[seat]
        drawn = group(
            stamped("banana-tile", x + 4, y + 3),
            face(item, x + 22, y + high / 2 - 2),
            text(x + 47, y + 14, name_of(item), size=15, fill=theme.ink, bold=True, anchor="start"),
            text(
                x + 47,
                y + 31,
                "yours already" if gone else self._short(item),
                size=14,
                fill=theme.muted,
                anchor="start",
            ),
            *([] if gone else price(cost, x + wide - 17, y + high / 2 - 1, theme)),
        )
        if gone or dear:
            drawn.opacity = _PALE
        line = theme.accent if target else None
        ground = box(x, y, wide, high - 1, fill=theme.stage if target else "none", line=line, thick=1.5)
        does = words_of(item, shapes_of(self.view.options))
        words = f"{name_of(item)}: {does}, {'sold out' if gone else quantity(cost, 'coin')}"
        elements: list[svg.Element] = [ground, svg.Title(text=plain(words)), drawn]
        if item in self.last:
            elements.append(last_ring(x + 2, y + 2, wide - 4, high - 5, theme))
        return self._labelled(cell(item, "", *elements, target=target), words)


def _fine(words: svg.Text) -> svg.Text:
    """Set the class of text that a page hides if the board is too small for it."""
    words.class_ = ["fine"]
    return words


def _rows(cards: Sequence[str]) -> int:
    return max(1, -(-len(cards) // _IN_A_ROW))


def _has_hollow(rows: Rows) -> bool:
    """True if the sheet leaves space at its top left for the text of both seats."""
    if len(rows) < 5 or columns_of(rows) not in (11, 12):
        return False
    return not "".join((*(row[:8] for row in rows[:2]), *(row[2:7] for row in rows[2:4]))).strip(".")


def _lines(words: str, size: float, wide: float) -> list[str]:
    """Return the text in one line, or in two if it is too wide."""
    if width_of(words, size) <= wide * 1.06 or " " not in words:
        return [words]
    first, _, rest = words.rpartition(" ") if words[-2] != " " else words.partition(" ")
    return [first, rest]


def signed(number: int) -> str:
    """Return the number with its sign: `+4`, `−4`, `0`."""
    return "0" if number == 0 else f"{'+' if number > 0 else '−'}{abs(number)}"
