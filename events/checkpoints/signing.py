"""Signed checkpoints: one hash over the heads of all streams, so that no stream can be rewritten, cut or lost unseen.

Each checkpoint appends the heads that have moved since the last one to a log of leaves, and signs the root of its
Merkle tree. A leaf is `"croupier-head-v1\\n" || stream (16 bytes) || version (8 bytes big-endian) || head's hash`. The
log only grows, so each checkpoint holds all that the ones before it held. Making one costs as much as there are moved
heads, whatever the log's length; looking for them visits every head once (0.1 s for 100,000 streams).

The tables are not believed. Triggers check each row that is inserted (docs/decisions/0066), and a checkpoint is
copied or shown only if its signature, values and date hold. Signing continues after the newest checkpoint that holds.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.db import transaction

from events import distribution, store
from events.checkpoints import merkle, signed, tiles
from events.checkpoints import outside as outside
from events.checkpoints.leaves import Leaf
from events.checkpoints.notes import Checkpoint
from events.checkpoints.signed import Signed
from events.checkpoints.signed import signer as signer
from events.log_throttle import LogThrottle

log = structlog.get_logger(__name__)
_throttle = LogThrottle()

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
_SIZE = "SELECT coalesce((SELECT max(position) + 1 FROM events_leaf), %s * (SELECT count(*) FROM events_tile))"
# Leaves that are only in the archive were events of the log when they were archived.
_FALSE = """
SELECT l.position FROM events_leaf l LEFT JOIN events_event e ON e.stream = l.stream AND e.version = l.version
WHERE l.position >= %s AND e.hash IS DISTINCT FROM l.hash
    AND NOT EXISTS (SELECT FROM events_head h WHERE h.stream = l.stream AND h.version = l.version AND h.hash = l.hash)
    AND NOT (e.hash IS NULL AND EXISTS (
        SELECT FROM events_archived a WHERE a.stream = l.stream AND a.last_version >= l.version
    ))
