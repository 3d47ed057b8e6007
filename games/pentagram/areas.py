"""The areas beside the rows. Their places are named `card`, `deck`, `0 blue` (seat 0's blue coins) and `hand 0`."""

from collections.abc import Iterator
from typing import Final

import svg

from games.drawing.elements import box, cell, fitted, group, place, seat_badge, text, width_of
from games.drawing.materials import card_back, well
from games.drawing.scene import Scene
from games.drawing.themes import SEAT_LETTERS, Theme
from games.pentagram.figures import HIGH, WIDE, card_face, chip, worker
from games.pentagram.pieces import COLOURS, FACES, Card, spoken
from games.pentagram.rules import outcome, over, score
from games.pentagram.state import State

BESIDE_WIDE: Final = 304
DRAWN_HIGH: Final = HIGH + 8
_HEADING_HIGH = 22
_ROW_HIGH = {1: 38, 2: 62}
_SCORE_HEADINGS: Final = {"total": "sum", "strongest": "most", "first": "coins"}
_UNITS = ("", "k", "M", "G", "T")


class Areas(Scene[State]):
    """Draws the card and the seats' areas, each from 0, 0."""

    def drawn(self, *, is_cell: bool) -> Iterator[svg.Element]:
        """Draw the card to be placed, its effect, and the deck; with `is_cell` commands can name the card."""
        theme, view = self.theme, self.view
        if view.card is None:
            yield place("card", *well(2, 3, WIDE, HIGH, theme, radius=9))
        elif is_cell:
            yield cell("card", spoken(view.card), *card_face(view.card, 2, 3, theme))
        else:
            yield place("card", *card_face(view.card, 2, 3, theme))
        left, room = WIDE + 16, BESIDE_WIDE - WIDE - 18
        for number, words in enumerate(_effect(view.card) if view.card else _status(view)):
            fill = theme.muted if number else theme.ink
            yield text(left, 14 + number * 20, words, size=14, fill=fill, bold=not number, anchor="start", width=room)
        if view.left:
            yield place("deck", *card_back(left, 54, 24, 32, theme))
        else:
            yield place("deck", *well(left, 54, 24, 32, theme, radius=5))
        yield text(left + 32, 71, f"{view.left} left in the deck", size=14, fill=theme.muted, anchor="start")

    @property
    def lines(self) -> int:
        """The number of lines of each seat's area beside the rows: 2 for two seats, else 1 without the name."""
        return 2 if self.view.seats == 2 else 1

    def height(self, lines: int) -> int:
        return _HEADING_HIGH + self.view.seats * _ROW_HIGH[lines]

    def seats(self, lines: int) -> Iterator[svg.Element]:
        """Draw the seats one below the other."""
        yield from self.headings(lines)
        for seat in range(self.view.seats):
            yield group(*self.seat(seat, lines), y=_HEADING_HIGH + seat * _ROW_HIGH[lines])

    def headings(self, lines: int) -> Iterator[svg.Element]:
        score_heading = _SCORE_HEADINGS.get(self.view.options.score, self.view.options.score)
        yield text(4, 10, "Coins", size=14, fill=self.theme.muted, anchor="start", bold=True)
        hand_x = BESIDE_WIDE - (80 if lines == 2 else 66)
        yield text(hand_x, 10, "in hand", size=14, fill=self.theme.muted, anchor="middle" if lines == 2 else "end")
        yield text(BESIDE_WIDE - 10, 10, score_heading, size=14, fill=self.theme.muted, anchor="end")

    def seat(self, seat: int, lines: int) -> Iterator[svg.Element]:
        """Draw a seat's area: its coins, the workers in its hand, its score."""
        theme, view, high = self.theme, self.view, _ROW_HIGH[lines] - 6
        end = outcome(view)
        line = None
        if end is not None and seat in end.winners:
            line = theme.gold
        elif seat == view.turn and not over(view):
            line = theme.seat(seat)
        fill = theme.seat_soft(seat)
        yield box(1, 1, BESIDE_WIDE - 2, high - 2, fill=fill, line=line, thick=2.5 if line else 1, radius=8)
        yield from self.two_lines(seat) if lines == 2 else self.one_line(seat, high / 2)

    def two_lines(self, seat: int) -> Iterator[svg.Element]:
        yield from seat_badge(20, 16, SEAT_LETTERS[seat], self.theme.seat(seat), self.theme, size=20)
        yield self.name(seat, 36, 16, 150)
        yield from self.hand(seat, BESIDE_WIDE - 88, 16)
        yield self.scored(seat, BESIDE_WIDE - 10, 16, 52)
        for number, coins in enumerate(self.view.coins[seat]):
            yield from self.coins(seat, number, coins, 20 + number * 58, 40, 32)

    def one_line(self, seat: int, y: float) -> Iterator[svg.Element]:
        yield from seat_badge(15, y, SEAT_LETTERS[seat], self.theme.seat(seat), self.theme, size=18)
        for number, coins in enumerate(self.view.coins[seat]):
            yield from self.coins(seat, number, coins, 39 + number * 40, y, 20)
        yield from self.hand(seat, 243, y)
        yield self.scored(seat, BESIDE_WIDE - 6, y, 32)

    def name(self, seat: int, x: float, y: float, room: float) -> svg.Element:
        name = fitted(self.names[seat], 14, room)
        return text(x, y, name, size=14, fill=self.theme.ink, bold=True, anchor="start")

    def coins(self, seat: int, number: int, coins: int, x: float, y: float, room: float) -> Iterator[svg.Element]:
        colour = COLOURS[number]
        yield chip(colour, x, y, 9, self.theme)
        yield place(f"{seat} {colour}", figure(x + 12, y, coins, 16, room, self.theme, anchor="start"))

    def hand(self, seat: int, x: float, y: float) -> Iterator[svg.Element]:
        yield place(f"hand {seat}", *worker(seat, "", x, y + 10, self.theme, size=22))
        if seat not in self.view.resigned:
            yield figure(
                x + 11, y, self.view.hands[seat], 16, 12 if self.lines == 1 else 22, self.theme, anchor="start"
            )

    def scored(self, seat: int, x: float, y: float, room: float) -> svg.Element:
        if seat in self.view.resigned:
            return text(x, y, "gone", size=14, fill=self.theme.muted, anchor="end")
        return figure(x, y, score(self.view)[seat], 17, room, self.theme, anchor="end")


