"""The tableau and the seats' areas as a picture and as tables. The cells are the spaces, `O4` to `B0`."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import (
    box,
    cell,
    fitted,
    group,
    last_ring,
    picture,
    seat_badge,
    target_mark,
    text,
    width_of,
)
from games.drawing.headlines import ended
from games.drawing.materials import card_back
from games.drawing.scene import Scene
from games.drawing.shapes import stroke
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Witness
from games.pentagram.figures import HIGH, WIDE, card_face, chip, fill_of, worker
from games.pentagram.pieces import COLOURS, FACES, LEFT_TO_RIGHT, LETTERS, Card
from games.pentagram.rules import outcome, over, run, score
from games.pentagram.state import State

_EDGE, _TOP = 16, 14
_HEAD = 74
_STEP_X, _STEP_Y = 106, 118
_TABLEAU = _TOP + 118
_AREA = 48
_UNITS = ("", "k", "M", "G", "T")
_WIDTH = 2 * _EDGE + _HEAD + len(LEFT_TO_RIGHT) * _STEP_X - (_STEP_X - WIDE)


class PentagramBoard:
    """Draws a witness's view: the card to place, the five rows, and what every seat has."""

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
        """The picture; `targets` and `last` name spaces."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """The rows from space 4 to space 0, and what every seat has."""
        heads = ("Row", *(_price(space) for space in LEFT_TO_RIGHT))
        rows = tuple(
            (colour, *(_space_words(view, row, space, names) for space in LEFT_TO_RIGHT))
            for row, colour in enumerate(COLOURS)
        )
        areas = tuple(
            (names[seat], *map(str, view.coins[seat]), str(view.hands[seat]), str(scored), _does(view, seat))
            for seat, scored in score(view).items()
        )
        area_heads = ("Player", *COLOURS, "workers in hand", f"score ({view.options.score})", "does")
        return TextTable(_status(view, names), heads, rows), TextTable("What every seat has", area_heads, areas)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Whose turn it is and how many cards are left, or how the match ended."""
        return _headline(view, names)


BOARD = PentagramBoard()


