"""Events that were put into the archive's storage: segments of a stream's rows as files, read where the log lacks them.

A file is believed by the digest that the database noted of it, and no further: whoever folds its events checks their
chain, as with those of the log.
"""

import zlib
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from events.pipeline import roundtrip
from events.records import Recorded

STORAGE = "archive"
"""The alias of the archive's storage among Django's STORAGES."""
_COLUMNS = "stream, first_version, last_version, hash, digest, bytes, name, at"
_SEGMENTS = f"""
SELECT {_COLUMNS} FROM events_archived
WHERE stream = $1 AND last_version > $2 AND first_version <= $3 ORDER BY last_version
"""  # noqa: S608  (names of columns)
_KEPT_BYTES = 32 * 2**20
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[Recorded])


class ArchiveUnavailable(Exception):
    """The archive's storage doesn't give a file, or gives another one than was put there."""


class Segment(NamedTuple):
    """Consecutive events of a stream in one file of so many `bytes`: `hash` is that of the last one, `digest` the
    SHA-256 of the file."""

    stream: UUID
    first: int
    last: int
    hash: bytes
    digest: bytes
    bytes: int
    name: str
    at: datetime


def storage() -> Storage:
    """Where the files are."""
    return storages[STORAGE]


def packed(rows: Sequence[Recorded]) -> bytes:
    """A segment's file."""
    return zlib.compress(_encoder.encode(list(rows)), 9)


def unpacked(data: bytes) -> list[Recorded]:
    """The events in a segment's file, of which the digest has been compared."""
    return _decoder.decode(zlib.decompress(data))


def segments(connection: psycopg.Connection[Any], stream: UUID, after: int, upto: int) -> list[Segment]:
    """The segments of a stream that hold versions above `after` and at most `upto`, ascending."""
    (found,) = roundtrip(connection, [(_SEGMENTS, (stream, after, upto))])
    return list(map(Segment._make, found))


def completed(
    connection: psycopg.Connection[Any], stream: UUID, rows: list[Recorded], after: int, upto: int, limit: int | None
) -> list[Recorded]:
    """`rows`, which the log has of a stream's versions above `after` and at most `upto`, with those before them that
    are in the archive. Raises ArchiveUnavailable."""
    starts = rows[0].version if rows else upto + 1
    if starts <= after + 1:
        return rows
    kept = segments(connection, stream, after, starts - 1)
    earlier = [row for segment in kept for row in read(segment) if after < row.version < starts]
    return (earlier + rows)[:limit]


def read(segment: Segment) -> list[Recorded]:
    """The events of a segment; raises ArchiveUnavailable."""
    rows = _files.get(segment.digest)
    if rows is None:
        rows = unpacked(fetched(segment))
        _files.put(segment.digest, rows, segment.bytes)
    return rows


def fetched(segment: Segment) -> bytes:
    """The segment's file as the storage has it now; raises ArchiveUnavailable."""
    return file(segment.name, segment.digest)


def put(name: str, data: bytes) -> str:
    """Put a file into the storage; gives the name under which it is there. Raises ArchiveUnavailable."""
    try:
        # No file is ever taken away: where an attempt was cut short, or somebody is faster, it gets another name.
        saved: str = storage().save(name, ContentFile(data))
    except Exception as error:
        raise ArchiveUnavailable(f"The archive is away: {name} can't be written ({type(error).__name__}).") from error
    return saved


def file(name: str, digest: bytes) -> bytes:
    """The file of this digest as the storage has it now; raises ArchiveUnavailable."""
    try:
        with storage().open(name) as opened:
            data: bytes = opened.read()
    # Each storage raises what its library does: some an OSError, others their own.
    except Exception as error:
        reason = f"{name} can't be read ({type(error).__name__})"
        raise ArchiveUnavailable(f"The archive is away: {reason}.") from error
    if sha256(data).digest() != digest:
        raise ArchiveUnavailable(f"The archive holds another {name} than was put there.")
    return data


class _Files:
    """The segments read last, as a page is often followed by the next one of the same match."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._kept: OrderedDict[bytes, tuple[list[Recorded], int]] = OrderedDict()
        self._lock = Lock()

    def get(self, digest: bytes) -> list[Recorded] | None:
        with self._lock:
            if digest not in self._kept:
                return None
            self._kept.move_to_end(digest)
            return self._kept[digest][0]

    def put(self, digest: bytes, rows: list[Recorded], size: int) -> None:
        with self._lock:
            if digest in self._kept:
                return
            self._kept[digest] = rows, size
            self._held += size
            while self._held > self._most:
                self._held -= self._kept.popitem(last=False)[1][1]


_files = _Files(_KEPT_BYTES)
