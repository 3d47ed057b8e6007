"""At-least-once delivery of events to consumers that write to other streams.

An append marks its stream as dirty for the consumers that read one of its events, in the same transaction. A consumer
is called with the dirty stream until a call succeeds. Only then is the mark cleared, unless new events came meanwhile.
A consumer may therefore be called more than once and must determine for itself what remains to be done.
"""

from typing import Protocol
from uuid import UUID

import structlog

from events import appending, store
from events.database_errors import is_away
from events.log_throttle import LogThrottle
from events.pipeline import roundtrip

log = structlog.get_logger(__name__)


class NotYet(Exception):
    """The stream's events may not be delivered yet; the consumer is to be called again later."""


class Consumer(Protocol):
    """A consumer of events of some `types`. Its appends are transactions of their own."""

    name: str
    types: frozenset[str]

    def deliver(self, stream: UUID) -> None:
        """Do what this stream's events require and isn't done yet. Raise NotYet."""


_throttle = LogThrottle()
_registered: dict[str, Consumer] = {}

_NEXT = "SELECT stream, version FROM events_dirty WHERE projection = $1 ORDER BY turn LIMIT $2"
_FAILED = "UPDATE events_dirty SET turn = now() WHERE stream = $1 AND projection = $2"
_NOT_YET = """
UPDATE events_dirty SET turn = now(), since = now() WHERE stream = $1 AND projection = $2
"""
_CLEAN = "DELETE FROM events_dirty WHERE stream = $1 AND projection = $2 AND version <= $3"


def register(consumer: Consumer) -> None:
    """Register a consumer. From now on, appends of this process mark streams as dirty for it."""
    _registered[consumer.name] = consumer
    appending.interests[consumer.name] = consumer.types


def names() -> list[str]:
    return sorted(_registered)


def catch_up(*, limit: int = 200) -> int:
    """Call each consumer with up to `limit` of its dirty streams; return how many calls succeeded."""
    delivered_count = 0
    for name in _registered:
        (rows,) = roundtrip(store.raw_connection(), [(_NEXT, (name, limit))])
        delivered_count += sum(_try_deliver(name, stream, version) for stream, version in rows)
    return delivered_count


def deliver(name: str, stream: UUID, version: int) -> None:
    """Call a consumer with a stream that was dirty at this version, then clear the mark."""
    _registered[name].deliver(stream)
    roundtrip(store.raw_connection(), [(_CLEAN, (stream, name, version))])


def _try_deliver(name: str, stream: UUID, version: int) -> bool:
    """Return True if the delivery succeeded. A stream that fails stays dirty, is logged and moves to the end of the
    queue."""
    try:
        deliver(name, stream, version)
        return True
    except NotYet:
        roundtrip(store.raw_connection(), [(_NOT_YET, (stream, name))])
        return False
    except Exception as error:
        if is_away(error):
            raise
        if _throttle.is_due(name, stream, type(error).__name__):
            log.exception("delivery_failed", consumer=name, stream=str(stream))
        roundtrip(store.raw_connection(), [(_FAILED, (stream, name))])
        return False
