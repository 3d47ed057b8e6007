"""Read models that follow the log stream by stream, miss no event, and can be rebuilt while the old rows serve.

An append marks its stream as dirty for the projections that read one of its events, in the same transaction. A
projector takes dirty streams one by one. In one transaction it locks the stream's checkpoint, applies the new events in
version order, moves the checkpoint, and clears the mark unless newer events came meanwhile. Rows carry a generation. A
rebuild fills the next generation from version zero while readers use the current one and new events go into both. Then
readers switch to it in one step.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol
from uuid import UUID

import psycopg
import structlog
from django.db import transaction

from events import appending, replica, store, verifying
from events.database_errors import is_away
from events.log_throttle import LogThrottle
from events.records import Recorded

log = structlog.get_logger(__name__)


class Projection(Protocol):
    """A read model of events of some `types`. It writes through the ORM, in the projector's transaction."""

    name: str
    types: frozenset[str]

    def apply(self, generation: int, stream: UUID, events: Sequence[Recorded]) -> None:
        """Update the rows of this generation with the stream's next events."""

    def clear(self, generation: int) -> None:
        """Delete every row of this generation."""


class Superseded(Exception):
    """A later rebuild has dropped the generation that was being built."""


_throttle = LogThrottle()
_registered: dict[str, Projection] = {}

_NEXT = "SELECT stream FROM events_dirty WHERE projection = %s ORDER BY turn LIMIT %s"
_FAILED = "UPDATE events_dirty SET turn = now() WHERE stream = %s AND projection = %s"
_LAG = """
SELECT projection, count(*), extract(epoch FROM clock_timestamp() - min(since))::float8
FROM events_dirty GROUP BY projection
"""
_GENERATIONS = "SELECT generation, building FROM events_projection WHERE name = %s"
_UNUSED = "SELECT DISTINCT generation FROM events_checkpoint WHERE projection = %s AND generation <> ALL(%s)"
_CHECKPOINT = """
INSERT INTO events_checkpoint (stream, projection, generation, version) VALUES (%s, %s, %s, 0) ON CONFLICT DO NOTHING
"""
_LOCK = """
SELECT version FROM events_checkpoint WHERE stream = %s AND projection = %s AND generation = %s FOR UPDATE
"""
_TRY_LOCK = f"{_LOCK} SKIP LOCKED"
_MOVE = "UPDATE events_checkpoint SET version = %s WHERE stream = %s AND projection = %s AND generation = %s"
_CLEAN = "DELETE FROM events_dirty WHERE stream = %s AND projection = %s AND version <= %s"


def register(projection: Projection) -> None:
    """Register a projection. From now on, appends of this process mark streams as dirty for it."""
    _registered[projection.name] = projection
    appending.interests[projection.name] = projection.types


def names() -> list[str]:
    return sorted(_registered)


def generation(name: str) -> int:
    """Return the generation that readers of this projection use."""
    return _generations(name, lock="")[0]


def catch_up(*, limit: int = 500) -> int:
    """Project up to `limit` dirty streams of each projection; return how many succeeded."""
    projected_count = 0
    for name in _registered:
        with transaction.atomic(), _cursor() as cursor:
            streams = [row[0] for row in cursor.execute(_NEXT, (name, limit)).fetchall()]
        projected_count += sum(_try_project(name, stream) for stream in streams)
    return projected_count


def project(name: str, stream: UUID) -> bool:
    """Project one stream in one transaction; return False if another worker or a rebuild holds it."""
    try:
        with transaction.atomic():
            generations = [number for number in _generations(name, "FOR SHARE NOWAIT") if number is not None]
            versions = [_advance(_registered[name], number, stream) for number in generations]
            if None in versions:
                return False
            with _cursor() as cursor:
                cursor.execute(_CLEAN, (stream, name, min(version for version in versions if version is not None)))
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def _try_project(name: str, stream: UUID) -> bool:
    """Return True if the stream was projected. A stream that fails stays dirty, is logged and moves to the end of the
    queue."""
    try:
        return project(name, stream)
    except Exception as error:
        if is_away(error):
            raise
        if _throttle.is_due(name, stream, type(error).__name__):
            log.exception("projection_failed", projection=name, stream=str(stream))
        with transaction.atomic(), _cursor() as cursor:
            cursor.execute(_FAILED, (stream, name))
        return False


