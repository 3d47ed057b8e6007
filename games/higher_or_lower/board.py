"""The five boards as a picture and as tables.

While groups are assigned the cells are a seat's own cards (`A7`) and groups (`A circle`); when a board is chosen, the
boards (`C`); in a round, the spaces of its board (`c3`).
"""

from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import box, cell, fitted, last_ring, picture, seat_badge, target_mark, text, width_of
from games.drawing.scene import Scene
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.higher_or_lower.figures import chip_stamps, face, front, small_board, tally
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.notation import space_name
from games.higher_or_lower.panels import Panel, known_seats, title
from games.higher_or_lower.pieces import ALLOWED, BOARDS, SIDE
from games.higher_or_lower.playing import LIMIT
from games.higher_or_lower.state import State
from games.higher_or_lower.tables import board_words, boards_won, doing, headline, hidden_card, space_words, tables
from games.kernel import Witness

_WIDTH, _EDGE = 640, 20
_SPACE, _STEP = 84, 90
_BOARD_X = _EDGE + 24


class HigherOrLowerBoard:
    """Draws a witness's view: the boards, the round, and the groups that the witness knows."""

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
        """The picture; `targets` and `last` name cards, groups, boards or spaces."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """The round's board, all boards, the players, and the groups that the viewer knows."""
        return tables(view, viewer, names)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """The phase, or the round's board with boards won and points, and whose turn it is, or how the match ended."""
        return headline(view, names)


BOARD = HigherOrLowerBoard()


class _Drawing(Scene[State]):
    @property
    def panel(self) -> Panel:
        return Panel(self.view, self.viewer, self.theme, self.targets, self.last)

    def picture(self) -> str:
        stamps = [chip_stamps(self.theme)] if known_seats(self.view, self.viewer) else []
        elements = [*stamps, *self.heads()]
        parts, end = self.round() if self.view.board else self.overview()
        title = f"Higher or Lower. {headline(self.view, self.names)}."
        return picture(title, _WIDTH, end + 8, [*elements, *parts], self.theme)

    def heads(self) -> Iterator[svg.Element]:
        """Both players, A to the left and B to the right, with colour, boards won and points."""
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
        """The five boards in little, the round's board, and the cards given to it."""
        top, board = 244, str(self.view.board)
        elements = [self.little(name, _EDGE + at * 125, 92, 100) for at, name in enumerate(BOARDS)]
        elements += self.coordinates(top)
        elements += (self.space(board, space, top) for space in range(SIDE * SIDE))
        elements += self.turn(_BOARD_X + SIDE * _STEP + 14, top)
        y: float = top + SIDE * _STEP + 16
        for seat in known_seats(self.view, self.viewer):
            elements.append(title(seat, self.names, self.theme, _EDGE, y, f"cards on board {board}"))
            groups, y = self.panel.groups(seat, (board,), _EDGE, y + 16)
            elements += groups
            y += 8
        return elements, y

    def little(self, board: str, x: float, y: float, side: float) -> svg.Element:
        """A board in little, with its letter and what has become of it."""
        theme, target = self.theme, board in self.targets
        played = next((played for played in self.view.rounds if played.board == board), None)
        now = board == self.view.board
        words = "in play" if now else "won by" if played else f"takes {ALLOWED[board]}"
        elements: list[svg.Element] = [
            box(x - 6, y - 24, side + 12, side + 32, fill=theme.stage, radius=8),
            text(x, y - 13, board, size=17, fill=theme.accent if now else theme.ink, bold=True, anchor="start"),
            text(
                x + side - (24 if played else 0), y - 13, words,
                size=13, fill=theme.accent if now else theme.muted, anchor="end", bold=now,
            ),
            *small_board(self.view, board, x, y, side, theme),
        ]  # fmt: skip
        if played:
            letter, colour = SEAT_LETTERS[played.winner], theme.seat(played.winner)
            elements += seat_badge(x + side - 9, y - 13, letter, colour, theme, size=18)
        if target:
            elements += target_mark(x - 7, y - 25, side + 14, side + 34, theme, self.targets, radius=8)
        if board in self.last:
            elements.append(last_ring(x - 5, y - 23, side + 10, side + 30, theme, radius=8))
        return cell(board, board_words(self.view, board, self.names), *elements, target=target)

    def coordinates(self, top: float) -> Iterator[svg.Element]:
        for at in range(SIDE):
            middle = at * _STEP + _SPACE / 2
            yield text(_BOARD_X + middle, top - 14, "abcde"[at], size=16, fill=self.theme.muted, bold=True)
            yield text(_EDGE + 6, top + middle, str(at + 1), size=16, fill=self.theme.muted, bold=True)

    def space(self, board: str, space: int, top: float) -> svg.Element:
        theme, view = self.theme, self.view
        code, card = layout_of(view.options.boards).codes[board][space], view.cards_open[board][space]
        x, y = _BOARD_X + space % SIDE * _STEP, top + space // SIDE * _STEP
        name = space_name(space // SIDE + 1, space % SIDE + 1)
        if card is None:
            elements = [*front(code, x, y, _SPACE, theme)]
            hidden = hidden_card(view, board, space)
            if hidden:
                elements.append(text(x + _SPACE - 7, y + 14, hidden, size=14, fill=theme.ink, anchor="end"))
        else:
            elements = [*face(code, card, x, y, _SPACE, theme)]
        if space == view.at:
            elements.append(box(x - 1, y - 1, _SPACE + 2, _SPACE + 2, fill="none", line=theme.stage, thick=8, radius=9))
            elements.append(box(x, y, _SPACE, _SPACE, fill="none", line=theme.accent, thick=4, radius=8))
        if name in self.targets:
            elements += target_mark(x, y, _SPACE, _SPACE, theme, self.targets, radius=8)
        if name in self.last:
            elements.append(last_ring(x, y, _SPACE, _SPACE, theme, radius=8))
        return cell(name, space_words(view, board, space), *elements, target=name in self.targets)

    def turn(self, x: float, top: float) -> Iterator[svg.Element]:
        """Beside the board: the points, and how many cards of the turn are turned."""
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

    def overview(self) -> tuple[list[svg.Element], float]:
        """All five boards: with the groups of the seats that the viewer knows, or by themselves."""
        seats = known_seats(self.view, self.viewer)
        if not seats:
            places = [(_EDGE + at % 3 * 206, 100 + at // 3 * 236) for at in range(len(BOARDS))]
            return [self.little(name, *at, 188) for name, at in zip(BOARDS, places, strict=True)], 540
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
            y = max(y + 130, below) + 42
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
