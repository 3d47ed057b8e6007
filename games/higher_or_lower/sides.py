"""Drawings beside the round's board: the score, the turn, the five boards small."""

from collections.abc import Iterator

import svg

from games.drawing.elements import box, cell, last_ring, place, seat_badge, target_mark, text
from games.drawing.materials import slab, well
from games.drawing.scene import Scene
from games.drawing.themes import SEAT_LETTERS
from games.higher_or_lower.figures import small_board
from games.higher_or_lower.fruits import fruit
from games.higher_or_lower.pieces import ALLOWED, BOARDS, NUMBER_OF
from games.higher_or_lower.playing import LIMIT
from games.higher_or_lower.spaces import call_mark
from games.higher_or_lower.state import State
from games.higher_or_lower.tables import board_words

SCORE_WIDE, SCORE_HIGH = 300, 92
ROUNDS_HIGH = 92
_BOX = 62
_SLOT, _SLOT_STEP = 19, 21.5


class Sides(Scene[State]):
    """Draws parts of the picture that need the whole view, each from its own corner."""

    def little(self, board: str, x: float, y: float, side: float) -> svg.Element:
        """Draw a small board with its letter, and its result or the fruits that it takes."""
        theme, target = self.theme, board in self.targets
        large = side > 120
        size = 24 if large else 17
        head = size + 7
        top = y - head
        played = next((played for played in self.view.rounds if played.board == board), None)
        now = board == self.view.board
        elements: list[svg.Element] = [
            box(x - 6, top, side + 12, side + head + 8, fill=theme.stage, line=theme.line, radius=8),
            text(x, y - head / 2, board, size=size, fill=theme.accent if now else theme.ink, bold=True, anchor="start"),
            *self.state_of(board, x + side, y - head / 2, 22 if large else 15),
            *small_board(self.view, board, x, y, side, theme),
        ]
        if played:
            letter, colour = SEAT_LETTERS[played.winner], theme.seat(played.winner)
            elements += seat_badge(x + side - 9, y - head / 2, letter, colour, theme, size=18)
        if target:
            elements += target_mark(x - 7, top - 1, side + 14, side + head + 10, theme, self.targets, radius=8)
        if board in self.last:
            elements.append(last_ring(x - 5, top + 1, side + 10, side + head + 6, theme, radius=8))
        return cell(board, board_words(self.view, board, self.names), *elements, target=target)

    def state_of(self, board: str, right: float, y: float, size: float) -> Iterator[svg.Element]:
        """Draw that a board is in play, its points if it was won, or the fruits that it takes."""
        theme = self.theme
        played = next((played for played in self.view.rounds if played.board == board), None)
        if board == self.view.board:
            yield text(right, y, "in play", size=13, fill=theme.accent, anchor="end", bold=True)
        elif played:
            points = ":".join(map(str, played.points))
            yield text(right - 24, y, points, size=14, fill=theme.ink, anchor="end", bold=True)
        else:
            for at, suit in enumerate(reversed(ALLOWED[board])):
                yield fruit(suit, right - size / 2 - at * size * 1.15, y, size)

    def score(self) -> Iterator[svg.Element]:
        """Draw both seats' points, and between them the cards of the turn."""
        theme, view = self.theme, self.view
        yield box(0.5, 0.5, SCORE_WIDE - 1, SCORE_HIGH - 1, fill=theme.stage, line=theme.line, radius=8)
        for seat in range(view.seats):
            x = 1 if seat == 0 else SCORE_WIDE - _BOX - 1
            yield box(x, 1, _BOX, SCORE_HIGH - 2, fill=theme.seat_soft(seat), radius=8)
            name = "You" if seat == self.viewer else self.names[seat]
            yield text(x + _BOX / 2, 18, name, size=13, fill=theme.ink, width=_BOX - 8)
            points = text(x + _BOX / 2, 48, str(view.points[seat]), size=34, fill=theme.seat(seat), bold=True)
            yield place(f"points {seat}", points)
            if seat != view.first:
                yield text(x + _BOX / 2, 78, "wins ties", size=12, fill=theme.ink)
        running = view.at is not None or not view.chain
        middle, turned = SCORE_WIDE / 2, len(view.chain)
        yield text(middle, 16, "This turn" if running else "The turn before", size=13, fill=theme.muted)
        yield text(middle, SCORE_HIGH - 14, f"{turned} of {LIMIT} cards turned", size=13, fill=theme.muted)
        for at in range(LIMIT):
            yield from self.turned(at, _BOX + 3 + at * _SLOT_STEP, 30)

    def turned(self, at: int, x: float, y: float) -> Iterator[svg.Element]:
        """Draw a card of the turn with its call, or an empty place."""
        theme, view = self.theme, self.view
        if at >= len(view.chain):
            yield from well(x, y, _SLOT, 34, theme, radius=3)
            return
        turned = view.chain[at]
        card = view.cards_open[str(view.board)][turned.space]
        line = theme.card_line if turned.correct else theme.bad
        yield from slab(x, y, _SLOT, 34, fill=theme.card, edge=theme.card_deep, line=line, radius=3, deep=3)
        yield text(x + _SLOT / 2, y + 21, str(NUMBER_OF[str(card)]), size=14, fill=theme.ink, bold=True)
        if turned.call:
            yield from call_mark(turned, x + _SLOT / 2, y + 5, 6, theme)

    def rounds(self) -> Iterator[svg.Element]:
        """Draw all five boards small in a row, each with its result."""
        theme = self.theme
        for at, board in enumerate(BOARDS):
            x = at * 61
            played = next((played for played in self.view.rounds if played.board == board), None)
            now = board == self.view.board
            fill = theme.seat_soft(played.winner) if played else theme.stage
            line = theme.accent if now else theme.line
            words = ":".join(map(str, played.points)) if played else "in play" if now else ""
            elements: list[svg.Element] = [
                box(x + 1, 1, 54, ROUNDS_HIGH - 2, fill=fill, line=line, thick=2 if now else 1, radius=7),
                *small_board(self.view, board, x + 7, 7, 42, theme, numbers=False),
                text(x + 8, 62, board, size=15, fill=theme.ink, bold=True, anchor="start"),
            ]
            if played:
                letter, colour = SEAT_LETTERS[played.winner], theme.seat(played.winner)
                elements += seat_badge(x + 41, 62, letter, colour, theme, size=16)
            ink = theme.accent if now else theme.ink
            elements.append(text(x + 28, 80, words, size=13, fill=ink, bold=True))
            yield cell(board, board_words(self.view, board, self.names), *elements)
