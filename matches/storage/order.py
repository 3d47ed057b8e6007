"""The order of all matches' acts: no new place is ever inserted before one that readers have already seen.

Transactions commit in another order than they begin, so an append can't number itself: whoever has read number 7 would
miss number 6, committed later. Instead an append leaves its events unplaced. One process at a time, under a lock held
until its commit, gives places to all that is committed by then. Events that spectators see late get two places: one at
once for the seats, and another one after the delay.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from django.db import transaction

from events import distribution, store
from events.pipeline import array, roundtrip

_LOCK = 0x63726F7570706C63
_WAITING = """
SELECT EXISTS (SELECT 1 FROM events_unplaced) OR EXISTS (SELECT 1 FROM events_held WHERE due_at <= clock_timestamp())
"""
_PLACE = "SELECT matches_place_acts($1)"
_TAKE_OF_NODES = """
DELETE FROM events_unplaced WHERE id IN (SELECT id FROM events_unplaced ORDER BY id LIMIT %s)
RETURNING id, stream, first_version, last_version
"""
_DELAYS = "SELECT id, opened_at, spectator_delay FROM matches_match WHERE id = ANY(%s) AND spectator_delay > 0"
_INSTANT = "SELECT at FROM events_event WHERE stream = %s AND version = %s"
_PLACE_LATE_OF_NODES = """
WITH due AS (
    SELECT stream, max(id) AS upto FROM events_held WHERE due_at <= clock_timestamp() GROUP BY stream
), taken AS (
    DELETE FROM events_held h USING due WHERE h.stream = due.stream AND h.id <= due.upto
    RETURNING h.id, h.stream, h.first_version, h.last_version
)
INSERT INTO events_place (stream, first_version, last_version, late)
SELECT stream, first_version, last_version, true FROM taken ORDER BY id
"""
_READ = """
SELECT position, stream, first_version, last_version, late FROM events_place
WHERE position >= $1 ORDER BY position LIMIT $2
"""
_READ_OF = """
SELECT position, stream, first_version, last_version, late FROM events_place
WHERE position >= $1 AND stream = ANY($3) ORDER BY position LIMIT $2
"""
_FIND = """
SELECT p.position FROM events_place p JOIN events_event e ON e.stream = p.stream AND e.version = $2
WHERE p.stream = $1 AND $2 BETWEEN p.first_version AND p.last_version AND p.late = $3
    AND encode(e.hash, 'hex') LIKE $4 || '%'
"""


class Place(NamedTuple):
    """The place of an act's events among those of all streams; `late` for the second place, after the delay."""

    position: int
    stream: UUID
    first: int
    last: int
    late: bool


def place(most: int = 10_000) -> bool:
    """Give places to up to `most` committed acts. Return False if there were none or another process holds the lock."""
    ((waiting,),) = roundtrip(store.raw_connection(), [(_WAITING, ())])[0]
    if not waiting:
        return False
    if distribution.is_distributed():
        return _place_of_nodes(most)
    ((is_done,),) = roundtrip(store.raw_connection(), [(_PLACE, (most,))])[0]
    return bool(is_done)


def _place_of_nodes(most: int) -> bool:
    """Do the work of `matches_place_acts` in several statements, because one statement can't both change rows on nodes
    and read others. All that a node has committed of a stream is read together."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        row = cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", (_LOCK,)).fetchone()
        if row is None or not row[0]:
            return False
        _place_waiting(cursor, most)
        cursor.execute(_PLACE_LATE_OF_NODES)
    return True


def _place_waiting(cursor: psycopg.Cursor[Any], most: int) -> None:
    taken = sorted(cursor.execute(_TAKE_OF_NODES, (most,)).fetchall())
    cursor.executemany(
        "INSERT INTO events_place (stream, first_version, last_version, late) VALUES (%s, %s, %s, false)",
        [act[1:] for act in taken],
    )
    streams = list({stream for _, stream, _, _ in taken})
    delays = {stream: delay_row for stream, *delay_row in cursor.execute(_DELAYS, (streams,)).fetchall()}
    for id, stream, first, last in taken:
        if stream in delays:
            opened_at, seconds = delays[stream]
            ((at,),) = cursor.execute(_INSTANT, (stream, last)).fetchall()
            due_at = max(opened_at, at) + timedelta(seconds=seconds)
            cursor.execute("INSERT INTO events_held VALUES (%s, %s, %s, %s, %s)", (id, stream, first, last, due_at))


def read(start: int, most: int, streams: Collection[UUID] | None = None) -> list[Place]:
    """Return the places from a position on, in ascending order, of all streams or of these."""
    values = (start, most) if streams is None else (start, most, array(map(str, streams)))
    (rows,) = roundtrip(store.raw_connection(), [(_READ if streams is None else _READ_OF, values)])
    return list(map(Place._make, rows))


def position_of(stream: UUID, version: int, late: bool, hash: str) -> int | None:
    """Return the position of an event, by the first hex digits of its hash; None if the log has another event there."""
    (rows,) = roundtrip(store.raw_connection(), [(_FIND, (stream, version, late, hash))])
    return rows[0][0] if rows else None
