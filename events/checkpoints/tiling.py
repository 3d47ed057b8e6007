"""Archiving of checkpoints' leaves: copy old leaves into the archive's storage, and remove archived leaves from the
database.

Both are for the owner of the tables. Leaves are archived as whole tiles, from the first on, so that their index stays
small.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import psycopg

from events import archived, distribution
from events.archived import ArchiveUnavailable
from events.checkpoints import tiles
from events.checkpoints.leaves import Leaf
from events.checkpoints.tiles import LEVEL, SIZE, Entry

# A tile is due when a sufficiently old checkpoint covers all its leaves.
_DUE = """
SELECT (SELECT count(*) FROM events_tile),
    coalesce((SELECT max(size) FROM events_signed WHERE at <= clock_timestamp() - %s * interval '1 day'), 0)
"""
_ENTRIES = """
SELECT l.stream, l.version, l.hash, coalesce(
    (SELECT p.position FROM events_leaf p WHERE p.stream = l.stream AND p.version < l.version
        ORDER BY p.version DESC LIMIT 1),
    (SELECT c.position FROM events_covered c WHERE c.stream = l.stream AND c.version < l.version))
FROM events_leaf l WHERE l.position BETWEEN %s AND %s ORDER BY l.position
"""
_ROOT = "SELECT hash FROM events_subtree WHERE level = %s AND place = %s"
_NOTE = "INSERT INTO events_tile (place, digest, name) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_REMOVABLE = """
SELECT place FROM events_tile t WHERE at <= clock_timestamp() - %s * interval '1 day'
    AND EXISTS (SELECT FROM events_leaf WHERE position = t.place * %s) ORDER BY place
"""
_LOCK = "SELECT FROM events_tile WHERE place = %s FOR UPDATE"
_LEAVES = "SELECT position, stream, version, hash FROM events_leaf WHERE position BETWEEN %s AND %s ORDER BY position"
_COVER = """
INSERT INTO events_covered AS c (stream, version, position)
SELECT DISTINCT ON (stream) stream, version, position FROM events_leaf WHERE position BETWEEN %s AND %s
ORDER BY stream, version DESC
ON CONFLICT (stream) DO UPDATE SET version = excluded.version, position = excluded.position
WHERE c.version < excluded.version
"""
_REMOVE_LEAVES = "DELETE FROM events_leaf WHERE position BETWEEN %s AND %s"
_REMOVE_SUBTREES = "DELETE FROM events_subtree WHERE level = %s AND place BETWEEN %s AND %s"


def due(connection: psycopg.Connection[Any], days: float) -> range:
    """Return the places of the tiles that aren't recorded and whose leaves were covered at least `days` ago; none for a
    distributed database, where the leaves stay on every node."""
    if distribution.on(connection):
        return range(0)
    row = connection.execute(_DUE, [days]).fetchone()
    recorded, size = row or (0, 0)
    return range(recorded, size >> LEVEL)


def put_away(owner: psycopg.Connection[Any], place: int) -> None:
    """Store a tile, read it back, and record it. Raise ArchiveUnavailable; then nothing is recorded."""
    first, last = _ends(place)
    entries = [Entry(*row) for row in owner.execute(_ENTRIES, [first, last]).fetchall()]
    data = tiles.packed(entries)
    digest = sha256(data).digest()
    name = archived.put(f"leaves/{place:012}.{digest.hex()[:16]}", data)
    tiles.unpacked(archived.file(name, digest), place, _root(owner, place))
    owner.execute(_NOTE, [place, digest, name])


def removable(connection: psycopg.Connection[Any], days: float) -> Iterator[int]:
    """Yield the tiles that were recorded at least `days` ago and whose leaves are still in the database, ascending."""
    yield from (place for (place,) in connection.execute(_REMOVABLE, [days, SIZE]).fetchall())


def remove(owner: psycopg.Connection[Any], place: int) -> int:
    """Remove a tile's leaves, and the tree below level 8, from the database if its file equals them.

    Return how many leaves were removed. Raise ArchiveUnavailable if the file differs from the database; then nothing is
    removed.
    """
    first, last = _ends(place)
    with owner.transaction(), psycopg.Cursor(owner) as cursor:
        cursor.execute(_LOCK, [place])
        leaves = tuple(Leaf._make(row) for row in cursor.execute(_LEAVES, [first, last]).fetchall())
        if not leaves:
            return 0
        tiles.forget()
        archived_tile = tiles.tile(cursor, place)
        if archived_tile is None or archived_tile.leaves != leaves:
            raise ArchiveUnavailable(f"The archive's tile {place} is not what the database has of its leaves.")
        cursor.execute(_COVER, [first, last])
        cursor.execute(_REMOVE_LEAVES, [first, last])
        for level in range(1, LEVEL):
            cursor.execute(_REMOVE_SUBTREES, [level, first >> level, last >> level])
    return len(leaves)


def _ends(place: int) -> tuple[int, int]:
    return place * SIZE, (place + 1) * SIZE - 1


def _root(owner: psycopg.Connection[Any], place: int) -> bytes:
    row = owner.execute(_ROOT, [LEVEL, place]).fetchone()
    return row[0] if row else b""
