"""Arrays for the columns of a batch, in Postgres' binary format. psycopg's own dumper takes ten times as long."""

import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_head = struct.Struct("!iiiii").pack
_length = struct.Struct("!i").pack
_NULL = b"\xff\xff\xff\xff"
BOOLEAN = 16
"""The OID of a boolean."""
_TRUE, _FALSE = b"\0\0\0\x01\x01", b"\0\0\0\x01\0"


class Column(NamedTuple):
    """An array type: its OID in Postgres, and the function that writes an array."""

    oid: int
    write: Callable[[Sequence[Any]], bytes]


def _array(of: int, items: Sequence[bytes]) -> bytes:
    """Return an array of items that are already encoded, each preceded by its length."""
    if not items:
        return struct.pack("!iii", 0, 0, of)
    return _head(1, 1, of, len(items), 1) + b"".join(items)


def _integers(values: Sequence[int | None]) -> bytes:
    return _array(23, [_NULL if it is None else struct.pack("!ii", 4, it) for it in values])


def _blobs(values: Sequence[bytes | None]) -> bytes:
    return _array(17, [_NULL if it is None else _length(len(it)) + it for it in values])


def _texts(values: Sequence[str | None]) -> bytes:
    return _array(25, [_NULL if it is None else _length(len(text := it.encode())) + text for it in values])


def _uuids(values: Sequence[UUID | None]) -> bytes:
    return _array(2950, [_NULL if it is None else b"\0\0\0\x10" + it.bytes for it in values])


def _booleans(values: Sequence[bool]) -> bytes:
    return _array(BOOLEAN, [_TRUE if it else _FALSE for it in values])


def _instants(values: Sequence[datetime | None]) -> bytes:
    return _array(
        1184, [_NULL if it is None else struct.pack("!iq", 8, (it - _EPOCH) // _MICROSECOND) for it in values]
    )


INTEGERS = Column(1007, _integers)
BLOBS = Column(1001, _blobs)
TEXTS = Column(1009, _texts)
UUIDS = Column(2951, _uuids)
BOOLEANS = Column(1000, _booleans)
INSTANTS = Column(1185, _instants)
