"""The picture of a match played to its end: both bananas, and the counts of their spaces."""

from collections.abc import Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import fitted, group, picture, text, width_of
from games.drawing.shapes import minus, stroke
from games.drawing.themes import Theme
from games.kernel import quantity
from games.peeling_the_banana.banana import EMPTY, FILLED
from games.peeling_the_banana.card_drawing import seat_mark
from games.peeling_the_banana.rules import outcome, score
from games.peeling_the_banana.sheet_drawing import Sheet, sheet, sheet_stamps
from games.peeling_the_banana.state import State

_WIDE: Final = 560
_HALF: Final = 270
_MARGIN: Final = 8
_NAME: Final = 34
_SPACE: Final = 22
_COUNTED: Final = 78
_TIED: Final = 30
_LOST: Final = 0.66
_COLUMNS: Final = (38, 132, 228)


def finale(view: State, theme: Theme, names: Sequence[str]) -> str | None:
    """Return the picture; None if the match ended before both seats had their turns or a sheet was full."""
    if view.stage != "over":
        return None
    return _Bananas(view, theme, names).picture()


def score_words(view: State) -> str:
    """Return the points of the winner and the loser: `22 points to 16`."""
    best, other = sorted(score(view).values(), reverse=True)
    if best == other:
        return f"{quantity(best, 'point')} each, having gone second"
    return f"{quantity(best, 'point')} to {other}"


class _Bananas:
    def __init__(self, view: State, theme: Theme, names: Sequence[str]) -> None:
        self.view, self.theme, self.names = view, theme, names
        end = outcome(view)
        self.winner = end.winners[0] if end else 0
        self.points = score(view)
        self.is_tied = self.points[0] == self.points[1]

    def picture(self) -> str:
        sheets = [self.sheet(seat) for seat in (0, 1)]
        high = _MARGIN + _NAME + sheets[0].height + _COUNTED
        elements: list[svg.Element] = [sheet_stamps(self.view.options.board)]
        for seat, drawn in enumerate(sheets):
            elements.append(group(*self.half(seat, drawn), x=seat * (_WIDE - _HALF)))
        if self.is_tied:
            words = f"Equal points: {self.names[self.winner]} went second"
            elements.append(text(_WIDE / 2, high + 12, words, size=19, fill=self.theme.gold, width=_WIDE - 2 * _MARGIN))
            high += _TIED
        title = "The bananas counted. " + " ".join(map(self.sentence, (0, 1)))
        return picture(title, _WIDE, high, elements, self.theme, ground=None)

    def sheet(self, seat: int) -> Sheet:
        bare = Sheet(self.view, seat, 1)
        return Sheet(self.view, seat, min(_SPACE, _HALF / bare.width))

    def spaces(self, seat: int) -> tuple[int, int]:
        """Return the numbers of filled and of empty spaces."""
        marks = "".join(self.view.boards[seat])
        return marks.count(FILLED), marks.count(EMPTY)

    def sentence(self, seat: int) -> str:
        filled, empty = self.spaces(seat)
        return f"{self.names[seat]}: {filled} filled less {empty} empty is {quantity(self.points[seat], 'point')}."

    def half(self, seat: int, drawn: Sheet) -> Iterator[svg.Element]:
        """Draw a seat's name, its banana, and the score; the loser's banana is dim."""
        theme, won = self.theme, seat == self.winner
        name = fitted(self.names[seat], 22, _HALF - 66)
        left = (_HALF - width_of(name, 22)) / 2
        yield from seat_mark(seat, left - 10, _MARGIN + 12, 9, theme)
        yield text(_HALF / 2 + 10, _MARGIN + 12, name, size=22, fill=theme.gold if won else theme.muted, bold=won)
        banana = group(sheet(drawn, theme), x=(_HALF - drawn.width) / 2, y=_MARGIN + _NAME)
        if not won:
            banana.opacity = _LOST
        yield banana
        yield from self.counted(seat, _MARGIN + _NAME + drawn.height + 28)

    def counted(self, seat: int, y: float) -> Iterator[svg.Element]:
        """Draw the score as a subtraction: filled spaces minus empty ones."""
        theme, won = self.theme, seat == self.winner
        filled, empty = self.spaces(seat)
        points = self.points[seat]
        terms = ((filled, "filled"), (empty, "empty"), (points, "point" if points == 1 else "points"))
        for x, (number, word) in zip(_COLUMNS, terms, strict=True):
            colour = theme.gold if won and x == _COLUMNS[-1] else theme.ink if won else theme.muted
            yield text(x, y, str(number), size=34, fill=colour, bold=True)
            yield text(x, y + 30, word, size=19, fill=colour)
        yield minus(sum(_COLUMNS[:2]) / 2, y, 15, line=theme.muted, thick=3)
        equals = sum(_COLUMNS[1:]) / 2
        for aside in (-4, 4):
            yield stroke(equals - 8, y + aside, equals + 8, y + aside, line=theme.muted, thick=3)
