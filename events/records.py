"""Records of the event store: an event to append, the stored row, heads, points and outcomes."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct


class NewEvent(Struct, frozen=True):
    """An event to append.

    Everyone may read `public`, only `audience` may read `secret`; both are canonical bytes. The public part shows None
    in place of each secret field. `schema` numbers the shapes of the type, from 1.
    """

    type: str
    public: bytes
    secret: bytes | None = None
    audience: str | None = None
    schema: int = 1


class Recorded(NamedTuple):
    """A stored event. `at` is the instant at which its command arrived, by the database's clock."""

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
    """The last version and hash of a stream. A closed stream accepts no more events."""

    version: int
    hash: bytes
    closed: bool


class Point(NamedTuple):
    """A point in a stream's history: a version and the hash of its event. If the log doesn't hold a client's point, the
    client has read a history that was lost, for example by a restore."""

    version: int
    hash: bytes


NOWHERE = Point(0, b"")
"""The point before a stream's first event."""


class Outcome(NamedTuple):
    """The result of a command, as stored under its idempotency key."""

    fingerprint: bytes
    version: int
    response: bytes


class StreamConflict(Exception):
    """The stream is not at the version that the append expected."""

    def __init__(self, stream: UUID, expected: int) -> None:
        super().__init__(f"Stream {stream} is no longer at version {expected}.")
        self.expected = expected


class StreamClosed(Exception):
    """The stream has ended and accepts no more events."""
