"""Does a stored stream hold together: every version there, every hash right, the head where the log ends."""

from collections.abc import Iterator
from uuid import UUID

from events import chain, store
from events.chain import Broken
from events.roundtrip import roundtrip

_STREAMS = "SELECT stream FROM events_head WHERE stream > $1 ORDER BY stream LIMIT 1000"
_FIRST = UUID(int=0)


def verify(stream: UUID) -> Broken | None:
    """The first place where the stream breaks, or None where it holds."""
    head = store.head(stream)
    version, last = 0, chain.GENESIS
    for rows in store.read_in_pages(stream):
        version, last, broken = chain.check(stream, rows, version, last)
        if broken:
            return broken
    if head is None:
        return Broken(stream, version, "events without a head") if version else None
    if version < head.version:
        return Broken(stream, version + 1, f"missing; the head says version {head.version}")
    if version == head.version and last != head.hash:
        return Broken(stream, version, "the head's hash is another one")
    return None


def count() -> int:
    """How many streams there are."""
    ((row,),) = roundtrip(store.raw_connection(), [("SELECT count(*) FROM events_head", ())])
    return int(row[0])


def streams() -> Iterator[UUID]:
    """Every stream there is, in the order of their ids."""
    after = _FIRST
    while True:
        (rows,) = roundtrip(store.raw_connection(), [(_STREAMS, (after,))])
        if not rows:
            return
        for (after,) in rows:
            yield after
