"""The release that prepared a database, and whether this release may serve on it.

A migration first expands the schema and contracts it one release later. Processes of the previous release therefore
continue while the next one prepares the database, but no process of the previous release may start then;
docs/decisions/0016 gives the reason.
"""

from pathlib import Path
from typing import Any

import psycopg
from django.apps import apps
from django.conf import settings
from psycopg import sql

_ANY = "SELECT to_regclass('django_migrations') IS NOT NULL"
_APPLIED = "SELECT app, name FROM django_migrations ORDER BY id"
_PREPARED_BY = "SELECT obj_description(to_regclass('django_migrations'), 'pg_class')"
_SHOWN = 3


class NewerDatabase(Exception):
    """A newer release has prepared the database; the text names both releases and the remedy."""


def record_release(owner: psycopg.Connection[Any]) -> None:
    owner.execute(sql.SQL("COMMENT ON TABLE django_migrations IS {}").format(sql.Literal(settings.VERSION)))


def refuse_newer_database(connection: psycopg.Connection[Any]) -> None:
    """Raise NewerDatabase if migrations are applied that this release doesn't have."""
    unknown = _unknown(connection)
    if not unknown:
        return
    shown = ", ".join(unknown[:_SHOWN]) + (f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else "")
    raise NewerDatabase(
        f"This is Croupier {settings.VERSION}, and the database was prepared by Croupier {_prepared_by(connection)}, a "
        f"newer release: it has migrations that this one doesn't know ({shown}). Start the newer release, or restore "
        "a backup from before the upgrade and start this one on it."
    )


def _unknown(connection: psycopg.Connection[Any]) -> list[str]:
    """Return the applied migrations of this release's apps that it doesn't have. Apps that it no longer has don't
    count."""
    if not _value(connection, _ANY):
        return []
    migrations = {app.label: _names(Path(app.path)) for app in apps.get_app_configs()}
    applied = connection.execute(_APPLIED).fetchall()
    return [f"{app}.{name}" for app, name in applied if app in migrations and name not in migrations[app]]


def _names(app: Path) -> set[str]:
    return {path.stem for path in (app / "migrations").glob("[!_]*.py")}


def _prepared_by(connection: psycopg.Connection[Any]) -> str:
    return _value(connection, _PREPARED_BY) or "of an unknown number"


def _value(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query).fetchone()
    return row and row[0]
