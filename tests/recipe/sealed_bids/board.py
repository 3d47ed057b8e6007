"""The board: purses, lots and bids as a picture and as tables.

The cells are the bids that the viewing seat can name, from `0`.
"""

from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import box, cell, last_ring, picture, place, seat_badge, target_mark, text
from games.drawing.headlines import ended
from games.drawing.materials import card_back
from games.drawing.scene import Scene
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Witness
from tests.recipe.sealed_bids.pieces import LOTS, SEATS
from tests.recipe.sealed_bids.rules import due, outcome
from tests.recipe.sealed_bids.state import SealedBid, State, coins_of, points_of

_WIDTH, _EDGE = 560, 18
_SEATS_TOP, _SEAT_STEP = 18, 54
_LOTS_TOP, _LOT_WIDE, _LOT_HIGH, _LOT_STEP = 132, 68, 88, 76
_BIDS_TOP, _BIDS_A_ROW, _BID_WIDE, _BID_HIGH, _BID_STEP = 262, 11, 40, 38, 48


class AuctionBoard:
    """Draws a witness's view: the seats and the lots, and for a seat also its possible bids."""

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
        """Return the picture. `targets` and `last` are names of bids."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the table of seats and the table of lots, in the order of sale."""
        return (_seats_table(view, names), _lots_table(view, names))

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return a line with the lot for sale and who must bid, or with the result of the match."""
        return _headline(view, names)


BOARD = AuctionBoard()


class _Drawing(Scene[State]):
    def picture(self) -> str:
        elements = [*self.seats(), *self.lots()]
        height = _LOTS_TOP + _LOT_HIGH + _EDGE
        if isinstance(self.viewer, int):
            elements += self.bids(self.viewer)
            height = _BIDS_TOP + (self.view.options.coins // _BIDS_A_ROW + 1) * _BID_STEP + 8
        title = f"Sealed Bids. {_headline(self.view, self.names)}."
        return picture(title, _WIDTH, height, elements, self.theme)

    def seats(self) -> Iterator[svg.Element]:
        for seat in SEATS:
            y = _SEATS_TOP + seat * _SEAT_STEP
            name = f"{self.names[seat]}{' (you)' if seat == self.viewer else ''}"
            purse = f"{coins_of(self.view, seat)} coins, {points_of(self.view, seat)} points"
            yield from seat_badge(_EDGE + 20, y + 20, SEAT_LETTERS[seat], self.theme.seat(seat), self.theme, size=40)
            yield text(70, y + 10, name, size=16, fill=self.theme.ink, bold=True, anchor="start", width=380)
            yield text(70, y + 32, purse, size=15, fill=self.theme.muted, anchor="start")
            yield place(f"bid of seat {seat}", *self.sealed(self.view.bids[seat], _WIDTH - _EDGE - 60, y))

    def sealed(self, bid: SealedBid, x: float, y: float) -> list[svg.Element]:
        """Return a bid on the table: a card, face up if this witness knows the bid."""
        if bid is None:
            return [box(x, y, 60, 40, fill=self.theme.inset, line=self.theme.line)]
        if bid == "hidden":
            return card_back(x, y, 60, 40, self.theme)
        face = box(x, y, 60, 40, fill=self.theme.cell, line=self.theme.edge)
        return [face, text(x + 30, y + 20, str(bid), size=20, fill=self.theme.ink, bold=True)]

    def lots(self) -> Iterator[svg.Element]:
        """Yield the sold lots, then the lot for sale, then the lots that follow."""
        for at in range(len(LOTS)):
            x, y, theme = _EDGE + at * _LOT_STEP - 2, _LOTS_TOP, self.theme
            sale = self.view.sales[at] if at < len(self.view.sales) else None
            if sale is not None:
                line, fill = theme.seat(sale.seat), theme.seat_soft(sale.seat)
                yield box(x, y, _LOT_WIDE, _LOT_HIGH, fill=fill, line=line, thick=2)
                yield text(x + _LOT_WIDE / 2, y + 22, str(sale.lot), size=24, fill=theme.ink, bold=True)
                yield from seat_badge(x + _LOT_WIDE / 2, y + 47, SEAT_LETTERS[sale.seat], line, theme, size=20)
                yield text(x + _LOT_WIDE / 2, y + 73, _bids_words(sale.bids), size=14, fill=theme.ink)
            elif at == len(self.view.sales) and self.view.lot is not None:
                card = box(x, y, _LOT_WIDE, _LOT_HIGH, fill=theme.gold_soft, line=theme.gold, thick=2.5)
                worth = text(x + _LOT_WIDE / 2, y + 44, str(self.view.lot), size=34, fill=theme.gold, bold=True)
                yield place("lot", card, worth)
            else:
                yield from card_back(x, y, _LOT_WIDE, _LOT_HIGH, theme)

    def bids(self, seat: int) -> Iterator[svg.Element]:
        """Yield every bid that a full purse allows. Bids above the remaining coins are darkened."""
        yield text(_EDGE, _BIDS_TOP - 18, "Your bid", size=15, fill=self.theme.muted, anchor="start")
        for coins in range(self.view.options.coins + 1):
            x = _EDGE + coins % _BIDS_A_ROW * _BID_STEP
            yield self.bid(seat, coins, x, _BIDS_TOP + coins // _BIDS_A_ROW * _BID_STEP)

    def bid(self, seat: int, coins: int, x: float, y: float) -> svg.Element:
        theme, name = self.theme, str(coins)
        is_chosen, held = self.view.bids[seat] == coins, coins <= coins_of(self.view, seat)
        label = "your sealed bid" if is_chosen else "a bid that you can pay" if held else "more than your purse holds"
        fill = theme.seat_soft(seat) if is_chosen else theme.cell if held else theme.cell_off
        elements: list[svg.Element] = [
            box(x, y, _BID_WIDE, _BID_HIGH, fill=fill, line=theme.seat(seat) if is_chosen else theme.cell_line),
            text(x + 20, y + 19, name, size=16, fill=theme.ink if held else theme.faint, bold=is_chosen),
        ]
        if name in self.targets:
            elements += target_mark(x, y, _BID_WIDE, _BID_HIGH, theme, self.targets)
        if name in self.last:
            elements.append(last_ring(x, y, _BID_WIDE, _BID_HIGH, theme))
        return cell(name, label, *elements, target=name in self.targets)


def _headline(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return ended(end, names)
    number = f"Lot {len(view.sales) + 1} of {len(LOTS)}"
    if view.lot is None:
        return f"{number} is to be drawn"
    asked = [names[seat] for seat in due(view).seats]
    return f"{number}, worth {view.lot}: {' and '.join(asked)} to bid"


def _bids_words(bids: Sequence[int]) -> str:
    return " : ".join(map(str, bids))


def _sealed_words(bid: SealedBid) -> str:
    return "not yet" if bid is None else "sealed" if bid == "hidden" else str(bid)


def _seats_table(view: State, names: Sequence[str]) -> TextTable:
    rows = tuple(
        (names[seat], str(coins_of(view, seat)), str(points_of(view, seat)), _sealed_words(view.bids[seat]))
        for seat in SEATS
    )
    return TextTable("The seats", ("Player", "Coins", "Points", "Bid"), rows)


def _lots_table(view: State, names: Sequence[str]) -> TextTable:
    rows = [
        (str(number), str(sale.lot), _bids_words(sale.bids), names[sale.seat])
        for number, sale in enumerate(view.sales, start=1)
    ]
    if view.lot is not None:
        rows.append((str(len(rows) + 1), str(view.lot), "", "for sale"))
    return TextTable("The lots", ("Lot", "Worth", "Bids", "Taken by"), tuple(rows))
