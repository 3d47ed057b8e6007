"""Archived events: segments of a stream's rows as files, read when the log no longer holds them.

A file is accepted if it has the digest that the database holds. This doesn't prove that the events are right, so
callers that fold them check their chain, as they do for events of the log.
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
"""The alias of the archive in Django's STORAGES."""
_COLUMNS = "stream, first_version, last_version, hash, digest, bytes, name, at"
_SEGMENTS = f"""
SELECT {_COLUMNS} FROM events_archived
WHERE stream = $1 AND last_version > $2 AND first_version <= $3 ORDER BY last_version
"""  # noqa: S608  (names of columns)
_KEPT_BYTES = 32 * 2**20
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[Recorded])


class ArchiveUnavailable(Exception):
    """The archive's storage doesn't return a file, or returns another file than was stored."""


class Segment(NamedTuple):
    """Consecutive events of a stream in one file. `hash` is that of the last event, `digest` the SHA-256 of the file,
    `bytes` its size."""

    stream: UUID
    first: int
    last: int
    hash: bytes
    digest: bytes
    bytes: int
    name: str
    at: datetime


def storage() -> Storage:
    return storages[STORAGE]


def packed(rows: Sequence[Recorded]) -> bytes:
    """Return the content of a segment's file."""
    return zlib.compress(_encoder.encode(list(rows)), 9)


def unpacked(data: bytes) -> list[Recorded]:
    """Return the events of a segment's file, after its digest was checked."""
    return _decoder.decode(zlib.decompress(data))


def segments(connection: psycopg.Connection[Any], stream: UUID, after: int, upto: int) -> list[Segment]:
    """Return a stream's segments with versions above `after` and up to `upto`, ascending."""
    (rows,) = roundtrip(connection, [(_SEGMENTS, (stream, after, upto))])
    return list(map(Segment._make, rows))


def completed(
    connection: psycopg.Connection[Any], stream: UUID, rows: list[Recorded], after: int, upto: int, limit: int | None
) -> list[Recorded]:
    """Add archived events to `rows`, which are those that the log holds above `after` and up to `upto`.

    Raise ArchiveUnavailable.
    """
    starts = rows[0].version if rows else upto + 1
    if starts <= after + 1:
        return rows
    archived_segments = segments(connection, stream, after, starts - 1)
    earlier = [row for segment in archived_segments for row in read(segment) if after < row.version < starts]
    return (earlier + rows)[:limit]


def read(segment: Segment) -> list[Recorded]:
    """Return a segment's events, cached. Raise ArchiveUnavailable."""
    rows = _files.get(segment.digest)
    if rows is None:
        rows = unpacked(fetched(segment))
        _files.put(segment.digest, rows, segment.bytes)
    return rows


def fetched(segment: Segment) -> bytes:
    """Return a segment's file, read from the storage now. Raise ArchiveUnavailable."""
    return file(segment.name, segment.digest)


def put(name: str, data: bytes) -> str:
    """Store a file and return the name that the storage gave it. Raise ArchiveUnavailable."""
    try:
        # Files are never deleted. After an interrupted attempt, or if another process was faster, this one gets another
        # name.
        saved: str = storage().save(name, ContentFile(data))
    except Exception as error:
        raise ArchiveUnavailable(f"The archive is away: {name} can't be written ({type(error).__name__}).") from error
    return saved


def file(name: str, digest: bytes) -> bytes:
    """Return the file, read from the storage now; its digest must match. Raise ArchiveUnavailable."""
    try:
        with storage().open(name) as opened:
            data: bytes = opened.read()
    # Each storage raises its own library's errors; only some of them are OSErrors.
    except Exception as error:
        reason = f"{name} can't be read ({type(error).__name__})"
        raise ArchiveUnavailable(f"The archive is away: {reason}.") from error
    if sha256(data).digest() != digest:
        raise ArchiveUnavailable(f"The archive holds another {name} than was put there.")
    return data


class _Files:
    """A cache of recently read segments: a page is often followed by the next one of the same match."""

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
