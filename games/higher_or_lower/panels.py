"""Drawings and descriptions of a seat's assigned groups and its hand."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import svg

from games.drawing.elements import cell, group, last_ring, target_mark, text, width_of
from games.drawing.materials import card_back
from games.drawing.themes import SEAT_LETTERS, Theme
from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.figures import card_chip, empty_slot, shape_of
from games.higher_or_lower.layout import Place
from games.higher_or_lower.pieces import NUMBER_OF, NUMBERS, SUITS, spoken, spoken_cards
from games.higher_or_lower.state import State
from games.kernel import HOST, Witness, quantity

LINE = 46
_SLOT, _STEP, _HIGH = 45, 48, 37
_A_LINE = 8
_LEAD = 42


def known_seats(view: State, viewer: Witness) -> tuple[int, ...]:
    """Return the seats whose groups this viewer may see."""
    if not view.colours:
        return ()
    return tuple(seat for seat in range(view.seats) if viewer in (seat, HOST))


def cards_of(view: State, seat: int, place: Place) -> tuple[str, ...] | None:
    """Return the cards of a group; None if they are unknown."""
    filled = next((g for g in view.filled[seat] or () if (g.board, g.shape) == place), None)
    group = view.group_of(seat, *place) or filled
    return group.cards if group else None


def open_cards(view: State, seat: int) -> frozenset[str]:
    """Return the seat's cards that are open on the boards."""
    return frozenset(
        card
        for (board, _), spaces in places_of(view, seat).items()
        for space in spaces
        if (card := view.cards_open.get(board, {space: None})[space])
    )


def hand_of(view: State, seat: int) -> tuple[str, ...]:
    """Return the cards that a seat has assigned to no group."""
    used = {card for group in view.groups[seat] for card in group.cards}
    return tuple(card for card in NUMBER_OF if card not in used)


def group_words(view: State, seat: int, place: Place) -> str:
    """Describe a group: its cards, with the open ones marked, or their number if they are unknown."""
    cards, size = cards_of(view, seat, place), len(places_of(view, seat)[place])
    if cards is None:
        return f"{quantity(size, 'card')}{', not told' if seat in view.locked else ' to assign'}"
    opened = open_cards(view, seat)
    words = (
        spoken_cards(card for card in cards if card not in opened),
        spoken_cards(card for card in cards if card in opened),
    )
    return "; open: ".join(filter(None, words)) if words[0] or not words[1] else f"open: {words[1]}"


@dataclass(frozen=True)
class Panel:
    """Draws the groups of one seat; if it is the viewer, they are cells, `A circle`."""

    view: State
    viewer: Witness
    theme: Theme
    targets: Collection[str]
    last: Collection[str]

    def groups(self, seat: int, boards: Sequence[str], x: float, y: float) -> tuple[list[svg.Element], float]:
        """Draw the seat's groups on these boards, one below the other; return them with their lower edge."""
        elements: list[svg.Element] = []
        for place, spaces in places_of(self.view, seat).items():
            if place[0] in boards:
                elements.append(self.group(seat, place, len(spaces), x, y))
                y += self.height(len(spaces))
        return elements, y

    def height(self, size: int) -> float:
        """Return the height of a group with `size` cards."""
        return LINE + (-(-size // _A_LINE) - 1) * (_HIGH + 3)

    def group(self, seat: int, place: Place, size: int, x: float, y: float) -> svg.Element:
        """Draw one group: its shape, then its cards or empty slots."""
        theme, name = self.theme, " ".join(place)
        elements: list[svg.Element] = [shape_of(place[1], self.view.colours[seat], x + 19, y + _HIGH / 2, 11, theme)]
        elements += self.cards(seat, place, size, x + _LEAD, y)
        wide, high = _LEAD + min(size, _A_LINE) * _STEP, self.height(size) - LINE + _HIGH
        if seat != self.viewer:
            label = f"Board {place[0]}, {place[1]}s: {group_words(self.view, seat, place)}"
            return svg.G(elements=elements, extra={"role": "img", "aria-label": label})
        if name in self.targets:
            elements += target_mark(x, y - 2.5, wide, high + 5, theme, self.targets)
        if name in self.last:
            elements.append(last_ring(x + 2, y - 0.5, wide - 4, high + 1, theme))
        return cell(name, group_words(self.view, seat, place), *elements, target=name in self.targets)

    def cards(self, seat: int, place: Place, size: int, x: float, y: float) -> Iterator[svg.Element]:
        cards, out = cards_of(self.view, seat, place), open_cards(self.view, seat)
        for at in range(size):
            left, top = x + at % _A_LINE * _STEP, y + at // _A_LINE * (_HIGH + 3)
            if cards is not None:
                struck = cards[at] in out
                yield from card_chip(cards[at], left, top, self.theme, struck=struck)
            elif seat in self.view.locked:
                yield from card_back(left, top, _SLOT, _HIGH, self.theme, radius=4)
            else:
                yield empty_slot(left, top, _SLOT, _HIGH, self.theme)

    def hand(self, seat: int, x: float, y: float) -> tuple[list[svg.Element], float]:
        """Draw the fifty cards by suit, those not in hand struck out; return them with their lower edge."""
        theme = self.theme
        elements: list[svg.Element] = []
        left = set(hand_of(self.view, seat))
        for suit, fruit in SUITS.items():
            elements.append(text(x, y + 17, fruit, size=16, fill=theme.ink, bold=True, anchor="start"))
            for number in NUMBERS:
                elements.append(self.card(f"{suit}{number}", f"{suit}{number}" in left, x + 58 + number * 50, y))
            y += 42
        return elements, y

    def card(self, card: str, held: bool, x: float, y: float) -> svg.Element:
        target = card in self.targets
        elements: list[svg.Element] = list(card_chip(card, x, y, self.theme, struck=not held, target=target))
        if target:
            elements += target_mark(x, y, 45, 36, self.theme, self.targets, radius=4)
        if card in self.last:
            elements.append(last_ring(x, y, 45, 36, self.theme, radius=4))
        words = f"{spoken(card)}, {'in hand' if held else 'given to a group'}"
        return cell(card, words, *elements, target=target)


def title(seat: int, names: Sequence[str], theme: Theme, x: float, y: float, words: str) -> svg.G:
    """Draw a seat's letter followed by a line of text."""
    letter = text(x, y, SEAT_LETTERS[seat], size=15, fill=theme.seat(seat), bold=True, anchor="start")
    rest = f"{names[seat]}, {words}" if words else names[seat]
    return group(letter, text(x + width_of("AA", 15), y, rest, size=15, fill=theme.muted, anchor="start", width=400))
