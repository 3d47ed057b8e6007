"""The writes of an append: a command's chained events, the head, the outcome under its key, marks for projections."""

import logging
import secrets
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
import structlog

from events import chain, metrics, tracing
from events.pipeline import Statement, array, roundtrip
from events.records import Head, NewEvent, Recorded, StreamConflict

COMMITS = "events.commits"
"""The logger that writes a line for each commit."""
log = structlog.get_logger(COMMITS)
# Ask the standard logger first: structlog takes ten times as long to drop a line that is switched off.
_commits = logging.getLogger(COMMITS)

_APPEND = "SELECT events_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
_KEEP = """
INSERT INTO events_key (stream, actor, key, fingerprint, version, response, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_COMMIT = ("COMMIT", ())

interests: dict[str, frozenset[str]] = {}
"""The event types that each projection reads. An append with such an event marks its stream as dirty for it."""


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


def commit(
    connection: psycopg.Connection[Any],
    stream: UUID,
    rows: Sequence[Recorded],
    *,
    closed: bool,
    key: str | None,
    fingerprint: bytes | None,
    answer: bytes | None,
    also: Sequence[Statement],
) -> None:
    """Store sealed rows with all that belongs to an append, and commit, in one round trip.

    Raise StreamConflict if the head has moved on or the key is already used. The database recomputes every hash and
    refuses rows that don't continue its own head.
    """
    keep = [] if key is None else [(_KEEP, _outcome(stream, rows[-1], key, fingerprint, answer))]
    begun = time.perf_counter()
    try:
        with tracing.span("commit", stream=stream, version=rows[-1].version):
            roundtrip(connection, [(_APPEND, _values(stream, rows, closed)), *keep, *also, _COMMIT])
    except psycopg.errors.UniqueViolation as error:
        raise StreamConflict(stream, rows[0].version - 1) from error
    metrics.committed(time.perf_counter() - begun)
    note_commit(stream, rows)


def has_lines() -> bool:
    """True if each commit is logged."""
    return _commits.isEnabledFor(logging.INFO)


def note_commit(stream: UUID, rows: Sequence[Recorded]) -> None:
    """Log a commit, if commits are logged."""
    if has_lines():
        log.info("committed", stream=str(stream), since=rows[0].version, version=rows[-1].version)


def _values(stream: UUID, rows: Sequence[Recorded], closed: bool) -> Sequence[Any]:
    first = rows[0]
    return (
        stream, first.version - 1, first.actor, first.at, closed,
        array(row.type for row in rows),
        array(row.schema for row in rows),
        array(row.public for row in rows),
        array(row.secret for row in rows),
        array(row.audience for row in rows),
        array(row.salt for row in rows),
        array(row.hash for row in rows),
        array(interested(rows)), False,
    )  # fmt: skip


def _outcome(stream: UUID, last: Recorded, key: str, fingerprint: bytes | None, answer: bytes | None) -> Sequence[Any]:
    return stream, last.actor, key, fingerprint, last.version, answer, last.at


def interested(rows: Sequence[Recorded]) -> list[str]:
    """Return the projections that read at least one of these events."""
    types = {row.type for row in rows}
    return [name for name, wanted in interests.items() if not wanted.isdisjoint(types)]
