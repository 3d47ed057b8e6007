"""A reducer's state at a version, stored so that a long stream needn't be folded from its first event.

A snapshot is a cache. It is used only by the reducer whose name it has, which includes the number of the state's shape,
and only if its hash is the one in the log at that version.
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from events import distribution
from events.pipeline import Statement, array, roundtrip
from events.store import raw_connection

EVERY = 100
"""The number of events of a stream between two snapshots. Folding twice as many takes a few milliseconds."""

_SAVE = """
INSERT INTO events_snapshot AS s (stream, reducer, version, hash, state) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (stream, reducer) DO UPDATE SET version = excluded.version, hash = excluded.hash, state = excluded.state
WHERE s.version < excluded.version
    OR NOT EXISTS (SELECT FROM events_event e WHERE e.stream = s.stream AND e.version = s.version AND e.hash = s.hash)
"""
# A distributed database allows no subquery within an INSERT.
_DROP_CONTRADICTED = """
DELETE FROM events_snapshot s WHERE stream = $1 AND reducer = $2 AND NOT EXISTS (
    SELECT FROM events_event e WHERE e.stream = s.stream AND e.version = s.version AND e.hash = s.hash)
"""
_SAVE_NEWER = """
INSERT INTO events_snapshot AS s (stream, reducer, version, hash, state) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (stream, reducer) DO UPDATE SET version = excluded.version, hash = excluded.hash, state = excluded.state
WHERE s.version < excluded.version
"""
_LOAD = """
SELECT s.version, s.hash, s.state FROM events_snapshot s
JOIN events_event e ON e.stream = s.stream AND e.version = s.version AND e.hash = s.hash
WHERE s.stream = $1 AND s.reducer = $2 AND s.version <= $3
"""
_LOAD_ALL = """
SELECT s.stream, s.reducer, s.version, s.hash, s.state FROM events_snapshot s
JOIN events_event e ON e.stream = s.stream AND e.version = s.version AND e.hash = s.hash
WHERE s.stream = ANY($1) AND s.reducer = ANY($2)
"""
_UNSYNCED = ("SET LOCAL synchronous_commit = off", ())


class Snapshot(NamedTuple):
    """A folded state; `hash` is that of the event at `version`."""

    version: int
    hash: bytes
    state: bytes


def load(stream: UUID, reducer: str, upto: int) -> Snapshot | None:
    """Return the snapshot of this reducer at or before version `upto`, if the log agrees with it."""
    (rows,) = roundtrip(raw_connection(), [(_LOAD, (stream, reducer, upto))])
    return Snapshot._make(rows[0]) if rows else None


def load_all(streams: Iterable[UUID], reducers: Iterable[str]) -> dict[tuple[UUID, str], Snapshot]:
    """Return the newest snapshots of these reducers for several streams, if the log agrees with them."""
    (rows,) = roundtrip(raw_connection(), [(_LOAD_ALL, (array(map(str, streams)), array(reducers)))])
    return {(stream, reducer): Snapshot(*columns) for stream, reducer, *columns in rows}


def is_due(since: int, version: int) -> bool:
    """True if a version at which a snapshot is saved lies after `since`, up to `version`."""
    return version // EVERY > since // EVERY


def save(stream: UUID, reducer: str, snapshot: Snapshot) -> None:
    """Store a snapshot; replace an older one of the same reducer, or one that the log contradicts."""
    save_all([(stream, reducer, snapshot)])


def save_all(posted: Iterable[tuple[UUID, str, Snapshot]]) -> None:
    """Store several snapshots in one transaction that doesn't wait for the disk; a crash may lose them."""
    saves = [it for stream, reducer, snapshot in posted for it in _saving(stream, reducer, snapshot)]
    roundtrip(raw_connection(), [("BEGIN", ()), _UNSYNCED, *saves, ("COMMIT", ())])


def _saving(stream: UUID, reducer: str, snapshot: Snapshot) -> list[Statement]:
    if not distribution.is_distributed():
        return [(_SAVE, (stream, reducer, *snapshot))]
    return [(_DROP_CONTRADICTED, (stream, reducer)), (_SAVE_NEWER, (stream, reducer, *snapshot))]
