"""Delivery of events to consumers that act on other streams, at least once.

An append marks its stream as dirty for the consumers that want one of its events, in the same transaction. A consumer
is called with the dirty stream until a call succeeds; only then is the mark cleared, and not if events came meanwhile.
So it is called at least once, and must find for itself what is still to be done.
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
    """The stream's events may not be delivered before a later instant: the consumer is to be called again."""


class Consumer(Protocol):
    """Acts on streams that have events of some `types`. Its appends are transactions of their own."""

    name: str
    types: frozenset[str]

    def deliver(self, stream: UUID) -> None:
        """Do what this stream's events ask for and hasn't been done; raises NotYet."""


_throttle = LogThrottle()
_registered: dict[str, Consumer] = {}

_NEXT = "SELECT stream, version FROM events_dirty WHERE projection = $1 ORDER BY turn LIMIT $2"
_FAILED = "UPDATE events_dirty SET turn = now() WHERE stream = $1 AND projection = $2"
_NOT_YET = """
UPDATE events_dirty SET turn = now(), since = now() WHERE stream = $1 AND projection = $2
"""
_CLEAN = "DELETE FROM events_dirty WHERE stream = $1 AND projection = $2 AND version <= $3"


def register(consumer: Consumer) -> None:
    """Make a consumer known; from now on every append in this process may mark its stream as dirty for it."""
    _registered[consumer.name] = consumer
    appending.interests[consumer.name] = consumer.types


def names() -> list[str]:
    """The registered consumers."""
    return sorted(_registered)


def catch_up(*, limit: int = 200) -> int:
    """Call each consumer with up to `limit` of its dirty streams; gives how many calls succeeded."""
    done = 0
    for name in _registered:
        (rows,) = roundtrip(store.raw_connection(), [(_NEXT, (name, limit))])
        done += sum(_try_deliver(name, stream, version) for stream, version in rows)
    return done


def deliver(name: str, stream: UUID, version: int) -> None:
    """Call a consumer with a stream that was dirty at this version, and clear the mark once the call has succeeded."""
    _registered[name].deliver(stream)
    roundtrip(store.raw_connection(), [(_CLEAN, (stream, name, version))])


def _try_deliver(name: str, stream: UUID, version: int) -> bool:
    """Whether the delivery succeeded. A stream that fails stays dirty, is logged and goes to the end of the queue."""
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
