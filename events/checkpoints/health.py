"""Health of the signed checkpoints: the newest one, how long events have waited for the next one, and faults."""

from itertools import takewhile
from typing import Any, NamedTuple

import psycopg
from django.db import transaction

from events import store
from events.checkpoints import signed, tiles
from events.checkpoints.signing import EVERY_SECONDS

LATE_SECONDS = EVERY_SECONDS + 120
"""An event that waits longer than this for a checkpoint is late: signing fails, or no worker runs it."""
_MOST_NAMED = 5
_LEAVES = "SELECT coalesce((SELECT max(position) + 1 FROM events_leaf), %s * (SELECT count(*) FROM events_tile))"
_WAITING = """
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float8 FROM events_event
WHERE at > coalesce(%s::timestamptz, '-infinity')
"""


class Health(NamedTuple):
    """The state of the checkpoints. `age_seconds` is the age of the newest valid one, None before the first.
    `waiting_seconds` is the age of the oldest event after it. `faults` are sentences about invalid rows."""

    age_seconds: float | None
    waiting_seconds: float
    faults: tuple[str, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """All problems, as sentences."""
        if self.waiting_seconds <= LATE_SECONDS:
            return self.faults
        return (*self.faults, f"An event has waited {self.waiting_seconds:.0f} s for a signed checkpoint.")


def read() -> Health:
    """Return the present state, by the database's clock. Raise psycopg.Error."""
    with transaction.atomic(), psycopg.Cursor(store.raw_connection()) as cursor:
        # Read the leaves first, so that a checkpoint signed meanwhile covers all of them.
        leaves = _value(cursor, _LEAVES, tiles.SIZE)
        rows = list(takewhile(lambda row: row.fault, signed.newest_first(cursor)))
        last = signed.newest(cursor)
        waiting = _value(cursor, _WAITING, last.at if last else None)
    size = last.size if last else 0
    faults = [f"The stored checkpoint of {row.size} leaves is none. {row.fault}" for row in rows[:_MOST_NAMED]]
    if leaves > size:
        faults.append(f"{leaves - size} leaves after the newest checkpoint are covered by none.")
    return Health(last.age_seconds if last else None, max(0.0, float(waiting)), tuple(faults))


def _value(cursor: psycopg.Cursor[Any], query: str, *values: object) -> Any:
    row = cursor.execute(query, values).fetchone()
    return row and row[0]
