"""Two logins, one database: the owner migrates, the service runs as a role that can only add to the record."""

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

# What the app role never has, in the order in which `_attributes` asks for it.
REFUSED: tuple[LiteralString, ...] = ("NOSUPERUSER", "NOCREATEDB", "NOCREATEROLE", "NOREPLICATION", "NOBYPASSRLS")
READING: LiteralString = "SELECT"
ADDING: LiteralString = "SELECT, INSERT"
CHANGING: LiteralString = ", UPDATE, DELETE"


def prepare(progress: Callable[[str], None]) -> None:
    """Create the app role, run the migrations as the owner, and grant the role what it may do.

    Django must be set up, with both logins known. Running it again changes nothing; two at once take turns. Raises
    NewerDatabase, before anything is changed, where a newer release has prepared it.
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
        releases.write_down(owner)
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
    """Create or correct a derived role, and return the stored settings that were reset, as the role itself may have
    made them. A role given by URL is its owner's business, its settings apart."""
    role = sql.Identifier(login.role)
    if login.derived:
        verb, attributes = _attributes(owner, login.role)
        owner.execute(
            sql.SQL("{} ROLE {} LOGIN {} PASSWORD {}").format(verb, role, attributes, sql.Literal(login.password))
        )
    foreign = role_settings.foreign(owner, login.role)
    database = sql.SQL(" IN DATABASE {}").format(sql.Identifier(owner.info.dbname))
    statements = [
        *(
            sql.SQL("ALTER ROLE {}{} RESET {}").format(
                role, database if it.of_database else sql.SQL(""), _setting(it.name)
            )
            for it in foreign
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
    return [it.name for it in foreign]


def _setting(name: str) -> sql.Composable:
    """A setting's name; that of an extension has two parts."""
    return sql.SQL(".").join(map(sql.Identifier, name.split(".")))


def _attributes(owner: psycopg.Connection, role_name: str) -> tuple[sql.SQL, sql.SQL]:
    """How the role is made or corrected. Only a superuser may name an attribute that is as it should be already, so of
    a role that exists no other is named than one to be taken away."""
    found = owner.execute(
        "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = %s",
        [role_name],
    ).fetchone()
    if found is None:
        return sql.SQL("CREATE"), sql.SQL(" ".join(REFUSED))
    return sql.SQL("ALTER"), sql.SQL(" ".join(word for word, has in zip(REFUSED, found, strict=True) if has))


def grant(
    owner: psycopg.Connection,
    role_name: str,
    append_only: Iterable[str],
    guarded: Iterable[str] = (),
    guards: Iterable[str] = (),
) -> None:
    """Give the role the rights it needs on schema public, and take every other."""
    role = sql.Identifier(role_name)
    # One transaction: a running service must not see the moment between revoke and grant.
    with owner.transaction():
        owner.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(owner.info.dbname), role))
        # A temporary table would hide the real one of its name from the session that made it.
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
        # They run as the owner, so they are for the service alone.
        for function in guards:
            name = sql.Identifier("public", function)
            owner.execute(sql.SQL("REVOKE ALL ON FUNCTION {} FROM PUBLIC").format(name))
            owner.execute(sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(name, role))


def _tables(owner: psycopg.Connection, append_only: set[str], guarded: set[str]) -> list[tuple[str, LiteralString]]:
    """Each table and view of schema public, and what the role may do with it.

    A view is written through with its owner's rights, so it is for reading only; a part of an append-only table is
    append-only too. A guarded table is moved by functions that run as its owner, and is for reading otherwise.
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
