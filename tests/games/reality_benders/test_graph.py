"""The graph against its definition, worked out the slow way."""

from itertools import pairwise, permutations
from random import Random

import pytest

from games.reality_benders.graph import INFINITE, burnt, distance, distances_from, graph_of, rules_of
from games.reality_benders.pieces import RULES, SPELLS


def paths(rules: set[str], start: str, goal: str) -> list[list[str]]:
    """Every shortest path, as rules, by trying every way."""
    for between in range(len(SPELLS) - 1):
        ways = [(start, *way, goal) for way in permutations(set(SPELLS) - {start, goal}, between)]
        steps = ([f"{x}>{y}" for x, y in pairwise(way)] for way in ways)
        if shortest := [path for path in steps if rules.issuperset(path)]:
            return shortest
    return []


@pytest.mark.parametrize("seed", range(12))
def test_r12_r13_distances_and_hellfire_by_definition(seed: int) -> None:
    rng = Random(seed)
    rules = set(rng.sample(RULES, 10 + 2 * seed))
    graph = graph_of(rules)
    assert rules_of(graph) == tuple(sorted(rules))
    for _ in range(4):
        start, goal = rng.sample(SPELLS, 2)
        shortest = paths(rules, start, goal)
        assert distance(graph, start, goal) == (len(shortest[0]) if shortest else INFINITE)
        assert distances_from(graph, SPELLS.index(start))[SPELLS.index(goal)] == distance(graph, start, goal)
        left = rules.difference(*shortest)
        assert set(rules_of(burnt(graph, [(start, goal)]))) == left
