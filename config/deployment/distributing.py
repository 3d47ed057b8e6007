"""Distribution of a prepared database over a Citus cluster: all rows of a match or season lie on one node.

It happens in one transaction, so completely or not at all. Tables that aren't named here stay on the coordinator.
"""

import os
import sys
from collections.abc import Callable
from typing import Any, LiteralString, NamedTuple

import django
import psycopg
from django.conf import settings
from psycopg import sql

from config.deployment.logins import CITUS_SETTINGS
from events import distribution

PREPARING = 0x63726F7570696572
"""The id of the advisory lock that lets one preparation run at a time."""
STREAMS = {
    "events_head": "stream",
    "events_event": "stream",
    "events_key": "stream",
    "events_snapshot": "stream",
    "events_checkpoint": "stream",
    "events_dirty": "stream",
    "events_access": "stream",
    "events_archived": "stream",
    "events_unplaced": "stream",
    "matches_match": "id",
    "matches_seat": "match_id",
    "matches_deadline": "match_id",
    "matches_seed": "match_id",
    "matches_sealedpart": "stream",
    "matches_text": "stream",
    "matches_playerresult": "match_id",
}
"""The tables that lie on the node of their stream, and the column with the stream's id."""
REFERENCES = ("matches_account", "seasons_season", "seasons_member", "events_leaf", "events_covered")
"""The tables that are replicated to every node: queries on a node need them to check access to a match, and what was
signed of a stream."""
ONE_AFTER_THE_OTHER: LiteralString = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"
"""Change shards one after the other in a transaction, as foreign keys require."""
CODES = "matches_code"
"""Maps codes to matches. A node alone could only keep a code unique among its own matches."""
UNKEPT = {
    "matches_match_code_key": f"codes are kept apart in {CODES}",
    "matches_match_rematch_of_key": "a rematch's id follows from the match before, so its stream is there once",
}
"""Constraints that no single node can enforce, and what replaces them."""
_RIGHTS: dict[str, LiteralString] = {
    "events_event": "INSERT", "events_head": "INSERT, UPDATE", "events_archived": "INSERT",
    "events_unplaced": "INSERT, DELETE", "events_held": "INSERT, DELETE", "events_place": "INSERT",
}  # fmt: skip
_NOT_ON_NODES = {
    "events_event_unplaced": "events_event", "events_leaf_checked": "events_leaf",
    "events_access_checked": "events_access", "matches_seed_checked": "matches_seed",
    "matches_sealedpart_checked": "matches_sealedpart",
    "events_place_numbered": "events_place", "events_place_counted": "events_place",
    "events_place_only_archived": "events_place",
}  # fmt: skip
"""Triggers that read rows of other nodes, or who wrote them, and their tables."""
OUTAGES = "matches_nodeoutage"
"""Outages of a shard's node."""
_APART = f"""
CREATE TABLE {OUTAGES} (shard bigint NOT NULL, began_at timestamptz NOT NULL, ended_at timestamptz);
CREATE UNIQUE INDEX node_outage_open_once ON {OUTAGES} (shard) WHERE ended_at IS NULL;
CREATE INDEX node_outage_of_shard ON {OUTAGES} (shard, ended_at);
CREATE TABLE {CODES} (code varchar(12) PRIMARY KEY, match_id uuid NOT NULL);
INSERT INTO {CODES} (code, match_id) SELECT code, id FROM matches_match;
"""  # noqa: S608  (names of tables)
_KEYS = """
SELECT conname, contype = 'p', ARRAY(
    SELECT attname FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place
)::text[]
FROM pg_constraint WHERE conrelid = to_regclass(%s) AND contype IN ('p', 'u')
"""
_BETWEEN = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'f' AND conrelid::regclass::text = ANY(%s) ORDER BY conname
"""
_FROM_ELSEWHERE = """
SELECT conrelid::regclass::text FROM pg_constraint
WHERE contype = 'f' AND confrelid::regclass::text = ANY(%(names)s) AND conrelid::regclass::text <> ALL(%(names)s)
"""
# Citus would take over such a table too, and refuse a third of the queries on it.
_TO_COPIES = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE contype = 'f' AND confrelid::regclass::text = ANY(%(copies)s)
    AND conrelid::regclass::text <> ALL(%(copies)s) AND conrelid::regclass::text <> ALL(%(names)s)
ORDER BY 1, 2
"""
_SPREAD = "SELECT logicalrelid::regclass::text FROM pg_dist_partition WHERE partmethod = 'h'"
_COPIED = "SELECT logicalrelid::regclass::text FROM pg_dist_partition WHERE partmethod = 'n' AND repmodel = 't'"


