"""The graph on the match page: nodes with their names inside, and the paths of a duel with numbered steps."""

from collections.abc import Collection, Iterator, Sequence
from math import cos, hypot, pi, sin
from typing import Final

import svg

from games.drawing import shapes
from games.drawing.elements import FEW, box, cell, last_ring, place, plain, target_mark, text
from games.drawing.themes import Theme
from games.reality_benders.events import DuelResolved
from games.reality_benders.graph import graph_of, way
from games.reality_benders.graph_drawing import (
    Graph,
    cross,
    ghost,
    halfway,
    hand_mark,
    new_rule,
    old_rule,
    planned_rule,
)
from games.reality_benders.pieces import NAMES, SPELLS
from games.reality_benders.tables import repeated, spell_label

Point = tuple[float, float]
Parts = Iterator[svg.Element]

NODE: Final = 46
MIDDLE: Final = (450, 290)
_CIRCLE: Final = 236
_AIR: Final = 4
_APART: Final = 6
_MANY: Final = 24


def node_at(spell: str) -> Point:
    """Return the middle of a spell's node."""
    angle = 2 * pi * SPELLS.index(spell) / len(SPELLS)
    return MIDDLE[0] + _CIRCLE * sin(angle), MIDDLE[1] - _CIRCLE * cos(angle)


def arrows(graph: Graph) -> svg.G:
    """Draw all rules, including those of a duel's paths; the nodes' labels describe them."""
    state, theme = graph.state, graph.theme
    gone = [rule for rule in state.gone if rule not in state.rules]
    planned = [(seat, rule) for seat, bend in graph.plans for rule in (*bend.rules, bend.bridge) if rule]
    drawn = {*gone, *state.rules, *(rule for _, rule in planned)}
    elements = [
        *(ghost(*_ends(rule, drawn), theme) for rule in gone),
        *(place(f"rule {rule}", _rule(graph, rule, *_ends(rule, drawn))) for rule in state.rules),
        *(planned_rule(*_ends(rule, drawn), theme, seat) for seat, rule in planned),
        *(cross(*halfway(*_ends(bend.break_, drawn)), theme.bad, 9) for _, bend in graph.plans if bend.break_),
    ]
    return svg.G(elements=elements, extra={"aria-hidden": "true"})


def _rule(graph: Graph, rule: str, start: Point, end: Point) -> svg.Element:
    if rule in graph.state.fresh:
        return new_rule(start, end, graph.theme)
    return old_rule(start, end, graph.theme, fine=len(graph.state.rules) > _MANY)


def _ends(rule: str, drawn: Collection[str]) -> tuple[Point, Point]:
    (x1, y1), (x2, y2) = node_at(rule[0]), node_at(rule[2])
    length = hypot(x2 - x1, y2 - y1)
    along, across = (x2 - x1) / length, (y2 - y1) / length
    aside = _APART if rule[::-1] in drawn else 0
    x1, y1, x2, y2 = x1 - across * aside, y1 + along * aside, x2 - across * aside, y2 + along * aside
    far = NODE + _AIR
    return (x1 + along * far, y1 + across * far), (x2 - along * far, y2 - across * far)


def ways(graph: Graph) -> Parts:
    """Draw the path from each spell of the duel to the other with numbered steps, thick for the winner, else dashed."""
    duel = graph.state.duel
    if duel is None or not duel.casts:
        return
    rules, spells = graph_of(graph.state.rules), [cast.spell for cast in duel.casts]
    for seat in sorted((0, 1), key=lambda seat: seat == duel.winner):
        steps = way(rules, spells[seat], spells[1 - seat])
        drawn = [_step(rule, number, seat, duel, graph) for number, rule in enumerate(steps, 1)]
        yield svg.G(class_=["way"], elements=list(drawn), extra={"aria-hidden": "true"})


def _step(rule: str, number: int, seat: int, duel: DuelResolved, graph: Graph) -> svg.G:
    theme, wins = graph.theme, duel.winner == seat
    (x1, y1), (x2, y2) = _ends(rule, graph.state.rules)
    colour, dash = theme.seat(seat), () if wins else (9, 6)
    line = shapes.arrow(x1, y1, x2, y2, line=colour, thick=7 if wins else 4, head=20 if wins else 16, dash=dash)
    part = 0.42 if seat == 0 else 0.58
    x, y = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
    draw = shapes.square if seat else shapes.circle
    return svg.G(
        elements=[
            line,
            draw(x, y, 13, fill=colour, line=theme.stage, thick=3),
            text(x, y, str(number), size=15, fill=theme.on_seat, bold=True),
        ]
    )


def nodes(graph: Graph, names: Sequence[str], targets: Collection[str], last: Collection[str]) -> Parts:
    """Draw the nine spells as cells."""
    for spell in SPELLS:
        x, y = node_at(spell)
        yield shapes.circle(x, y + 5, NODE, fill=graph.theme.card_deep)
        yield _node(graph, spell, names, targets, last)


def _node(
    graph: Graph, spell: str, names: Sequence[str], targets: Collection[str], last: Collection[str]
) -> svg.Element:
    theme, (x, y) = graph.theme, node_at(spell)
    around = (x - NODE, y - NODE, 2 * NODE, 2 * NODE)
    label = spell_label(graph.state, spell, names)
    seats = _duellists(graph.state.duel, spell)
    fill, ink = (theme.seat(seats[0]), theme.on_seat) if seats else (theme.cell, theme.ink)
    letter, name = text(x, y - 17, spell, size=29, fill=ink, bold=True), text(x, y + 6, NAMES[spell], size=14, fill=ink)
    letter.class_, name.class_ = ["letter"], ["name"]
    line = None if spell in targets else theme.edge
    parts: list[svg.Element] = [shapes.circle(x, y, NODE, fill=fill, line=line), letter, name]
    parts += _duel_rings(seats, x, y, theme)
    parts += [mark for seat in (0, 1) for mark in _hand_mark(graph, seat, spell, x, y + 25)]
    if spell in targets:
        parts += _target(around, theme, targets)
    if spell in last and not seats:
        parts.append(last_ring(*around, theme, radius=NODE))
    parts.append(svg.Title(text=plain(label)))
    return cell(spell, label, *parts, target=spell in targets)


def _target(around: tuple[float, float, float, float], theme: Theme, targets: Collection[str]) -> list[svg.Element]:
    """Draw the target mark, without the dot of many targets, which would lie beside a round node."""
    return target_mark(*around, theme, targets, radius=NODE)[: 1 if len(targets) > FEW else None]


def _duellists(duel: DuelResolved | None, spell: str) -> list[int]:
    return [cast.seat for cast in duel.casts if cast.spell == spell] if duel else []


def _duel_rings(seats: Sequence[int], x: float, y: float, theme: Theme) -> Parts:
    """Draw a ring for each seat that cast the spell, and a plain background for the marks of the hands."""
    for seat in seats:
        yield shapes.circle(x, y, NODE + 4.5 + 4 * (seat == seats[-1] != seats[0]), fill="none", line=theme.seat(seat))
    if seats:
        yield box(x - 25, y + 15, 50, 20, fill=theme.stage, radius=10)


def _hand_mark(graph: Graph, seat: int, spell: str, x: float, y: float) -> Parts:
    copies = graph.state.hands[seat].count(spell)
    barred = repeated(graph.state, seat) == spell
    yield from hand_mark(seat, x - 12 + 24 * seat, y, graph.theme, copies=copies, barred=barred)
