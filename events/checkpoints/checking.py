"""Whether the database still holds what the signed checkpoints cover: nothing rewritten, cut off, lost or set back.

The copies outside are believed, as far as they carry the house's signature; everything in the database is doubted. The
leaves, those in the archive's tiles as well, are hashed anew into a tree, whose roots must be the signed ones; then
every leaf must be an event of the log or of the archive.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from django.db import transaction

from events import store
from events.archived import ArchiveUnavailable
from events.chain import ChainBroken
from events.checkpoints import merkle, tiles
from events.checkpoints import outside as outside
from events.checkpoints.leaves import Leaf
from events.checkpoints.notes import Checkpoint, InvalidNote, read
from events.pipeline import array, roundtrip

_LEAVES = """
SELECT l.position, l.stream, l.version, l.hash, e.hash FROM events_leaf l
LEFT JOIN events_event e ON e.stream = l.stream AND e.version = l.version
WHERE l.position >= $1 AND l.position < $1::bigint + 5000 ORDER BY l.position
"""
_COVERED = "SELECT stream, position FROM events_covered WHERE stream = ANY($1::uuid[])"
_COVERING = """
SELECT position, stream, version FROM events_covered WHERE position > $1 ORDER BY position LIMIT 5000
"""
_NOTES = "SELECT note FROM events_signed ORDER BY size"
_COUNT = "SELECT count(*) FROM events_leaf"
_TILED = "SELECT count(*) FROM events_tile t WHERE NOT EXISTS (SELECT FROM events_leaf WHERE position = t.place * $1)"

Fault = ChainBroken | str
"""A place in a stream, or what is wrong with the checkpoints themselves."""


def count() -> int:
    """How many leaves there are, in the database and in the archive."""
    hot, tiled = roundtrip(store.raw_connection(), [(_COUNT, ()), (_TILED, (tiles.SIZE,))])
    return int(hot[0][0]) + tiles.SIZE * int(tiled[0][0])


def faults(verifier_key: str, folder: Path | None, progress: Callable[[int], object]) -> Iterator[Fault]:
    """What doesn't hold, the first fault first; `progress` is called with the number of leaves checked so far."""
    signed, bad = _signed(verifier_key, folder)
    yield from bad
    tree, good = merkle.GrowingTree(), 0
    for leaf, hash in _leaves():
        if isinstance(leaf, str):
            yield leaf
            return
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
    yield from _covered_otherwise()


def _leaves() -> Iterator[tuple[Leaf | str, bytes | None]]:
    """Every leaf with the hash that its event has, if there is one; or what is wrong with the tile that holds it."""
    position = 0
    while True:
        try:
            told = _leaves_from(position)
        except ArchiveUnavailable as error:
            yield str(error), None
            return
        if not told:
            return
        found = _archived_hashes([leaf for leaf, hash in told if hash is None])
        yield from ((leaf, hash or found.get((leaf.stream, leaf.version))) for leaf, hash in told)
        position = told[-1][0].position + 1


def _leaves_from(position: int) -> list[tuple[Leaf, bytes | None]]:
    """Some leaves from a position on, each with the hash that its event has in the log; raises ArchiveUnavailable."""
    (rows,) = roundtrip(store.raw_connection(), [(_LEAVES, (position,))])
    told: list[tuple[Leaf, bytes | None]] = [(Leaf._make(columns), hash) for *columns, hash in rows]
    following = [it for place, it in enumerate(told, start=position) if it[0].position == place]
    return following or [(leaf, None) for leaf in _tiled(position)] or told


def _tiled(position: int) -> list[Leaf]:
    """The leaves from a position on that its tile holds, none where it is in no tile. Raises ArchiveUnavailable, also
    where the database notes a stream as covered by an earlier one."""
    held = _tile(position)
    if held is None:
        return []
    newest = {leaf.stream: leaf for leaf in held.leaves}
    (rows,) = roundtrip(store.raw_connection(), [(_COVERED, (array(map(str, newest)),))])
    noted: dict[UUID, int] = dict(rows)
    for leaf in newest.values():
        if noted.get(leaf.stream, -1) < leaf.position:
            raise ArchiveUnavailable(f"The database doesn't note leaf {leaf.position} of {leaf.stream} as covered.")
    return [leaf for leaf in held.leaves if leaf.position >= position]


def _tile(position: int) -> tiles.Tile | None:
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        return tiles.tile(cursor, position >> tiles.LEVEL)


def _covered_otherwise() -> Iterator[str]:
    """The first stream that the database notes as covered by a leaf that no tile holds: it wouldn't be signed again."""
    position = -1
    while rows := roundtrip(store.raw_connection(), [(_COVERING, (position,))])[0]:
        for position, stream, version in rows:
            held = _tile(position)
            if held is None or held.leaves[position % tiles.SIZE][1:3] != (stream, version):
                yield f"the database notes {stream} as covered up to version {version}, and no tile does"
                return


def _archived_hashes(leaves: list[Leaf]) -> dict[tuple[UUID, int], bytes]:
    """The hashes that the events of these leaves have in the log or the archive, by stream and version; none of one
    that isn't there, or can't be read."""
    found: dict[tuple[UUID, int], bytes] = {}
    asked: dict[UUID, set[int]] = defaultdict(set)
    for leaf in leaves:
        asked[leaf.stream].add(leaf.version)
    for stream, versions in asked.items():
        with suppress(ArchiveUnavailable):
            rows = store.read(stream, after=min(versions) - 1, upto=max(versions))
            found |= {(stream, row.version): row.hash for row in rows if row.version in versions}
    return found


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
