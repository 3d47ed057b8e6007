"""What an append writes: a command's events, chained; the head, its key's outcome, the projections now behind."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

from events import chain
from events.pipeline import Exchange, Statement, array, prepare
from events.records import Head, NewEvent, Recorded, StreamConflict

_APPEND = "SELECT events_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
_KEEP = """
INSERT INTO events_key (stream, actor, key, fingerprint, version, response, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_BEGIN, _COMMIT = ("BEGIN", ()), ("COMMIT", ())

interests: dict[str, frozenset[str]] = {}
"""Which types of event each projection wants; an append that brings one marks its stream as dirty for it."""


def sealed(events: Sequence[NewEvent], head: Head | None, *, stream: UUID, actor: str, at: datetime) -> list[Recorded]:
    """The rows that a command's events become after `head`: numbered, salted and chained."""
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
    response: Callable[[Sequence[Recorded]], bytes | None],
    also: Sequence[Statement],
    carried: bool = False,
) -> datetime:
    """Store sealed rows and what belongs to them, and commit; gives what the database's clock showed.

    Raises StreamConflict where the head has moved on or the key was used. The database works out every hash again, and
    refuses rows that don't go on from its own head. `response` makes what is kept under the key
    while the server is busy with the rows, so it can't ask the database. With `carried` the transaction begins here,
    and rows dated by a clock that the process carries are refused with psycopg's SerializationFailure where the
    database's own shows something else.
    """
    prepare(connection, (_KEEP, *(sql for sql, _ in also), "COMMIT"))
    append = (_APPEND, _values(stream, rows, closed, carried))
    try:
        exchange = Exchange(connection, [_BEGIN, append] if carried else [append], more=True)
        answer = response(rows)
        keep = [] if key is None else [(_KEEP, _outcome(stream, rows[-1], key, fingerprint, answer))]
        exchange.go_on([*keep, *also, _COMMIT])
        ((shown,),) = exchange.results()[int(carried)]
    except psycopg.errors.UniqueViolation as error:
        raise StreamConflict(stream, rows[0].version - 1) from error
    except psycopg.errors.IntegrityConstraintViolation as error:
        # The head is at this version with another hash than the caller has seen: at the door it sees the true one.
        if not carried:
            raise
        raise StreamConflict(stream, rows[0].version - 1) from error
    at: datetime = shown
    return at


def _values(stream: UUID, rows: Sequence[Recorded], closed: bool, carried: bool) -> Sequence[Any]:
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
        array(_interested(rows)), carried,
    )  # fmt: skip


def _outcome(stream: UUID, last: Recorded, key: str, fingerprint: bytes | None, answer: bytes | None) -> Sequence[Any]:
    return stream, last.actor, key, fingerprint, last.version, answer, last.at


def _interested(rows: Sequence[Recorded]) -> list[str]:
    """The projections that want one of these events."""
    types = {row.type for row in rows}
    return [name for name, wanted in interests.items() if not wanted.isdisjoint(types)]
