"""A `Random` whose numbers are a draw's: what programs choose by, so that their choices can be computed again.

Python promises for no method of its own `Random` but `random()` that another release draws alike, so the methods that
programs use are defined here once for all, as docs/chance.md tells.
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
    """Takes every number from one draw's stream of words; it can't be seeded, saved or set back."""

    def __init__(self, draws: Draws) -> None:
        super().__init__(0)
        self._draws = draws

    def random(self) -> float:
        """A multiple of 2^-53 from 0 to below 1: the upper 53 bits of the next word."""
        return (self._draws.word() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """The upper bits of as many words as it takes."""
        count = -(-k // 64)
        words = b"".join(self._draws.word().to_bytes(8, "big") for _ in range(count))
        return int.from_bytes(words, "big") >> (64 * count - k)

    def choice(self, seq: Any) -> Any:
        """One of the items, each as likely."""
        return self._draws.choice(seq)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Bring the items into a uniformly random order."""
        x[:] = self._draws.shuffled(x)

    def sample(self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None) -> list[T]:
        """`k` of the items in the order in which they were drawn, none twice."""
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
        """`k` items, any of them again, each as likely as its weight says."""
        sums = list(cum_weights or accumulate(weights or [1] * len(population)))
        total = float(sums[-1])
        return [population[bisect(sums, self.random() * total, 0, len(sums) - 1)] for _ in range(k)]
