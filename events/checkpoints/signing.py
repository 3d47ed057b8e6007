"""Signed checkpoints: one hash over the heads of all streams, so that no stream can be rewritten, cut or lost unseen.

Each checkpoint appends the heads that have moved since the last one to a log of leaves, and signs the root of its
Merkle tree. A leaf is `"croupier-head-v1\\n" || stream (16 bytes) || version (8 bytes big-endian) || head's hash`. The
log only grows, so each checkpoint holds all that the ones before it held. Making one costs as much as there are moved
heads, whatever the log's length; looking for them visits every head once (0.1 s for 100,000 streams).
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.db import transaction

from events import store
from events.checkpoints import merkle, tiles
from events.checkpoints import outside as outside
from events.checkpoints.leaves import Leaf
from events.checkpoints.notes import Checkpoint, Signer

log = structlog.get_logger(__name__)

EVERY_SECONDS = 300
EVERY_EVENTS = 1000
_LOCK = 0x63726F7570736967

_MOVED = """
SELECT h.stream, h.version, h.hash, coalesce(
    (SELECT max(version) FROM events_leaf WHERE stream = h.stream),
    (SELECT version FROM events_covered WHERE stream = h.stream), 0)
FROM events_head h
WHERE NOT EXISTS (SELECT 1 FROM events_leaf l WHERE l.stream = h.stream AND l.version = h.version)
    AND NOT EXISTS (SELECT 1 FROM events_covered c WHERE c.stream = h.stream AND c.version = h.version)
ORDER BY h.stream
"""
_LAST = """
SELECT size, root, clock_timestamp(), extract(epoch FROM clock_timestamp() - at) FROM events_signed
ORDER BY size DESC LIMIT 1
"""
_SUBTREES = """
SELECT s.level, s.place, s.hash FROM events_subtree s
JOIN unnest(%s::smallint[], %s::bigint[]) AS wanted (level, place) USING (level, place)
"""
_LEAVES_OF = "SELECT position, stream, version, hash FROM events_leaf WHERE stream = %s ORDER BY version DESC"
_FIRST_COVER = """
SELECT position, s.size, s.at FROM unnest(%s::bigint[]) AS wanted (position)
CROSS JOIN LATERAL (SELECT size, at FROM events_signed WHERE size > position ORDER BY size LIMIT 1) s
"""
_LEAVES = "SELECT position, stream, version, hash FROM events_leaf WHERE position = ANY(%s)"


class Forked(Exception):
    """The copies outside the database hold a checkpoint that the database doesn't: it was set back or rewritten."""


def signer() -> Signer:
    """The service's signing key."""
    return Signer(settings.CHECKPOINT_ORIGIN, settings.CHECKPOINT_KEY)


def sign_if_due(*, after_seconds: float = EVERY_SECONDS, after_events: int = EVERY_EVENTS) -> str | None:
    """Sign a checkpoint where enough has happened since the last; gives the note, None where none is due.

    Two at once make one: the second finds the lock taken and leaves. Raises Forked, and then signs nothing.
    """
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        if not _one(cursor, "SELECT pg_try_advisory_xact_lock(%s)", _LOCK):
            return None
        refuse_forked(cursor)
        last = cursor.execute(_LAST).fetchone()
        moved = cursor.execute(_MOVED).fetchall()
        grown = [Leaf(0, *row[:3]) for row in moved if row[1] > row[3]]
        _log_shrunken([row for row in moved if row[1] <= row[3]])
        events = sum(version - before for _, version, _, before in moved if version > before)
        if not grown or (last is not None and last[3] < after_seconds and events < after_events):
            return None
        return _sign(cursor, last[0] if last else 0, grown)


def refuse_forked(cursor: psycopg.Cursor[Any]) -> None:
    """Raise Forked where the newest copy outside isn't one of the database's checkpoints."""
    newest = outside.newest()
    if newest is None:
        return
    known = cursor.execute("SELECT note FROM events_signed WHERE size = %s", [newest.size]).fetchone()
    if known is None or known[0] != newest.note:
        raise Forked(
            f"{newest.path} is no checkpoint of this database. It was restored from an older copy or rewritten; "
            "see `manage.py verify --all`, and set the folder aside to begin anew."
        )


def publish() -> int:
    """Write the copies that the folder lacks; gives how many were written."""
    newest = outside.newest()
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        fresh = cursor.execute(
            "SELECT size, at, note FROM events_signed WHERE size > %s ORDER BY size", [newest.size if newest else 0]
        ).fetchall()
    for size, at, note in fresh:
        outside.write(size, at, note)
    outside.post_new()
    return len(fresh)


def covering(stream: UUID, most: int = 50) -> list[tuple[Leaf, int, Any]]:
    """The newest leaves of a stream, each with the size and the instant of the first checkpoint that covers it.

    Raises ArchiveUnavailable.
    """
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        newest = list(islice(_leaves_of(cursor, stream), most))
        found = cursor.execute(_FIRST_COVER, [[leaf.position for leaf in newest]]).fetchall()
    first = {position: (size, at) for position, size, at in found}
    return [(leaf, *first[leaf.position]) for leaf in newest if leaf.position in first]


class Proof(NamedTuple):
    """That a leaf is in the tree of a checkpoint: `path` from the leaf upwards."""

    leaf: Leaf
    size: int
    root: bytes
    path: list[bytes]
    note: str


