"""Choices derived from a seed, independently for each feature, so that their order doesn't matter."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """The choices of one seed; they must never change."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def pick(self, feature: str, choices: Sequence[T]) -> T:
        """Return one of the choices for a feature."""
        return choices[self._number(feature) % len(choices)]

    def one_in(self, feature: str, count: int) -> bool:
        """True for one seed in `count`."""
        return self._number(feature) % count == 0

    def _number(self, feature: str) -> int:
        return int.from_bytes(sha256(f"{self._seed}/{feature}".encode()).digest()[:8])
