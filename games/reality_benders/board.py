"""The board as a picture: both seats, the graph of rules, and a legend."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import svg

from games.drawing import shapes
from games.drawing.elements import box, fitted, group, picture, text, width_of
from games.drawing.materials import card_back
from games.drawing.texttable import TextTable
from games.drawing.themes import Theme
from games.kernel import Outcome, Part, Witness
from games.reality_benders.finale import finale, score_words
from games.reality_benders.graph_drawing import (
    Graph,
    ghost,
    hand_mark,
    lock,
    new_rule,
    nodes,
    old_rule,
    planned_rule,
    rules,
)
from games.reality_benders.reveal import tie_trash_phase
from games.reality_benders.stage import Stage
from games.reality_benders.state import State
from games.reality_benders.tables import cast_last, doing, headline, tables

__all__ = ["BOARD"]

Parts = Iterator[svg.Element]

WIDTH: Final = 560
HEIGHT: Final = 692
_LEFT: Final = 6
_NAME: Final = 240
_STRIP: Final = 98
_MIDDLE: Final = (WIDTH / 2, 372)
_LEGEND: Final = 610
_ITEMS: Final = ("bonus", "break", "bridge")


class BendersBoard:
    """Draws the match. Distances aren't shown before a duel: finding them is part of the game."""

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
        """Return the whole picture; a submission is drawn if the view contains it: for that seat and the host."""
        title, shown = headline(view, names), headline(view, [fitted(name, 18, _NAME) for name in names])
        graph = Graph(view, theme)
        half = (WIDTH - 2 * _LEFT - 12) / 2
        parts = [
            text(_LEFT, 18, shown, size=18, fill=theme.ink, bold=True, anchor="start"),
            *_strip(view, 0, viewer, theme, names, _LEFT, half),
            *_strip(view, 1, viewer, theme, names, WIDTH - _LEFT - half, half),
            group(rules(graph), nodes(graph, names, targets, last), x=_MIDDLE[0], y=_MIDDLE[1]),
            *_legend(graph),
        ]
        return picture(f"Reality Benders. {title}.", WIDTH, HEIGHT, parts, theme)

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
        """Return the table (the graph between both seats' cards), the verdict, the nine spells and the legend."""
        return tuple(Stage(view, viewer, theme, names, targets, last).parts())

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the seats, and the rules by row and column."""
        return tables(view, viewer=viewer, names=names)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return the bout, the phase and its action, or the result."""
        return headline(view, names)

    def finale(self, view: State, *, viewer: Witness, theme: Theme, names: Sequence[str]) -> str | None:
        """Draw the last duel with its paths, and the bouts won."""
        return finale(view, theme, names)

    def score(self, view: State, outcome: Outcome) -> str:
        """Return the bouts that each seat has won."""
        return score_words(view, outcome)


BOARD: Final = BendersBoard()


def _strip(
    state: State, seat: int, viewer: Witness, theme: Theme, names: Sequence[str], x: float, wide: float
) -> Parts:
    """Draw a seat's name, score, last spell, items and current action."""
    y = 36
    name = names[seat] + (" (you)" if seat == viewer else "")
    score = f"{_many(state.won[seat], 'bout')}, {_many(state.points[seat], 'point')}"
    yield box(x, y, wide, _STRIP, fill=theme.seat_soft(seat) if seat == viewer else theme.inset, radius=6)
    yield box(x, y, 4, _STRIP, fill=theme.seat(seat), radius=2)
    yield from hand_mark(seat, x + 19, y + 17, theme)
    yield text(x + 33, y + 17, name, size=16, fill=theme.ink, bold=True, anchor="start", width=wide - 41)
    yield text(x + 12, y + 39, score, size=14, fill=theme.muted, anchor="start")
    if cast := cast_last(state, seat):
        yield text(x + wide - 8, y + 39, f"last {cast}", size=14, fill=theme.muted, anchor="end", width=wide - 140)
    yield from _items(state, seat, theme, x + 12, y + 50)
    yield from _doing(state, seat, theme, x + 12, y + 84, wide - 20)


def _items(state: State, seat: int, theme: Theme, x: float, y: float) -> Parts:
    """Draw a seat's items, struck out once they are used."""
    for item in _ITEMS:
        if item not in state.options.items_of(seat):
            continue
        wide, left = width_of(item, 13) + 10, item in state.items[seat]
        line = theme.edge if left else theme.line
        yield box(x, y, wide, 20, fill=theme.cell if left else "none", line=line, radius=10)
        yield text(x + wide / 2, y + 10, item, size=13, fill=theme.ink if left else theme.faint)
        if not left:
            yield shapes.stroke(x + 5, y + 10, x + wide - 5, y + 10, line=theme.faint, thick=1.4)
        x += wide + 6


def _doing(state: State, seat: int, theme: Theme, x: float, y: float, wide: float) -> Parts:
    """Draw a lock with the submission, as far as the viewer may see it, or the seat's next action."""
    words = doing(state, seat)
    if state.submitted[seat] is None:
        yield text(x, y, words, size=14, fill=theme.muted, anchor="start", width=wide)
        return
    yield from lock(x + 6, y, theme.ok)
    if state.submitted[seat] == "hidden":
        yield from card_back(x + 18, y - 8, 26, 17, theme, radius=3)
        x += 32
    submission = words.removeprefix("locked in: ").removeprefix("bend ")
    yield text(x + 18, y, submission, size=14, fill=theme.ink, anchor="start", width=wide - 18)


def _legend(graph: Graph) -> Parts:
    """Draw the legend of lines and marks, at most three in a line."""
    theme, y = graph.theme, _LEGEND
    shown = [(old_rule, "rule"), (new_rule, "new this round"), (ghost, "destroyed")]
    for place, (draw, words) in enumerate(shown):
        x = _LEFT + 4 + (0, 104, 276)[place]
        yield draw((x, y), (x + 42, y), theme)
        yield text(x + 52, y, words, size=14, fill=theme.muted, anchor="start")
    yield from _legend_of_hands(theme, y + 26)
    rule = f"From phase {tie_trash_phase(graph.state)} of this bout on, a tie trashes both spells."
    yield text(_LEFT + 4, y + 52, rule, size=14, fill=theme.muted, anchor="start")
    for seat, _ in graph.plans[:1]:
        x = _LEFT + 4 + 414
        yield planned_rule((x, y), (x + 42, y), theme, seat)
        yield text(x + 52, y, "locked in", size=14, fill=theme.muted, anchor="start")


def _legend_of_hands(theme: Theme, y: float) -> Parts:
    marks = (("in hand", 1, False, 0), ("not in hand", 0, False, 110), ("may not be repeated", 1, True, 250))
    for words, copies, barred, aside in marks:
        x = _LEFT + 12 + aside
        for seat in (0, 1):
            yield from hand_mark(seat, x + 20 * seat, y, theme, copies=copies, barred=barred)
        yield text(x + 34, y, words, size=14, fill=theme.muted, anchor="start")


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
