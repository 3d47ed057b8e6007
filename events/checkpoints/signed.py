"""The stored checkpoints, with checks of signature, values and date: a row of the table alone proves nothing."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import psycopg
from django.conf import settings

from events.checkpoints.notes import Checkpoint, InvalidNote, Signer, read

_AHEAD = timedelta(minutes=1)
"""The most that a checkpoint may be ahead of the clock: a server that takes over may have a clock that is behind."""
_PAGE = 20
_COLUMNS = "SELECT size, root, at, note, clock_timestamp() FROM events_signed"
_UPTO = f"{_COLUMNS} WHERE size < %s ORDER BY size DESC LIMIT {_PAGE}"
_ABOVE = f"{_COLUMNS} WHERE size > %s ORDER BY size"
_OF_SIZE = f"{_COLUMNS} WHERE size = %s"
_FROM = f"{_COLUMNS} WHERE size > %s ORDER BY size LIMIT {_PAGE}"
_ENDLESS = 2**63 - 1


class Signed(NamedTuple):
    """A row of the table, and the database's clock when it was read."""

    size: int
    root: bytes
    at: datetime
    note: str
    read_at: datetime

    @property
    def age_seconds(self) -> float:
        """The time since it was signed."""
        return (self.read_at - self.at).total_seconds()

    @property
    def fault(self) -> str:
        """The reason why it isn't one of this service's checkpoints; empty if it is one."""
        content = _read(self.note, signer().verifier_key)
        if isinstance(content, str):
            return content
        if (content.size, content.root, content.at) != (self.size, self.root, self.at):
            return "Its note was signed for another size, root or time."
        if content.at > self.read_at + _AHEAD:
            return f"It is dated in the future: {content.at.isoformat()}."
        return ""


def signer() -> Signer:
    return _signer(settings.CHECKPOINT_ORIGIN, settings.CHECKPOINT_KEY)


def is_own(note: str, size: int) -> bool:
    """True if a note is signed with the service's key and covers `size` leaves."""
    content = _read(note, signer().verifier_key)
    return not isinstance(content, str) and content.size == size


def newest(cursor: psycopg.Cursor[Any]) -> Signed | None:
    """Return the newest checkpoint without a fault."""
    return next((row for row in newest_first(cursor) if not row.fault), None)


def newest_first(cursor: psycopg.Cursor[Any]) -> Iterator[Signed]:
    """Yield all rows, with and without faults, the largest first."""
    below = _ENDLESS
    while rows := _rows(cursor, _UPTO, below):
        yield from rows
        below = rows[-1].size


def above(cursor: psycopg.Cursor[Any], size: int) -> list[Signed]:
    """Return the rows of more than `size` leaves, with and without faults, the smallest first."""
    return _rows(cursor, _ABOVE, size)


def of_size(cursor: psycopg.Cursor[Any], size: int) -> Signed | None:
    """Return the checkpoint of `size` leaves, if there is one without a fault."""
    return next((row for row in _rows(cursor, _OF_SIZE, size) if not row.fault), None)


def covering(cursor: psycopg.Cursor[Any], positions: Iterable[int]) -> dict[int, Signed]:
    """Return, for each leaf, the first checkpoint without a fault that covers it, if there is one."""
    first = {position: _first_above(cursor, position) for position in positions}
    return {position: row for position, row in first.items() if row}


def _first_above(cursor: psycopg.Cursor[Any], position: int) -> Signed | None:
    while rows := _rows(cursor, _FROM, position):
        if valid := next((row for row in rows if not row.fault), None):
            return valid
        position = rows[-1].size
    return None


def _rows(cursor: psycopg.Cursor[Any], query: str, size: int) -> list[Signed]:
    return [Signed._make(row) for row in cursor.execute(query, [size]).fetchall()]


@lru_cache(maxsize=2048)
def _read(note: str, verifier_key: str) -> Checkpoint | str:
    """Return the checkpoint, or the reason why the note is invalid."""
    try:
        return read(note, verifier_key)
    except InvalidNote as fault:
        return str(fault)


@lru_cache(maxsize=4)
def _signer(name: str, secret: str) -> Signer:
    return Signer(name, secret)
