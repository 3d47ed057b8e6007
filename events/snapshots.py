"""A reducer's state at a version, kept so that a long stream needn't be folded from its first event.

A snapshot is a cache: it counts only while its reducer's name, which holds the number of its states' shape, is asked
for, and its hash is the one the log has at that version.
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from events import distribution
from events.pipeline import Statement, array, roundtrip
from events.store import raw_connection

EVERY = 100
"""After how many events of a stream a snapshot is saved. Folding twice as many takes a process a few milliseconds."""

_SAVE = """
INSERT INTO events_snapshot AS s (stream, reducer, version, hash, state) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (stream, reducer) DO UPDATE SET version = excluded.version, hash = excluded.hash, state = excluded.state
WHERE s.version < excluded.version
    OR NOT EXISTS (SELECT FROM events_event e WHERE e.stream = s.stream AND e.version = s.version AND e.hash = s.hash)
"""
# A distributed database takes no question within an INSERT.
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
    """A folded state: `hash` is that of the event at `version`."""

    version: int
    hash: bytes
    state: bytes


def load(stream: UUID, reducer: str, upto: int) -> Snapshot | None:
    """The snapshot of this reducer at or before version `upto`, if the log still agrees with it."""
    (rows,) = roundtrip(raw_connection(), [(_LOAD, (stream, reducer, upto))])
    return Snapshot._make(rows[0]) if rows else None


def load_all(streams: Iterable[UUID], reducers: Iterable[str]) -> dict[tuple[UUID, str], Snapshot]:
    """The newest snapshots of these reducers of several streams, those that the log agrees with."""
    (rows,) = roundtrip(raw_connection(), [(_LOAD_ALL, (array(map(str, streams)), array(reducers)))])
    return {(stream, reducer): Snapshot(*kept) for stream, reducer, *kept in rows}


def is_due(since: int, version: int) -> bool:
    """Whether a stream that was folded from one version to another one has passed a version at which one is saved."""
    return version // EVERY > since // EVERY


def save(stream: UUID, reducer: str, snapshot: Snapshot) -> None:
    """Keep a snapshot; one of the same reducer that is older, or that the log contradicts, is replaced."""
    save_all([(stream, reducer, snapshot)])


def save_all(kept: Iterable[tuple[UUID, str, Snapshot]]) -> None:
    """The same for several, in one transaction that waits for no disk: a crash may lose them."""
    saves = [it for stream, reducer, snapshot in kept for it in _saving(stream, reducer, snapshot)]
    roundtrip(raw_connection(), [("BEGIN", ()), _UNSYNCED, *saves, ("COMMIT", ())])


def _saving(stream: UUID, reducer: str, snapshot: Snapshot) -> list[Statement]:
    if not distribution.is_distributed():
        return [(_SAVE, (stream, reducer, *snapshot))]
    return [(_DROP_CONTRADICTED, (stream, reducer)), (_SAVE_NEWER, (stream, reducer, *snapshot))]
