"""The value of a graph for each hand, from the results of all duels on it."""

from collections.abc import Sequence

from games.reality_benders.graph import NODE, distances_from
from games.reality_benders.pieces import SPELLS

Chances = dict[str, float]


def duels(graph: int) -> list[list[int]]:
    """Return a table by spell number: 1 if the row's spell beats the column's, -1 if it loses, 0 for a tie."""
    steps = [distances_from(graph, node) for node in range(len(SPELLS))]
    return [
        [(back[x] > there) - (back[x] < there) for there, back in zip(row, steps, strict=True)]
        for x, row in enumerate(steps)
    ]


def chances(graph: int, own: Sequence[str], other: Sequence[str]) -> Chances:
    """Return each own spell's mean result against the other hand, from -1 to 1."""
    return _chances(duels(graph), own, other)


def promise(graph: int, own: Sequence[str], other: Sequence[str]) -> float:
    """Return the mean result of the best three own spells minus that of the other's best three."""
    table = duels(graph)
    return _best(_chances(table, own, other)) - _best(_chances(table, other, own))


def _chances(table: list[list[int]], own: Sequence[str], other: Sequence[str]) -> Chances:
    if not other:
        return dict.fromkeys(own, 0.0)
    against = [NODE[spell] for spell in other]
    return {spell: sum(table[NODE[spell]][y] for y in against) / len(against) for spell in own}


def _best(results: Chances) -> float:
    best = sorted(results.values(), reverse=True)[:3]
    return sum(best) / len(best) if best else 0.0
