"""Health of the service's parts: which answer, since when one doesn't, and how long it may be away."""

import contextlib
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple, TypeVar

import psycopg
import redis
import structlog
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from events import durability, role_settings
from events.answering import answered_within
from events.checkpoints import health
from events.checkpoints.health import Health
from events.log_throttle import LogThrottle
from events.store import raw_connection
from matches.publishing import heartbeat, redis_client
from matches.storage import outages

logger = structlog.get_logger(__name__)

GRACE_SECONDS = {
    "database": 0.0, "migrated": 0.0, "commits": 10.0, "durability": 0.0, "role": 0.0, "checkpoints": 60.0,
    "broker": 10.0, "worker": 10.0, "beat": 10.0,
}  # fmt: skip
"""Seconds for which each part may be away before the service is no longer ready. A worker or beat that hangs is
replaced within its grace. After a start a worker signs within a quarter of a minute what has waited meanwhile."""
_SILENT_SECONDS = 5.0
"""A part that reports each second is away if it hasn't for so long."""
_SOCKET_SECONDS = 0.5
_ANSWER_SECONDS = 2.0
"""Longest time for the database to answer one of these queries; one that hangs must not block the process."""
_Answer = TypeVar("_Answer")
_AWAY = (Error, psycopg.Error, redis.RedisError)
_throttle = LogThrottle()
_migrated = False
_absent: dict[str, tuple[float, datetime]] = {}
"""When this process first found a part away, by its own clocks; for parts without reports."""


class Component(NamedTuple):
    """A part: True if it answers; if not, since when and for how many seconds."""

    name: str
    answers: bool
    since: datetime | None = None
    seconds: float = 0.0
    problems: tuple[str, ...] = ()
    checkpoints: Health | None = None

    @property
    def in_grace(self) -> bool:
        """True if this part doesn't make the service unready."""
        return self.answers or self.seconds < GRACE_SECONDS[self.name]

    def document(self) -> dict[str, Any]:
        """Return the document of a part that is away."""
        grace = GRACE_SECONDS[self.name]
        problems = {"problems": self.problems} if self.problems else {}
        return {"part": self.name, "since": self.since, "grace_seconds": grace, "in_grace": self.in_grace, **problems}


def components() -> list[Component]:
    """Return every part, in the order in which they are needed."""
    database = _checked("database", lambda: _of_database(_query_database))
    _read_migrations()
    # If the database doesn't answer, the other queries would only wait.
    migrated = _checked("migrated", lambda: _of_database(_query_migrations)) if database.answers else _away("migrated")
    broker = _checked("broker", _query_broker)
    signs = _signs() if migrated.answers else {}
    others = (_reported(name, signs.get(name)) for name in (heartbeat.WORKER, heartbeat.BEAT))
    evidence = (_role(migrated.answers), _checkpoints(migrated.answers))
    return [database, migrated, *_commits(), *_durability(migrated.answers), *evidence, broker, *others]


def _commits() -> list[Component]:
    """Return the part of the commits of this process, if it commits all the time."""
    seconds = outages.unacknowledged()
    if seconds is None:
        return []
    if seconds < _SILENT_SECONDS:
        return [Component("commits", True)]
    return [Component("commits", False, datetime.now(UTC) - timedelta(seconds=seconds), seconds)]


def _durability(can_be_asked: bool) -> list[Component]:
    """Return the part of the standby that should have what is acknowledged, if one is promised."""
    if settings.DURABILITY == "local":
        return []
    return [_checked("durability", lambda: can_be_asked and _of_database(_query_durability))]


def _role(can_be_asked: bool) -> Component:
    """Return the part of the role; it answers if the role has no stored settings that change its later sessions."""
    problems: list[str] = []

    def ask() -> bool:
        problems.extend(_of_database(lambda: role_settings.faults(raw_connection())))
        return not problems

    return _with_problems(_checked("role", lambda: can_be_asked and ask()), *problems)


def _checkpoints(can_be_asked: bool) -> Component:
    """Return the part of the checkpoints; it answers if events are signed in time and every stored
    checkpoint is valid."""
    state: list[Health] = []

    def ask() -> bool:
        state.append(_of_database(health.read))
        return not state[0].problems

    part = _checked("checkpoints", lambda: can_be_asked and ask())
    return _with_problems(part._replace(checkpoints=state[0]), *state[0].problems) if state else part


def _with_problems(part: Component, *problems: str) -> Component:
    # By their number, since a sentence may contain how long something has lasted.
    if problems and _throttle.is_due(part.name, len(problems)):
        logger.error("part_has_problems", part=part.name, problems=problems)
    return part._replace(problems=problems)


def _signs() -> dict[str, heartbeat.Heartbeat]:
    """Return the reports; empty if the database has gone since the query before, which the next look reports."""
    with contextlib.suppress(*_AWAY):
        return _of_database(heartbeat.last)
    return {}


def _reported(name: str, sign: heartbeat.Heartbeat | None) -> Component:
    """Return a part that reports each second; without any report this process counts from its first look."""
    if sign is None:
        return _away(name)._replace(since=None)
    here = _here(name)
    return here if sign.seconds < _SILENT_SECONDS else Component(name, False, sign.at, sign.seconds)


def _checked(name: str, ask: Callable[[], bool]) -> Component:
    try:
        answers = ask()
    except _AWAY as error:
        logger.warning("part away", part=name, error=type(error).__name__)
        answers = False
    return _here(name) if answers else _away(name)


def _here(name: str) -> Component:
    _absent.pop(name, None)
    return Component(name, True)


def _away(name: str) -> Component:
    began, since = _absent.setdefault(name, (time.monotonic(), datetime.now(UTC)))
    return Component(name, False, since, time.monotonic() - began)


def _of_database(ask: Callable[[], _Answer]) -> _Answer:
    """Return the result; raise an error if the database takes too long, and its connection is closed then."""
    try:
        with answered_within(raw_connection(), _ANSWER_SECONDS):
            return ask()
    except _AWAY:
        # The connection is unusable, and nothing else may use it.
        connection.close()
        raise


def _query_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


@cache
def _read_migrations() -> None:
    """Import the migrations, once and without a timeout: reading our own files says nothing about the database."""
    MigrationLoader(None)


def _query_migrations() -> bool:
    """True if all migrations are applied; asked until then, since a running service's migrations aren't reversed."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def _query_durability() -> bool:
    faults = durability.faults(raw_connection())
    if faults:
        logger.warning("durability_lost", faults=faults)
    return not faults


def _query_broker() -> bool:
    with redis_client.connect(_SOCKET_SECONDS) as client:
        return bool(client.ping())
