"""Whether the database still holds what the signed checkpoints cover: nothing rewritten, cut off, lost or set back.

The copies outside are believed, as far as they carry the house's signature; everything in the database is doubted. The
leaves are hashed anew into a tree, whose roots must be the signed ones; then every leaf must be an event of the log.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from events import store
from events.archived import ArchiveUnavailable
from events.chain import ChainBroken
from events.checkpoints import merkle
from events.checkpoints import outside as outside
from events.checkpoints.notes import Checkpoint, InvalidNote, read
from events.checkpoints.signing import Leaf
from events.pipeline import roundtrip

_LEAVES = """
SELECT l.position, l.stream, l.version, l.hash, e.hash FROM events_leaf l
LEFT JOIN events_event e ON e.stream = l.stream AND e.version = l.version
WHERE l.position >= $1 ORDER BY l.position LIMIT 5000
"""
_NOTES = "SELECT note FROM events_signed ORDER BY size"
_COUNT = "SELECT count(*) FROM events_leaf"

Fault = ChainBroken | str
"""A place in a stream, or what is wrong with the checkpoints themselves."""


def count() -> int:
    """How many leaves the database holds."""
    ((row,),) = roundtrip(store.raw_connection(), [(_COUNT, ())])
    return int(row[0])


def faults(verifier_key: str, folder: Path | None, progress: Callable[[int], object]) -> Iterator[Fault]:
    """What doesn't hold, the first fault first; `progress` is called with the number of leaves checked so far."""
    signed, bad = _signed(verifier_key, folder)
    yield from bad
    tree, good = merkle.GrowingTree(), 0
    for leaf, hash in _leaves():
        if leaf.position != tree.size:
            yield f"leaf {tree.size} is missing from the database"
            return
        if hash is None:
            yield ChainBroken(leaf.stream, leaf.version, "missing; a signed checkpoint holds it")
        elif hash != leaf.hash:
            yield ChainBroken(leaf.stream, leaf.version, "not the event that a signed checkpoint holds")
        for _ in tree.append(leaf.leaf_hash):
            pass
        if tree.size in signed:
            if signed.pop(tree.size) != tree.root:
                yield f"of the leaves {good} to {tree.size - 1} some are not those that were signed"
                return
            good = tree.size
            progress(good)
    for size in sorted(signed):
        yield f"the database holds {tree.size} leaves; one signed checkpoint covers {size}: it was set back"
        return


def _leaves() -> Iterator[tuple[Leaf, bytes | None]]:
    position = 0
    while True:
        (rows,) = roundtrip(store.raw_connection(), [(_LEAVES, (position,))])
        if not rows:
            return
        for *columns, hash in rows:
            leaf = Leaf._make(columns)
            yield leaf, hash or _archived_hash(leaf)
        position = rows[-1][0] + 1


def _archived_hash(leaf: Leaf) -> bytes | None:
    """The hash that a leaf's event has in the archive; None where it isn't there either, or can't be read."""
    try:
        rows = store.read(leaf.stream, after=leaf.version - 1, upto=leaf.version)
    except ArchiveUnavailable:
        return None
    return rows[0].hash if rows else None


def _signed(verifier_key: str, folder: Path | None) -> tuple[dict[int, bytes], list[Fault]]:
    """The roots by size that were signed, outside and in the database; and what is no checkpoint, or one of two."""
    roots: dict[int, bytes] = {}
    bad: list[Fault] = []
    for where, note in _notes(folder):
        try:
            told: Checkpoint = read(note, verifier_key)
        except InvalidNote as fault:
            bad.append(f"{where}: {fault}")
            continue
        if roots.setdefault(told.size, told.root) != told.root:
            bad.append(f"{where}: another checkpoint of {told.size} leaves was signed as well")
    return roots, bad


def _notes(folder: Path | None) -> Iterator[tuple[Any, str]]:
    for copy in outside.copies(folder):
        yield copy.path, copy.note
    (rows,) = roundtrip(store.raw_connection(), [(_NOTES, ())])
    for (note,) in rows:
        yield "a checkpoint in the database", note
