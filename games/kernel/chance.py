"""Randomness that anyone can recompute: every draw derives from the seed, the version and a purpose.

Algorithm `croupier-chance-v1`: block k of a draw is HMAC-SHA256(seed, label || k), where the label is
`croupier-chance-v1`, NUL, the purpose in UTF-8, NUL, and the version as 8 bytes big-endian; k counts from 0
in 8 bytes big-endian. The blocks are read as big-endian 64-bit words. `below(n)` takes the first word under
the largest multiple of n that fits in 64 bits (rejection sampling) modulo n. A shuffle is Fisher-Yates from the
last place down to the second, swapping place i with place below(i + 1).
"""

import hmac
import struct
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

ALGORITHM = "croupier-chance-v1"
_WORD = 1 << 64

T = TypeVar("T")


def _sha256(data: bytes = b"") -> Any:
    return sha256(data)


class NoSeed(RuntimeError):
    """A table that was replayed without its seed can't draw."""


class Draws:
    """The stream of random words of one purpose, for a decision that needs more than one draw."""

    def __init__(self, words: Iterator[int]) -> None:
        self._words = words

    def word(self) -> int:
        """Return the next 64 bits."""
        return next(self._words)

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to n - 1."""
        if not 1 <= n <= _WORD:
            raise ValueError("below(n) needs n from 1 to 2^64.")
        limit = _WORD - _WORD % n
        return next(word for word in self._words if word < limit) % n

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, all equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order."""
        shuffled = list(items)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.below(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)


class Chance:
    """The seed of a match at one version, with the parts that are kept beside the seed, by commitment.

    Two draws for the same purpose are equal. `salts` are those of texts, which no seed may give away, as seeds are
    revealed; without them the seed gives the salts. `kept` are the parts of the texts of the act that is decided.
    """

    def __init__(self, seed: bytes | None, version: int = 0, parts: Mapping[str, bytes] = {}) -> None:
        # The key is set once and copied for each block. A Python function as the digest makes hmac avoid OpenSSL's
        # HMAC, whose set-up takes ten times as long as the hashing.
        self._keyed = None if seed is None else hmac.new(seed, digestmod=_sha256)
        self.version = version
        self.parts = parts
        self.salts: Chance | None = None
        self.kept: dict[str, bytes] = {}

    def at(self, version: int) -> "Chance":
        """Return the same seed at another version of the log."""
        return self._copy(version, self.parts)

    def keeping(self, parts: Mapping[str, bytes]) -> "Chance":
        """Return the same seed with these parts beside it."""
        return self._copy(self.version, parts)

    def salted(self, salts: "Chance") -> "Chance":
        """Return the same seed with other salts of texts."""
        copy = self._copy(self.version, self.parts)
        copy.salts = salts
        return copy

    def _copy(self, version: int, parts: Mapping[str, bytes]) -> "Chance":
        copy = Chance(None, version, parts)
        copy._keyed = self._keyed
        copy.salts = self.salts
        return copy

    def draws(self, purpose: str) -> Draws:
        """Return the stream of words for one purpose at this version."""
        return Draws(self._words(purpose))

    def below(self, n: int, purpose: str) -> int:
        """Return a uniform integer from 0 to n - 1."""
        return self.draws(purpose).below(n)

    def choice(self, items: Sequence[T], purpose: str) -> T:
        """Return one of the items, all equally likely."""
        return self.draws(purpose).choice(items)

    def shuffled(self, items: Sequence[T], purpose: str) -> tuple[T, ...]:
        """Return the items in a uniformly random order."""
        return self.draws(purpose).shuffled(items)

    def _words(self, purpose: str) -> Iterator[int]:
        if self._keyed is None:
            raise NoSeed("This table was replayed from its log; it can't draw.")
        label = f"{ALGORITHM}\0{purpose}\0".encode() + self.version.to_bytes(8, "big")
        counter = 0
        while True:
            block = self._keyed.copy()
            block.update(label + counter.to_bytes(8, "big"))
            yield from struct.unpack(">4Q", block.digest())
            counter += 1
