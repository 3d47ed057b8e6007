"""SAT solvers that have been told a model's clauses, and wait for the next seat's questions.

To tell one all clauses takes some times as long as it needs for an answer. What it has learnt from earlier questions
follows from the clauses alone, so it holds for whoever asks next.
"""

from functools import lru_cache

from pysat.solvers import Solver  # type: ignore[import-untyped]

from games.higher_or_lower.clauses import model_of
from games.higher_or_lower.pieces import Boards

WORN = 1_000
"""The dead ends after which a solver isn't kept: what it learns from each takes memory."""


def take(boards: Boards, colour: str) -> Solver:
    """A solver for one asker alone; give it back after use."""
    try:
        return _waiting(boards, colour).pop()
    except IndexError:
        return Solver("glucose4", bootstrap_with=model_of(boards, colour).clauses)


def give_back(solver: Solver, boards: Boards, colour: str) -> None:
    """Let it wait for the next one."""
    if dead_ends(solver) < WORN:
        _waiting(boards, colour).append(solver)
    else:
        solver.delete()


def dead_ends(solver: Solver) -> int:
    """How many it has met in its life."""
    met: int = solver.accum_stats()["conflicts"]
    return met


@lru_cache(maxsize=16)
def _waiting(boards: Boards, colour: str) -> list[Solver]:
    """As many solvers as were ever asked at once."""
    return []
