"""Which parts of the service answer."""

from collections.abc import Callable

import psycopg
import redis
import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from matches import heartbeat

logger = structlog.get_logger(__name__)

_SOCKET_SECONDS = 0.5
_migrated = False


def parts() -> dict[str, bool]:
    """Each part and whether it answers."""
    return {
        "database": _answers(_ask_database),
        "migrated": _answers(_ask_migrations),
        "broker": _answers(_ask_broker),
        "worker": _answers(_ask_worker),
    }


def _answers(ask: Callable[[], bool]) -> bool:
    try:
        return ask()
    except (DatabaseError, psycopg.Error, redis.RedisError) as error:
        logger.warning("part away", part=ask.__name__.removeprefix("_ask_"), error=type(error).__name__)
        return False


def _ask_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _ask_migrations() -> bool:
    """Asked until it is so; migrations aren't taken back under a running service."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def _ask_broker() -> bool:
    with _client() as client:
        return bool(client.ping())


def _ask_worker() -> bool:
    """A worker writes its sign of life with an end to it."""
    with _client() as client:
        return bool(client.exists(heartbeat.KEY))


def _client() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=_SOCKET_SECONDS, socket_connect_timeout=_SOCKET_SECONDS
    )
