"""The rules as a picture: nine spells on a circle, Armageddon on top, and arrows between them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Final

import svg

from games.drawing import shapes
from games.drawing.elements import box, cell, group, last_ring, target_mark, text, tidy
from games.drawing.themes import Theme
from games.reality_benders.commands import Bend
from games.reality_benders.pieces import NAMES, SPELLS
from games.reality_benders.state import State
from games.reality_benders.tables import repeated, spell_label

Point = tuple[float, float]
Parts = Iterator[svg.Element]

NODE: Final = 33
"""The radius of a spell's node."""

CIRCLE: Final = 172
"""The radius of the circle of nodes."""

_AIR: Final = 3
_MANY: Final = 24
"""The number of rules above which their lines are thinner."""

_APART: Final = 4.5
"""The distance of each of two opposite rules from the line between their nodes."""


@dataclass(frozen=True)
class Graph:
    """The graph of a state; the middle of its circle is at 0, 0."""

    state: State
    theme: Theme

    @property
    def plans(self) -> list[tuple[int, Bend]]:
        """The submitted bendings by seat, as far as the view contains them: a seat's own, and for the host both."""
        submitted = enumerate(self.state.submitted)
        return [(seat, bend) for seat, bend in submitted if isinstance(bend, Bend)]


def node_at(spell: str, radius: float = CIRCLE) -> Point:
    """Return the middle of a spell's node, or another point on its ray."""
    angle = 2 * pi * SPELLS.index(spell) / len(SPELLS)
    return radius * sin(angle), -radius * cos(angle)


def rules(graph: Graph) -> svg.G:
    """Draw all arrows: first destroyed rules, then the current ones and those submitted but not revealed."""
    state, theme = graph.state, graph.theme
    gone = [rule for rule in state.gone if rule not in state.rules]
    planned = [(seat, rule) for seat, bend in graph.plans for rule in (*bend.rules, bend.bridge) if rule]
    drawn = {*gone, *state.rules, *(rule for _, rule in planned)}
    arrows = [
        *(ghost(*rule_ends(rule, drawn), theme) for rule in gone),
        *(_rule(graph, rule, *rule_ends(rule, drawn)) for rule in state.rules),
        *(planned_rule(*rule_ends(rule, drawn), theme, seat) for seat, rule in planned),
        *(cross(*halfway(*rule_ends(bend.break_, drawn)), theme.bad, 7) for _, bend in graph.plans if bend.break_),
    ]
    return svg.G(elements=arrows, extra={"aria-hidden": "true"})


def _rule(graph: Graph, rule: str, start: Point, end: Point) -> svg.Element:
    if rule in graph.state.fresh:
        return new_rule(start, end, graph.theme)
    return old_rule(start, end, graph.theme, fine=len(graph.state.rules) > _MANY)


def old_rule(start: Point, end: Point, theme: Theme, *, fine: bool = False) -> svg.Element:
    """Draw a rule from before this round, as a thin line if there are many."""
    return shapes.arrow(*start, *end, line=theme.muted, thick=1.3 if fine else 1.8, head=8.5 if fine else 11)


def new_rule(start: Point, end: Point, theme: Theme) -> svg.Element:
    """Draw a rule made in this round."""
    return shapes.arrow(*start, *end, line=theme.accent, thick=2.4, head=13, dash=(8, 4))


def planned_rule(start: Point, end: Point, theme: Theme, seat: int) -> svg.Element:
    """Draw a rule that a seat has submitted and that isn't revealed yet."""
    return shapes.arrow(*start, *end, line=theme.seat(seat), thick=3, head=13, dash=(2.5, 4))


def ghost(start: Point, end: Point, theme: Theme) -> svg.G:
    """Draw a rule destroyed in this round."""
    line = shapes.arrow(*start, *end, line=theme.edge, thick=1.5, head=10, dash=(1.5, 4.5))
    return group(line, cross(*halfway(start, end), theme.edge, 4.5))


def cross(x: float, y: float, line: str, half: float) -> svg.G:
    """Draw a cross over a removed rule."""
    return group(
        shapes.stroke(x - half, y - half, x + half, y + half, line=line, thick=2.2),
        shapes.stroke(x - half, y + half, x + half, y - half, line=line, thick=2.2),
    )


