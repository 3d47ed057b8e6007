"""Leaves that are only in the archive's storage: tiles of 256, from which the tree below level 8 is hashed again.

A tile's file is accepted if it has the digest that the database holds, and if its leaves hash to the database's subtree
of level 8, which leads to the signed roots.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import psycopg

from events import archived
from events.archived import ArchiveUnavailable
from events.checkpoints import merkle
from events.checkpoints.leaves import Leaf

LEVEL = 8
SIZE = 1 << LEVEL
"""The number of leaves in a tile."""
_NOTED = """
SELECT t.name, t.digest, s.hash FROM events_tile t
LEFT JOIN events_subtree s ON s.level = %s AND s.place = t.place WHERE t.place = %s
"""
_COVERED = "SELECT version, position FROM events_covered WHERE stream = %s"


class Entry(NamedTuple):
    """A leaf in a tile's file; `before` is the position of the stream's previous leaf, if any."""

    stream: UUID
    version: int
    hash: bytes
    before: int | None


class Tile(NamedTuple):
    """A tile's leaves, and the positions of their streams' previous leaves; `hashes` are those of its part of the
    tree."""

    leaves: tuple[Leaf, ...]
    before: tuple[int | None, ...]
    hashes: dict[merkle.Subtree, bytes]


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[Entry])


def packed(entries: Collection[Entry]) -> bytes:
    """Return the content of a tile's file."""
    return _encoder.encode(list(entries))


def unpacked(data: bytes, place: int, root: bytes) -> Tile:
    """Return the tile at this place from its file's content. Raise ArchiveUnavailable if its leaves aren't those of the
    tree."""
    entries = _decoder.decode(data)
    leaves = tuple(Leaf(position, *entry[:3]) for position, entry in enumerate(entries, start=place * SIZE))
    tree, hashes = merkle.GrowingTree(), {}
    for leaf in leaves:
        for (level, within), hash in tree.append(leaf.leaf_hash):
            hashes[level, (place << (LEVEL - level)) + within] = hash
    if len(leaves) != SIZE or tree.root != root:
        raise ArchiveUnavailable(f"The archive's tile {place} holds other leaves than the checkpoints do.")
    return Tile(leaves, tuple(entry.before for entry in entries), hashes)


def tile(cursor: psycopg.Cursor[Any], place: int) -> Tile | None:
    """Return a tile that is in the archive, or None if it isn't there. Raise ArchiveUnavailable."""
    row = cursor.execute(_NOTED, [LEVEL, place]).fetchone()
    if row is None:
        return None
    if row[2] is None:
        raise ArchiveUnavailable(f"The database lacks what the archive's tile {place} hashes up to.")
    return _read(place, *row)


@lru_cache(maxsize=64)
def _read(place: int, name: str, digest: bytes, root: bytes) -> Tile:
    return unpacked(archived.file(name, digest), place, root)


def forget() -> None:
    """Clear the cache of tiles."""
    _read.cache_clear()


def hashes(cursor: psycopg.Cursor[Any], wanted: Collection[merkle.Subtree]) -> dict[merkle.Subtree, bytes]:
    """Return the hashes of those subtrees below level 8 that are in the archive's tiles."""
    places = {place >> (LEVEL - level) for level, place in wanted if level < LEVEL}
    tile_hashes = [archived_tile.hashes for place in sorted(places) if (archived_tile := tile(cursor, place))]
    return {
        subtree: hashes_of_tile[subtree]
        for subtree in wanted
        for hashes_of_tile in tile_hashes
        if subtree in hashes_of_tile
    }


def leaves_of(cursor: psycopg.Cursor[Any], stream: UUID) -> Iterator[Leaf]:
    """Yield the leaves of a stream that are only in the archive, the newest first. Raise ArchiveUnavailable."""
    row = cursor.execute(_COVERED, [stream]).fetchone()
    version, position = row or (0, None)
    while position is not None:
        archived_tile = tile(cursor, position >> LEVEL)
        leaf = archived_tile.leaves[position % SIZE] if archived_tile else None
        if archived_tile is None or leaf is None or leaf.stream != stream or leaf.version > version:
            raise ArchiveUnavailable(f"The archive doesn't hold leaf {position} of {stream}.")
        yield leaf
        # Each leaf is older than the one before, so the loop ends.
        version, position = leaf.version - 1, archived_tile.before[position % SIZE]
