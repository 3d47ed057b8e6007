"""Proof at start-up that the database keeps the log's promises against this very service."""

from typing import Any

import psycopg

from events.store import raw_connection

_QUESTIONS = {
    "The service's role is a superuser; it must be a plain role.": (
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    ),
    "The service's role owns the event table; it could drop the triggers.": (
        "SELECT pg_has_role(current_user, relowner, 'MEMBER') FROM pg_class WHERE oid = 'events_event'::regclass"
    ),
    "The service's role may change or delete events.": (
        "SELECT has_table_privilege('events_event', 'UPDATE') OR has_table_privilege('events_event', 'DELETE')"
        " OR has_table_privilege('events_event', 'TRUNCATE')"
    ),
    "The append-only triggers are not all enabled ALWAYS.": (
        "SELECT count(*) <> 2 FROM pg_trigger WHERE tgrelid = 'events_event'::regclass AND NOT tgisinternal"
        " AND tgenabled = 'A'"
    ),
    "The database may lose acknowledged events: fsync is off.": "SELECT current_setting('fsync') <> 'on'",
    "The database may lose acknowledged events: synchronous_commit is off.": (
        "SELECT current_setting('synchronous_commit') IN ('off')"
    ),
    "The database may tear pages in a crash: full_page_writes is off.": (
        "SELECT current_setting('full_page_writes') <> 'on'"
    ),
}


class UnsafeDatabase(Exception):
    """The database doesn't keep the log's promises; the service doesn't start on it."""


def faults(connection: psycopg.Connection[Any] | None = None) -> list[str]:
    """What is wrong, in sentences; empty where all is well."""
    asked = connection or raw_connection()
    return [fault for fault, question in _QUESTIONS.items() if _answer(asked, question)]


def refuse_unsafe_database() -> None:
    """Raise UnsafeDatabase with every fault."""
    if found := faults():
        raise UnsafeDatabase(" ".join(found))


def _answer(connection: psycopg.Connection[Any], question: str) -> bool:
    row = connection.execute(question).fetchone()
    return bool(row and row[0])
