"""The rules as a graph in one integer: bit 9x + y is the rule from spell x to spell y."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.reality_benders.pieces import RULES, SPELLS

_SIZE: Final = len(SPELLS)
_ROW: Final = (1 << _SIZE) - 1
NODE: Final = {spell: number for number, spell in enumerate(SPELLS)}
BIT: Final = {rule: 1 << (_SIZE * NODE[rule[0]] + NODE[rule[2]]) for rule in RULES}
_RULE: Final = {bit: rule for rule, bit in BIT.items()}
_REVERSED: Final = {BIT[rule]: BIT[rule[::-1]] for rule in RULES}
_AT: Final = {spell: sum(bit for rule, bit in BIT.items() if spell in rule) for spell in SPELLS}
_NODES_IN: Final = tuple(tuple(n for n in range(_SIZE) if mask >> n & 1) for mask in range(1 << _SIZE))

INFINITE: Final = _SIZE
"""The distance if there is no path; longer than any path."""


def graph_of(rules: Iterable[str]) -> int:
    """Return the graph of these rules, each given once."""
    return sum(map(BIT.__getitem__, rules))


def rules_of(graph: int) -> tuple[str, ...]:
    """Return the rules of a graph, sorted."""
    rules = []
    while graph:
        bit = graph & -graph
        rules.append(_RULE[bit])
        graph ^= bit
    return tuple(rules)


def distance(graph: int, start: str, goal: str) -> int:
    """Return the length of a shortest path, INFINITE if there is none."""
    goal_bit = 1 << NODE[goal]
    reached = frontier = 1 << NODE[start]
    steps = 0
    while frontier and not reached & goal_bit:
        frontier = _step(graph, frontier) & ~reached
        reached |= frontier
        steps += 1
    return steps if reached & goal_bit else INFINITE


def distances_from(graph: int, start: int) -> list[int]:
    """Return the distances from a spell to each spell; spells are given by number."""
    steps = [INFINITE] * _SIZE
    reached, frontier, step = 0, 1 << start, 0
    while frontier:
        for node in _NODES_IN[frontier]:
            steps[node] = step
        reached |= frontier
        frontier = _step(graph, frontier) & ~reached
        step += 1
    return steps


def way(graph: int, start: str, goal: str) -> tuple[str, ...]:
    """Return the rules of one shortest path, in the order of its steps; empty if there is none."""
    steps: list[str] = []
    at, rest = start, distance(graph, start, goal)
    while rest and rest != INFINITE:
        rest -= 1
        onward = next(y for y in SPELLS if y != at and graph & BIT[f"{at}>{y}"] and distance(graph, y, goal) == rest)
        steps.append(f"{at}>{onward}")
        at = onward
    return tuple(steps)


def built(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Build: add the rules in both directions between the two targets of each cast."""
    return graph | graph_of({rule for x, y in targets for rule in (f"{x}>{y}", f"{y}>{x}")})


def dizzied(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Dizzy: reverse every rule at a target, once."""
    turning = graph & _touching(targets)
    return graph & ~turning | sum(_REVERSED[BIT[rule]] for rule in rules_of(turning))


def exploded(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Explosion: remove every rule at a target."""
    return graph & ~_touching(targets)


def burnt(graph: int, targets: Sequence[Sequence[str]]) -> int:
    """Apply Hellfire: remove every rule on a shortest path from a cast's first target to its second."""
    removed = 0
    for start, goal in targets:
        removed |= _shortest_paths(graph, NODE[start], NODE[goal])
    return graph & ~removed


def _touching(targets: Sequence[Sequence[str]]) -> int:
    touching = 0
    for (target,) in targets:
        touching |= _AT[target]
    return touching


def _step(graph: int, frontier: int) -> int:
    reached = 0
    for node in _NODES_IN[frontier]:
        reached |= graph >> _SIZE * node
    return reached & _ROW


def _shortest_paths(graph: int, start: int, goal: int) -> int:
    layers = [1 << start]
    reached = layers[0]
    while not reached >> goal & 1:
        layers.append(_step(graph, layers[-1]) & ~reached)
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
