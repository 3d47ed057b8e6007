"""A `Random` that takes its numbers from a draw, so that the choices of bots can be computed again.

Python guarantees the same numbers in another release only for `Random.random()`, so this module defines the methods
that bots use. docs/chance.md describes them.
"""

from bisect import bisect
from collections.abc import Iterable, MutableSequence, Sequence
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any, TypeVar

from games.kernel.chance import Draws

T = TypeVar("T")


class Generator(Random):
    """A `Random` over one draw's stream of words; it can't be seeded, saved or restored."""

    def __init__(self, draws: Draws) -> None:
        super().__init__(0)
        self._draws = draws

    def random(self) -> float:
        """Return a multiple of 2^-53 in [0, 1): the upper 53 bits of the next word."""
        return (self._draws.word() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """Return the upper `k` bits of as many words as are needed."""
        count = -(-k // 64)
        words = b"".join(self._draws.word().to_bytes(8, "big") for _ in range(count))
        return int.from_bytes(words, "big") >> (64 * count - k)

    def choice(self, seq: Any) -> Any:
        """Return one of the items, all equally likely."""
        return self._draws.choice(seq)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put the items into a uniformly random order, in place."""
        x[:] = self._draws.shuffled(x)

    def sample(self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None) -> list[T]:
        """Return `k` of the items in the order of drawing, without replacement."""
        if counts is not None or not 0 <= k <= len(population):
            raise ValueError("A sample is 0 to all of the items, each there once.")
        items = list(population)
        for i in range(k):
            j = i + self._draws.below(len(items) - i)
            items[i], items[j] = items[j], items[i]
        return items[:k]

    def choices(
        self,
        population: Any,
        weights: Sequence[float | Fraction] | None = None,
        *,
        cum_weights: Sequence[float | Fraction] | None = None,
        k: int = 1,
    ) -> list[Any]:
        """Return `k` items, with replacement, weighted."""
        sums = list(cum_weights or accumulate(weights or [1] * len(population)))
        total = float(sums[-1])
        return [population[bisect(sums, self.random() * total, 0, len(sums) - 1)] for _ in range(k)]
