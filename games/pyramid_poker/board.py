"""The pyramid and the hands as a picture and as tables.

The cells are the spaces (`C3`) and, for a seat that looks, its own hands (`hand 2`).
"""

from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import box, cell, fitted, last_ring, picture, seat_badge, target_mark, text, width_of
from games.drawing.headlines import ended
from games.drawing.materials import clay
from games.drawing.scene import Scene
from games.drawing.shapes import SUIT_NAMES, suit
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Witness
from games.pyramid_poker.pieces import BUILT, HAND_SIZE, HANDS, SUIT
from games.pyramid_poker.pyramid import pyramid_of
from games.pyramid_poker.rules import outcome
from games.pyramid_poker.state import Standing, State

_WIDE, _HIGH, _STEP_X, _STEP_Y = 62, 52, 68, 58
_EDGE, _TOP = 18, 16
_SLOT, _SLOT_STEP, _SLOT_HIGH = 44, 48, 36
_LABEL = 22


class PyramidBoard:
    """Draws a witness's view: the pyramid, then the hands of both seats."""

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
        """The picture; `targets` and `last` name spaces and hands."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """The pyramid from its top, the hands, and who does what."""
        return (_pyramid_table(view, names), _hands_table(view, names), _seats_table(view, names))

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """The phase, how far it has got, and whose turn it is, or how the match ended."""
        return _headline(view, names)


BOARD = PyramidBoard()


class _Drawing(Scene[State]):
    @property
    def base(self) -> int:
        return self.view.options.base

    @property
    def width(self) -> int:
        return 2 * _EDGE + self.base * _STEP_X - (_STEP_X - _WIDE)

    @property
    def floor(self) -> int:
        """Where the pyramid stands."""
        return _TOP + self.base * _STEP_Y

    def picture(self) -> str:
        caption = text(self.width / 2, self.floor + 14, _status(self.view, self.names), size=14, fill=self.theme.muted)
        elements = [*self.seats(), *self.pyramid(), caption]
        height: float = self.floor + 32
        if self.view.phase in ("deconstruction", "over"):
            hands, height = self.hands(height + 8)
            elements += hands
        title = f"Pyramid Poker. {_headline(self.view, self.names)}."
        return picture(title, self.width, height, elements, self.theme)

    def pyramid(self) -> Iterator[svg.Element]:
        for height, row in reversed(tuple(enumerate(pyramid_of(self.base).rows))):
            for column, space in enumerate(row):
                x = _EDGE + height * _STEP_X / 2 + column * _STEP_X
                y = _TOP + (self.base - 1 - height) * _STEP_Y
                yield self.space(space, x, y)

    def space(self, space: str, x: float, y: float) -> svg.Element:
        standing = self.view.spaces.get(space)
        target = space in self.targets
        elements = self.empty(space, x, y) if standing is None else self.brick(standing, x, y, space)
        if target:
            elements += target_mark(x, y, _WIDE, _HIGH, self.theme, self.targets)
        if space in self.last:
            elements.append(last_ring(x, y, _WIDE, _HIGH, self.theme))
        return cell(space, _standing_words(standing, self.names), *elements, target=target)

    def empty(self, space: str, x: float, y: float) -> list[svg.Element]:
        theme, middle = self.theme, (x + _WIDE / 2, y + _HIGH / 2)
        if space in self.targets:
            return [
                box(x, y, _WIDE, _HIGH, fill=theme.cell),
                text(*middle, space, size=18, fill=theme.accent, bold=True),
            ]
        if self.view.phase in ("choice", "construction"):
            return [
                box(x, y, _WIDE, _HIGH, fill=theme.cell_off, line=theme.cell_line),
                text(*middle, space, size=15, fill=theme.faint),
            ]
        return [box(x, y, _WIDE, _HIGH, fill=theme.inset), text(*middle, space, size=13, fill=theme.faint)]

    def brick(self, standing: Standing, x: float, y: float, space: str = "") -> list[svg.Element]:
        theme, seat = self.theme, standing.seat
        bar_x = x + 3.5 if seat == 0 else x + _WIDE - 7.5
        bar = box(bar_x, y + 6, 4, _HIGH - 12, fill=theme.seat(seat), radius=2)
        name = text(x + (12 if seat == 0 else 5), y + 11, space, size=11, fill=theme.ink, anchor="start")
        named = [name] if space else []
        if standing.brick is None:
            return [*clay(x, y, _WIDE, _HIGH, theme), bar, *named]
        lean = 2 if seat == 0 else -2
        middle_x, middle_y = x + _WIDE / 2 + lean, y + _HIGH / 2 + (6 if space else 0)
        tint = box(x, y, _WIDE, _HIGH, fill=theme.seat_soft(seat), line=theme.seat(seat), thick=1.5)
        return [tint, bar, *named, *_face(standing.brick, middle_x, middle_y, 22, theme)]

    def seats(self) -> Iterator[svg.Element]:
        """Both players in the corners beside the pyramid's top, with the brick they hold."""
        room = _EDGE + (self.base - 2) * _STEP_X / 2 - _EDGE - 48
        for seat in range(2):
            edge, side = (_EDGE, 1) if seat == 0 else (self.width - _EDGE, -1)
            anchor = "start" if seat == 0 else "end"
            colour = self.theme.seat(seat)
            yield from seat_badge(edge + side * 15, _TOP + 15, SEAT_LETTERS[seat], colour, self.theme, size=30)
            you = " (you)" if seat == self.viewer else ""
            name = fitted(self.names[seat], 15, room - width_of(you, 15)) + you
            yield text(edge + side * 38, _TOP + 8, name, size=15, fill=self.theme.ink, bold=True, anchor=anchor)
            yield text(
                edge + side * 38, _TOP + 26, _does(self.view, seat),
                size=13, fill=self.theme.muted, anchor=anchor, width=room,
            )  # fmt: skip
            held = self.view.held
            if held is not None and held.seat == seat and outcome(self.view) is None:
                yield from self.brick(held, edge if seat == 0 else edge - _WIDE, _TOP + 42)

    def hands(self, top: float) -> tuple[list[svg.Element], float]:
        """Both seats' hands side by side, and where they end."""
        compared = bool(self.view.results)
        step = _SLOT_HIGH + (26 if compared else 9)
        wide = _LABEL + HAND_SIZE * _SLOT_STEP
        elements: list[svg.Element] = []
        for seat in range(2):
            left = _EDGE if seat == 0 else self.width - _EDGE - wide
            head = f"{SEAT_LETTERS[seat]}  {self.names[seat]}"
            elements.append(
                text(left, top + 8, head, size=14, fill=self.theme.seat(seat), bold=True, anchor="start", width=wide)
            )
            for number in range(1, HANDS + 1):
                elements.append(self.hand(seat, number, left, top + 22 + (number - 1) * step))
        return elements, top + 22 + HANDS * step + 6

    def hand(self, seat: int, number: int, x: float, y: float) -> svg.Element:
        theme, name = self.theme, f"hand {number}"
        own = seat == self.viewer
        wide = _LABEL + HAND_SIZE * _SLOT_STEP
        elements: list[svg.Element] = [
            box(x - 6, y - 2.5, wide + 6, _SLOT_HIGH + 5, fill=theme.stage),
            text(x + 5, y + _SLOT_HIGH / 2, str(number), size=15, fill=theme.muted, bold=True),
        ]
        for slot in range(HAND_SIZE):
            elements += self.slot(seat, number, slot, x + _LABEL + slot * _SLOT_STEP, y)
        elements += self.result(seat, number, x + _LABEL, y + _SLOT_HIGH + 11)
        if own and name in self.targets:
            elements += target_mark(x - 6, y - 2.5, wide + 6, _SLOT_HIGH + 5, theme, self.targets)
        if own and name in self.last:
            elements.append(last_ring(x - 4, y - 1, wide + 2, _SLOT_HIGH + 2, theme))
        if own:
            return cell(name, _hand_words(self.view, seat, number), *elements, target=name in self.targets)
        return svg.G(elements=elements)

    def slot(self, seat: int, number: int, slot: int, x: float, y: float) -> list[svg.Element]:
        theme, hand = self.theme, self.view.hands[seat][number - 1]
        if slot >= len(hand):
            return [box(x, y, _SLOT, _SLOT_HIGH, fill=theme.inset, line=theme.line, radius=4)]
        won = bool(self.view.results) and self.view.results[number - 1].winner == seat
        line, thick = (theme.gold, 2.5) if won else (theme.seat(seat), 1)
        tint = box(x, y, _SLOT, _SLOT_HIGH, fill=theme.seat_soft(seat), line=line, thick=thick, radius=4)
        return [tint, *_face(hand[slot], x + _SLOT / 2, y + _SLOT_HIGH / 2, 17, theme)]

    def result(self, seat: int, number: int, x: float, y: float) -> list[svg.Element]:
        words = _result_words(self.view, seat, number)
        if not words:
            return []
        won = self.view.results[number - 1].winner == seat
        colour = self.theme.gold if won else self.theme.muted
        return [text(x, y, words, size=13, fill=colour, bold=won, anchor="start")]