class _Drawing(Scene[State]):
    def picture(self) -> str:
        areas_top = _TABLEAU + len(COLOURS) * _STEP_Y
        height = areas_top + 26 + self.view.seats * _AREA + 4
        elements = [*self.tray(), *self.heads(), *self.rows(), *self.areas(areas_top)]
        title = f"Pentagram 2. {_headline(self.view, self.names)}."
        return picture(title, _WIDTH, height, elements, self.theme)

    def tray(self) -> Iterator[svg.Element]:
        """The card to be placed, whose it is, and the deck."""
        theme, view = self.theme, self.view
        room = _WIDTH - 2 * _EDGE - WIDE - 100
        x = _EDGE
        if view.card is not None:
            yield from card_face(view.card, x, _TOP, theme)
            x += WIDE + 14
        seat = view.turn
        if seat is not None and not over(view):
            yield from seat_badge(x + 13, _TOP + 16, SEAT_LETTERS[seat], theme.seat(seat), theme, size=26)
            yield text(
                x + 34, _TOP + 16, self.named(seat, 18, room - 40), size=18, fill=theme.ink, bold=True, anchor="start"
            )
        words = _status(view, self.names) if over(view) or seat is None else f"turn {view.turns}, to place this card"
        y = _TOP + (44 if seat is not None and not over(view) else 30)
        yield text(x, y, words, size=16, fill=theme.muted, anchor="start", width=room)
        if view.left:
            yield from card_back(_WIDTH - _EDGE - 50, _TOP + 4, 50, 66, theme)
        yield text(
            _WIDTH - _EDGE - (60 if view.left else 0), _TOP + 36, f"{view.left} left",
            size=15, fill=theme.muted, anchor="end",
        )  # fmt: skip

    def named(self, seat: int, size: float, room: float) -> str:
        you = " (you)" if seat == self.viewer else ""
        return fitted(self.names[seat], size, room - width_of(you, size)) + you

    def heads(self) -> Iterator[svg.Element]:
        for column, space in enumerate(LEFT_TO_RIGHT):
            middle = _EDGE + _HEAD + column * _STEP_X + WIDE / 2
            yield text(middle, _TABLEAU - 14, _price(space), size=15, fill=self.theme.muted)

    def rows(self) -> Iterator[svg.Element]:
        theme = self.theme
        for row, colour in enumerate(COLOURS):
            y = _TABLEAU + 4 + row * _STEP_Y
            yield box(_EDGE - 6, y - 6, _WIDTH - 2 * _EDGE + 12, HIGH + 12, fill=theme.inset, radius=10)
            yield box(_EDGE - 6, y - 6, 5, HIGH + 12, fill=fill_of(colour, theme), radius=2.5)
            yield chip(colour, _EDGE + 33, y + HIGH / 2 - 9, 19, theme)
            yield text(_EDGE + 33, y + HIGH / 2 + 26, colour, size=15, fill=theme.ink)
            for column, space in enumerate(LEFT_TO_RIGHT):
                yield self.space(row, space, _EDGE + _HEAD + column * _STEP_X, y)
            yield from self.paying(row, y + HIGH + 3)

    def space(self, row: int, space: int, x: float, y: float) -> svg.Element:
        theme, name = self.theme, f"{LETTERS[COLOURS[row]]}{space}"
        card, target = self.view.cards[row][space], name in self.targets
        if card is not None:
            elements = list(card_face(card, x, y, theme))
        else:
            fill, ink = (theme.cell, theme.accent) if target else (theme.cell_off, theme.faint)
            line = None if target else theme.cell_line
            elements = [
                box(x, y, WIDE, HIGH, fill=fill, line=line, radius=8),
                text(x + WIDE / 2, y + HIGH / 2, name, size=18, fill=ink, bold=target),
            ]
        elements += self.workers(row, space, x + WIDE / 2, y + HIGH - 3)
        if target:
            elements += target_mark(x, y, WIDE, HIGH, theme, self.targets, radius=8)
        if name in self.last:
            elements.append(last_ring(x, y, WIDE, HIGH, theme, radius=8))
        return cell(name, _space_words(self.view, row, space, self.names), *elements, target=target)

    def workers(self, row: int, space: int, middle: float, y: float) -> Iterator[svg.Element]:
        standing = Counter(self.view.workers[row][space])
        for place, (seat, count) in enumerate(sorted(standing.items())):
            x = middle + (place - (len(standing) - 1) / 2) * 19.5
            yield from worker(seat, str(count) if count > 1 else "", x, y, self.theme)

    def paying(self, row: int, y: float) -> Iterator[svg.Element]:
        """A bracket under the spaces that pay together once the row's last gap before them is filled."""
        cards = self.view.cards[row]
        gap = len(run(self.view, row))
        top = next((space for space in range(gap + 1, len(cards)) if cards[space] is None), len(cards))
        if top - 1 <= gap or over(self.view):
            return
        left = _EDGE + _HEAD + LEFT_TO_RIGHT.index(top - 1) * _STEP_X
        right = _WIDTH - _EDGE
        name = f"{LETTERS[COLOURS[row]]}{gap}"
        yield stroke(left, y, right, y, line=self.theme.gold, thick=2.5)
        yield text(right, y + 12, f"a card on {name} pays {top} spaces", size=13, fill=self.theme.gold, anchor="end")

    def areas(self, top: float) -> Iterator[svg.Element]:
        theme, view = self.theme, self.view
        yield text(_WIDTH - _EDGE - 30, top + 8, view.options.score, size=14, fill=theme.muted)
        yield text(_WIDTH - _EDGE - 98, top + 8, "in hand", size=14, fill=theme.muted)
        winners = end.winners if (end := outcome(view)) else ()
        for seat, scored in score(view).items():
            y = top + 24 + seat * _AREA
            mark = seat == view.turn and not over(view)
            line = theme.gold if seat in winners else theme.seat(seat) if mark else None
            thick = 2.5 if line else 1
            whole = _WIDTH - 2 * _EDGE + 12
            yield box(_EDGE - 6, y, whole, _AREA - 6, fill=theme.seat_soft(seat), line=line, thick=thick, radius=8)
            yield group(*self.area(seat, scored), y=y + (_AREA - 6) / 2)

    def area(self, seat: int, scored: int) -> Iterator[svg.Element]:
        theme, view = self.theme, self.view
        yield from seat_badge(_EDGE + 13, 0, SEAT_LETTERS[seat], theme.seat(seat), theme, size=26)
        yield text(_EDGE + 34, 0, self.named(seat, 15, 102), size=15, fill=theme.ink, bold=True, anchor="start")
        for place, (colour, coins) in enumerate(zip(COLOURS, view.coins[seat], strict=True)):
            x = _EDGE + 152 + place * 66
            yield chip(colour, x, 0, 11, theme)
            yield _figure(x + 14, coins, 16, 41, theme, anchor="start")
        gone = seat in view.resigned
        yield from worker(seat, "" if gone else str(view.hands[seat]), _WIDTH - _EDGE - 98, 14, theme)
        if gone:
            yield text(_WIDTH - _EDGE - 30, 0, "gone", size=15, fill=theme.muted)
        else:
            yield _figure(_WIDTH - _EDGE - 30, scored, 18, 62, theme)


