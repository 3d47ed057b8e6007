"""The five rows of five spaces. The cells are the spaces, `O4` to `B0`; workers stand at `O4 foot`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, cell, group, last_ring, place, target_mark, text
from games.drawing.materials import well
from games.drawing.scene import Scene
from games.drawing.themes import Theme
from games.pentagram.figures import HIGH, WIDE, card_face, chip, worker
from games.pentagram.legal import affords_worker
from games.pentagram.pieces import COLOURS, LEFT_TO_RIGHT, LETTERS, spoken
from games.pentagram.rules import over, run
from games.pentagram.state import State

_LEFT: Final = 78
_TOP: Final = 34
_STEP_X, _STEP_Y = WIDE + 7, HIGH + 12
_FOOT = 30

TABLEAU_WIDE: Final = _LEFT + len(LEFT_TO_RIGHT) * _STEP_X + 3
TABLEAU_HIGH: Final = _TOP + len(COLOURS) * _STEP_Y + 2


class Tableau(Scene[State]):
    """Draws the rows from 0, 0."""

    def elements(self) -> Iterator[svg.Element]:
        """The prices, then row by row."""
        for column, space in enumerate(LEFT_TO_RIGHT):
            words = f"costs {space}" if column == 0 else price(space)
            yield marked("head", text(_column(column) + WIDE / 2, 16, words, size=20, fill=self.theme.muted))
        for row in range(len(COLOURS)):
            yield from self.row(row)
        for row, colour in enumerate(COLOURS):
            for column, space in enumerate(LEFT_TO_RIGHT):
                if walk_of(f"{LETTERS[colour]}{space}") in self.last:
                    yield walk(_column(column), _TOP + row * _STEP_Y, is_last=not space, theme=self.theme)

    def row(self, row: int) -> Iterator[svg.Element]:
        theme, colour, y = self.theme, COLOURS[row], _TOP + row * _STEP_Y
        yield box(4, y - 6, TABLEAU_WIDE - 8, HIGH + 12, fill=theme.inset if row % 2 else theme.stage, radius=10)
        yield chip(colour, 40, y + HIGH / 2 - 12, 21, theme)
        yield marked("fine", text(40, y + HIGH / 2 + 24, colour, size=16, fill=theme.ink))
        for column, space in enumerate(LEFT_TO_RIGHT):
            yield self.space(row, space, _column(column), y)

    def space(self, row: int, space: int, x: float, y: float) -> svg.Element:
        theme, name = self.theme, f"{LETTERS[COLOURS[row]]}{space}"
        card, standing = self.view.cards[row][space], self.view.workers[row][space]
        target = name in self.targets
        if card is not None:
            elements = list(card_face(card, x, y, theme, word=not standing))
        else:
            elements = [*well(x, y, WIDE, HIGH, theme, radius=9), *self.told(row, space, x + WIDE / 2, y)]
        elements.append(place(f"{name} foot", *self.workers(standing, x, y)))
        if target:
            elements += target_mark(x, y, WIDE, HIGH, theme, self.targets, radius=9)
        if name in self.last:
            elements.append(last_ring(x, y, WIDE, HIGH, theme, radius=9))
        return cell(name, space_words(self.view, row, space, self.names), *elements, target=target)

    def told(self, row: int, space: int, middle: float, y: float) -> Iterator[svg.Element]:
        """What an empty space costs, and what a card there would set off."""
        theme, pays = self.theme, closes(self.view, row, space)
        level = 30 if pays else 40
        yield marked("head", text(middle, y + level, price(space), size=22, fill=theme.faint, bold=True))
        if pays:
            yield marked("head", text(middle, y + 58, f"pays {pays}", size=20, fill=theme.gold, bold=True))
        elif self.lacks(row, space):
            yield marked("fine", text(middle, y + 64, "card only", size=14, fill=theme.faint))

    def lacks(self, row: int, space: int) -> bool:
        """Whether who looks is to place a card, and can't have a worker on this space."""
        seat = self.view.turn
        asked = seat is not None and seat == self.viewer and not over(self.view)
        return asked and not affords_worker(self.view, seat or 0, COLOURS[row], space)

    def workers(self, standing: Sequence[int], x: float, y: float) -> Iterator[svg.Element]:
        """The workers at the foot of a space, from its right corner on."""
        counted = sorted(Counter(standing).items(), reverse=True)
        step = min(26, 74 / max(1, len(counted)))
        right, foot = x + WIDE - 18, y + HIGH - 9
        yield box(right - _FOOT / 2, foot - _FOOT, _FOOT, _FOOT, fill="none")
        for number, (seat, count) in enumerate(counted):
            shown = str(count) if count > 1 else ""
            yield from worker(seat, shown, right - number * step - (8 if shown else 0), foot, self.theme, size=_FOOT)


def walk_of(space: str) -> str:
    """What names the walk of the workers from a space among what was touched last: `O2` -> `O2 walk`."""
    return f"{space} walk"


def walk(x: float, y: float, *, is_last: bool, theme: Theme) -> svg.G:
    """The way of workers from a space, its top left at x, y: to the foot of the next one, from the last one home."""
    start, low = x + WIDE - (56 if is_last else 10), y + HIGH + 5
    if is_last:
        way, tip = f"M{start} {low - 12}V{low}H{x + WIDE - 8}", f"M{x + WIDE + 2} {low}l-12-7v14z"
    else:
        end = x + _STEP_X + WIDE - 30
        way, tip = f"M{start} {low - 12}V{low}H{end}V{low - 6}", f"M{end} {low - 16}l-7 12h14z"
    shaft, head = svg.Path(), svg.Path(fill=theme.gold)
    shaft.d, head.d = way, tip  # type: ignore[assignment]
    shaft.fill, shaft.stroke, shaft.stroke_width = "none", theme.gold, 3
    return group(shaft, head)


def marked(name: str, words: svg.Text) -> svg.Text:
    """Words that pages set otherwise: a `head` smaller where the picture is large, the `fine` left out where it is
    small.
    """
    words.class_ = [name]
    return words


def _column(column: int) -> float:
    return _LEFT + column * _STEP_X


def price(space: int) -> str:
    """What a worker on a space costs."""
    return str(space) if space else "free"


def closes(view: State, row: int, space: int) -> int:
    """How many spaces pay together once a card lies there, where it is the last gap before at least one other."""
    cards = view.cards[row]
    gap = len(run(view, row))
    top = next((higher for higher in range(gap + 1, len(cards)) if cards[higher] is None), len(cards))
    if space != gap or top - 1 <= gap or over(view):
        return 0
    return top if space or view.options.zero_column != "waits" or top == len(cards) else 0


def space_words(view: State, row: int, space: int, names: Sequence[str]) -> str:
    """What lies on a space, who stands there, and what a card there would set off."""
    card, pays = view.cards[row][space], closes(view, row, space)
    words = spoken(card) if card else f"empty; a card here pays {pays} spaces" if pays else "empty"
    standing = Counter(view.workers[row][space])
    told = (f"{count} of {names[seat]}'s" for seat, count in sorted(standing.items()))
    return f"{words}; workers: {', '.join(told)}" if standing else words