def _face(brick: str, x: float, y: float, size: float, theme: Theme) -> list[svg.Element]:
    """A value and its suit, side by side round x, y."""
    letter, value = SUIT[brick], brick[:-1]
    colour = getattr(theme, f"suit_{letter.lower()}")
    value_wide = size * (1.15 if len(value) > 1 else 0.62)
    whole = value_wide + size * 1.02
    left = x - whole / 2
    return [
        text(left + value_wide / 2, y, value, size=size, fill=theme.ink, bold=True),
        suit(letter, left + value_wide + size * 0.6, y, size * 0.84, colour),
    ]


def _brick_words(brick: str | None) -> str:
    return "hidden brick" if brick is None else f"{brick[:-1]} of {SUIT_NAMES[SUIT[brick]]}"


def _standing_words(standing: Standing | None, names: Sequence[str]) -> str:
    return "empty" if standing is None else f"{_brick_words(standing.brick)}, placed by {names[standing.seat]}"


def _hand_words(view: State, seat: int, number: int) -> str:
    hand = view.hands[seat][number - 1]
    return f"{len(hand)} of {HAND_SIZE} bricks{': ' if hand else ''}{', '.join(map(_brick_words, hand))}"


def _result_words(view: State, seat: int, number: int) -> str:
    if not view.results:
        return ""
    result = view.results[number - 1]
    ending = {seat: ", wins", None: ", tied"}.get(result.winner, "")
    return result.categories[seat].replace("_", " ") + ending


