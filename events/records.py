"""Records of the event store: an event to be appended, the row that is stored, heads, points and outcomes."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct


class NewEvent(Struct, frozen=True):
    """An event about to be appended.

    `public` is what everyone may read and `secret` what only `audience` may, both canonical bytes; the public part
    shows None in place of each secret field. `schema` is the number of the type's shape, from 1.
    """

    type: str
    public: bytes
    secret: bytes | None = None
    audience: str | None = None
    schema: int = 1


class Recorded(NamedTuple):
    """An event as it is stored: `at` is the instant its command arrived, by the database's clock."""

    version: int
    type: str
    schema: int
    public: bytes
    secret: bytes | None
    audience: str | None
    salt: bytes | None
    actor: str
    at: datetime
    hash: bytes


class Head(NamedTuple):
    """Where a stream stands: its last version and hash; a closed stream takes no more events."""

    version: int
    hash: bytes
    closed: bool


class Point(NamedTuple):
    """A point of a stream's history: a version and the hash of its event. A client at a point that the log doesn't hold
    has read a history that was lost, as by a restore."""

    version: int
    hash: bytes


NOWHERE = Point(0, b"")
"""Before a stream's first event."""


class Outcome(NamedTuple):
    """The result of a command, as it is stored under its idempotency key."""

    fingerprint: bytes
    version: int
    response: bytes


class StreamConflict(Exception):
    """The stream is not at the version the append expected."""

    def __init__(self, stream: UUID, expected: int) -> None:
        super().__init__(f"Stream {stream} is no longer at version {expected}.")
        self.expected = expected


class StreamClosed(Exception):
    """The stream has ended and takes no more events."""