def lag() -> dict[str, tuple[int, float]]:
    """Return, for each projection and consumer that is behind, the number of its dirty streams and the age of the
    oldest mark in seconds."""
    with transaction.atomic(), _cursor() as cursor:
        return {name: (count, seconds) for name, count, seconds in cursor.execute(_LAG).fetchall()}


def rebuild(name: str, progress: Callable[[int], None]) -> int:
    """Fill a new generation from the whole log, make it the current one, and return its number.

    The service may run meanwhile. `progress` is called with the number of streams done so far. Raise Superseded if
    another rebuild of the same projection begins meanwhile; only that one continues.
    """
    projection = _registered[name]
    building = _begin(projection)
    for done, stream in enumerate(verifying.streams(), start=1):
        _rebuild_stream(projection, building, stream)
        progress(done)
    _switch_readers(projection, building)
    return building


def _begin(projection: Projection) -> int:
    """Register the next generation; from here on every projector writes to both.

    Delete leftovers of earlier rebuilds: a half-built generation, or one without readers.
    """
    with transaction.atomic(), _cursor() as cursor:
        current, unfinished = _generations(projection.name, lock="FOR UPDATE")
        building = max(current, unfinished or 0) + 1
        cursor.execute("UPDATE events_projection SET building = %s WHERE name = %s", (building, projection.name))
        _clear_unused(projection)
    return building


def _clear_unused(projection: Projection) -> None:
    """Delete the generations that are neither read nor built."""
    used = [number for number in _generations(projection.name) if number is not None]
    with _cursor() as cursor:
        # Deleting a large generation may take longer than the timeout, and no caller waits for it.
        cursor.execute("SET LOCAL statement_timeout = 0")
        for (number,) in cursor.execute(_UNUSED, (projection.name, used)).fetchall():
            projection.clear(number)
            cursor.execute(
                "DELETE FROM events_checkpoint WHERE projection = %s AND generation = %s", (projection.name, number)
            )


def _rebuild_stream(projection: Projection, building: int, stream: UUID) -> None:
    """Update one stream of the new generation, waiting for a live projector that holds it."""
    with transaction.atomic(), replica.reading(stream):
        _refuse_superseded(projection.name, building, "FOR SHARE")
        _advance(projection, building, stream, lock=_LOCK)


def _refuse_superseded(name: str, building: int, lock: str) -> None:
    """Raise Superseded if another rebuild has dropped this generation."""
    _, unfinished = _generations(name, lock)
    if unfinished != building:
        raise Superseded(f"Another rebuild of {name} has begun.")


def _switch_readers(projection: Projection, building: int) -> None:
    """Make the new generation the one that readers use, and delete the old rows in the same transaction."""
    with transaction.atomic(), _cursor() as cursor:
        _refuse_superseded(projection.name, building, "FOR UPDATE")
        cursor.execute(
            "UPDATE events_projection SET generation = %s, building = NULL WHERE name = %s", (building, projection.name)
        )
        _clear_unused(projection)


def _advance(projection: Projection, number: int, stream: UUID, lock: str = _TRY_LOCK) -> int | None:
    """Apply new events to one generation; return the version reached, or None if another worker holds the stream."""
    with _cursor() as cursor:
        cursor.execute(_CHECKPOINT, (stream, projection.name, number))
        row = cursor.execute(lock, (stream, projection.name, number)).fetchone()
        if row is None:
            return None
        version: int = row[0]
        for events in store.read_in_pages(stream, after=version):
            projection.apply(number, stream, events)
            version = events[-1].version
        cursor.execute(_MOVE, (version, stream, projection.name, number))
    return version


def _generations(name: str, lock: str = "FOR SHARE") -> tuple[int, int | None]:
    """Return the current generation and the one being built. A new projection starts at 1."""
    statement = f"{_GENERATIONS} {lock}"
    with transaction.atomic(), _cursor() as cursor:
        row = cursor.execute(statement, (name,)).fetchone()
        if row is None:
            cursor.execute(
                "INSERT INTO events_projection (name, generation) VALUES (%s, 1) ON CONFLICT DO NOTHING", (name,)
            )
            return _generations(name, lock)
    return row[0], row[1]


def _cursor() -> psycopg.Cursor[Any]:
    return psycopg.Cursor(store.raw_connection())
