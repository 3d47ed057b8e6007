"""Which release has prepared a database, and whether this one may serve on it.

Migrations expand first and contract a release later, so processes of the release before go on while the next one
prepares the database. None of that release begins to serve then; docs/decisions/0016 says why.
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
    """A newer release has prepared the database; the text names both and says what to do."""


def write_down(owner: psycopg.Connection[Any]) -> None:
    """Leave word in the database which release has prepared it."""
    owner.execute(sql.SQL("COMMENT ON TABLE django_migrations IS {}").format(sql.Literal(settings.VERSION)))


def refuse_newer_database(connection: psycopg.Connection[Any]) -> None:
    """Raise NewerDatabase where migrations are applied that this release doesn't have."""
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
    """The applied migrations of this release's apps that it doesn't have; an app that it has no more doesn't count."""
    if not _value(connection, _ANY):
        return []
    known = {app.label: _names(Path(app.path)) for app in apps.get_app_configs()}
    applied = connection.execute(_APPLIED).fetchall()
    return [f"{app}.{name}" for app, name in applied if app in known and name not in known[app]]


def _names(app: Path) -> set[str]:
    return {path.stem for path in (app / "migrations").glob("[!_]*.py")}


def _prepared_by(connection: psycopg.Connection[Any]) -> str:
    return _value(connection, _PREPARED_BY) or "of an unknown number"


def _value(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question).fetchone()
    return row and row[0]
