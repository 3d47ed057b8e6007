"""Verification of stored streams: no version is missing, every hash is right, and the head is at the end of the log."""

from collections.abc import Iterator
from uuid import UUID

from events import chain, distribution, store
from events.archived import ArchiveUnavailable
from events.chain import ChainBroken
from events.pipeline import roundtrip

_STREAMS = "SELECT stream FROM events_head WHERE stream > $1 ORDER BY stream LIMIT 1000"
_FIRST = UUID(int=0)
# Jump from one stream to the next by the primary key, so that a long log with few streams isn't scanned.
_HEADLESS = """
WITH RECURSIVE streams AS (
    (SELECT stream FROM events_event ORDER BY stream LIMIT 1)
    UNION ALL
    SELECT (SELECT e.stream FROM events_event e WHERE e.stream > s.stream ORDER BY e.stream LIMIT 1)
    FROM streams s WHERE s.stream IS NOT NULL
)
SELECT stream FROM streams s WHERE stream IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM events_head h WHERE h.stream = s.stream)
ORDER BY stream
"""
# In a distributed log, each node reads its own rows.
_HEADLESS_OF_NODES = """
SELECT DISTINCT e.stream FROM events_event e
WHERE NOT EXISTS (SELECT FROM events_head h WHERE h.stream = e.stream) ORDER BY e.stream
"""


def verify(stream: UUID) -> ChainBroken | None:
    """Return the first place where the stream is broken, or None. Events that are only in the archive are read
    there."""
    try:
        return _verified(stream)
    except ArchiveUnavailable as error:
        return ChainBroken(stream, 1, str(error))


def _verified(stream: UUID) -> ChainBroken | None:
    expected = store.head(stream)
    version, last = 0, chain.GENESIS
    for rows in store.read_in_pages(stream):
        version, last, broken = chain.check(stream, rows, version, last)
        if broken:
            return broken
    if expected is not None and version < expected.version:
        return ChainBroken(stream, version + 1, f"missing; the head says version {expected.version}")
    return _against_head(stream, version, last)


def _against_head(stream: UUID, version: int, last: bytes) -> ChainBroken | None:
    """Compare the head, read after the events, with `version` and the hash `last`. It may have moved on meanwhile."""
    head = store.head(stream)
    if head is None:
        return ChainBroken(stream, 1, "events without a head") if version else None
    if version > head.version:
        return ChainBroken(stream, head.version + 1, f"not appended; the head says version {head.version}")
    if version == head.version and last != head.hash:
        return ChainBroken(stream, version, "the head's hash is another one")
    return None


def count() -> int:
    """Return the number of streams."""
    ((row,),) = roundtrip(store.raw_connection(), [("SELECT count(*) FROM events_head", ())])
    return int(row[0])


def headless() -> list[UUID]:
    """Return the streams that have events but no head, which must have been removed."""
    (rows,) = roundtrip(
        store.raw_connection(), [(_HEADLESS_OF_NODES if distribution.is_distributed() else _HEADLESS, ())]
    )
    return [stream for (stream,) in rows]


def streams() -> Iterator[UUID]:
    """Yield every stream, ordered by id."""
    after = _FIRST
    while True:
        (rows,) = roundtrip(store.raw_connection(), [(_STREAMS, (after,))])
        if not rows:
            return
        for (after,) in rows:
            yield after
