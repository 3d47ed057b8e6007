"""The picture of a match played to its end: the five boards with their winners, and the deciding one."""

from collections.abc import Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, fitted, group, picture, seat_badge, text
from games.drawing.themes import SEAT_LETTERS, Theme
from games.higher_or_lower.figures import small_board
from games.higher_or_lower.pieces import BOARDS
from games.higher_or_lower.rules import WINS, outcome
from games.higher_or_lower.rules import score as rounds_won
from games.higher_or_lower.state import RoundPlayed, State

_WIDE: Final = 560
_STEP: Final = 112
_TILE: Final = 104
_TILE_HIGH: Final = 158
_LITTLE: Final = 76
_TOP: Final = 172
_LARGE: Final = 210
_DECIDED_HIGH: Final = 272
_UNPLAYED: Final = 0.5
_NUMBERS: Final = ("none", "one", "two", "three")


def finale(view: State, theme: Theme, names: Sequence[str]) -> str | None:
    """Return the picture; None if the match ended before a seat had won three boards."""
    if max(rounds_won(view).values()) < WINS:
        return None
    return _Boards(view, theme, names).picture()


def score_words(view: State) -> str:
    """Return the numbers of boards of the winner and the loser: `three boards to one`."""
    best, other = sorted(rounds_won(view).values(), reverse=True)
    return f"{_NUMBERS[best]} boards to {_NUMBERS[other]}"


class _Boards:
    def __init__(self, view: State, theme: Theme, names: Sequence[str]) -> None:
        self.view, self.theme, self.names = view, theme, names
        self.played = {played.board: played for played in view.rounds}
        self.decisive = view.rounds[-1]
        end = outcome(view)
        self.winner = end.winners[0] if end else self.decisive.winner

    def picture(self) -> str:
        elements: list[svg.Element] = []
        for place, board in enumerate(BOARDS):
            elements.append(group(*self.tile(board), x=4 + place * _STEP))
        elements.append(group(*self.decided(), y=_TOP))
        title = "The boards won. " + " ".join(map(self.sentence, self.view.rounds))
        return picture(title, _WIDE, _TOP + _DECIDED_HIGH, elements, self.theme, ground=None)

    def sentence(self, played: RoundPlayed) -> str:
        first, second = played.points
        words = f"Board {played.board}: {first} to {second}, {self.names[played.winner]} wins it"
        return f"{words}, having gone second." if first == second else f"{words}."

    def tile(self, board: str) -> Iterator[svg.Element]:
        """Draw a small board with its points and winner, dim if it wasn't played."""
        theme, played, middle = self.theme, self.played.get(board), _TILE / 2
        decisive, won = played == self.decisive, played is not None and played.winner == self.winner
        little = small_board(self.view, board, (_TILE - _LITTLE) / 2, 34, _LITTLE, theme, numbers=False)
        drawn: list[svg.Element] = [
            box(
                1, 1, _TILE - 2, _TILE_HIGH - 2, radius=9,
                fill=theme.seat_soft(played.winner) if played else theme.inset,
                line=theme.gold if decisive else theme.line, thick=3 if decisive else 1,
            ),
            *little,
        ]  # fmt: skip
        if played is None:
            whole = group(*drawn)
            whole.opacity = _UNPLAYED
            yield whole
            yield text(middle, 17, board, size=20, fill=theme.muted, bold=True)
            yield text(middle, 135, "unplayed", size=19, fill=theme.muted, width=_TILE)
            return
        yield from drawn
        yield text(16, 17, board, size=20, fill=theme.ink, bold=True, anchor="start")
        yield from seat_badge(_TILE - 22, 17, SEAT_LETTERS[played.winner], theme.seat(played.winner), theme, size=23)
        colour = theme.gold if won else theme.muted
        yield text(middle, 135, f"{played.points[0]} to {played.points[1]}", size=22, fill=colour, bold=won)

    def decided(self) -> Iterator[svg.Element]:
        """Draw the last board large, with the points of both seats beside it."""
        theme, last = self.theme, self.decisive
        left, top = (_WIDE - _LARGE) / 2, 48
        yield box(1, 1, _WIDE - 2, _DECIDED_HIGH - 2, fill=theme.inset, line=theme.gold, thick=1.5, radius=12)
        words = f"Board {last.board} decides"
        if last.points[0] == last.points[1]:
            words += f": equal, and {fitted(self.names[last.winner], 19, 190)} went second"
        yield text(_WIDE / 2, 25, words, size=19, fill=theme.ink, bold=True, width=_WIDE - 20)
        yield from small_board(self.view, last.board, left, top, _LARGE, theme)
        for seat in (0, 1):
            yield from self.side(seat, left / 2 if seat == 0 else _WIDE - left / 2, left - 20)

    def side(self, seat: int, x: float, room: float) -> Iterator[svg.Element]:
        """Draw a seat's points on the last board, large, and the number of its boards."""
        theme, won = self.theme, seat == self.winner
        colour = theme.gold if won else theme.muted
        points, boards = self.decisive.points[seat], rounds_won(self.view)[seat]
        yield from seat_badge(x, 72, SEAT_LETTERS[seat], theme.seat(seat), theme, size=30)
        yield text(x, 106, self.names[seat], size=20, fill=colour, bold=won, width=room)
        yield text(x, 154, str(points), size=58, fill=colour, bold=True)
        yield text(x, 195, "point" if points == 1 else "points", size=19, fill=colour)
        count = "no boards" if boards == 0 else "one board" if boards == 1 else f"{_NUMBERS[boards]} boards"
        yield text(x, 236, count, size=19, fill=colour, bold=won)