def figure(x: float, y: float, number: int, size: float, width: float, theme: Theme, *, anchor: str) -> svg.Element:
    """Draw the number, smaller if it is wider than `width`."""
    digits = short(number)
    shrunk = min(size, size * width / width_of(digits, size))
    return text(x, y, digits, size=shrunk, fill=theme.ink, bold=True, anchor=anchor)


def short(number: int) -> str:
    """Return the number. With more than five digits it is cut, not rounded, to three and a unit (`12.3M`); from 1e15 on
    to one and a power of ten (`1e30`)."""
    digits = str(number)
    thousands = (len(digits) - 1) // 3
    if len(digits) <= 5:
        return digits
    if thousands >= len(_UNITS):
        return f"{digits[0]}e{len(digits) - 1}"
    whole = len(digits) - 3 * thousands
    return f"{digits[:whole]}{'.' if whole < 3 else ''}{digits[whole:3]}{_UNITS[thousands]}"


def _effect(card: Card) -> tuple[str, str]:
    """Return a card's name and its effect for a seat with a worker on it."""
    face = FACES[card]
    source, target = COLOURS[face.source], COLOURS[face.target]
    return spoken(card), f"adds {source} to {target}" if face.adds else f"takes {source} off {target}"


def _status(view: State) -> tuple[str, ...]:
    return ("The match is over",) if over(view) else ("The dealer is at work",)