def _does(view: State, seat: int) -> str:
    """What a seat is about to do, in a few words."""
    end = outcome(view)
    if end is not None:
        return "wins the match" if seat in end.winners else ""
    if view.phase == "choice":
        return "chooses who starts" if seat == view.priority else ""
    if seat != view.turn:
        return ""
    if view.phase == "construction":
        return "places" if view.held else "gets a brick"
    return "chooses a hand" if view.held else "draws a brick"


def _status(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return f"{names[end.winners[0]]} wins; hands {view.wins[0]} to {view.wins[1]}."
    standing = len(view.spaces)
    if view.phase == "deconstruction":
        return f"{standing} of {BUILT} bricks still stand."
    return f"{standing} of {BUILT} bricks stand. Row A is the base; each brick rests on two."


def _headline(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return ended(end, names)
    if view.turn is None:
        return f"{names[view.priority]} chooses who starts"
    if view.phase == "construction":
        return f"Construction, brick {len(view.spaces) + 1} of {BUILT}: {names[view.turn]} builds"
    taken = BUILT - len(view.spaces)
    if view.held is None:
        return f"Deconstruction, brick {taken + 1} of {BUILT}: {names[view.turn]} draws"
    return f"Deconstruction, brick {taken} of {BUILT}: {names[view.turn]} chooses a hand"


def _pyramid_table(view: State, names: Sequence[str]) -> TextTable:
    rows = pyramid_of(view.options.base).rows
    wide = len(rows)
    filled = tuple(
        (row[0][0], *(_standing_words(view.spaces.get(space), names) for space in row), *[""] * (wide - len(row)))
        for row in reversed(rows)
    )
    return TextTable("The pyramid, from its top", ("Row", *map(str, range(1, wide + 1))), filled)


def _hands_table(view: State, names: Sequence[str]) -> TextTable:
    rows = tuple(
        (names[seat], f"hand {number}", _hand_words(view, seat, number), _result_words(view, seat, number))
        for seat in range(view.seats)
        for number in range(1, HANDS + 1)
    )
    return TextTable("The hands", ("Player", "Hand", "Bricks", "Result"), rows)


def _seats_table(view: State, names: Sequence[str]) -> TextTable:
    held = view.held
    rows = tuple(
        (names[seat], _does(view, seat), _brick_words(held.brick) if held and held.seat == seat else "")
        for seat in range(view.seats)
    )
    return TextTable(_status(view, names), ("Player", "Does", "Holds"), rows)
