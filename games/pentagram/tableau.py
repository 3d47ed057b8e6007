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
        """Draw the prices, then the rows."""
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
            elements = [*well(x, y, WIDE, HIGH, theme, radius=9), *self.hints(row, space, x + WIDE / 2, y)]
        elements.append(place(f"{name} foot", *self.workers(standing, x, y)))
        if target:
            elements += target_mark(x, y, WIDE, HIGH, theme, self.targets, radius=9)
        if name in self.last:
            elements.append(last_ring(x, y, WIDE, HIGH, theme, radius=9))
        return cell(name, space_words(self.view, row, space, self.names), *elements, target=target)

    def hints(self, row: int, space: int, middle: float, y: float) -> Iterator[svg.Element]:
        """Draw the price of an empty space, and the payout that a card there would start."""
        theme, pays = self.theme, closes(self.view, row, space)
        level = 30 if pays else 40
        yield marked("head", text(middle, y + level, price(space), size=22, fill=theme.faint, bold=True))
        if pays:
            yield marked("head", text(middle, y + 58, f"pays {pays}", size=20, fill=theme.gold, bold=True))
        elif self.lacks(row, space):
            yield marked("fine", text(middle, y + 64, "card only", size=14, fill=theme.faint))

    def lacks(self, row: int, space: int) -> bool:
        """True if the viewer must place a card and can't put a worker on this space."""
        seat = self.view.turn
        on_turn = seat is not None and seat == self.viewer and not over(self.view)
        return on_turn and not affords_worker(self.view, seat or 0, COLOURS[row], space)

    def workers(self, standing: Sequence[int], x: float, y: float) -> Iterator[svg.Element]:
        """Draw the workers at the foot of a space, from its right corner."""
        counted = sorted(Counter(standing).items(), reverse=True)
        step = min(26, 74 / max(1, len(counted)))
        right, foot = x + WIDE - 18, y + HIGH - 9
        yield box(right - _FOOT / 2, foot - _FOOT, _FOOT, _FOOT, fill="none")
        for number, (seat, count) in enumerate(counted):
            shown = str(count) if count > 1 else ""
            yield from worker(seat, shown, right - number * step - (8 if shown else 0), foot, self.theme, size=_FOOT)


def walk_of(space: str) -> str:
    """Return the name, in `last`, of the workers' walk from a space: `O2` -> `O2 walk`."""
    return f"{space} walk"


def walk(x: float, y: float, *, is_last: bool, theme: Theme) -> svg.G:
    """Draw the walk of workers from a space with its top left at x, y, to the next space or from the last one home."""
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
    """Set the class by which pages style a text: `head` is smaller in a large picture, `fine` hidden in a small one."""
    words.class_ = [name]
    return words


def _column(column: int) -> float:
    return _LEFT + column * _STEP_X


def price(space: int) -> str:
    """Return the price of a worker on a space."""
    return str(space) if space else "free"


def closes(view: State, row: int, space: int) -> int:
    """Return the number of spaces that would pay if a card on this space closed the gap before others, else 0."""
    cards = view.cards[row]
    gap = len(run(view, row))
    top = next((higher for higher in range(gap + 1, len(cards)) if cards[higher] is None), len(cards))
    if space != gap or top - 1 <= gap or over(view):
        return 0
    return top if space or view.options.zero_column != "waits" or top == len(cards) else 0


def space_words(view: State, row: int, space: int, names: Sequence[str]) -> str:
    """Describe a space: its card or the payout that a card would start, and its workers."""
    card, pays = view.cards[row][space], closes(view, row, space)
    words = spoken(card) if card else f"empty; a card here pays {pays} spaces" if pays else "empty"
    standing = Counter(view.workers[row][space])
    workers = (f"{count} of {names[seat]}'s" for seat, count in sorted(standing.items()))
    return f"{words}; workers: {', '.join(workers)}" if standing else words
