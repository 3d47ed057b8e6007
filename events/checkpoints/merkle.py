"""A Merkle tree after RFC 6962: roots, inclusion proofs and consistency proofs. Pure.

leaf hash = SHA-256(0x00 || leaf), node = SHA-256(0x01 || left || right). A tree of n leaves is split at the largest
power of two below n. It therefore consists of *perfect* subtrees, which never change once they are full: subtree
(level, place) holds the 2^level leaves from place * 2^level on. A proof consists of few of their hashes, so stored
subtree hashes give any proof with a handful of look-ups.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

Subtree = tuple[int, int]
"""Level and place."""

Hashes = Callable[[Subtree], bytes]
"""Returns the hash of a perfect subtree."""

EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees side by side."""
    return sha256(b"\1" + left + right).digest()


class GrowingTree:
    """A tree to which leaves are appended. It keeps only the hashes of its perfect subtrees, at most one per level."""

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size = size
        self._peaks = list(peaks)

    def append(self, leaf: bytes) -> Iterator[tuple[Subtree, bytes]]:
        """Append a leaf's hash; yield the perfect subtrees that it completes, the leaf itself first."""
        level, place, hash = 0, self.size, leaf
        yield (level, place), hash
        while place & 1:
            hash = node_hash(self._peaks.pop(), hash)
            level, place = level + 1, place >> 1
            yield (level, place), hash
        self._peaks.append(hash)
        self.size += 1

    @property
    def root(self) -> bytes:
        return _joined(self._peaks)


def root(leaves: Iterable[bytes]) -> bytes:
    """Return the root over these leaf hashes, in one pass and with little memory."""
    tree = GrowingTree()
    for leaf in leaves:
        for _ in tree.append(leaf):
            pass
    return tree.root


def peaks(start: int, end: int) -> list[Subtree]:
    """Return the perfect subtrees that cover the leaves from `start` up to `end`, from left to right.

    `start` must be a point where the tree of a proof is split; the first subtree then has the largest possible size.
    """
    subtrees = []
    while start < end:
        level = (end - start).bit_length() - 1
        subtrees.append((level, start >> level))
        start += 1 << level
    return subtrees


def part_hash(start: int, end: int, hashes: Hashes) -> bytes:
    """Return the hash of the leaves from `start` up to `end`, which must be a whole part of a tree."""
    return _joined([hashes(subtree) for subtree in peaks(start, end)])


def inclusion(index: int, size: int) -> list[tuple[int, int]]:
    """Return the parts (start, end) whose hashes prove that leaf `index` is in a tree of `size` leaves, from the leaf
    upwards."""
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    return list(_inclusion(index, 0, size))


def consistency(earlier: int, size: int) -> list[tuple[int, int]]:
    """Return the parts whose hashes prove that the tree of `size` leaves begins with the tree of `earlier` leaves."""
    if not 0 < earlier <= size:
        raise ValueError(f"A tree of {size} leaves continues none of {earlier}.")
    return list(_consistency(earlier, 0, size, whole=True))


def includes(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    """True if the path leads from a leaf's hash to the root."""
    if not 0 <= index < size:
        return False
    hash, last = leaf, size - 1
    for sibling in path:
        if last == 0:
            return False
        if index & 1 or index == last:
            hash = node_hash(sibling, hash)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            hash = node_hash(hash, sibling)
        index, last = index >> 1, last >> 1
    return last == 0 and hash == root


def _joined(parts: list[bytes]) -> bytes:
    """Return the hash of perfect subtrees of falling size as one tree."""
    if not parts:
        return EMPTY
    hash = parts[-1]
    for left in reversed(parts[:-1]):
        hash = node_hash(left, hash)
    return hash


def _split(start: int, end: int) -> int:
    return start + (1 << ((end - start - 1).bit_length() - 1))


def _inclusion(index: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start == 1:
        return
    middle = _split(start, end)
    if index < middle:
        yield from _inclusion(index, start, middle)
        yield middle, end
    else:
        yield from _inclusion(index, middle, end)
        yield start, middle


def _consistency(earlier: int, start: int, end: int, whole: bool) -> Iterator[tuple[int, int]]:
    if earlier == end:
        if not whole:
            yield start, end
        return
    middle = _split(start, end)
    if earlier <= middle:
        yield from _consistency(earlier, start, middle, whole)
        yield middle, end
    else:
        yield from _consistency(earlier, middle, end, whole=False)
        yield start, middle
