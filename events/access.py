"""Who downloaded a stream's record: kept beside the log, and as unchangeable."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from events import store
from events.pipeline import roundtrip

# The same again within a minute is one access.
_NOTE = """
INSERT INTO events_access (stream, actor, kind) SELECT $1::uuid, $2::text, $3::text WHERE NOT EXISTS (
    SELECT 1 FROM events_access WHERE stream = $1 AND actor = $2 AND kind = $3
        AND at > clock_timestamp() - interval '1 minute')
"""
_LIST = "SELECT at, actor, kind FROM events_access WHERE stream = $1 ORDER BY at DESC LIMIT $2"

_NEWEST = "SELECT at, actor, kind, stream FROM events_access ORDER BY at DESC LIMIT $1"


class Access(NamedTuple):
    """Somebody's access to a stream's record."""

    at: datetime
    actor: str
    kind: str


class Taken(NamedTuple):
    """An access, and to which stream."""

    at: datetime
    actor: str
    kind: str
    stream: UUID


def newest(most: int = 100) -> list[Taken]:
    """The newest accesses to any stream, newest first."""
    (rows,) = roundtrip(store.raw_connection(), [(_NEWEST, (most,))])
    return list(map(Taken._make, rows))


def note(stream: UUID, actor: str, kind: str) -> None:
    """Record an access; the same one again within a minute adds nothing."""
    roundtrip(store.raw_connection(), [(_NOTE, (stream, actor, kind))])


def of(stream: UUID, most: int = 100) -> list[Access]:
    """The newest accesses of a stream, newest first."""
    (rows,) = roundtrip(store.raw_connection(), [(_LIST, (stream, most))])
    return list(map(Access._make, rows))
