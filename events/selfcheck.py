"""A start-up check that the database forbids the service's own role to change the log."""

from typing import Any

import psycopg
from django.conf import settings

from events import distribution, durability, role_settings
from events.store import raw_connection

_QUESTIONS = {
    "The service's role is a superuser; it must be a plain role.": (
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    ),
    "The service's role may make tables; they could hide the real ones.": (
        "SELECT has_database_privilege(current_database(), 'CREATE, TEMPORARY')"
        " OR has_schema_privilege('public', 'CREATE')"
    ),
    "The trigger that guards the count of places is not enabled ALWAYS.": (
        "SELECT count(*) <> 1 FROM pg_trigger WHERE tgrelid = 'events_placed'::regclass"
        " AND tgfoid = to_regproc('public.events_refuse_recount') AND tgenabled = 'A'"
    ),
    "The database may lose acknowledged events: fsync is off.": "SELECT current_setting('fsync') <> 'on'",
    "The database may tear pages in a crash: full_page_writes is off.": (
        "SELECT current_setting('full_page_writes') <> 'on'"
    ),
}
_OWNS = "SELECT pg_has_role(current_user, relowner, 'MEMBER') FROM pg_class WHERE oid = %s::regclass"
_UNGUARDED = """
SELECT count(*) <> 2 FROM pg_trigger
WHERE tgrelid = %s::regclass AND tgfoid = 'events_refuse_change'::regproc AND tgenabled = 'A'
"""
_UNGUARDED_REMOVAL = """
SELECT count(*) <> 1 FROM pg_trigger
WHERE tgrelid = %s::regclass AND tgfoid = %s::regproc AND tgenabled = 'A'
"""
_REMOVED_FROM = {
    "events_event": "events_refuse_unarchived", "events_leaf": "events_refuse_untiled",
    "events_subtree": "events_refuse_untiled", "events_place": "events_count_removed_places",
}  # fmt: skip
"""Tables from which the owner may remove archived rows, and the function of the trigger that refuses other removals."""
_UNCHECKED = """
SELECT count(*) <> 1 FROM pg_trigger
WHERE tgrelid = %s::regclass AND tgfoid = to_regproc(%s) AND tgenabled = 'A'
"""
_MAY_CHANGE = "SELECT has_any_column_privilege(%s, 'UPDATE') OR has_table_privilege(%s, 'DELETE, TRUNCATE')"
_MAY_WRITE = "SELECT has_any_column_privilege(%s, 'INSERT, UPDATE') OR has_table_privilege(%s, 'DELETE, TRUNCATE')"
_NO_GUARD = """
SELECT NOT coalesce(bool_and(
    prosecdef AND NOT pg_has_role(current_user, proowner, 'MEMBER')
    AND proconfig @> ARRAY['search_path=pg_catalog, public, pg_temp']), false)
FROM pg_proc WHERE oid = to_regproc(%s)
"""
_FOR_ALL = """
SELECT EXISTS (SELECT 1 FROM pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS it
    WHERE pg_proc.oid = to_regproc(%s) AND it.grantee = 0)
"""


class UnsafeDatabase(Exception):
    """The database doesn't protect the log, so the service doesn't start on it."""


def faults(connection: psycopg.Connection[Any] | None = None) -> list[str]:
    """Return a sentence for each fault; none if the database is safe."""
    database = connection or raw_connection()
    append_only, guarded, guards = settings.APPEND_ONLY_TABLES, settings.GUARDED_TABLES, settings.GUARDS
    checked = settings.CHECKED_TABLES
    is_distributed = distribution.on(database)
    if is_distributed:
        # In a transaction, Citus uses one role per node, so there the nodes check what the service itself adds.
        guarded = [table for table in guarded if table not in distribution.WRITTEN_BY_THE_SERVICE]
        guards = [function for function in guards if function not in distribution.BY_THE_SERVICE]
        checked = {table: it for table, it in checked.items() if table not in distribution.UNCHECKED}
    record = [table for table in append_only if table not in settings.WITHOUT_TRIGGERS]
    owned = [
        table for table in dict.fromkeys([*append_only, *settings.GUARDED_TABLES]) if _answer(database, _OWNS, table)
    ]
    unguarded = [table for table in record if _answer(database, _UNGUARDED, table)]
    changeable = [table for table in (*append_only, "events_public") if _answer(database, _MAY_CHANGE, table, table)]
    writable = [table for table in guarded if _answer(database, _MAY_WRITE, table, table)]
    unchecked = [table for table, it in checked.items() if _answer(database, _UNCHECKED, table, f"public.{it}")]
    owners = [table for table in settings.OWNERS_TABLES if _answer(database, _MAY_WRITE, table, table)]
    unguarding = [function for function in guards if _answer(database, _NO_GUARD, f"public.{function}")]
    open_to_all = [function for function in settings.GUARDS if _answer(database, _FOR_ALL, f"public.{function}")]
    return [
        *(
            f"The trigger that keeps unarchived rows of {table} is not enabled ALWAYS."
            for table, function in _REMOVED_FROM.items()
            if not (is_distributed and table == "events_place")
            if _answer(database, _UNGUARDED_REMOVAL, table, function)
        ),
        *role_settings.faults(database),
        *(fault for fault, question in _QUESTIONS.items() if _answer(database, question)),
        *durability.faults(database),
        *(distribution.faults(database) if is_distributed else []),
        *(f"The service's role owns {table}; it could drop its triggers." for table in owned),
        *(f"The append-only triggers of {table} are not all enabled ALWAYS." for table in unguarded),
        *(f"The service's role may change or delete rows of {table}." for table in changeable),
        *(f"The service's role may write to {table} past events_append_many." for table in writable),
        *(f"The trigger that checks new rows of {table} is not enabled ALWAYS." for table in unchecked),
        *(f"The service's role may write to {table}, which only the owner changes." for table in owners),
        *(f"{function} doesn't run as another owner with a search path of its own." for function in unguarding),
        *(f"Everybody who may connect may call {function}." for function in open_to_all),
    ]


def refuse_unsafe_database(connection: psycopg.Connection[Any] | None = None) -> None:
    """Raise UnsafeDatabase with every fault."""
    if sentences := faults(connection):
        raise UnsafeDatabase(" ".join(sentences))


def refuse_foreign_settings(connection: psycopg.Connection[Any]) -> None:
    """Raise UnsafeDatabase if foreign settings are stored for the role. They are checked first: with a wrong search
    path, nothing else could be looked up."""
    if sentences := role_settings.faults(connection):
        raise UnsafeDatabase(" ".join(sentences))


def _answer(connection: psycopg.Connection[Any], query: str, *values: str) -> bool:
    row = connection.execute(query, values or None).fetchone()
    return bool(row and row[0])
