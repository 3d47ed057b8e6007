"""A pool of SAT solvers that are loaded with a model's clauses.

Loading the clauses takes several times as long as solving. Clauses learnt in earlier runs follow from the model alone,
so a solver can be reused for another seat.
"""

from functools import lru_cache

from pysat.solvers import Solver  # type: ignore[import-untyped]

from games.higher_or_lower.clauses import model_of
from games.higher_or_lower.pieces import Boards

WORN = 1_000
"""The number of conflicts after which a solver isn't kept: each makes it learn a clause, which takes memory."""


def take(boards: Boards, colour: str) -> Solver:
    """Take a solver out of the pool; give it back after use."""
    try:
        return _idle(boards, colour).pop()
    except IndexError:
        return Solver("glucose4", bootstrap_with=model_of(boards, colour).clauses)


def give_back(solver: Solver, boards: Boards, colour: str) -> None:
    """Return a solver to the pool, or delete it if it has had too many conflicts."""
    if conflicts_of(solver) < WORN:
        _idle(boards, colour).append(solver)
    else:
        solver.delete()


def conflicts_of(solver: Solver) -> int:
    """Return the number of conflicts of a solver so far."""
    conflicts: int = solver.accum_stats()["conflicts"]
    return conflicts


@lru_cache(maxsize=16)
def _idle(boards: Boards, colour: str) -> list[Solver]:
    """Return the idle solvers of a model, as many as were ever used at once."""
    return []
