"""Whether the store's tables are distributed over a Citus cluster's nodes, and what its functions have to be there.

A stream lies on one node with all that belongs to it, and a command's transaction touches that node alone: its commit
is one node's commit. The functions run on the coordinator, so that one clock says when each command came.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings

_GUARDS = Path(__file__).with_name("distributed.sql")
BY_THE_SERVICE = ("events_enter", "events_append", "events_append_many", "events_note_archived")
"""The functions that run as their caller there."""
WRITTEN_BY_THE_SERVICE = (
    "events_event", "events_head", "events_archived", "events_unplaced", "events_held", "events_place",
)  # fmt: skip
"""The guarded tables to which the service's role writes there, past those functions."""
UNCHECKED = ("events_leaf", "events_place", "events_access", "matches_seed")
"""The tables whose rows no trigger checks there: it doesn't have beside it what they are compared with."""
_HAS_CITUS = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
_IS_DISTRIBUTED = """
SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass('public.events_head'))
"""
_APPEND = "SELECT pg_get_functiondef('public.events_append'::regproc)"

# Citus stores what is selected by COPY, and commits a COPY in two phases: a node that dies between them takes what was
# acknowledged along until it is recovered. What has values is committed in one.
_IN_ONE_PHASE = (
    (
        """    INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
        SELECT to_stream, expected + e.n, e.type, e.schema, e.public, e.secret, e.audience, e.salt,
               by_actor, arrived_at, e.hash
        FROM unnest(types, schemas, publics, secrets, audiences, salts, hashes)
             WITH ORDINALITY AS e (type, schema, public, secret, audience, salt, hash, n);
""",
        """    FOR n IN 1 .. cardinality(types) LOOP
        INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
            VALUES (to_stream, expected + n, types[n], schemas[n], publics[n], secrets[n], audiences[n], salts[n],
                    by_actor, arrived_at, hashes[n]);
    END LOOP;
""",
    ),
    (
        """        INSERT INTO events_dirty (stream, projection, version, since)
            SELECT to_stream, name, reached, arrived_at FROM unnest(projections) AS name
            ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
""",
        """        FOR n IN 1 .. cardinality(projections) LOOP
            INSERT INTO events_dirty (stream, projection, version, since)
                VALUES (to_stream, projections[n], reached, arrived_at)
                ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
        END LOOP;
""",
    ),
    # No trigger leaves it there: one would run on the node, where a statement's new rows aren't to be had.
    (
        """    RETURN shown;
""",
        """    INSERT INTO events_unplaced (stream, first_version, last_version)
        VALUES (to_stream, expected + 1, reached);
    RETURN shown;
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
    """`events_append` isn't the function that this module knows how to change."""


@cache
def is_distributed() -> bool:
    """Whether the database of this process is distributed; asked once, as that changes while nobody serves, and by a
    connection of its own: Django lets no event loop ask. A server asks as it starts."""
    with psycopg.connect(settings.DATABASE_LOGINS.app, autocommit=True, connect_timeout=10) as connection:
        return on(connection)


def on(connection: psycopg.Connection[Any]) -> bool:
    """Whether this connection's database is distributed."""
    return bool(_value(connection, _HAS_CITUS)) and bool(_value(connection, _IS_DISTRIBUTED))


def append_in_one_phase(connection: psycopg.Connection[Any]) -> str:
    """What makes `events_append` as a distributed database needs it, of the one that is there; empty where it is so
    already. Raises OtherFunction."""
    there: str = _value(connection, _APPEND)
    if all(there.count(after) == 1 for _, after in _IN_ONE_PHASE):
        return ""
    made = there
    for before, after in _IN_ONE_PHASE:
        if made.count(before) != 1:
            raise OtherFunction("events_append is another function than this release's.")
        made = made.replace(before, after)
    return made


def guards() -> list[bytes]:
    """The statements that guard the log there, once its tables are distributed: Citus takes one at a time."""
    told = re.split(r"^(?=CREATE |ALTER )", _GUARDS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [statement.encode() for statement in told if not statement.startswith("--")]


def faults(connection: psycopg.Connection[Any]) -> list[str]:
    """What a distributed database lacks, in sentences."""
    unchained = bool(_value(connection, _UNCHAINED))
    try:
        is_behind = unchained or bool(append_in_one_phase(connection))
    except OtherFunction:
        is_behind = True
    return [f"The database is distributed, and {_PREPARED_SINCE}"] if is_behind else []


def _value(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question).fetchone()
    return row and row[0]
