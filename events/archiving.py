"""Archiving: copy streams into the archive's storage, and remove archived events from the log.

The service may only add to the archive. Only the owner of the tables may delete from the log, and its trigger stops
even the owner from removing an event that isn't recorded as archived. The service writes those records, so the owner
doesn't rely on them alone and reads from the stream itself if it is over.
"""

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from events import archived, chain, store
from events.archived import ArchiveUnavailable, Segment
from events.chain import ChainBroken
from events.pipeline import roundtrip
from events.records import Recorded

_MOST_EVENTS = 10_000
_LAST = "SELECT last_version, hash FROM events_archived WHERE stream = $1 ORDER BY last_version DESC LIMIT 1"
_NOTE = "SELECT events_note_archived($1, $2, $3, $4, $5, $6, $7)"
_LOCK = "SELECT FROM events_head WHERE stream = $1 FOR UPDATE"
_HOT = """
SELECT version, type, schema, public, secret, audience, salt, actor, at, hash FROM events_event
WHERE stream = $1 AND version BETWEEN $2 AND $3 ORDER BY version
"""
_REMOVE = "DELETE FROM events_event WHERE stream = $1 AND version BETWEEN $2 AND $3"
# Data derived from the events, and outcomes kept for retries of commands that ended long ago.
_FOLLOW: tuple[tuple[str, bool], ...] = (
    ("DELETE FROM events_key WHERE stream = $1 AND version <= $2", True),
    ("DELETE FROM events_place WHERE stream = $1 AND last_version <= $2", True),
    ("DELETE FROM events_snapshot WHERE stream = $1", False),
)
# Segments that were recorded before this limit and whose last event is still in the log.
_REMOVABLE = """
SELECT a.stream, a.first_version, a.last_version, a.hash, a.digest, a.bytes, a.name, a.at FROM events_archived a
JOIN events_event e ON e.stream = a.stream AND e.version = a.last_version
WHERE a.at < clock_timestamp() - $1 * interval '1 day' AND (a.stream, a.last_version) > ($2, $3)
ORDER BY a.stream, a.last_version LIMIT 1000
"""


class Broken(Exception):
    """The stream fails verification, so it is not archived."""

    def __init__(self, broken: ChainBroken) -> None:
        super().__init__(str(broken))
        self.broken = broken


Read = Callable[[UUID], list[Recorded]]
"""Return all events of a stream, archived ones included. Raise ArchiveUnavailable."""
IsOver = Callable[[UUID, Read], bool]
"""True if a stream is over, judged by its events and those of the streams it belongs to."""


class NotOver(Exception):
    """An archived stream that isn't over; its events stay in the log."""


class Removed(NamedTuple):
    """Totals of a removal: events, and the bytes of their public and secret parts."""

    events: int
    bytes: int


def archive(stream: UUID) -> list[Segment]:
    """Copy the stream's events that aren't archived yet into the storage, read the copies back, and record them.

    Return the new segments; none if all events were archived. Concurrent calls are safe: each version is recorded once.
    Raise Broken if the chain doesn't hold up to the head, or ArchiveUnavailable; then nothing is recorded.
    """
    head = store.head(stream)
    (last,) = roundtrip(store.raw_connection(), [(_LAST, (stream,))])
    version, hash = last[0] if last else (0, chain.GENESIS)
    segments: list[Segment] = []
    while head is not None and version < head.version:
        rows = store.read(stream, after=version, upto=head.version, limit=_MOST_EVENTS)
        version, hash, broken = chain.check(stream, rows, version, hash)
        if broken is None and not rows:
            broken = ChainBroken(stream, version + 1, f"missing; the head says version {head.version}")
        if broken is None and version == head.version and hash != head.hash:
            broken = ChainBroken(stream, version, "the head's hash is another one")
        if broken is not None:
            raise Broken(broken)
        segments.append(_put(stream, rows))
    return [segment for segment in segments if _noted(segment)]


def _noted(segment: Segment) -> bool:
    """Record a segment; return False if another process has recorded one that starts there."""
    first, last, size = segment.first, segment.last, segment.bytes
    values = (segment.stream, first, last, segment.hash, segment.digest, size, segment.name)
    (((noted,),),) = roundtrip(store.raw_connection(), [(_NOTE, values)])
    return bool(noted)


def _put(stream: UUID, rows: list[Recorded]) -> Segment:
    data = archived.packed(rows)
    first, last, digest = rows[0].version, rows[-1].version, sha256(data).digest()
    name = f"{stream.hex[:4]}/{stream}.{first}-{last}.{digest.hex()[:16]}"
    segment = Segment(stream, first, last, rows[-1].hash, digest, len(data), name, rows[-1].at)
    segment = segment._replace(name=archived.put(name, data))
    archived.fetched(segment)
    return segment


def removable(connection: psycopg.Connection[Any], days: float) -> Iterator[Segment]:
    """Yield the segments that were recorded at least `days` ago and are still in the log, ordered by stream."""
    stream, last = UUID(int=0), 0
    while rows := _run(connection, _REMOVABLE, days, stream, last):
        yield from map(Segment._make, rows)
        stream, last = rows[-1][0], rows[-1][2]


def remove(owner: psycopg.Connection[Any], segment: Segment, is_over: IsOver) -> Removed:
    """Remove a segment's events from the log, if its stream is over and its file equals them row by row.

    Remove the stream's keys, places and snapshots up to there as well. `owner` is an autocommit connection of the
    tables' owner. Each stream that `is_over` reads stays locked until the end, so that nothing is added to it. Raise
    NotOver, or ArchiveUnavailable if the file differs from the log; then nothing is removed.
    """
    with owner.transaction():
        _run(owner, _LOCK, segment.stream)
        if not is_over(segment.stream, partial(_read_locked, owner)):
            raise NotOver(f"{segment.stream} isn't over, so {segment.name} stays in the database as well.")
        rows_in_log = [Recorded._make(row) for row in _run(owner, _HOT, segment.stream, segment.first, segment.last)]
        if archived.unpacked(archived.fetched(segment)) != rows_in_log:
            raise ArchiveUnavailable(f"{segment.name} is not what the log has of its versions.")
        _run(owner, _REMOVE, segment.stream, segment.first, segment.last)
        for statement, upto in _FOLLOW:
            _run(owner, statement, segment.stream, *([segment.last] if upto else []))
    return Removed(len(rows_in_log), sum(len(row.public) + len(row.secret or b"") for row in rows_in_log))


def _read_locked(owner: psycopg.Connection[Any], stream: UUID) -> list[Recorded]:
    _run(owner, _LOCK, stream)
    rows_in_log = [Recorded._make(row) for row in _run(owner, _HOT, stream, 1, store.LAST_VERSION)]
    return archived.completed(owner, stream, rows_in_log, 0, store.LAST_VERSION, None)


def _run(connection: psycopg.Connection[Any], statement: str, *values: Any) -> list[tuple[Any, ...]]:
    (rows,) = roundtrip(connection, [(statement, values)])
    return rows
