"""An append: commands' chained events, the heads, the outcomes under their keys and marks for projections, as
`events_append_many` stores them. `commit` appends one command in the transaction that holds its stream;
`events.batches` builds the statement for commands of many streams."""

import logging
import secrets
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import structlog

from events import chain, metrics, tracing
from events.arrays import BLOBS, BOOLEAN, BOOLEANS, INSTANTS, INTEGERS, TEXTS, UUIDS
from events.pipeline import BinaryStatement, Statement, roundtrip
from events.records import Head, NewEvent, Recorded, StreamConflict

COMMITS = "events.commits"
"""The logger that writes a line for each commit."""
log = structlog.get_logger(COMMITS)
# Ask the standard logger first: structlog takes ten times as long to drop a line that is switched off.
_commits = logging.getLogger(COMMITS)

COLUMNS = (
    UUIDS, INTEGERS, TEXTS, INSTANTS, TEXTS, BLOBS, BLOBS, BOOLEANS,
    INTEGERS, TEXTS, INTEGERS, BLOBS, BLOBS, TEXTS, BLOBS, BLOBS, INTEGERS, TEXTS,
)  # fmt: skip
"""The columns of commands, of their events and of their marks."""
_OIDS = (INTEGERS.oid, *(column.oid for column in COLUMNS), BOOLEAN)
_PLACES = ", ".join(f"${place}" for place in range(1, len(_OIDS) + 1))
_APPEND = BinaryStatement(f"SELECT events_append_many({_PLACES}) IS NOT NULL", _OIDS)
_FIRST, _REQUIRED = INTEGERS.write((1,)), b"\x01"
_COMMIT = ("COMMIT", ())

Row = tuple[Any, ...]

interests: dict[str, frozenset[str]] = {}
"""The event types that each projection reads. An append with such an event marks its stream as dirty for it."""


class Sealed(NamedTuple):
    """A command ready to be stored: its rows, the response to keep under its key, and a row for each addition, None for
    an addition that doesn't concern it."""

    rows: list[Recorded]
    answer: bytes | None
    beside: tuple[Row | None, ...] = ()


class SealedCommand(NamedTuple):
    """A sealed command and the head on which it was decided. Without a key, no outcome is kept. `gate` is its row for
    the gate, None if the gate needn't check it."""

    stream: UUID
    head: Head
    actor: str
    key: str | None
    fingerprint: bytes | None
    sealed: Sealed
    gate: Row | None = None
    closing: bool = False


def sealed(events: Sequence[NewEvent], head: Head | None, *, stream: UUID, actor: str, at: datetime) -> list[Recorded]:
    """Return the rows for a command's events after `head`: numbered, salted and chained."""
    version, previous = (head.version, head.hash) if head else (0, chain.GENESIS)
    rows = []
    for event in events:
        version += 1
        salt = secrets.token_bytes(16) if event.secret is not None else None
        previous = chain.link(
            previous, stream, version, event.type, event.schema, actor, at,
            event.public, event.audience, chain.digest(salt, event.secret),
        )  # fmt: skip
        rows.append(
            Recorded(
                version, event.type, event.schema, event.public, event.secret, event.audience, salt,
                actor, at, previous,
            )
        )  # fmt: skip
    return rows


def commit(connection: psycopg.Connection[Any], command: SealedCommand, also: Sequence[Statement]) -> None:
    """Store a command and what other statements change, and commit, in one round trip.

    Raise StreamConflict if the head has moved on or the key is already used. The database recomputes every hash and
    refuses rows that don't continue its own head.
    """
    rows = command.sealed.rows
    append = (_APPEND, [_FIRST, *columns_of([command]), _REQUIRED])
    begun = time.perf_counter()
    try:
        with tracing.span("commit", stream=command.stream, version=rows[-1].version):
            roundtrip(connection, [append, *also, _COMMIT])
    except psycopg.errors.UniqueViolation as error:
        raise StreamConflict(command.stream, command.head.version) from error
    metrics.committed(time.perf_counter() - begun)
    note_commit(command.stream, rows)


def columns_of(commands: Sequence[SealedCommand]) -> list[bytes]:
    """Return the arrays that `events_append_many` takes for these commands, each of another stream, for COLUMNS."""
    heads = [
        (
            it.stream, it.head.version, it.actor, it.sealed.rows[0].at, it.key, it.fingerprint, it.sealed.answer,
            it.closing,
        )
        for it in commands
    ]  # fmt: skip
    events = [
        (n, row.type, row.schema, row.public, row.secret, row.audience, row.salt, row.hash)
        for n, it in enumerate(commands, 1) for row in it.sealed.rows
    ]  # fmt: skip
    marks = [(n, name) for n, it in enumerate(commands, 1) for name in interested(it.sealed.rows)]
    columns = [
        *zip(*heads, strict=True),
        *zip(*events, strict=True),
        *(zip(*marks, strict=True) if marks else ((), ())),
    ]
    return [column.write(values) for column, values in zip(COLUMNS, columns, strict=True)]


def has_lines() -> bool:
    """True if each commit is logged."""
    return _commits.isEnabledFor(logging.INFO)


def note_commit(stream: UUID, rows: Sequence[Recorded]) -> None:
    """Log a commit, if commits are logged."""
    if has_lines():
        log.info("committed", stream=str(stream), since=rows[0].version, version=rows[-1].version)


def interested(rows: Sequence[Recorded]) -> list[str]:
    """Return the projections that read at least one of these events."""
    types = {row.type for row in rows}
    return [name for name, wanted in interests.items() if not wanted.isdisjoint(types)]
