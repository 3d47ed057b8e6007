"""The pyramid and the hands as a picture and as tables.

The cells are the spaces (`C3`) and, if the viewer is a seat, its own hands (`hand 2`).
"""

from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import (
    box,
    cell,
    fitted,
    group,
    last_ring,
    picture,
    place,
    seat_badge,
    target_mark,
    text,
    width_of,
)
from games.drawing.headlines import ended
from games.drawing.materials import clay, slab, well
from games.drawing.scene import Scene
from games.drawing.shapes import stroke, suit
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Outcome, Part, Witness
from games.pyramid_poker.finale import finale, score
from games.pyramid_poker.pieces import BUILT, HAND_SIZE, HANDS, SUIT, spoken
from games.pyramid_poker.pyramid import pyramid_of
from games.pyramid_poker.rules import outcome
from games.pyramid_poker.state import Standing, State

_WIDE, _HIGH, _STEP_X, _STEP_Y = 93, 76, 99, 82
_EDGE, _TOP = 20, 14
_SLOT, _SLOT_STEP, _SLOT_HIGH = 46, 50, 46
_LABEL, _PAD = 34, 8
_HAND_HIGH = _SLOT_HIGH + 2 * _PAD
_HANDS_WIDE = _LABEL + HAND_SIZE * _SLOT_STEP + 2 * _PAD


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
        """Return the picture; `targets` and `last` name spaces and hands."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

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
        """Return the pyramid, the held brick and the hands, the viewer's own first."""
        return tuple(_Drawing(view, viewer, theme, names, targets, last).parts())

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the pyramid from its top, the hands, and the seats with their next actions."""
        return (_pyramid_table(view, names), _hands_table(view, names), _seats_table(view, names))

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return the phase, its progress and the seat on turn, or the result."""
        return _headline(view, names)

    def finale(self, view: State, *, viewer: Witness, theme: Theme, names: Sequence[str]) -> str | None:
        """Draw the compared hands."""
        return finale(view, theme, names)

    def score(self, view: State, outcome: Outcome) -> str:
        """Return the number of hands that each seat has won."""
        return score(view)


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
        """The y coordinate of the pyramid's base."""
        return _TOP + self.base * _STEP_Y

    @property
    def title(self) -> str:
        return f"Pyramid Poker. {_headline(self.view, self.names)}."

    def picture(self) -> str:
        elements = [*self.seats(), *self.pyramid(), self.ground()]
        height: float = self.floor + 14
        if self.view.phase in ("deconstruction", "over"):
            elements += [
                group(*self.hands(seat, f"{SEAT_LETTERS[seat]}  {self.names[seat]}"), x=x, y=height)
                for seat, x in ((0, _EDGE), (1, self.width - _EDGE - _HANDS_WIDE))
            ]
            height += self.hands_high + 8
        return picture(self.title, self.width, height, elements, self.theme)

    def parts(self) -> Iterator[Part]:
        elements = [*self.pyramid(), self.ground()]
        yield Part("table", picture(self.title, self.width, self.floor + 14, elements, self.theme))
        if self.view.phase in ("construction", "deconstruction"):
            yield Part("held", picture("The brick in hand", _HANDS_WIDE, 112, [self.lifted()], self.theme, ground=None))
        if self.view.phase in ("deconstruction", "over"):
            own = self.viewer if isinstance(self.viewer, int) else 0
            for name, seat in (("own", own), ("other", 1 - own)):
                whose = "Your hands" if seat == self.viewer else f"{self.names[seat]}’s hands"
                drawn = picture(whose, _HANDS_WIDE, self.hands_high, self.hands(seat, whose), self.theme, ground=None)
                yield Part(name, drawn)

    def ground(self) -> svg.Element:
        return stroke(4, self.floor + 6, self.width - 4, self.floor + 6, line=self.theme.brass, thick=2)

    def lifted(self) -> svg.Element:
        """Draw the held brick as large as a card, or its empty place."""
        theme, held = self.theme, self.view.held
        wide, high, x, y = 132, 100, (_HANDS_WIDE - 132) / 2, 4
        if held is None:
            return place("held", box(x, y, wide, high, fill="none", line=theme.cell_line, radius=10, dash=(5, 5)))
        words = f"{spoken(held.brick)}, held by {self.names[held.seat]}"
        if held.brick is None:
            return cell("held", words, *clay(x, y, wide, high, theme, radius=10), place="held")
        face = slab(x, y, wide, high, fill=theme.card, edge=theme.card_deep, line=theme.turn, thick=2.5, radius=10)
        value = brick_face(held.brick, x + wide / 2, y + (high - 4) / 2, 46, theme)
        return cell("held", words, *face, *value, place="held")

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
            elements += target_mark(x - 3, y - 3, _WIDE + 6, _HIGH + 6, self.theme, self.targets, radius=9)
        if space in self.last:
            elements.append(last_ring(x, y, _WIDE, _HIGH, self.theme))
        return cell(space, _standing_words(standing, self.names), *elements, target=target)

    def empty(self, space: str, x: float, y: float) -> list[svg.Element]:
        theme, middle = self.theme, (x + _WIDE / 2, y + _HIGH / 2)
        if space in self.targets:
            return [
                box(x, y, _WIDE, _HIGH, fill=theme.accent_soft),
                text(*middle, space, size=19, fill=theme.accent, bold=True),
            ]
        return [*well(x, y, _WIDE, _HIGH, theme), _coordinate(*middle, space, size=14, fill=theme.faint)]

    def brick(self, standing: Standing, x: float, y: float, space: str = "") -> list[svg.Element]:
        theme, seat = self.theme, standing.seat
        bar = box(x + 5 if seat == 0 else x + _WIDE - 10, y + 10, 5, _HIGH - 24, fill=theme.seat(seat), radius=2)
        corner = (x + (15 if seat == 0 else 8), y + 13)
        named = [_coordinate(*corner, space, size=12, fill=theme.on_brick, anchor="start")]
        if standing.brick is None:
            return [*clay(x, y, _WIDE, _HIGH, theme), bar, *(named if space else [])]
        face = slab(x, y, _WIDE, _HIGH, fill=theme.brick, edge=theme.brick_deep)
        middle = (x + _WIDE / 2, y + _HIGH / 2 + (4 if space else -2))
        return [*face, bar, *(named if space else []), *brick_face(standing.brick, *middle, 27, theme, plain=True)]

    def seats(self) -> Iterator[svg.Element]:
        """Draw both players in the corners beside the pyramid's top, with the brick they hold."""
        room = (self.base - 2) * _STEP_X / 2 - 48
        for seat in range(2):
            edge, side = (_EDGE, 1) if seat == 0 else (self.width - _EDGE, -1)
            anchor = "start" if seat == 0 else "end"
            colour = self.theme.seat(seat)
            yield from seat_badge(edge + side * 17, _TOP + 17, SEAT_LETTERS[seat], colour, self.theme, size=34)
            you = " (you)" if seat == self.viewer else ""
            name = fitted(self.names[seat], 20, room - width_of(you, 20)) + you
            yield text(edge + side * 44, _TOP + 8, name, size=20, fill=self.theme.ink, bold=True, anchor=anchor)
            yield text(
                edge + side * 44, _TOP + 30, _action(self.view, seat),
                size=16, fill=self.theme.muted, anchor=anchor, width=room,
            )  # fmt: skip
            held = self.view.held
            if held is not None and held.seat == seat and outcome(self.view) is None:
                yield from self.brick(held, edge if seat == 0 else edge - _WIDE, _TOP + 52)

    @property
    def hand_step(self) -> int:
        return _HAND_HIGH + (26 if self.view.results else 8)

    @property
    def hands_high(self) -> int:
        return 30 + HANDS * self.hand_step

    def hands(self, seat: int, whose: str) -> list[svg.Element]:
        """Draw a seat's hands one below the other, from 0, 0."""
        head = text(0, 10, whose, size=17, fill=self.theme.ink, bold=True, anchor="start", width=_HANDS_WIDE)
        rows = [self.hand(seat, number, 30 + (number - 1) * self.hand_step) for number in range(1, HANDS + 1)]
        return [head, *rows]

    def hand(self, seat: int, number: int, y: float) -> svg.Element:
        theme, name = self.theme, f"hand {number}"
        own = seat == self.viewer
        target = own and name in self.targets
        elements: list[svg.Element] = [
            box(
                1, y + 1, _HANDS_WIDE - 2, _HAND_HIGH - 2, radius=10,
                fill=theme.accent_soft if target else theme.stage, line=None if target else theme.line,
            ),
            text(_LABEL / 2 + 4, y + _HAND_HIGH / 2, str(number), size=14, fill=theme.muted, bold=True),
        ]  # fmt: skip
        for slot in range(HAND_SIZE):
            elements += self.slot(seat, number, slot, _LABEL + _PAD + slot * _SLOT_STEP, y + _PAD)
        elements += self.result(seat, number, _LABEL + _PAD, y + _HAND_HIGH + 8)
        if target:
            elements += target_mark(1, y + 1, _HANDS_WIDE - 2, _HAND_HIGH - 2, theme, self.targets, radius=10)
        if own and name in self.last:
            elements.append(last_ring(3, y + 3, _HANDS_WIDE - 6, _HAND_HIGH - 6, theme))
        if own:
            words = _hand_words(self.view, seat, number)
            return cell(name, words, *elements, target=target, place=f"{seat} {name}")
        return place(f"{seat} {name}", *elements)

    def slot(self, seat: int, number: int, slot: int, x: float, y: float) -> list[svg.Element]:
        theme, hand = self.theme, self.view.hands[seat][number - 1]
        if slot >= len(hand):
            return well(x, y, _SLOT, _SLOT_HIGH, theme, radius=5)
        won = bool(self.view.results) and self.view.results[number - 1].winner == seat
        edge, line = (theme.gold, theme.gold) if won else (theme.card_deep, theme.card_line)
        face = slab(x, y, _SLOT, _SLOT_HIGH, fill=theme.card, edge=edge, line=line, radius=5)
        card = [*face, *brick_face(hand[slot], x + _SLOT / 2, y + _SLOT_HIGH / 2 - 2, 19, theme)]
        if slot < len(hand) - 1:
            return card
        # The target of the animation for the brick just assigned; the empty slot is visible until it arrives.
        lands = place(f"{seat} hand {number} last", *card)
        lands.class_ = ["lands"]
        return [*well(x, y, _SLOT, _SLOT_HIGH, theme, radius=5), lands]

    def result(self, seat: int, number: int, x: float, y: float) -> list[svg.Element]:
        words = _result_words(self.view, seat, number)
        if not words:
            return []
        won = self.view.results[number - 1].winner == seat
        colour = self.theme.gold if won else self.theme.muted
        return [text(x, y, words, size=14, fill=colour, bold=won, anchor="start")]


