"""The hash chain: each event's hash covers its facts and the hash before it, so no change stays undetected.

`hash = SHA-256("croupier-event-v1\\n" || field || field ...)`, each field preceded by its length in 4 bytes big-endian.
The fields: previous hash (empty for version 1), stream (16 bytes), version (8 bytes big-endian), type, schema (2 bytes
big-endian), actor, time (microseconds since 1970-01-01 UTC, 8 bytes big-endian), public bytes, audience, digest. The
digest is `SHA-256("croupier-secret-v1\\n" || salt || secret)`; it and the audience are empty for an event without a
secret. The chain can be checked by somebody who may not read the secrets, and a salted digest can't be guessed open.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from events.records import Recorded

_DOMAIN = b"croupier-event-v1\n"
_SECRET_DOMAIN = b"croupier-secret-v1\n"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

GENESIS = b""
"""The previous hash for a stream's first event."""


class ChainBroken(NamedTuple):
    """The first place where a stream's chain is broken."""

    stream: UUID
    version: int
    reason: str

    def __str__(self) -> str:
        return f"stream {self.stream}, version {self.version}: {self.reason}"


def microseconds(at: datetime) -> int:
    """Return an instant as whole microseconds since 1970-01-01 UTC."""
    return (at - _EPOCH) // _MICROSECOND


def instant(microseconds: int) -> datetime:
    """Return the instant of a number of microseconds since 1970-01-01 UTC."""
    return _EPOCH + microseconds * _MICROSECOND


def digest(salt: bytes | None, secret: bytes | None) -> bytes:
    """Return the commitment to an event's secret; empty if it has none."""
    if secret is None or salt is None:
        return b""
    return sha256(_SECRET_DOMAIN + salt + secret).digest()


def link(
    previous: bytes,
    stream: UUID,
    version: int,
    type: str,
    schema: int,
    actor: str,
    at: datetime,
    public: bytes,
    audience: str | None,
    secret_digest: bytes,
) -> bytes:
    """Return the hash of an event, given the hash of the event before it."""
    type_bytes, actor_bytes, audience_bytes = type.encode(), actor.encode(), (audience or "").encode()
    return sha256(
        b"".join(
            (
                _DOMAIN,
                len(previous).to_bytes(4, "big"),
                previous,
                b"\0\0\0\x10",
                stream.bytes,
                b"\0\0\0\x08",
                version.to_bytes(8, "big"),
                len(type_bytes).to_bytes(4, "big"),
                type_bytes,
                b"\0\0\0\x02",
                schema.to_bytes(2, "big"),
                len(actor_bytes).to_bytes(4, "big"),
                actor_bytes,
                b"\0\0\0\x08",
                microseconds(at).to_bytes(8, "big"),
                len(public).to_bytes(4, "big"),
                public,
                len(audience_bytes).to_bytes(4, "big"),
                audience_bytes,
                len(secret_digest).to_bytes(4, "big"),
                secret_digest,
            )
        )
    ).digest()


def relink(previous: bytes, stream: UUID, row: Recorded) -> bytes:
    """Return the hash that a stored event must have after `previous`."""
    return link(
        previous, stream, row.version, row.type, row.schema, row.actor, row.at, row.public, row.audience,
        digest(row.salt, row.secret),
    )  # fmt: skip


def check(
    stream: UUID, rows: Iterable[Recorded], after: int = 0, previous: bytes = GENESIS
) -> tuple[int, bytes, ChainBroken | None]:
    """Check the events after version `after`, whose hash is `previous`.

    Return the last valid version, its hash, and the first break or None.
    """
    version = after
    for row in rows:
        if row.version != version + 1:
            return version, previous, ChainBroken(stream, version + 1, f"missing; version {row.version} follows")
        if relink(previous, stream, row) != row.hash:
            return version, previous, ChainBroken(stream, row.version, "the hash does not match the event's facts")
        version, previous = row.version, row.hash
    return version, previous, None