class Refused(Exception):
    """The database isn't distributed, and nothing has been changed; the text gives the reason."""


class _Condition(NamedTuple):
    """A condition that must hold before anything is done, and the error message if it doesn't."""

    holds: LiteralString
    else_: str


_BEFORE = (
    _Condition(
        "SELECT to_regclass('public.events_unplaced') IS NOT NULL AND to_regclass('public.matches_match') IS NOT NULL",
        "It isn't prepared: run python -m config.database first.",
    ),
    _Condition(
        "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL",
        "It has no Citus: install it on every node, and CREATE EXTENSION citus in this database of each.",
    ),
)
_CLUSTER = (
    _Condition(
        "SELECT rolsuper FROM pg_roles WHERE rolname = current_user",
        "This login isn't a superuser: triggers go along with the tables, which Citus lets nobody else ask for.",
    ),
    _Condition(
        "SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0 AND isactive)",
        "The coordinator isn't among its nodes: SELECT citus_set_coordinator_host('its name', its port).",
    ),
    _Condition(
        "SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid <> 0 AND isactive AND noderole = 'primary')",
        "It has no worker: SELECT citus_add_node('a name', a port) for each.",
    ),
)
_SERVING = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = %s AND pid <> pg_backend_pid()
"""


def distribute(owner: psycopg.Connection[Any], role: str, progress: Callable[[str], None]) -> bool:
    """Distribute the tables that aren't distributed yet; return False if there were none. Raise Refused; then nothing
    is changed.

    `owner` is an autocommit connection. `role` is the service's role; it must have no sessions.
    """
    owner.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
    try:
        with owner.transaction():
            return _distribute(owner, role, progress)
    except distribution.OtherFunction as other:
        raise Refused(str(other)) from other
    finally:
        owner.execute("SELECT pg_advisory_unlock(%s)", [PREPARING])


def _distribute(owner: psycopg.Connection[Any], role: str, progress: Callable[[str], None]) -> bool:
    _require(owner, _BEFORE)
    spread, copied = _names(owner, _SPREAD), _names(owner, _COPIED)
    new = {table: column for table, column in STREAMS.items() if table not in spread}
    newly_copied = [table for table in REFERENCES if table not in copied]
    append = distribution.append_in_one_phase(owner)
    if not (new or newly_copied or append):
        return False
    _require(owner, _CLUSTER)
    if serving := _value(owner, _SERVING, role):
        raise Refused(f"The service is running: {serving} of its sessions are open. Stop it first.")
    _refuse_foreign_references(owner)
    owner.execute("SET LOCAL client_min_messages = warning")
    owner.execute("SET LOCAL citus.enable_unsafe_triggers = on")
    owner.execute(ONE_AFTER_THE_OTHER)
    if new:
        _spread(owner, role, new, newly_copied, progress)
    if append:
        owner.execute(append.encode())
        for statement in distribution.guards():
            owner.execute(statement)
        progress("events_append_many stores a command by one commit of one node, which checks it too")
    give_rights(owner, role)
    for name, value in CITUS_SETTINGS.items():
        owner.execute(
            sql.SQL("ALTER ROLE {} SET {} = {}").format(sql.Identifier(role), sql.SQL(name), sql.Literal(value))
        )
    return True


def give_rights(owner: psycopg.Connection[Any], role: str) -> None:
    """Allow the service to write to the log directly: a transaction may use only one role per node, so no statement can
    run as the owner there. Triggers on the nodes check the rows."""
    for table, rights in _RIGHTS.items():
        owner.execute(
            sql.SQL("GRANT {} ON {} TO {}").format(
                sql.SQL(rights), sql.Identifier("public", table), sql.Identifier(role)
            )
        )


def _require(owner: psycopg.Connection[Any], conditions: tuple[_Condition, ...]) -> None:
    for condition in conditions:
        if not _value(owner, condition.holds):
            raise Refused(condition.else_)


def _refuse_foreign_references(owner: psycopg.Connection[Any]) -> None:
    """Raise Refused if a table that stays refers to one that is to be distributed; no node could enforce that."""
    names = {"names": list(STREAMS)}
    if rows := owner.execute(_FROM_ELSEWHERE, names).fetchall():
        raise Refused(f"{rows[0][0]} refers to a table that would be spread.")


def _spread(
    owner: psycopg.Connection[Any],
    role: str,
    tables: dict[str, str],
    copied: list[str],
    progress: Callable[[str], None],
) -> None:
    between = owner.execute(_BETWEEN, [list(tables)]).fetchall()
    for table, name, _ in between:
        _alter(owner, table, sql.SQL("DROP CONSTRAINT {}").format(sql.Identifier(name)))
    if CODES not in {row[0] for row in owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}:
        owner.execute(_APART)
        for name in (CODES, OUTAGES):
            granted = sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO {}")
            owner.execute(granted.format(sql.Identifier(name), sql.Identifier(role)))
            progress(f"{name}: kept by the coordinator")
    for table, column in tables.items():
        for step in _add_column_to_keys(owner, table, column):
            progress(step)
    for trigger, table in _NOT_ON_NODES.items():
        dropped = sql.SQL("DROP TRIGGER IF EXISTS {} ON {}")
        owner.execute(dropped.format(sql.Identifier(trigger), sql.Identifier(table)))
    kept_by_service = owner.execute(_TO_COPIES, {"copies": list(REFERENCES), "names": list(STREAMS)}).fetchall()
    for table, name in kept_by_service:
        _alter(owner, table, sql.SQL("DROP CONSTRAINT {}").format(sql.Identifier(name)))
    if kept_by_service:
        names = ", ".join(sorted({table for table, _ in kept_by_service}))
        progress(f"without foreign keys to what is copied, as the service sees to it alone: {names}")
    for table in copied:
        owner.execute("SELECT create_reference_table(%s)", [table])
        progress(f"{table}: a copy on every node")
    for table, column in tables.items():
        beside = "none" if table == "events_head" else "events_head"
        owner.execute("SELECT create_distributed_table(%s, %s, colocate_with => %s)", [table, column, beside])
        progress(f"{table}: spread by {column}")
    for table, name, definition in between:
        added = sql.SQL("ADD CONSTRAINT {} {}").format(sql.Identifier(name), sql.SQL(definition))
        _alter(owner, table, added)


def _add_column_to_keys(owner: psycopg.Connection[Any], table: str, column: str) -> list[str]:
    """Make every key of a table include its distribution column, and return the changes. Raise Refused for a key that
    has no replacement."""
    changes = []
    for name, is_primary, columns in owner.execute(_KEYS, [table]).fetchall():
        if column in columns:
            continue
        _alter(owner, table, sql.SQL("DROP CONSTRAINT {}").format(sql.Identifier(name)))
        if is_primary:
            key = sql.SQL(", ").join(map(sql.Identifier, [column, *columns]))
            _alter(owner, table, sql.SQL("ADD CONSTRAINT {} PRIMARY KEY ({})").format(sql.Identifier(name), key))
            changes.append(f"{table}: its primary key holds {column} too")
        elif name in UNKEPT:
            changes.append(f"{table}: without {name}; {UNKEPT[name]}")
        else:
            raise Refused(f"{name} of {table} can't be kept by one node, as it lacks {column}.")
    return changes


def _alter(owner: psycopg.Connection[Any], table: str, change: sql.Composable) -> None:
    owner.execute(sql.SQL("ALTER TABLE {} {}").format(sql.Identifier("public", table), change))


def _names(owner: psycopg.Connection[Any], query: LiteralString) -> set[str]:
    return {name for (name,) in owner.execute(query)}


def _value(owner: psycopg.Connection[Any], query: LiteralString, *values: Any) -> Any:
    row = owner.execute(query, values or None).fetchone()
    return row and row[0]


def main() -> None:
    """The command `python -m config.distribute`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    login = settings.DATABASE_LOGINS
    if login.owner is None:
        sys.exit("Distributing the database needs its owner: set DATABASE_OWNER_URL.")
    try:
        with psycopg.connect(login.owner, autocommit=True) as owner:
            done = distribute(owner, login.role, lambda step: print(step, flush=True))
    except Refused as refused:
        sys.exit(f"Croupier doesn't distribute this database; nothing was changed. {refused}")
    print("The database is distributed." if done else "The database is distributed already; nothing was changed.")
