"""Drawing of the round's board: its cards, the path of the turn, and the possible next spaces."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

import svg

from games.drawing.elements import box, cell, last_ring, target_mark, text
from games.drawing.shapes import arrow, circle, stroke
from games.drawing.themes import Theme
from games.higher_or_lower.figures import face, front
from games.higher_or_lower.layout import NEIGHBOURS, layout_of
from games.higher_or_lower.pieces import DIRECTIONS, NUMBER_OF, SIDE, space_name, spoken
from games.higher_or_lower.state import State, Turned
from games.higher_or_lower.tables import hidden_card, space_words


@dataclass(frozen=True)
class Spaces:
    """Draws the 25 spaces of a board in play: the first one's corner is at `left` and `top`, and the others follow at
    multiples of `step`. `targets` and `last` are the names of the legal targets and of the last move's spaces."""

    view: State
    theme: Theme
    targets: Collection[str]
    last: Collection[str]
    board: str
    left: float
    top: float
    size: float
    step: float

    def drawn(self) -> Iterator[svg.Element]:
        """Draw the coordinates, the spaces and the calls of the turn; arrows lead to spaces that may be called."""
        spaces = [(space, space_name(space // SIDE + 1, space % SIDE + 1)) for space in range(SIDE * SIDE)]
        yield from self.coordinates()
        yield from (self.space(space, name) for space, name in spaces if name not in self.targets)
        yield from self.way()
        yield from (self.space(space, name) for space, name in spaces if name in self.targets)

    def corner(self, space: int) -> tuple[float, float]:
        return self.left + space % SIDE * self.step, self.top + space // SIDE * self.step

    def middle(self, space: int) -> tuple[float, float]:
        x, y = self.corner(space)
        return x + self.size / 2, y + self.size / 2

    def coordinates(self) -> Iterator[svg.Element]:
        for index in range(SIDE):
            middle = index * self.step + self.size / 2
            for x, y, name in (
                (self.left + middle, self.top - 13, "abcde"[index]),
                (self.left - 15, self.top + middle, str(index + 1)),
            ):
                label = text(x, y, name, size=15, fill=self.theme.muted, bold=True)
                label.class_ = ["coordinate"]
                yield label

    def space(self, space: int, name: str) -> svg.Element:
        """Draw a space as a cell with its card, face down or open."""
        (x, y), size, target = self.corner(space), self.size, name in self.targets
        elements = list(self.card(space))
        if space == self.view.at:
            elements.append(
                box(x, y, size, size * 0.95, fill="none", line=self.theme.turn, thick=5, radius=size * 0.08)
            )
        if target:
            elements += target_mark(x, y, size, size, self.theme, self.targets, radius=size * 0.08)
            elements += self.arrow_to(space)
        if name in self.last:
            elements.append(last_ring(x, y, size, size, self.theme, radius=size * 0.08))
        return cell(name, space_words(self.view, self.board, space), *elements, target=target)

    def card(self, space: int) -> Iterator[svg.Element]:
        (x, y), size = self.corner(space), self.size
        card = self.view.cards_open[self.board][space]
        if card is not None:
            is_of_turn = any(turned.space == space for turned in self.view.chain)
            yield from face(card, x, y, size, self.theme, now=is_of_turn)
            return
        yield from front(layout_of(self.view.options.boards).codes[self.board][space], x, y, size, self.theme)
        hidden = hidden_card(self.view, self.board, space)
        if hidden:
            words = f"{spoken(hidden)[0]} {NUMBER_OF[hidden]}"
            label = text(x + size - 7, y + size * 0.14, words, size=14, fill=self.theme.ink, anchor="end")
            label.class_ = ["coordinate"]
            yield label

    def arrow_to(self, space: int) -> Iterator[svg.Element]:
        """Draw an arrow across the edge from the card last turned up; nothing if the space isn't next to it."""
        current = self.view.at
        direction = (
            next((direction for direction, beside in NEIGHBOURS[current].items() if beside == space), None)
            if current is not None
            else None
        )
        if current is None or direction is None:
            return
        x, y = self.between(current, space)
        south, east = DIRECTIONS[direction]
        reach = self.size * 0.075
        yield circle(x, y, self.size * 0.17, fill=self.theme.stage, line=self.theme.accent, thick=2.5)
        yield arrow(
            x - east * reach, y - south * reach, x + east * reach, y + south * reach,
            line=self.theme.accent, thick=2.5, head=self.size * 0.09,
        )  # fmt: skip

    def between(self, one: int, other: int) -> tuple[float, float]:
        (x1, y1), (x2, y2) = self.middle(one), self.middle(other)
        return (x1 + x2) / 2, (y1 + y2) / 2

    def way(self) -> Iterator[svg.Element]:
        """Draw each call of the turn on the edge between its two cards."""
        for before, turned in pairwise(self.view.chain):
            x, y = self.between(before.space, turned.space)
            yield from call_mark(turned, x, y, self.size * 0.11, self.theme)


def call_mark(turned: Turned, x: float, y: float, radius: float, theme: Theme) -> Iterator[svg.Element]:
    """Draw a call: a chevron that points up or down; a wrong call is red and struck out."""
    rise = radius * 0.4 * (1 if turned.call == "higher" else -1)
    yield circle(x, y, radius, fill=theme.accent if turned.correct else theme.bad, line=theme.stage, thick=1.5)
    yield stroke(x - radius * 0.5, y + rise * 0.6, x, y - rise, line=theme.on_accent, thick=2)
    yield stroke(x, y - rise, x + radius * 0.5, y + rise * 0.6, line=theme.on_accent, thick=2)
    if not turned.correct:
        slant = radius * 1.25
        yield stroke(x - slant, y + slant, x + slant, y - slant, line=theme.bad, thick=2)
