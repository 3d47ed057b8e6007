"""Two logins for one database: the owner migrates, and the service runs as a role that can only add to the record."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import LiteralString

import django
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from config.deployment import distributing, releases
from config.deployment.logins import TIMEOUTS, Logins
from events import distribution, role_settings

# Attributes that the app role never has, in the order in which `_attributes` selects them.
REFUSED: tuple[LiteralString, ...] = ("NOSUPERUSER", "NOCREATEDB", "NOCREATEROLE", "NOREPLICATION", "NOBYPASSRLS")
READING: LiteralString = "SELECT"
ADDING: LiteralString = "SELECT, INSERT"
CHANGING: LiteralString = ", UPDATE, DELETE"


def prepare(progress: Callable[[str], None]) -> None:
    """Create the app role, run the migrations as the owner, and grant the role its rights.

    Django must be set up, with both logins known. The call is idempotent, and concurrent calls run one after the other.
    Raise NewerDatabase, before anything is changed, if a newer release has prepared the database.
    """
    login: Logins = settings.DATABASE_LOGINS
    if login.owner is None:
        raise psycopg.ProgrammingError("Preparing the database needs its owner: set DATABASE_OWNER_URL.")
    with psycopg.connect(login.owner, autocommit=True) as owner:
        owner.execute("SELECT pg_advisory_lock(%s)", [distributing.PREPARING])
        releases.refuse_newer_database(owner)
        progress("database role")
        for name in ensure_role(owner, login):
            progress(f"database role: {name} was stored for it, and is reset")
        progress("migrations")
        call_command("migrate", database="owner", verbosity=0, interactive=False)
        connections["owner"].close()
        releases.record_release(owner)
        progress("grants")
        is_distributed = distribution.on(owner)
        with owner.transaction():
            if is_distributed:
                owner.execute(distributing.ONE_AFTER_THE_OTHER)
            read_only = [*settings.GUARDED_TABLES, *settings.OWNERS_TABLES]
            grant(owner, login.role, settings.APPEND_ONLY_TABLES, read_only, settings.GUARDS)
            if is_distributed:
                distributing.give_rights(owner, login.role)


def ensure_role(owner: psycopg.Connection, login: Logins) -> list[str]:
    """Create or correct a derived role, and return the names of stored settings that were reset; the role itself may
    have stored them. For a role given by URL, correct only the settings."""
    role = sql.Identifier(login.role)
    if login.derived:
        verb, attributes = _attributes(owner, login.role)
        owner.execute(
            sql.SQL("{} ROLE {} LOGIN {} PASSWORD {}").format(verb, role, attributes, sql.Literal(login.password))
        )
    unexpected = role_settings.unexpected(owner, login.role)
    database = sql.SQL(" IN DATABASE {}").format(sql.Identifier(owner.info.dbname))
    statements = [
        *(
            sql.SQL("ALTER ROLE {}{} RESET {}").format(
                role, database if it.of_database else sql.SQL(""), _setting(it.name)
            )
            for it in unexpected
        ),
        *(
            sql.SQL("ALTER ROLE {} SET {} = {}").format(role, sql.Identifier(name), sql.Literal(value))
            for name, value in TIMEOUTS.items()
        ),
    ]
    try:
        for statement in statements:
            owner.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        if login.derived:
            raise
        return []
    return [it.name for it in unexpected]


def _setting(name: str) -> sql.Composable:
    """Return a setting's name; an extension's setting has two parts."""
    return sql.SQL(".").join(map(sql.Identifier, name.split(".")))


def _attributes(owner: psycopg.Connection, role_name: str) -> tuple[sql.SQL, sql.SQL]:
    """Return the verb and attributes that create or correct the role. Only a superuser may name an attribute that is
    already right, so for an existing role name only those to remove."""
    row = owner.execute(
        "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = %s",
        [role_name],
    ).fetchone()
    if row is None:
        return sql.SQL("CREATE"), sql.SQL(" ".join(REFUSED))
    return sql.SQL("ALTER"), sql.SQL(" ".join(word for word, has in zip(REFUSED, row, strict=True) if has))


def grant(
    owner: psycopg.Connection,
    role_name: str,
    append_only: Iterable[str],
    guarded: Iterable[str] = (),
    guards: Iterable[str] = (),
) -> None:
    """Give the role the rights it needs on schema public, and revoke all others."""
    role = sql.Identifier(role_name)
    # In one transaction, so that a running service never loses its rights between revoke and grant.
    with owner.transaction():
        owner.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(owner.info.dbname), role))
        # A temporary table would hide the real table of that name in the session that created it.
        owner.execute(
            sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC, {}").format(sql.Identifier(owner.info.dbname), role)
        )
        owner.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        owner.execute(sql.SQL("REVOKE CREATE ON SCHEMA public FROM {}").format(role))
        owner.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role))
        for table, rights in _tables(owner, set(append_only), set(guarded)):
            name = sql.Identifier("public", table)
            owner.execute(sql.SQL("REVOKE ALL ON {} FROM {}, PUBLIC").format(name, role))
            owner.execute(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(rights), name, role))
        owner.execute(sql.SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}").format(role))
        # These run as the owner, so only the service may call them.
        for function in guards:
            name = sql.Identifier("public", function)
            owner.execute(sql.SQL("REVOKE ALL ON FUNCTION {} FROM PUBLIC").format(name))
            owner.execute(sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(name, role))


def _tables(owner: psycopg.Connection, append_only: set[str], guarded: set[str]) -> list[tuple[str, LiteralString]]:
    """Return each table and view of schema public with the role's rights on it.

    Writing through a view uses its owner's rights, so views are read-only. A partition of an append-only table is
    append-only too. A guarded table is changed by functions that run as its owner, and is read-only otherwise.
    """
    rows = owner.execute(
        """
        SELECT c.relname, coalesce(pg_partition_root(c.oid)::oid, c.oid), c.relkind IN ('v', 'm')
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm')
          -- What an extension brought along keeps the rights it came with.
          AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
        """
    ).fetchall()
    limited = {oid: ADDING for name, oid, _ in rows if name in append_only}
    limited |= {oid: READING for name, oid, _ in rows if name in guarded}
    return [(name, READING if view else limited.get(root, ADDING + CHANGING)) for name, root, view in rows]


def main() -> None:
    """The command `python -m config.database`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        prepare(lambda step: print(step, flush=True))
    except releases.NewerDatabase as newer:
        sys.exit(f"Croupier doesn't prepare a newer database. {newer}")
