"""The picture of a match played to its end: the last duel with its paths, and the bouts that each seat has won."""

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Final

import svg

from games.drawing import shapes
from games.drawing.elements import group, picture, seat_badge, text
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Outcome
from games.reality_benders.events import DuelResolved
from games.reality_benders.graph import graph_of, way
from games.reality_benders.graph_drawing import CIRCLE, NODE, node_at, old_rule, rule_ends
from games.reality_benders.pieces import NAMES, SPELLS
from games.reality_benders.rules import outcome
from games.reality_benders.state import State
from games.reality_benders.telling import reach_words, result_words

_WIDE: Final = 560
_MIDDLE: Final = (_WIDE / 2, CIRCLE + NODE + 8)
_SAID: Final = 2 * _MIDDLE[1] + 14
_CORNER: Final = 132
_FAINT: Final = 0.45
_SHORT: Final = 60
_NEAR, _HALFWAY = 0.2, 0.45
"""The position of the number on an arrow: near the start of a short one, so that the head is visible."""
_NUMBERS: Final = ("no", "one", "two")


def finale(view: State, theme: Theme, names: Sequence[str]) -> str | None:
    """Return the picture; None if the match wasn't decided by its bouts."""
    end = outcome(view)
    if end is None or end.reason != "played" or view.duel is None or not view.duel.casts:
        return None
    return _LastDuel(view, theme, names, end, view.duel).picture()


def score_words(view: State, end: Outcome) -> str:
    """Return the bouts of the winner and the loser, `two bouts to one`, with the criterion if they are equal."""
    winner = end.winners[0]
    bouts, other = view.won[winner], view.won[1 - winner]
    if bouts != other:
        return f"{_bouts(bouts)} to {_NUMBERS[other] if other else 'none'}"
    points, fewer = view.total[winner], view.total[1 - winner]
    decided = f"{_points(points)} to {fewer}" if points != fewer else "by the priority"
    return f"{_bouts(bouts)} each, {decided}"


def _bouts(number: int) -> str:
    return f"{_NUMBERS[number]} bout{'' if number == 1 else 's'}"


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


