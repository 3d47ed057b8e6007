"""Which parts of the service answer, since when one doesn't, and for how long it may be away."""

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
"""For how long each part may be away before the service is no longer ready. A worker that hangs is replaced within its
grace, and so is beat. After a start a worker signs within a quarter of a minute what has waited meanwhile."""
_SILENT_SECONDS = 5.0
"""A part that gives a sign each second, and hasn't for so long, doesn't answer."""
_SOCKET_SECONDS = 0.5
_ANSWER_SECONDS = 2.0
"""A database that takes longer for one of these questions doesn't answer. One that hangs would never let go of us."""
_Answer = TypeVar("_Answer")
_AWAY = (Error, psycopg.Error, redis.RedisError)
_throttle = LogThrottle()
_migrated = False
_absent: dict[str, tuple[float, datetime]] = {}
"""When this process has first found a part away, by its own clocks; what has no sign of its own to go by."""


class Part(NamedTuple):
    """A part: whether it answers, and if not, since when and for how many seconds."""

    name: str
    answers: bool
    since: datetime | None = None
    seconds: float = 0.0
    problems: tuple[str, ...] = ()
    checkpoints: Health | None = None

    @property
    def in_grace(self) -> bool:
        """Whether the service is ready as far as this part goes."""
        return self.answers or self.seconds < GRACE_SECONDS[self.name]

    def document(self) -> dict[str, Any]:
        """What the page tells of a part that is away."""
        grace = GRACE_SECONDS[self.name]
        problems = {"problems": self.problems} if self.problems else {}
        return {"part": self.name, "since": self.since, "grace_seconds": grace, "in_grace": self.in_grace, **problems}


def parts() -> list[Part]:
    """Every part, in the order in which they are needed."""
    database = _asked("database", lambda: _of_database(_ask_database))
    _read_migrations()
    # Who gets no answer from the database isn't let wait for two more.
    migrated = _asked("migrated", lambda: _of_database(_ask_migrations)) if database.answers else _away("migrated")
    broker = _asked("broker", _ask_broker)
    signs = _signs() if migrated.answers else {}
    others = (_heard(name, signs.get(name)) for name in (heartbeat.WORKER, heartbeat.BEAT))
    evidence = (_role(migrated.answers), _checkpoints(migrated.answers))
    return [database, migrated, *_commits(), *_durability(migrated.answers), *evidence, broker, *others]


def _commits() -> list[Part]:
    """Whether what this process writes gets through, where it writes all the time."""
    seconds = outages.unacknowledged()
    if seconds is None:
        return []
    if seconds < _SILENT_SECONDS:
        return [Part("commits", True)]
    return [Part("commits", False, datetime.now(UTC) - timedelta(seconds=seconds), seconds)]


def _durability(can_be_asked: bool) -> list[Part]:
    """Whether the promise that a standby has what is acknowledged holds, where it was given."""
    if settings.DURABILITY == "local":
        return []
    return [_asked("durability", lambda: can_be_asked and _of_database(_ask_durability))]


def _role(can_be_asked: bool) -> Part:
    """Return whether the service's role has no stored settings that change its later sessions."""
    problems: list[str] = []

    def ask() -> bool:
        problems.extend(_of_database(lambda: role_settings.faults(raw_connection())))
        return not problems

    return _with_problems(_asked("role", lambda: can_be_asked and ask()), *problems)


def _checkpoints(can_be_asked: bool) -> Part:
    """Return whether events are signed in time and every stored checkpoint is valid."""
    state: list[Health] = []

    def ask() -> bool:
        state.append(_of_database(health.read))
        return not state[0].problems

    part = _asked("checkpoints", lambda: can_be_asked and ask())
    return _with_problems(part._replace(checkpoints=state[0]), *state[0].problems) if state else part


def _with_problems(part: Part, *problems: str) -> Part:
    # By their number, as a sentence may say how long something has lasted by now.
    if problems and _throttle.is_due(part.name, len(problems)):
        logger.error("part_has_problems", part=part.name, problems=problems)
    return part._replace(problems=problems)


def _signs() -> dict[str, heartbeat.Heartbeat]:
    """None where the database has gone since it was asked; the next look names it."""
    with contextlib.suppress(*_AWAY):
        return _of_database(heartbeat.last)
    return {}


def _heard(name: str, sign: heartbeat.Heartbeat | None) -> Part:
    """A part that writes down that it lives; without any sign of it this process counts from its first look."""
    if sign is None:
        return _away(name)._replace(since=None)
    here = _here(name)
    return here if sign.seconds < _SILENT_SECONDS else Part(name, False, sign.at, sign.seconds)


def _asked(name: str, ask: Callable[[], bool]) -> Part:
    try:
        answers = ask()
    except _AWAY as error:
        logger.warning("part away", part=name, error=type(error).__name__)
        answers = False
    return _here(name) if answers else _away(name)


def _here(name: str) -> Part:
    _absent.pop(name, None)
    return Part(name, True)


def _away(name: str) -> Part:
    began, since = _absent.setdefault(name, (time.monotonic(), datetime.now(UTC)))
    return Part(name, False, since, time.monotonic() - began)


def _of_database(ask: Callable[[], _Answer]) -> _Answer:
    """Its answer; an error where the database lets us wait for too long, as it is cut off then."""
    try:
        with answered_within(raw_connection(), _ANSWER_SECONDS):
            return ask()
    except _AWAY:
        # The connection is of no more use, and nobody else is to be given it.
        connection.close()
        raise


def _ask_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


@cache
def _read_migrations() -> None:
    """Import them, once and by no clock: how long our own files take says nothing about the database."""
    MigrationLoader(None)


def _ask_migrations() -> bool:
    """Asked until it is so; migrations aren't taken back under a running service."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def _ask_durability() -> bool:
    faults = durability.faults(raw_connection())
    if faults:
        logger.warning("durability_lost", faults=faults)
    return not faults


def _ask_broker() -> bool:
    with redis_client.connect(_SOCKET_SECONDS) as client:
        return bool(client.ping())
