"""The five boards as a picture and as tables.

During the assignment the cells are a seat's own cards (`A7`) and groups (`A circle`), during the choice of a board the
boards (`C`), and during a round the spaces of its board (`c3`).
"""

from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import box, fitted, picture, seat_badge, text, width_of
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.higher_or_lower.figures import chip_stamps, tally
from games.higher_or_lower.finale import finale, score_words
from games.higher_or_lower.fruits import fruit, fruit_stamps
from games.higher_or_lower.panels import Panel, hand_of, known_seats, title
from games.higher_or_lower.pieces import BOARDS, NUMBER_OF, SIDE, SUITS
from games.higher_or_lower.playing import LIMIT
from games.higher_or_lower.sides import ROUNDS_HIGH, SCORE_HIGH, SCORE_WIDE, Sides
from games.higher_or_lower.spaces import Spaces
from games.higher_or_lower.state import State
from games.higher_or_lower.tables import boards_won, doing, headline, tables
from games.kernel import Outcome, Part, Witness

_WIDTH, _EDGE = 640, 20
_SPACE, _STEP = 84, 90
_BOARD_X = _EDGE + 24
_TABLE_SPACE, _TABLE_STEP, _TABLE_EDGE = 112, 119, 30
_OWN_WIDE = 430


class HigherOrLowerBoard:
    """Draws a witness's view: the boards, the round, and the groups that the witness may see."""

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
        """Return the picture; `targets` and `last` name cards, groups, boards or spaces."""
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
        """Return the round's board, its score and all boards small, or all five boards; then the visible groups."""
        return tuple(_Drawing(view, viewer, theme, names, targets, last).parts())

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the players, the round's board or all five, the boards' results, and the visible groups."""
        return tables(view, viewer, names)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return the phase, or the round's board, boards won, points and the seat on turn, or the result."""
        return headline(view, names)

    def finale(self, view: State, *, viewer: Witness, theme: Theme, names: Sequence[str]) -> str | None:
        """Draw the five boards with their winners, and the deciding one large."""
        return finale(view, theme, names)

    def score(self, view: State, outcome: Outcome) -> str:
        """Return the boards that each seat has won."""
        return score_words(view)


BOARD = HigherOrLowerBoard()