class _LastDuel:
    def __init__(self, view: State, theme: Theme, names: Sequence[str], end: Outcome, duel: DuelResolved) -> None:
        self.view, self.theme, self.names, self.duel = view, theme, names, duel
        self.winner = end.winners[0]
        self.spells = [cast.spell for cast in duel.casts]
        rules = graph_of(view.rules)
        self.ways = [way(rules, self.spells[seat], self.spells[1 - seat]) for seat in (0, 1)]

    def picture(self) -> str:
        theme = self.theme
        result, decided = result_words(self.duel, self.names), self.decided()
        drawn = group(self.rules(), *self.steps(), *self.nodes(), x=_MIDDLE[0], y=_MIDDLE[1])
        elements = [drawn, *self.corner(0), *self.corner(1)]
        elements.append(text(_WIDE / 2, _SAID, result, size=20, fill=theme.ink, bold=True, width=_WIDE - 8))
        elements.append(text(_WIDE / 2, _SAID + 29, decided, size=19, fill=theme.muted, width=_WIDE - 8))
        title = f"The last duel. {result} {reach_words(self.duel)} {decided}"
        return picture(title, _WIDE, _SAID + 46, elements, theme, ground=None)

    def decided(self) -> str:
        """Describe the last bout's result, or the criterion that decided between equal bouts, in a sentence."""  # R19
        view, seats = self.view, (self.winner, 1 - self.winner)
        if view.won[0] != view.won[1]:
            points, fewer = (view.points[seat] for seat in seats)
            if points == fewer:
                return f"The last bout is a tie, {points} to {fewer}; more bouts decide."
            return f"{self.names[self.winner]} takes the last bout, {_points(points)} to {fewer}."
        best, other = (view.total[seat] for seat in seats)
        if best != other:
            return f"Equal bouts; points over all of them: {best} to {other}."
        return "Equal bouts and equal points: the priority decides."

    def rules(self) -> svg.G:
        """Draw all rules, faint."""
        drawn = group(*(old_rule(*rule_ends(rule, self.view.rules), self.theme, fine=True) for rule in self.view.rules))
        drawn.opacity = _FAINT
        return drawn

    def steps(self) -> Iterator[svg.Element]:
        """Draw the path of the duel's winner, thick with numbered steps, over the dashed path of the loser."""
        theme = self.theme
        for seat in sorted((0, 1), key=lambda seat: seat == self.duel.winner):
            wins, colour = seat == self.duel.winner, theme.seat(seat)
            for number, rule in enumerate(self.ways[seat], 1):
                (x1, y1), (x2, y2) = rule_ends(rule, self.view.rules)
                thick, head, dash = (8, 22, ()) if wins else (3, 14, (8, 6))
                yield shapes.arrow(x1, y1, x2, y2, line=colour, thick=thick, head=head, dash=dash)
                if wins:
                    part = _NEAR if hypot(x2 - x1, y2 - y1) < _SHORT else _HALFWAY
                    x, y = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
                    yield shapes.circle(x, y, 14, fill=colour, line=theme.stage, thick=3)
                    yield text(x, y, str(number), size=19, fill=theme.on_seat, bold=True)

    def nodes(self) -> Iterator[svg.Element]:
        """Draw the nine spells: those of the duel in their seats' colours, those on the winning path outlined."""
        theme, winner = self.theme, self.duel.winner
        passed = {spell for rule in self.ways[winner] for spell in (rule[0], rule[2])} if winner is not None else set()
        for spell in SPELLS:
            x, y = node_at(spell)
            seats = [seat for seat in (0, 1) if self.spells[seat] == spell]
            fill = theme.seat(seats[0]) if seats else theme.cell
            line = theme.seat(winner) if winner is not None and spell in passed else theme.cell_line
            ink = theme.on_seat if seats else theme.ink if spell in passed else theme.muted
            yield shapes.circle(x, y, NODE - 2, fill=fill, line=line, thick=3)
            if len(seats) == 2:
                yield shapes.circle(x, y, NODE - 6, fill="none", line=theme.seat(1), thick=5)
            yield text(x, y, spell, size=32, fill=ink, bold=True)

    def corner(self, seat: int) -> Iterator[svg.Element]:
        """Draw a seat's name, spell and steps at the top, and its bouts at the bottom."""
        theme, won = self.theme, seat == self.winner
        colour, side = (theme.gold if won else theme.muted), 1 if seat == 0 else -1
        x, anchor = (6.0, "start") if seat == 0 else (_WIDE - 6.0, "end")
        yield from seat_badge(x + side * 13, 16, SEAT_LETTERS[seat], theme.seat(seat), theme, size=26)
        yield text(
            x + side * 34, 16, self.names[seat], size=20, fill=colour, bold=won, anchor=anchor, width=_CORNER - 30
        )
        spell = NAMES[self.spells[seat]]
        yield text(x, 48, spell, size=22, fill=theme.seat(seat), bold=True, anchor=anchor, width=_CORNER + 8)
        if self.spells[0] != self.spells[1]:
            steps = len(self.ways[seat])
            label = f"{steps} step{'' if steps == 1 else 's'}" if steps else "no way"
            yield text(x, 76, label, size=19, fill=colour, anchor=anchor)
        below = 2 * _MIDDLE[1] - 54
        for number in range(2):
            has = number < self.view.won[seat]
            fill, line = (theme.gold, theme.gold) if has else (theme.well, theme.edge)
            yield shapes.diamond(x + side * (17 + 38 * number), below, 14, fill=fill, line=line)
        yield text(x, below + 38, _bouts(self.view.won[seat]), size=20, fill=colour, bold=won, anchor=anchor)
