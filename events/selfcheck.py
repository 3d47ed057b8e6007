"""Proof at start-up that the database keeps the log's promises against this very service."""

from typing import Any

import psycopg
from django.conf import settings

from events.store import raw_connection

_QUESTIONS = {
    "The service's role is a superuser; it must be a plain role.": (
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    ),
    "The service's role may make tables; they could hide the real ones.": (
        "SELECT has_database_privilege(current_database(), 'CREATE, TEMPORARY')"
        " OR has_schema_privilege('public', 'CREATE')"
    ),
    "The database may lose acknowledged events: fsync is off.": "SELECT current_setting('fsync') <> 'on'",
    "The database may lose acknowledged events: synchronous_commit is off.": (
        "SELECT current_setting('synchronous_commit') IN ('off')"
    ),
    "The database may tear pages in a crash: full_page_writes is off.": (
        "SELECT current_setting('full_page_writes') <> 'on'"
    ),
}
_OWNS = "SELECT pg_has_role(current_user, relowner, 'MEMBER') FROM pg_class WHERE oid = %s::regclass"
_UNGUARDED = """
SELECT count(*) <> 2 FROM pg_trigger
WHERE tgrelid = %s::regclass AND tgfoid = 'events_refuse_change'::regproc AND tgenabled = 'A'
"""
_MAY_CHANGE = "SELECT has_any_column_privilege(%s, 'UPDATE') OR has_table_privilege(%s, 'DELETE, TRUNCATE')"
_MAY_DELETE = "SELECT has_table_privilege(%s, 'DELETE, TRUNCATE')"


class UnsafeDatabase(Exception):
    """The database doesn't keep the log's promises; the service doesn't start on it."""


def faults(connection: psycopg.Connection[Any] | None = None) -> list[str]:
    """What is wrong, in sentences; empty where all is well."""
    asked = connection or raw_connection()
    append_only, kept = settings.APPEND_ONLY_TABLES, settings.KEPT_TABLES
    # Where it has triggers a table refuses even its owner; the others are guarded by the role's rights alone.
    record = [table for table in append_only if table.startswith("events_")]
    owned = [table for table in (*append_only, *kept) if _answer(asked, _OWNS, table)]
    unguarded = [table for table in record if _answer(asked, _UNGUARDED, table)]
    changeable = [table for table in (*append_only, "events_public") if _answer(asked, _MAY_CHANGE, table, table)]
    deletable = [table for table in kept if _answer(asked, _MAY_DELETE, table)]
    return [
        *(fault for fault, question in _QUESTIONS.items() if _answer(asked, question)),
        *(f"The service's role owns {table}; it could drop its triggers." for table in owned),
        *(f"The append-only triggers of {table} are not all enabled ALWAYS." for table in unguarded),
        *(f"The service's role may change or delete rows of {table}." for table in changeable),
        *(f"The service's role may delete rows of {table}." for table in deletable),
    ]


def refuse_unsafe_database(connection: psycopg.Connection[Any] | None = None) -> None:
    """Raise UnsafeDatabase with every fault."""
    if found := faults(connection):
        raise UnsafeDatabase(" ".join(found))


def _answer(connection: psycopg.Connection[Any], question: str, *values: str) -> bool:
    row = connection.execute(question, values or None).fetchone()
    return bool(row and row[0])
