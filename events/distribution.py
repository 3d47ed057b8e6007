"""Distribution of the store's tables over a Citus cluster, and the functions that a distributed database needs.

A stream and all that belongs to it lie on one node. A command's transaction touches only that node, so its commit is a
commit on one node. The functions run on the coordinator, so that one clock stamps all commands.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings

_GUARDS = Path(__file__).with_name("distributed.sql")
BY_THE_SERVICE = ("events_enter", "events_append", "events_append_many", "events_note_archived")
"""Functions that run with their caller's rights in a distributed database."""
WRITTEN_BY_THE_SERVICE = (
    "events_event", "events_head", "events_archived", "events_unplaced", "events_held", "events_place",
)  # fmt: skip
"""Guarded tables to which the service's role writes directly in a distributed database."""
UNCHECKED = ("events_leaf", "events_place", "events_access", "matches_seed", "matches_sealedpart")
"""Tables without a trigger that checks new rows in a distributed database: the node lacks the rows to compare with."""
_HAS_CITUS = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
_IS_DISTRIBUTED = """
SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass('public.events_head'))
"""
_APPEND = "SELECT pg_get_functiondef('public.events_append_many'::regproc)"

# Citus stores the result of a SELECT by COPY, and commits a COPY in two phases: if a node dies between them,
# acknowledged rows are missing until it is recovered. An INSERT with VALUES is committed in one phase.
_INSERT_EVENT = """
INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
""".strip()
_IN_ONE_PHASE = (
    (
        f"""            {_INSERT_EVENT}
                SELECT to_stream, after_version + e.n, e.type, e.schema, e.public, e.secret, e.audience, e.salt,
                       by_actor, dated, e.hash
                FROM unnest(types, schemas, publics, secrets, audiences, salts, hashes)
                     WITH ORDINALITY AS e (type, schema, public, secret, audience, salt, hash, n);
""",  # noqa: S608  pieces of a function's text
        f"""            FOR number IN 1 .. cardinality(types) LOOP
                {_INSERT_EVENT}
                    VALUES (to_stream, after_version + number, types[number], schemas[number], publics[number],
                            secrets[number], audiences[number], salts[number], by_actor, dated, hashes[number]);
            END LOOP;
""",
    ),
    (
        """                INSERT INTO events_dirty (stream, projection, version, since)
                    SELECT to_stream, d.projection, last_version, dated
                    FROM unnest(marked, projections) AS d (n, projection) WHERE d.n = 1
                    ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
""",
        """                FOR number IN 1 .. cardinality(projections) LOOP
                    INSERT INTO events_dirty (stream, projection, version, since)
                        VALUES (to_stream, projections[number], last_version, dated)
                        ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
                END LOOP;
""",
    ),
    # A trigger can't do this there: it would run on the node, where a statement's new rows aren't visible.
    (
        """            stored := '{1}';
""",
        """            INSERT INTO events_unplaced (stream, first_version, last_version)
                VALUES (to_stream, after_version + 1, last_version);
            stored := '{1}';
""",
    ),
)

_UNCHAINED = """
SELECT NOT EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = 'public.events_event'::regclass AND tgenabled IN ('O', 'A')
        AND tgfoid = to_regproc('public.events_refuse_unchained')
)
"""
_PREPARED_SINCE = "python -m config.distribute hasn't been run since it was prepared."


class OtherFunction(Exception):
    """`events_append_many` isn't a function that this module can change."""


@cache
def is_distributed() -> bool:
    """True if this process's database is distributed.

    Cached, because this changes only while no process serves. It opens its own connection, since Django forbids queries
    on an event loop; a server calls it as it starts.
    """
    with psycopg.connect(settings.DATABASE_LOGINS.app, autocommit=True, connect_timeout=10) as connection:
        return on(connection)


def on(connection: psycopg.Connection[Any]) -> bool:
    """True if this connection's database is distributed."""
    return bool(_value(connection, _HAS_CITUS)) and bool(_value(connection, _IS_DISTRIBUTED))


def append_in_one_phase(connection: psycopg.Connection[Any]) -> str:
    """Return the SQL that turns the present `events_append_many` into the version for a distributed database; empty if
    it already is that version. Raise OtherFunction."""
    definition: str = _value(connection, _APPEND)
    if all(definition.count(after) == 1 for _, after in _IN_ONE_PHASE):
        return ""
    changed = definition
    for before, after in _IN_ONE_PHASE:
        if changed.count(before) != 1:
            raise OtherFunction("events_append_many is another function than this release's.")
        changed = changed.replace(before, after)
    return changed


def guards() -> list[bytes]:
    """Return the statements that guard the log once its tables are distributed, one by one, as Citus requires."""
    statements = re.split(r"^(?=CREATE |ALTER )", _GUARDS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [statement.encode() for statement in statements if not statement.startswith("--")]


def faults(connection: psycopg.Connection[Any]) -> list[str]:
    """Return a sentence for each thing that a distributed database lacks."""
    unchained = bool(_value(connection, _UNCHAINED))
    try:
        is_behind = unchained or bool(append_in_one_phase(connection))
    except OtherFunction:
        is_behind = True
    return [f"The database is distributed, and {_PREPARED_SINCE}"] if is_behind else []


def _value(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question).fetchone()
    return row and row[0]
