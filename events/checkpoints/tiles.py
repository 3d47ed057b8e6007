"""Leaves that lie in the archive's storage alone: tiles of 256, from which the tree below level 8 is hashed anew.

A tile's file is believed by the digest that the database noted of it, and only where its leaves hash up to the subtree
of level 8 that the database has kept, and so to the roots that were signed.
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
"""How many leaves a tile has."""
_NOTED = """
SELECT t.name, t.digest, s.hash FROM events_tile t
LEFT JOIN events_subtree s ON s.level = %s AND s.place = t.place WHERE t.place = %s
"""
_COVERED = "SELECT version, position FROM events_covered WHERE stream = %s"


class Entry(NamedTuple):
    """A leaf as a tile's file holds it; `before` is the position of the stream's leaf before it, if any."""

    stream: UUID
    version: int
    hash: bytes
    before: int | None


class Tile(NamedTuple):
    """A tile's leaves, and where their streams' leaves before them are; `hashes` are those of its part of the tree."""

    leaves: tuple[Leaf, ...]
    before: tuple[int | None, ...]
    hashes: dict[merkle.Subtree, bytes]


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[Entry])


def packed(entries: Collection[Entry]) -> bytes:
    """A tile's file."""
    return _encoder.encode(list(entries))


def unpacked(data: bytes, place: int, root: bytes) -> Tile:
    """The tile at this place in a file; raises ArchiveUnavailable where its leaves aren't those of the tree."""
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
    """A tile that is in the archive; None for one that isn't. Raises ArchiveUnavailable."""
    noted = cursor.execute(_NOTED, [LEVEL, place]).fetchone()
    if noted is None:
        return None
    if noted[2] is None:
        raise ArchiveUnavailable(f"The database lacks what the archive's tile {place} hashes up to.")
    return _read(place, *noted)


@lru_cache(maxsize=64)
def _read(place: int, name: str, digest: bytes, root: bytes) -> Tile:
    return unpacked(archived.file(name, digest), place, root)


def forget() -> None:
    """Read every tile anew that is asked for from here on."""
    _read.cache_clear()


def hashes(cursor: psycopg.Cursor[Any], wanted: Collection[merkle.Subtree]) -> dict[merkle.Subtree, bytes]:
    """Those of these subtrees below level 8 that are in the archive's tiles."""
    places = {place >> (LEVEL - level) for level, place in wanted if level < LEVEL}
    found = [held.hashes for place in sorted(places) if (held := tile(cursor, place))]
    return {subtree: those[subtree] for subtree in wanted for those in found if subtree in those}


def leaves_of(cursor: psycopg.Cursor[Any], stream: UUID) -> Iterator[Leaf]:
    """The leaves of a stream that are in the archive alone, the newest first. Raises ArchiveUnavailable."""
    noted = cursor.execute(_COVERED, [stream]).fetchone()
    version, position = noted or (0, None)
    while position is not None:
        held = tile(cursor, position >> LEVEL)
        leaf = held.leaves[position % SIZE] if held else None
        if held is None or leaf is None or leaf.stream != stream or leaf.version > version:
            raise ArchiveUnavailable(f"The archive doesn't hold leaf {position} of {stream}.")
        yield leaf
        # Each is older than the one before, so that this ends.
        version, position = leaf.version - 1, held.before[position % SIZE]
