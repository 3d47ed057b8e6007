"""Downloads of streams' records: an append-only list beside the log."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from events import store
from events.pipeline import roundtrip

# A repeated access within a minute counts as one.
_NOTE = """
INSERT INTO events_access (stream, actor, kind) SELECT $1::uuid, $2::text, $3::text WHERE NOT EXISTS (
    SELECT 1 FROM events_access WHERE stream = $1 AND actor = $2 AND kind = $3
        AND at > clock_timestamp() - interval '1 minute')
"""
_LIST = "SELECT at, actor, kind FROM events_access WHERE stream = $1 ORDER BY at DESC LIMIT $2"

_NEWEST = "SELECT at, actor, kind, stream FROM events_access ORDER BY at DESC LIMIT $1"


class Access(NamedTuple):
    """An access to a stream's record."""

    at: datetime
    actor: str
    kind: str


class Taken(NamedTuple):
    """An access together with its stream."""

    at: datetime
    actor: str
    kind: str
    stream: UUID


def newest(most: int = 100) -> list[Taken]:
    """Return the newest accesses to any stream, newest first."""
    (rows,) = roundtrip(store.raw_connection(), [(_NEWEST, (most,))])
    return list(map(Taken._make, rows))


def note(stream: UUID, actor: str, kind: str) -> None:
    """Record an access; a repeated one within a minute adds nothing."""
    roundtrip(store.raw_connection(), [(_NOTE, (stream, actor, kind))])


def of(stream: UUID, most: int = 100) -> list[Access]:
    """Return the newest accesses to a stream, newest first."""
    (rows,) = roundtrip(store.raw_connection(), [(_LIST, (stream, most))])
    return list(map(Access._make, rows))
