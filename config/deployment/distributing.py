"""Spreads a prepared database over the nodes of a Citus cluster: what belongs to one match or season lies on one node.

All of it happens in one transaction, or nothing. What isn't named here stays on the coordinator.
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
    "matches_playerresult": "match_id",
}
"""The tables that lie where their stream does, and the column that names it."""
REFERENCES = ("matches_account", "seasons_season", "seasons_member", "events_leaf", "events_covered")
"""The tables of which every node has a copy: who may see a match is asked beside it, and so is what was signed of a
stream."""
ONE_AFTER_THE_OTHER: LiteralString = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"
"""What is done to all shards in one transaction is done to one after the other, as foreign keys demand."""
CODES = "matches_code"
"""Which match has which code. A node could only tell whether a code is its own matches' only one."""
UNKEPT = {
    "matches_match_code_key": f"codes are kept apart in {CODES}",
    "matches_match_rematch_of_key": "a rematch's id follows from the match before, so its stream is there once",
}
"""Constraints that no single node could keep, and what does instead."""
_RIGHTS: dict[str, LiteralString] = {
    "events_event": "INSERT", "events_head": "INSERT, UPDATE", "events_archived": "INSERT",
    "events_unplaced": "INSERT, DELETE", "events_held": "INSERT, DELETE", "events_place": "INSERT",
}  # fmt: skip
_NOT_ON_NODES = {
    "events_event_unplaced": "events_event", "events_leaf_checked": "events_leaf",
    "events_access_checked": "events_access", "matches_seed_checked": "matches_seed",
    "events_place_numbered": "events_place", "events_place_counted": "events_place",
    "events_place_only_archived": "events_place",
}  # fmt: skip
"""Triggers that look at other rows than are beside theirs, or at who wrote them; and the tables that have them."""
OUTAGES = "matches_nodeoutage"
"""When the node of a shard was away."""
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
# Citus would take such a table over as well, and refuse a third of what is asked of it.
_TO_COPIES = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE contype = 'f' AND confrelid::regclass::text = ANY(%(copies)s)
    AND conrelid::regclass::text <> ALL(%(copies)s) AND conrelid::regclass::text <> ALL(%(names)s)
ORDER BY 1, 2
"""
_SPREAD = "SELECT logicalrelid::regclass::text FROM pg_dist_partition WHERE partmethod = 'h'"
_COPIED = "SELECT logicalrelid::regclass::text FROM pg_dist_partition WHERE partmethod = 'n' AND repmodel = 't'"


class Refused(Exception):
    """The database isn't distributed, and nothing has been changed; the text says why."""


class _Question(NamedTuple):
    """What has to hold before anything is done, and the sentence where it doesn't."""

    holds: LiteralString
    else_: str


_BEFORE = (
    _Question(
        "SELECT to_regclass('public.events_unplaced') IS NOT NULL AND to_regclass('public.matches_match') IS NOT NULL",
        "It isn't prepared: run python -m config.database first.",
    ),
    _Question(
        "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL",
        "It has no Citus: install it on every node, and CREATE EXTENSION citus in this database of each.",
    ),
)
_CLUSTER = (
    _Question(
        "SELECT rolsuper FROM pg_roles WHERE rolname = current_user",
        "This login isn't a superuser: triggers go along with the tables, which Citus lets nobody else ask for.",
    ),
    _Question(
        "SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0 AND isactive)",
        "The coordinator isn't among its nodes: SELECT citus_set_coordinator_host('its name', its port).",
    ),
    _Question(
        "SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid <> 0 AND isactive AND noderole = 'primary')",
        "It has no worker: SELECT citus_add_node('a name', a port) for each.",
    ),
)
_SERVING = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = %s AND pid <> pg_backend_pid()
"""


def distribute(owner: psycopg.Connection[Any], role: str, progress: Callable[[str], None]) -> bool:
    """Spread what isn't spread yet; False where there was nothing to do. Raises Refused, and has then changed nothing.

    `owner` commits by itself. `role` is the service's: nobody may be serving.
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
    _ask(owner, _BEFORE)
    spread, copied = _names(owner, _SPREAD), _names(owner, _COPIED)
    new = {table: column for table, column in STREAMS.items() if table not in spread}
    newly_copied = [table for table in REFERENCES if table not in copied]
    append = distribution.append_in_one_phase(owner)
    if not (new or newly_copied or append):
        return False
    _ask(owner, _CLUSTER)
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
        progress("events_append stores a command by one commit of one node, which checks it too")
    give_rights(owner, role)
    for name, value in CITUS_SETTINGS.items():
        owner.execute(
            sql.SQL("ALTER ROLE {} SET {} = {}").format(sql.Identifier(role), sql.SQL(name), sql.Literal(value))
        )
    return True