def halfway(start: Point, end: Point) -> Point:
    """Return a point before the middle, so that the points of two opposite rules differ."""
    return start[0] * 0.56 + end[0] * 0.44, start[1] * 0.56 + end[1] * 0.44


def rule_ends(rule: str, drawn: Collection[str]) -> tuple[Point, Point]:
    """Return the ends of a rule's arrow, moved aside if the opposite rule is drawn too."""
    (x1, y1), (x2, y2) = node_at(rule[0]), node_at(rule[2])
    length = hypot(x2 - x1, y2 - y1)
    along, across = (x2 - x1) / length, (y2 - y1) / length
    aside = _APART if rule[::-1] in drawn else 0
    x1, y1, x2, y2 = x1 - across * aside, y1 + along * aside, x2 - across * aside, y2 + along * aside
    far = NODE + _AIR
    return (x1 + along * far, y1 + across * far), (x2 - along * far, y2 - across * far)


def nodes(graph: Graph, names: Sequence[str], targets: Collection[str], last: Collection[str]) -> svg.G:
    """Draw the nine spells as cells, with their names outside the circle."""
    drawn = [_node(graph, spell, names, targets, last) for spell in SPELLS]
    return group(*(_name(spell, graph.theme) for spell in SPELLS), *drawn)


def _node(
    graph: Graph, spell: str, names: Sequence[str], targets: Collection[str], last: Collection[str]
) -> svg.Element:
    theme, (x, y) = graph.theme, node_at(spell)
    around = (x - NODE, y - NODE, 2 * NODE, 2 * NODE)
    parts: list[svg.Element] = [
        shapes.circle(x, y, NODE, fill=theme.cell, line=None if spell in targets else theme.edge),
        text(x, y - 9, spell, size=26, fill=theme.ink, bold=True),
        *(part for seat in (0, 1) for part in _hand_mark(graph, seat, spell, x, y + 15)),
    ]
    if spell in targets:
        parts += target_mark(*around, theme, targets, radius=NODE)
    if spell in last:
        parts.append(last_ring(*around, theme, radius=NODE))
    return cell(spell, spell_label(graph.state, spell, names), *parts, target=spell in targets)


def _hand_mark(graph: Graph, seat: int, spell: str, x: float, y: float) -> Parts:
    copies = graph.state.hands[seat].count(spell)
    barred = repeated(graph.state, seat) == spell
    yield from hand_mark(seat, x - 11 + 22 * seat, y, graph.theme, copies=copies, barred=barred)


def hand_mark(seat: int, x: float, y: float, theme: Theme, *, copies: int = 1, barred: bool = False) -> Parts:
    """Draw seat 0's disc or seat 1's square: filled for a spell in hand, barred if it may not be repeated."""
    colour = theme.seat(seat)
    draw = shapes.square if seat else shapes.circle
    if not copies:
        yield draw(x, y, 6, fill="none", line=theme.edge, thick=1.2)
    elif barred:
        yield draw(x, y, 6.5, fill="none", line=colour, thick=1.8)
        yield shapes.stroke(x - 5, y + 5, x + 5, y - 5, line=colour, thick=1.8)
    else:
        yield draw(x, y, 7.5, fill=colour)
    if copies > 1:
        yield text(x, y, str(copies), size=11, fill=theme.ink if barred else theme.on_seat, bold=True)


def lock(x: float, y: float, colour: str) -> Parts:
    """Draw a padlock centred on x, y."""
    bow = f"M{tidy(x - 3.2)} {tidy(y - 1)}v-2.4a3.2 3.2 0 0 1 6.4 0v2.4"
    yield svg.Path(d=bow, fill="none", stroke=colour, stroke_width=1.8)  # type: ignore[arg-type]
    yield box(x - 5.5, y - 1, 11, 8, fill=colour, radius=1.8)


def _name(spell: str, theme: Theme) -> svg.Element:
    """Draw the spell's name on the outer side of its node."""
    x, y = node_at(spell)
    aside = x / CIRCLE
    if abs(aside) < 0.5:
        return text(x, y + (NODE + 16 if y > 0 else -NODE - 16), NAMES[spell], size=16, fill=theme.muted)
    out_x, out_y = node_at(spell, CIRCLE + NODE + 12)
    return text(out_x, out_y, NAMES[spell], size=16, fill=theme.muted, anchor="start" if x > 0 else "end")
