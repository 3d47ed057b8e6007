"""The published algorithm of chance once more, from its description alone."""

import hmac
from collections.abc import Iterator
from typing import Any


def words(seed: bytes, version: int, purpose: str) -> Iterator[int]:
    """The stream of 64-bit words of one draw."""
    label = b"croupier-chance-v1\0" + purpose.encode() + b"\0" + version.to_bytes(8, "big")
    k = 0
    while True:
        block = hmac.digest(seed, label + k.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24))
        k += 1


def below(stream: Iterator[int], n: int) -> int:
    """A uniform integer from 0 to n - 1."""
    limit = 2**64 - 2**64 % n
    return next(word for word in stream if word < limit) % n


def shuffled(stream: Iterator[int], items: list[Any]) -> list[Any]:
    """The items in a random order."""
    order = list(items)
    for i in reversed(range(1, len(order))):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return order