def give_rights(owner: psycopg.Connection[Any], role: str) -> None:
    """Let the service add to the log itself: a transaction may ask a node as one role alone, so none can be the owner
    for some statements. Triggers on the nodes check what it adds."""
    for table, rights in _RIGHTS.items():
        owner.execute(
            sql.SQL("GRANT {} ON {} TO {}").format(
                sql.SQL(rights), sql.Identifier("public", table), sql.Identifier(role)
            )
        )


def _ask(owner: psycopg.Connection[Any], questions: tuple[_Question, ...]) -> None:
    for question in questions:
        if not _value(owner, question.holds):
            raise Refused(question.else_)


def _refuse_foreign_references(owner: psycopg.Connection[Any]) -> None:
    """Refuse where a table that stays refers to one that is spread: no node could hold it to that."""
    names = {"names": list(STREAMS)}
    if found := owner.execute(_FROM_ELSEWHERE, names).fetchall():
        raise Refused(f"{found[0][0]} refers to a table that would be spread.")


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
        for told in _fit_keys(owner, table, column):
            progress(told)
    for trigger, table in _NOT_ON_NODES.items():
        dropped = sql.SQL("DROP TRIGGER IF EXISTS {} ON {}")
        owner.execute(dropped.format(sql.Identifier(trigger), sql.Identifier(table)))
    kept_by_service = owner.execute(_TO_COPIES, {"copies": list(REFERENCES), "names": list(STREAMS)}).fetchall()
    for table, name in kept_by_service:
        _alter(owner, table, sql.SQL("DROP CONSTRAINT {}").format(sql.Identifier(name)))
    if kept_by_service:
        named = ", ".join(sorted({table for table, _ in kept_by_service}))
        progress(f"without foreign keys to what is copied, as the service sees to it alone: {named}")
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


def _fit_keys(owner: psycopg.Connection[Any], table: str, column: str) -> list[str]:
    """Let every key of a table hold the column that it is spread by; raises Refused for one that nothing stands for."""
    told = []
    for name, is_primary, columns in owner.execute(_KEYS, [table]).fetchall():
        if column in columns:
            continue
        _alter(owner, table, sql.SQL("DROP CONSTRAINT {}").format(sql.Identifier(name)))
        if is_primary:
            key = sql.SQL(", ").join(map(sql.Identifier, [column, *columns]))
            _alter(owner, table, sql.SQL("ADD CONSTRAINT {} PRIMARY KEY ({})").format(sql.Identifier(name), key))
            told.append(f"{table}: its primary key holds {column} too")
        elif name in UNKEPT:
            told.append(f"{table}: without {name}; {UNKEPT[name]}")
        else:
            raise Refused(f"{name} of {table} can't be kept by one node, as it lacks {column}.")
    return told


def _alter(owner: psycopg.Connection[Any], table: str, how: sql.Composable) -> None:
    owner.execute(sql.SQL("ALTER TABLE {} {}").format(sql.Identifier("public", table), how))


def _names(owner: psycopg.Connection[Any], question: LiteralString) -> set[str]:
    return {name for (name,) in owner.execute(question)}


def _value(owner: psycopg.Connection[Any], question: LiteralString, *values: Any) -> Any:
    row = owner.execute(question, values or None).fetchone()
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