ORDER BY l.position LIMIT 1
"""
_TAKEN = "SELECT size FROM events_signed WHERE size BETWEEN %s AND %s"
_SUBTREES = """
SELECT s.level, s.place, s.hash FROM events_subtree s
JOIN unnest(%s::smallint[], %s::bigint[]) AS wanted (level, place) USING (level, place)
"""
_LEAVES_OF = "SELECT position, stream, version, hash FROM events_leaf WHERE stream = %s ORDER BY version DESC"
_LEAVES = "SELECT position, stream, version, hash FROM events_leaf WHERE position = ANY(%s)"


class Forked(Exception):
    """The copies outside the database hold a checkpoint that the database lacks: it was set back or rewritten."""


class Unsound(Exception):
    """The leaves in the database don't match the newest checkpoint, or a later leaf isn't an event."""


def sign_if_due(*, after_seconds: float = EVERY_SECONDS, after_events: int = EVERY_EVENTS) -> str | None:
    """Sign a checkpoint if enough time or events have passed since the last one; return the note, or None.

    Concurrent calls make one checkpoint: the second call finds the lock taken and returns. Raise Forked or Unsound, and
    then sign nothing.
    """
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        if not _one(cursor, "SELECT pg_try_advisory_xact_lock(%s)", _LOCK):
            return None
        refuse_forked(cursor)
        _drop_unsigned(cursor)
        last, size = signed.newest(cursor), int(_one(cursor, _SIZE, tiles.SIZE))
        _refuse_unsound(cursor, last, size)
        moved = cursor.execute(_MOVED).fetchall()
        grown = [Leaf(0, *row[:3]) for row in moved if row[1] > row[3]]
        _log_shrunken([row for row in moved if row[1] <= row[3]])
        events = sum(version - before for _, version, _, before in moved if version > before)
        if last is not None and last.age_seconds < after_seconds and events < after_events:
            return None
        count = _most(cursor, size, len(grown))
        if count is None or size + count == 0:
            return None
        return _sign(cursor, size, grown[:count])


def refuse_forked(cursor: psycopg.Cursor[Any]) -> None:
    """Raise Forked if the newest copy outside isn't one of the database's checkpoints."""
    newest = _newest_copy()
    if newest is None:
        return
    stored = cursor.execute("SELECT note FROM events_signed WHERE size = %s", [newest.size]).fetchone()
    if stored is None or stored[0] != newest.note:
        raise Forked(
            f"{newest.path} is no checkpoint of this database. It was restored from an older copy or rewritten; "
            "see `manage.py verify --all`, and set the folder aside to begin anew."
        )


def publish() -> int:
    """Write the copies that the folder lacks; return how many were written. Rows with a fault are logged, not
    copied."""
    newest = _newest_copy()
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        rows = signed.above(cursor, newest.size if newest else 0)
        faults = {row.size: row.fault or _fault_of_root(cursor, row) for row in rows}
    _log_refused({size: fault for size, fault in faults.items() if fault})
    valid = [row for row in rows if not faults[row.size]]
    for row in valid:
        outside.write(row.size, row.at, row.note)
    upto = valid[-1].size if valid else newest.size if newest else 0
    outside.post_new(upto=upto, is_own=lambda copy: signed.is_own(copy.note, copy.size))
    return len(valid)


def _newest_copy() -> outside.StoredCheckpoint | None:
    """Return the newest copy outside with the service's signature; other files aren't copies of a checkpoint."""
    return next((copy for copy in outside.newest_first() if signed.is_own(copy.note, copy.size)), None)


def _fault_of_root(cursor: psycopg.Cursor[Any], row: Signed) -> str:
    try:
        (root,) = _hashed(cursor, [(0, row.size)])
    except KeyError:
        root = b""
    return "" if root == row.root else "The leaves in the database have another root."


def _drop_unsigned(cursor: psycopg.Cursor[Any]) -> None:
    """Remove leaves that no checkpoint covers: the service appends leaves only together with their checkpoint.

    A distributed database keeps them, because the owner's functions can't change replicated tables there.
    """
    if not distribution.is_distributed() and (count := _one(cursor, "SELECT events_drop_unsigned()")):
        log.error("unsigned_leaves_removed", leaves=count)


def _refuse_unsound(cursor: psycopg.Cursor[Any], last: Signed | None, size: int) -> None:
    """Raise Unsound if the next checkpoint would not continue the last one, or would cover a false leaf."""
    if last is not None and (size < last.size or _fault_of_root(cursor, last)):
        raise Unsound(f"The leaves in the database are not those of the checkpoint of {last.size} leaves.")
    covered = last.size if last else 0
    if size > covered and (row := cursor.execute(_FALSE, [covered]).fetchone()):
        raise Unsound(f"Leaf {row[0]} of the checkpoint log is no event of the log, and no checkpoint covers it.")
    if size > covered:
        try:
            _hashed(cursor, [(0, size)])
        except KeyError:
            raise Unsound(f"The checkpoint log lacks leaves or subtrees of its first {size} leaves.") from None


def _most(cursor: psycopg.Cursor[Any], size: int, count: int) -> int | None:
    """Return how many of `count` leaves to append: the most that lead to a size which no row has, with or without a
    fault. None if every size is taken."""
    taken = {row[0] for row in cursor.execute(_TAKEN, [size, size + count]).fetchall()}
    return next((most_leaves for most_leaves in range(count, -1, -1) if size + most_leaves not in taken), None)


def _log_refused(faults: dict[int, str]) -> None:
    if faults and _throttle.is_due("checkpoint_refused", *faults):
        size, fault = next(iter(faults.items()))
        log.error("checkpoint_refused", size=size, reason=fault, refused=len(faults))


def covering(stream: UUID, most: int = 50) -> list[tuple[Leaf, int, Any]]:
    """Return the newest leaves of a stream, each with the size and the instant of the first checkpoint that covers it.

    Raise ArchiveUnavailable.
    """
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        newest = list(islice(_leaves_of(cursor, stream), most))
        first = signed.covering(cursor, [leaf.position for leaf in newest])
    return [(leaf, first[it].size, first[it].at) for leaf in newest if (it := leaf.position) in first]


class Proof(NamedTuple):
    """Proof that a leaf is in a checkpoint's tree; `path` goes from the leaf upwards."""

    leaf: Leaf
    size: int
    root: bytes
    path: list[bytes]
    note: str


def prove(stream: UUID, *, upto: int | None = None, size: int | None = None) -> Proof | None:
    """Return the proof for the stream's newest leaf, up to version `upto`, in the checkpoint of `size` leaves.

    Without `size`, use the newest checkpoint. Return None if there is no such leaf, or no checkpoint that covers it.
    Raise ArchiveUnavailable.
    """
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        leaves = _leaves_of(cursor, stream)
        leaf = next((leaf for leaf in leaves if upto is None or leaf.version <= upto), None)
        row = signed.newest(cursor) if size is None else signed.of_size(cursor, size)
        if leaf is None or row is None or leaf.position >= row.size:
            return None
        path = _hashed(cursor, merkle.inclusion(leaf.position, row.size))
    return Proof(leaf, row.size, row.root, path, row.note)