def _figure(x: float, number: int, size: float, width: float, theme: Theme, *, anchor: str = "middle") -> svg.Element:
    """The number, as small as it must be."""
    digits = _short(number)
    shrunk = min(size, size * width / width_of(digits, size))
    return text(x, 0, digits, size=shrunk, fill=theme.ink, bold=True, anchor=anchor)


def _short(number: int) -> str:
    """The number; its first three digits where it is longer than five: `12.3M`, `1e30`."""
    digits = str(number)
    thousands = (len(digits) - 1) // 3
    if len(digits) <= 5:
        return digits
    if thousands >= len(_UNITS):
        return f"{digits[0]}e{len(digits) - 1}"
    whole = len(digits) - 3 * thousands
    return f"{digits[:whole]}{'.' if whole < 3 else ''}{digits[whole:3]}{_UNITS[thousands]}"


def _price(space: int) -> str:
    return f"costs {space}" if space else "0, free"


def _card_words(card: Card) -> str:
    face = FACES[card]
    source, target = COLOURS[face.source], COLOURS[face.target]
    return f"{source} {'feeds' if face.adds else 'drains'} {target}"


def _space_words(view: State, row: int, space: int, names: Sequence[str]) -> str:
    card = view.cards[row][space]
    words = "empty" if card is None else _card_words(card)
    standing = Counter(view.workers[row][space])
    told = (f"{count} of {names[seat]}'s" for seat, count in sorted(standing.items()))
    return f"{words}; workers: {', '.join(told)}" if standing else words


def _does(view: State, seat: int) -> str:
    if seat in view.resigned:
        return "has resigned"
    end = outcome(view)
    if end is not None:
        return "wins the match" if seat in end.winners else ""
    return f"places {_card_words(view.card)}" if seat == view.turn and view.card else ""


def _headline(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return ended(end, names)
    if view.turn is None or view.card is None:
        return "The dealer is at work"
    cards = "1 card" if view.left == 1 else f"{view.left} cards"
    return f"Turn {view.turns}, {cards} left: {names[view.turn]} places a card"


def _status(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return f"{names[end.winners[0]]} wins with {_short(score(view)[end.winners[0]])}."
    if view.turn is None or view.card is None:
        return "The dealer is at work."
    return f"Turn {view.turns}: {names[view.turn]} places {_card_words(view.card)}; {view.left} cards are left."
