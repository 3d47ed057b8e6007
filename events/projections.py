"""Read models that follow the log stream by stream, miss nothing, and can be rebuilt beside the old ones.

An append marks its stream as dirty for the projections that want one of its events, in the same transaction. A
projector takes dirty streams one by one: it locks that stream's checkpoint, applies what is new in version order,
moves the checkpoint, and clears the mark if nothing came meanwhile, all in one transaction. Rows carry a generation: a
rebuild fills the next generation from zero while readers stay on the current one and live events feed both, then takes
over in one step.
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
    """A read model that follows events of some `types`. It writes through the ORM, in the projector's transaction."""

    name: str
    types: frozenset[str]

    def apply(self, generation: int, stream: UUID, events: Sequence[Recorded]) -> None:
        """Bring the rows of this generation up to date with the stream's next events."""

    def clear(self, generation: int) -> None:
        """Delete every row of this generation."""


class Superseded(Exception):
    """The generation that was being built has been dropped by a later rebuild."""


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
    """Make a projection known; from now on every append in this process may mark its stream as dirty for it."""
    _registered[projection.name] = projection
    appending.interests[projection.name] = projection.types


def names() -> list[str]:
    """The registered projections."""
    return sorted(_registered)


def generation(name: str) -> int:
    """The generation that readers of this projection use."""
    return _generations(name, lock="")[0]


def catch_up(*, limit: int = 500) -> int:
    """Project up to `limit` dirty streams of each projection; gives how many streams were brought up to date."""
    done = 0
    for name in _registered:
        with transaction.atomic(), _cursor() as cursor:
            streams = [row[0] for row in cursor.execute(_NEXT, (name, limit)).fetchall()]
        done += sum(_project_or_complain(name, stream) for stream in streams)
    return done


def project(name: str, stream: UUID) -> bool:
    """Bring one stream up to date in one transaction; False where another worker or a rebuild holds it."""
    try:
        with transaction.atomic():
            generations = [number for number in _generations(name, "FOR SHARE NOWAIT") if number is not None]
            reached = [_advance(_registered[name], number, stream) for number in generations]
            if None in reached:
                return False
            with _cursor() as cursor:
                cursor.execute(_CLEAN, (stream, name, min(version for version in reached if version is not None)))
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def _project_or_complain(name: str, stream: UUID) -> bool:
    """Whether the stream was projected. One that fails stays dirty, is logged and goes to the end of the queue."""
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
    """For each projection and consumer that is behind: how many streams, and for how many seconds the oldest."""
    with transaction.atomic(), _cursor() as cursor:
        return {name: (count, seconds) for name, count, seconds in cursor.execute(_LAG).fetchall()}


def rebuild(name: str, progress: Callable[[int], None]) -> int:
    """Fill a new generation from the whole log, then make it the current one; gives its number.

    The service may run meanwhile. `progress` is called with the number of streams done so far. Raises Superseded where
    another rebuild of the same projection begins meanwhile; that one then goes on alone.
    """
    projection = _registered[name]
    building = _begin(projection)
    for done, stream in enumerate(verifying.streams(), start=1):
        _rebuild_stream(projection, building, stream)
        progress(done)
    _take_over(projection, building)
    return building


def _begin(projection: Projection) -> int:
    """Announce the next generation: from here on every projector feeds both.

    What an earlier rebuild left behind is dropped: a half-built generation, or one that nobody reads any more.
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
        # A generation may be large, and whoever would have to wait does something else meanwhile.
        cursor.execute("SET LOCAL statement_timeout = 0")
        for (number,) in cursor.execute(_UNUSED, (projection.name, used)).fetchall():
            projection.clear(number)
            cursor.execute(
                "DELETE FROM events_checkpoint WHERE projection = %s AND generation = %s", (projection.name, number)
            )


def _rebuild_stream(projection: Projection, building: int, stream: UUID) -> None:
    """Bring one stream of the new generation up to date, waiting for a live projector that has it."""
    with transaction.atomic(), replica.reading(stream):
        _refuse_superseded(projection.name, building, "FOR SHARE")
        _advance(projection, building, stream, lock=_LOCK)


def _refuse_superseded(name: str, building: int, lock: str) -> None:
    """Raise Superseded where another rebuild has dropped this generation."""
    _, unfinished = _generations(name, lock)
    if unfinished != building:
        raise Superseded(f"Another rebuild of {name} has begun.")


def _take_over(projection: Projection, building: int) -> None:
    """Readers use the new generation from here on; the old one's rows go in the same transaction."""
    with transaction.atomic(), _cursor() as cursor:
        _refuse_superseded(projection.name, building, "FOR UPDATE")
        cursor.execute(
            "UPDATE events_projection SET generation = %s, building = NULL WHERE name = %s", (building, projection.name)
        )
        _clear_unused(projection)


def _advance(projection: Projection, number: int, stream: UUID, lock: str = _TRY_LOCK) -> int | None:
    """Apply what is new to one generation; gives the version reached, None where another worker has the stream."""
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
    """The current generation and the one being built; a projection that is new starts at 1."""
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
