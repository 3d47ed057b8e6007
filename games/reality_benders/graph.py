"""The rules as a graph in one integer: bit 9x + y is the rule from spell x to spell y."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.reality_benders.pieces import RULES, SPELLS

_SIZE: Final = len(SPELLS)
_ROW_MASK: Final = (1 << _SIZE) - 1
NODE: Final = {spell: number for number, spell in enumerate(SPELLS)}
BIT: Final = {rule: 1 << (_SIZE * NODE[rule[0]] + NODE[rule[2]]) for rule in RULES}
_RULE_OF_BIT: Final = {bit: rule for rule, bit in BIT.items()}
_REVERSED: Final = {BIT[rule]: BIT[rule[::-1]] for rule in RULES}
_RULES_AT: Final = {spell: sum(bit for rule, bit in BIT.items() if spell in rule) for spell in SPELLS}
_NODES_IN: Final = tuple(tuple(n for n in range(_SIZE) if mask >> n & 1) for mask in range(1 << _SIZE))

INFINITE: Final = _SIZE
"""The distance if there is no path; longer than any path."""


def graph_of(rules: Iterable[str]) -> int:
    """Return the graph of these rules, which must all be different."""
    return sum(map(BIT.__getitem__, rules))


def rules_of(graph: int) -> tuple[str, ...]:
    """Return the rules of a graph, sorted."""
    rules = []
    while graph:
        bit = graph & -graph
        rules.append(_RULE_OF_BIT[bit])
        graph ^= bit
    return tuple(rules)


def distance(graph: int, start: str, goal: str) -> int:
    """Return the length of a shortest path, INFINITE if there is none."""
    goal_bit = 1 << NODE[goal]
    reached = frontier = 1 << NODE[start]
    steps = 0
    while frontier and not reached & goal_bit:
        frontier = _next_spells(graph, frontier) & ~reached
        reached |= frontier
        steps += 1
    return steps if reached & goal_bit else INFINITE


def distances_from(graph: int, start: int) -> list[int]:
    """Return the distances from a spell to each spell; spells are given by number."""
    distances = [INFINITE] * _SIZE
    reached, frontier, step = 0, 1 << start, 0
    while frontier:
        for node in _NODES_IN[frontier]:
            distances[node] = step
        reached |= frontier
        frontier = _next_spells(graph, frontier) & ~reached
        step += 1
    return distances


def way(graph: int, start: str, goal: str) -> tuple[str, ...]:
    """Return the rules of one shortest path, in the order of its steps; empty if there is none."""
    rules: list[str] = []
    spell, remaining = start, distance(graph, start, goal)
    while remaining and remaining != INFINITE:
        remaining -= 1
        following = next(
            y for y in SPELLS if y != spell and graph & BIT[f"{spell}>{y}"] and distance(graph, y, goal) == remaining
        )
        rules.append(f"{spell}>{following}")
        spell = following
    return tuple(rules)


def built(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Build: add the rules in both directions between the two targets of each cast."""
    return graph | graph_of({rule for x, y in targets for rule in (f"{x}>{y}", f"{y}>{x}")})


def dizzied(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Dizzy: reverse every rule from or to a target. A rule between two targets is reversed once."""
    turning = graph & _rules_at_targets(targets)
    return graph & ~turning | sum(_REVERSED[BIT[rule]] for rule in rules_of(turning))


def exploded(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Explosion: remove every rule from or to a target."""
    return graph & ~_rules_at_targets(targets)


def burnt(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Hellfire: remove every rule on a shortest path from a cast's first target to its second."""
    removed = 0
    for start, goal in targets:
        removed |= _shortest_paths(graph, NODE[start], NODE[goal])
    return graph & ~removed


def _rules_at_targets(targets: Sequence[Sequence[str]]) -> int:
    rules = 0
    for (target,) in targets:
        rules |= _RULES_AT[target]
    return rules


def _next_spells(graph: int, frontier: int) -> int:
    """Return the spells one rule away from those of the frontier; both are bit masks of spell numbers."""
    reached = 0
    for node in _NODES_IN[frontier]:
        reached |= graph >> _SIZE * node
    return reached & _ROW_MASK


def _shortest_paths(graph: int, start: int, goal: int) -> int:
    """Return the graph of the rules on all shortest paths, 0 if there is none; spells are given by number."""
    layers = [1 << start]
    reached = layers[0]
    while not reached >> goal & 1:
        layers.append(_next_spells(graph, layers[-1]) & ~reached)
        if not layers[-1]:
            return 0
        reached |= layers[-1]
    paths, ends = 0, 1 << goal
    for layer in reversed(layers[:-1]):
        starts = 0
        for node in _NODES_IN[layer]:
            steps = graph >> _SIZE * node & ends
            if steps:
                paths |= steps << _SIZE * node
                starts |= 1 << node
        ends = starts
    return paths