def prove(stream: UUID, *, upto: int | None = None, size: int | None = None) -> Proof | None:
    """The proof for the stream's newest leaf, up to version `upto`, in the checkpoint of `size` leaves.

    Without `size` the newest checkpoint; None where there is no such leaf or no checkpoint that covers it. Raises
    ArchiveUnavailable.
    """
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        leaves = _leaves_of(cursor, stream)
        found = next((leaf for leaf in leaves if upto is None or leaf.version <= upto), None)
        signed = cursor.execute(
            "SELECT size, root, note FROM events_signed WHERE %(size)s::bigint IS NULL OR size = %(size)s"
            " ORDER BY size DESC LIMIT 1",
            {"size": size},
        ).fetchone()
        if found is None or signed is None or found.position >= signed[0]:
            return None
        path = _hashed(cursor, merkle.inclusion(found.position, signed[0]))
    return Proof(found, signed[0], signed[1], path, signed[2])


def continues(earlier: int, size: int) -> list[bytes]:
    """The proof that the tree of `size` leaves begins with that of `earlier`, as RFC 6962 has it."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        return _hashed(cursor, merkle.consistency(earlier, size))


class ConsistencyProof(NamedTuple):
    """That the tree of `size` leaves begins with that of `earlier`, with the signed notes of both."""

    earlier: int
    size: int
    path: list[bytes]
    earlier_note: str
    note: str


def prove_consistency(earlier: int, size: int | None = None) -> ConsistencyProof | None:
    """The proof between two checkpoints, without `size` to the newest; None where they aren't two of the house's."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        rows = cursor.execute(
            "SELECT size, note FROM events_signed WHERE size = %(earlier)s OR size = coalesce(%(size)s::bigint,"
            " (SELECT max(size) FROM events_signed))",
            {"earlier": earlier, "size": size},
        ).fetchall()
    notes: dict[int, str] = dict(rows)
    later = size or max(notes, default=0)
    if earlier not in notes or later not in notes or later < earlier:
        return None
    return ConsistencyProof(earlier, later, continues(earlier, later), notes[earlier], notes[later])


def newest() -> str | None:
    """The newest signed note."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        note: str | None = _one(cursor, "SELECT note FROM events_signed ORDER BY size DESC LIMIT 1")
    return note


def _sign(cursor: psycopg.Cursor[Any], size: int, grown: list[Leaf]) -> str:
    peaks = merkle.peaks(0, size)
    known = _subtrees(cursor, peaks)
    tree = merkle.GrowingTree(size, [known[subtree] for subtree in peaks])
    made = []
    with cursor.copy("COPY events_leaf (position, stream, version, hash) FROM STDIN") as copy:
        for leaf in grown:
            copy.write_row((tree.size, *leaf[1:]))
            made += [(subtree, hash) for subtree, hash in tree.append(leaf.leaf_hash) if subtree[0]]
    with cursor.copy("COPY events_subtree (level, place, hash) FROM STDIN") as copy:
        for (level, place), hash in made:
            copy.write_row((level, place, hash))
    at = _one(cursor, "SELECT clock_timestamp()")
    note = signer().sign(Checkpoint(settings.CHECKPOINT_ORIGIN, tree.size, tree.root, at))
    cursor.execute(
        "INSERT INTO events_signed (size, root, at, note) VALUES (%s, %s, %s, %s)", [tree.size, tree.root, at, note]
    )
    return note


def _hashed(cursor: psycopg.Cursor[Any], parts: Sequence[tuple[int, int]]) -> list[bytes]:
    """The hash of each part of the tree, in two look-ups."""
    wanted = [subtree for part in parts for subtree in merkle.peaks(*part)]
    known = _subtrees(cursor, wanted)
    return [merkle.part_hash(start, end, known.__getitem__) for start, end in parts]


def _subtrees(cursor: psycopg.Cursor[Any], wanted: Sequence[merkle.Subtree]) -> dict[merkle.Subtree, bytes]:
    inner = [subtree for subtree in wanted if subtree[0]]
    levels, places = [level for level, _ in inner], [place for _, place in inner]
    found = {(level, place): hash for level, place, hash in cursor.execute(_SUBTREES, [levels, places])}
    leaves = cursor.execute(_LEAVES, [[place for level, place in wanted if not level]]).fetchall()
    found |= {(0, leaf.position): leaf.leaf_hash for leaf in map(Leaf._make, leaves)}
    return found | tiles.hashes(cursor, [subtree for subtree in wanted if subtree not in found])


def _leaves_of(cursor: psycopg.Cursor[Any], stream: UUID) -> Iterator[Leaf]:
    """The leaves of a stream, the newest first."""
    yield from map(Leaf._make, cursor.execute(_LEAVES_OF, [stream]).fetchall())
    yield from tiles.leaves_of(cursor, stream)


def _log_shrunken(rows: Sequence[tuple[Any, ...]]) -> None:
    for stream, version, _, before in rows:
        log.error("stream_shrank", stream=str(stream), version=version, was=before)


def _one(cursor: psycopg.Cursor[Any], question: str, *values: object) -> Any:
    row = cursor.execute(question, values or None).fetchone()
    return row and row[0]