class _Drawing(Sides):
    @property
    def panel(self) -> Panel:
        return Panel(self.view, self.viewer, self.theme, self.targets, self.last)

    @property
    def title(self) -> str:
        return f"Higher or Lower. {headline(self.view, self.names)}."

    def stamps(self) -> Iterator[svg.Element]:
        yield fruit_stamps(self.theme)
        if known_seats(self.view, self.viewer):
            yield chip_stamps(self.theme)

    def picture(self) -> str:
        elements = [*self.stamps(), *self.heads()]
        parts, end = self.round() if self.view.board else self.overview()
        return picture(self.title, _WIDTH, end + 8, [*elements, *parts], self.theme)

    def parts(self) -> Iterator[Part]:
        theme = self.theme
        if self.view.board:
            side = _TABLE_EDGE + SIDE * _TABLE_STEP
            board = Spaces(
                self.view, theme, self.targets, self.last, self.view.board,
                _TABLE_EDGE, _TABLE_EDGE, _TABLE_SPACE, _TABLE_STEP,
            )  # fmt: skip
            yield Part("table", picture(self.title, side, side, [*self.stamps(), *board.drawn()], theme))
            score = picture("The score", SCORE_WIDE, SCORE_HIGH, self.score(), theme, ground=None)
            yield Part("score", score)
            yield Part("rounds", picture("The boards", SCORE_WIDE, ROUNDS_HIGH, self.rounds(), theme, ground=None))
        else:
            yield Part("table", picture(self.title, _WIDTH, 494, [*self.stamps(), *self.five(44)], theme))
        for seat in known_seats(self.view, self.viewer):
            yield self.groups_of(seat)

    def groups_of(self, seat: int) -> Part:
        """Return the groups of a seat, by board, and the cards in its hand during the assignment."""
        elements: list[svg.Element] = []
        whose = "Your cards" if seat == self.viewer else f"{self.names[seat]}’s cards"
        y: float = 12
        for board in (self.view.board,) if self.view.board else BOARDS:
            words = f"{whose} on board {board}" if self.view.board else f"Board {board}"
            elements.append(text(0, y, words, size=20, fill=self.theme.ink, bold=True, anchor="start", width=_OWN_WIDE))
            groups, y = self.panel.groups(seat, (board,), 0, y + 20)
            elements += groups
            y += 14
        if seat == self.viewer and seat not in self.view.locked:
            elements.append(text(0, y, "In hand", size=20, fill=self.theme.ink, bold=True, anchor="start"))
            for suit, words in SUITS.items():
                y += 32
                held = ", ".join(str(NUMBER_OF[card]) for card in hand_of(self.view, seat) if card[0] == suit)
                elements += [
                    fruit(suit, 14, y, 24),
                    text(36, y, f"{words} {held}", size=18, fill=self.theme.ink, anchor="start"),
                ]
            y += 20
        name = "own" if seat == self.viewer else f"seat-{seat}"
        return Part(name, picture(whose, _OWN_WIDE, y, elements, self.theme, ground=None))

    def heads(self) -> Iterator[svg.Element]:
        """Draw both players, A on the left and B on the right, with colour, boards won and points."""
        for seat in range(self.view.seats):
            x, side = (_EDGE, 1) if seat == 0 else (_WIDTH - _EDGE, -1)
            anchor = "start" if seat == 0 else "end"
            yield from seat_badge(x + side * 16, 32, SEAT_LETTERS[seat], self.theme.seat(seat), self.theme, size=32)
            you = " (you)" if seat == self.viewer else ""
            name = fitted(self.names[seat], 17, 190 - width_of(you, 17)) + you
            yield text(x + side * 40, 23, name, size=17, fill=self.theme.ink, bold=True, anchor=anchor)
            yield text(x + side * 40, 43, doing(self.view, seat), size=14, fill=self.theme.muted, anchor=anchor)
            if self.view.colours:
                colour = self.view.colours[seat]
                yield from tally(colour, x + side * 245 - (3 if side < 0 else 0), 24, 16, self.theme)
        won = " : ".join(str(boards_won(self.view, seat)) for seat in range(self.view.seats))
        yield text(_WIDTH / 2, 26, won, size=24, fill=self.theme.ink, bold=True)
        yield text(_WIDTH / 2, 47, "boards", size=13, fill=self.theme.muted)

    def round(self) -> tuple[list[svg.Element], float]:
        """Draw the five boards small, the round's board, and the cards assigned to it; return the lower edge too."""
        top, board = 244, str(self.view.board)
        elements = [self.little(name, _EDGE + at * 125, 92, 100) for at, name in enumerate(BOARDS)]
        spaces = Spaces(self.view, self.theme, self.targets, self.last, board, _BOARD_X, top, _SPACE, _STEP)
        elements += spaces.drawn()
        elements += self.turn(_BOARD_X + SIDE * _STEP + 14, top)
        y: float = top + SIDE * _STEP + 16
        for seat in known_seats(self.view, self.viewer):
            elements.append(title(seat, self.names, self.theme, _EDGE, y, f"cards on board {board}"))
            groups, y = self.panel.groups(seat, (board,), _EDGE, y + 16)
            elements += groups
            y += 8
        return elements, y

    def turn(self, x: float, top: float) -> Iterator[svg.Element]:
        """Draw the points and the number of cards turned in this turn, beside the board."""
        theme, view = self.theme, self.view
        wide = _WIDTH - _EDGE - x
        for seat in range(view.seats):
            y = top + seat * 100
            line = theme.seat(seat) if seat == view.mover else None
            yield box(x, y, wide, 90, fill=theme.seat_soft(seat), line=line, thick=2.5, radius=8)
            yield from seat_badge(x + 20, y + 20, SEAT_LETTERS[seat], theme.seat(seat), theme, size=24)
            yield text(x + wide - 12, y + 34, str(view.points[seat]), size=34, fill=theme.ink, bold=True, anchor="end")
            order = "1st" if seat == view.first else "2nd, wins ties"
            yield text(x + 10, y + 74, order, size=13, fill=theme.ink, anchor="start")
        y = top + 216
        yield text(x, y, f"{view.turned} of {LIMIT} cards", size=14, fill=theme.muted, anchor="start", width=wide)
        for pip in range(LIMIT):
            fill = theme.accent if pip < view.turned else theme.cell_off
            left, upper = x + pip % 4 * 29, y + 14 + pip // 4 * 29
            yield box(left, upper, 24, 24, fill=fill, line=theme.cell_line, radius=6)
            ink = theme.on_accent if pip < view.turned else theme.faint
            yield text(left + 12, upper + 12, str(pip + 1), size=13, fill=ink)

    def five(self, top: float) -> Iterator[svg.Element]:
        """Draw all boards without groups, three above two."""
        for at, board in enumerate(BOARDS):
            x = _EDGE + at * 206 if at < 3 else _EDGE + 103 + (at - 3) * 206
            yield self.little(board, x, top + at // 3 * 246, 188)

    def overview(self) -> tuple[list[svg.Element], float]:
        """Draw all five boards, with the groups that the viewer may see; return the lower edge too."""
        seats = known_seats(self.view, self.viewer)
        if not seats:
            return list(self.five(108)), 550
        elements: list[svg.Element] = []
        y: float = 92
        for board in BOARDS:
            elements.append(self.little(board, _EDGE, y, 130))
            below = y - 20
            for seat in seats:
                if len(seats) > 1:
                    elements.append(title(seat, self.names, self.theme, _EDGE + 176, below + 4, ""))
                    below += 18
                groups, below = self.panel.groups(seat, (board,), _EDGE + 176, below)
                elements += groups
            y = max(y + 130, below) + 46
        return self.with_hands(seats, elements, y - 26)

    def with_hands(
        self, seats: Sequence[int], elements: list[svg.Element], y: float
    ) -> tuple[list[svg.Element], float]:
        for seat in seats:
            if seat not in self.view.locked and seat == self.viewer:
                elements.append(title(seat, self.names, self.theme, _EDGE, y + 8, "cards in hand"))
                hand, y = self.panel.hand(seat, _EDGE, y + 24)
                elements += hand
        return elements, y