def continues(earlier: int, size: int) -> list[bytes]:
    """Return the proof of RFC 6962 that the tree of `size` leaves begins with that of `earlier` leaves."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        return _hashed(cursor, merkle.consistency(earlier, size))


class ConsistencyProof(NamedTuple):
    """Proof that the tree of `size` leaves begins with that of `earlier` leaves, with the signed notes of both."""

    earlier: int
    size: int
    path: list[bytes]
    earlier_note: str
    note: str


def prove_consistency(earlier: int, size: int | None = None) -> ConsistencyProof | None:
    """Return the proof between two checkpoints, by default to the newest one. None if either isn't a valid
    checkpoint."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        first = signed.of_size(cursor, earlier)
        second = signed.of_size(cursor, size) if size else signed.newest(cursor)
    if first is None or second is None or second.size < first.size:
        return None
    return ConsistencyProof(first.size, second.size, continues(first.size, second.size), first.note, second.note)


def newest() -> str | None:
    """Return the newest signed note, or None."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        row = signed.newest(cursor)
    return row.note if row else None


def _sign(cursor: psycopg.Cursor[Any], size: int, appended: list[Leaf]) -> str:
    peaks = merkle.peaks(0, size)
    hashes = _subtrees(cursor, peaks)
    tree = merkle.GrowingTree(size, [hashes[subtree] for subtree in peaks])
    completed = []
    with cursor.copy("COPY events_leaf (position, stream, version, hash) FROM STDIN") as copy:
        for leaf in appended:
            copy.write_row((tree.size, *leaf[1:]))
            completed += [(subtree, hash) for subtree, hash in tree.append(leaf.leaf_hash) if subtree[0]]
    with cursor.copy("COPY events_subtree (level, place, hash) FROM STDIN") as copy:
        for (level, place), hash in completed:
            copy.write_row((level, place, hash))
    at = _one(cursor, "SELECT clock_timestamp()")
    note = signer().sign(Checkpoint(settings.CHECKPOINT_ORIGIN, tree.size, tree.root, at))
    cursor.execute(
        "INSERT INTO events_signed (size, root, at, note) VALUES (%s, %s, %s, %s)", [tree.size, tree.root, at, note]
    )
    return note


def _hashed(cursor: psycopg.Cursor[Any], parts: Sequence[tuple[int, int]]) -> list[bytes]:
    """Return the hash of each part of the tree, with two look-ups."""
    wanted = [subtree for part in parts for subtree in merkle.peaks(*part)]
    hashes = _subtrees(cursor, wanted)
    return [merkle.part_hash(start, end, hashes.__getitem__) for start, end in parts]


def _subtrees(cursor: psycopg.Cursor[Any], wanted: Sequence[merkle.Subtree]) -> dict[merkle.Subtree, bytes]:
    inner = [subtree for subtree in wanted if subtree[0]]
    levels, places = [level for level, _ in inner], [place for _, place in inner]
    hashes = {(level, place): hash for level, place, hash in cursor.execute(_SUBTREES, [levels, places])}
    leaves = cursor.execute(_LEAVES, [[place for level, place in wanted if not level]]).fetchall()
    hashes |= {(0, leaf.position): leaf.leaf_hash for leaf in map(Leaf._make, leaves)}
    return hashes | tiles.hashes(cursor, [subtree for subtree in wanted if subtree not in hashes])


def _leaves_of(cursor: psycopg.Cursor[Any], stream: UUID) -> Iterator[Leaf]:
    """Yield the leaves of a stream, the newest first."""
    yield from map(Leaf._make, cursor.execute(_LEAVES_OF, [stream]).fetchall())
    yield from tiles.leaves_of(cursor, stream)


def _log_shrunken(rows: Sequence[tuple[Any, ...]]) -> None:
    for stream, version, _, before in rows:
        log.error("stream_shrank", stream=str(stream), version=version, was=before)


def _one(cursor: psycopg.Cursor[Any], query: str, *values: object) -> Any:
    row = cursor.execute(query, values or None).fetchone()
    return row and row[0]