def _coordinate(x: float, y: float, space: str, *, size: float, fill: str, anchor: str = "middle") -> svg.Text:
    """Draw the name of a space; the page enlarges it on a small board."""
    named = text(x, y, space, size=size, fill=fill, anchor=anchor)
    named.class_ = ["coordinate"]
    return named


def brick_face(brick: str, x: float, y: float, size: float, theme: Theme, *, plain: bool = False) -> list[svg.Element]:
    """Draw a value and its suit side by side, centred on x, y; `plain` in the text colour instead of the suit's."""
    letter, value = SUIT[brick], brick[:-1]
    colour = theme.on_brick if plain else getattr(theme, f"suit_{letter.lower()}")
    value_wide = size * (1.15 if len(value) > 1 else 0.62)
    whole = value_wide + size * 1.02
    left = x - whole / 2
    return [
        text(left + value_wide / 2, y, value, size=size, fill=colour, bold=True),
        suit(letter, left + value_wide + size * 0.6, y, size * 0.84, colour),
    ]


def _standing_words(standing: Standing | None, names: Sequence[str]) -> str:
    return "empty" if standing is None else f"{spoken(standing.brick)}, placed by {names[standing.seat]}"


def _hand_words(view: State, seat: int, number: int) -> str:
    hand = view.hands[seat][number - 1]
    return f"{len(hand)} of {HAND_SIZE} bricks{': ' if hand else ''}{', '.join(map(spoken, hand))}"


def _result_words(view: State, seat: int, number: int) -> str:
    if not view.results:
        return ""
    result = view.results[number - 1]
    ending = {seat: ", wins", None: ", tied"}.get(result.winner, "")
    return result.categories[seat].replace("_", " ") + ending


def _action(view: State, seat: int) -> str:
    """Return a seat's next action in a few words, empty without one."""
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
        (names[seat], _action(view, seat), spoken(held.brick) if held and held.seat == seat else "")
        for seat in range(view.seats)
    )
    return TextTable(_status(view, names), ("Player", "Does", "Holds"), rows)
