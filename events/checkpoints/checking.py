"""A check that the database still holds all that the signed checkpoints cover, and that nothing was rewritten or lost.

Copies outside the database are trusted if they have the service's signature; nothing in the database is trusted. All
leaves, including those in the archive's tiles, are hashed again into a tree, whose roots must be the signed ones. Then
every leaf must match an event of the log or of the archive.
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
"""A place in a stream, or a sentence about the checkpoints themselves."""


def count() -> int:
    """Return the number of leaves in the database and in the archive."""
    in_database, tiled = roundtrip(store.raw_connection(), [(_COUNT, ()), (_TILED, (tiles.SIZE,))])
    return int(in_database[0][0]) + tiles.SIZE * int(tiled[0][0])


def faults(verifier_key: str, folder: Path | None, progress: Callable[[int], object]) -> Iterator[Fault]:
    """Yield the faults, the first one first. `progress` is called with the number of leaves checked so far."""
    signed, invalid = _signed(verifier_key, folder)
    yield from invalid
    tree, confirmed = merkle.GrowingTree(), 0
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
                yield f"of the leaves {confirmed} to {tree.size - 1} some are not those that were signed"
                return
            confirmed = tree.size
            progress(confirmed)
    for size in sorted(signed):
        yield f"the database holds {tree.size} leaves; one signed checkpoint covers {size}: it was set back"
        return
    yield from _untiled_covers()


def _leaves() -> Iterator[tuple[Leaf | str, bytes | None]]:
    """Yield every leaf with the hash of its event, or None if it has no event; or a fault of the tile that should hold
    it."""
    position = 0
    while True:
        try:
            batch = _leaves_from(position)
        except ArchiveUnavailable as error:
            yield str(error), None
            return
        if not batch:
            return
        archived = _archived_hashes([leaf for leaf, hash in batch if hash is None])
        yield from ((leaf, hash or archived.get((leaf.stream, leaf.version))) for leaf, hash in batch)
        position = batch[-1][0].position + 1


def _leaves_from(position: int) -> list[tuple[Leaf, bytes | None]]:
    """Return some leaves from a position on, each with the hash of its event in the log. Raise ArchiveUnavailable."""
    (rows,) = roundtrip(store.raw_connection(), [(_LEAVES, (position,))])
    leaves: list[tuple[Leaf, bytes | None]] = [(Leaf._make(columns), hash) for *columns, hash in rows]
    following = [it for place, it in enumerate(leaves, start=position) if it[0].position == place]
    return following or [(leaf, None) for leaf in _tiled(position)] or leaves


def _tiled(position: int) -> list[Leaf]:
    """Return the leaves of the position's tile from that position on; none if it isn't in a tile.

    Raise ArchiveUnavailable, also if the database records that a stream is covered only by an earlier leaf.
    """
    archived_tile = _tile(position)
    if archived_tile is None:
        return []
    newest = {leaf.stream: leaf for leaf in archived_tile.leaves}
    (rows,) = roundtrip(store.raw_connection(), [(_COVERED, (array(map(str, newest)),))])
    covered: dict[UUID, int] = dict(rows)
    for leaf in newest.values():
        if covered.get(leaf.stream, -1) < leaf.position:
            raise ArchiveUnavailable(f"The database doesn't note leaf {leaf.position} of {leaf.stream} as covered.")
    return [leaf for leaf in archived_tile.leaves if leaf.position >= position]


def _tile(position: int) -> tiles.Tile | None:
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        return tiles.tile(cursor, position >> tiles.LEVEL)


def _untiled_covers() -> Iterator[str]:
    """Yield the first stream that the database records as covered by a leaf that no tile holds. Such a stream wouldn't
    be signed again."""
    position = -1
    while rows := roundtrip(store.raw_connection(), [(_COVERING, (position,))])[0]:
        for position, stream, version in rows:
            archived_tile = _tile(position)
            if archived_tile is None or archived_tile.leaves[position % tiles.SIZE][1:3] != (stream, version):
                yield f"the database notes {stream} as covered up to version {version}, and no tile does"
                return


def _archived_hashes(leaves: list[Leaf]) -> dict[tuple[UUID, int], bytes]:
    """Return the hashes of these leaves' events in the log or the archive, by stream and version. Events that are
    missing or can't be read are omitted."""
    hashes: dict[tuple[UUID, int], bytes] = {}
    wanted: dict[UUID, set[int]] = defaultdict(set)
    for leaf in leaves:
        wanted[leaf.stream].add(leaf.version)
    for stream, versions in wanted.items():
        with suppress(ArchiveUnavailable):
            rows = store.read(stream, after=min(versions) - 1, upto=max(versions))
            hashes |= {(stream, row.version): row.hash for row in rows if row.version in versions}
    return hashes


def _signed(verifier_key: str, folder: Path | None) -> tuple[dict[int, bytes], list[Fault]]:
    """Return the signed roots by size, from outside and from the database; and a fault for each invalid or
    contradicting note."""
    roots: dict[int, bytes] = {}
    faults_found: list[Fault] = []
    for where, note in _notes(folder):
        try:
            checkpoint: Checkpoint = read(note, verifier_key)
        except InvalidNote as fault:
            faults_found.append(f"{where}: {fault}")
            continue
        if roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
            faults_found.append(f"{where}: another checkpoint of {checkpoint.size} leaves was signed as well")
    return roots, faults_found


def _notes(folder: Path | None) -> Iterator[tuple[Any, str]]:
    for copy in outside.copies(folder):
        yield copy.path, copy.note
    (rows,) = roundtrip(store.raw_connection(), [(_NOTES, ())])
    for (note,) in rows:
        yield "a checkpoint in the database", note
