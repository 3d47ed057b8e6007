"""The environment of a measurement: throw-away servers, prepared and durable like those of bin/up."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.deployment import secret_files
from config.runner import embedded
from config.runner.embedded.postgres import Postgres
from config.runner.embedded.valkey import Valkey


@contextmanager
def service() -> Iterator[str]:
    """Set up Django in the service's own role; yield the owner's URL. Use it before importing models."""
    with servers() as (postgres, _):
        yield postgres.url


@contextmanager
def servers() -> Iterator[tuple[Postgres, Valkey]]:
    """Set up the environment of `service`; yield the servers themselves."""
    data = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    try:
        secret_files.ensure(data / "secrets")
        with embedded.throwaway() as (postgres, valkey):
            os.environ |= {
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "CROUPIER_DATA": str(data),
                "CROUPIER_LIMITS": "off",
                "CROUPIER_BOT_REST": "0",
                "CROUPIER_OUTAGE_SECONDS": "86400",
                "DATABASE_URL": postgres.url,
                "REDIS_URL": valkey.url,
            }
            import django

            django.setup()
            from config.deployment import database

            database.prepare(lambda _step: None)
            yield postgres, valkey
            forget_connections()
    finally:
        shutil.rmtree(data, ignore_errors=True)


def forget_connections() -> None:
    """Close the connections to the database, including those in a pool."""
    from django.db import connections

    connections.close_all()
    for connection in connections.all(initialized_only=True):
        if getattr(connection, "pool", None):
            connection.close_pool()
