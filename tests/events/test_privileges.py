"""Privileges of the service's role on the tables of the log: a pinned list, with a reason for each."""

from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege, IntegrityError

from matches.audit import lost_streams
from tests.events.test_roles import service

READ, ADD, CHANGE = "SELECT", "SELECT INSERT", "SELECT INSERT UPDATE DELETE"
PRIVILEGES = {
    "events_event": (READ, "events_append_many adds events"),
    "events_public": (READ, "a view of the events"),
    "events_head": (READ, "events_append_many moves heads"),
    "events_archived": (READ, "events_note_archived notes segments"),
    "events_unplaced": (READ, "events_append_many queues acts, matches_place_acts places them"),
    "events_held": (READ, "matches_place_acts holds acts back and places them"),
    "events_place": (READ, "matches_place_acts places acts, the owner removes those of archived streams"),
    "events_placed": (READ, "triggers of events_place count"),
    "events_tile": (READ, "the owner archives leaves"),
    "events_covered": (READ, "the owner archives leaves"),
    "events_leaf": (ADD, "signing appends leaves; a trigger checks each"),
    "events_subtree": (ADD, "signing appends subtrees; a trigger checks each"),
    "events_signed": (ADD, "signing appends checkpoints; a trigger checks each"),
    "events_access": (ADD, "an export is noted; a trigger demands that the stream has a head"),
    "events_key": (CHANGE, "responses to retries, pruned after two days; no part of the record"),
    "events_snapshot": (CHANGE, "folded from the log, and compared with its hashes"),
    "events_projection": (CHANGE, "how far read models are; folded again from the log"),
    "events_checkpoint": (CHANGE, "how far read models are; folded again from the log"),
    "events_dirty": (CHANGE, "which consumers are behind; each finds for itself what is to be done"),
    "matches_seed": (ADD, "the opening of a match stores its seed; a trigger demands that transaction"),
    "matches_sealedpart": (ADD, "an act stores parts of options with their commitments; a trigger demands its append"),
    "matches_accessentry": (ADD, "changes of officials' rights are noted"),
    "seasons_roomlook": (ADD, "a host's look into a private room is noted"),
    "django_migrations": (READ, "the owner migrates"),
}
HELD = """
SELECT c.relname, string_agg(p.name, ' ' ORDER BY p.place)
FROM pg_catalog.pg_class c
CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
    WITH ORDINALITY AS p (name, place)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND (c.relname LIKE 'events\\_%%' OR c.relname = ANY(%s))
    AND CASE WHEN p.name IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') THEN has_any_column_privilege(c.oid, p.name)
             ELSE has_table_privilege(c.oid, p.name) END
GROUP BY c.relname
"""
COLUMNS = """
SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND attnotnull AND NOT atthasdef AND attidentity = ''
"""
VALUES = {
    "bigint": -1, "integer": 1, "bytea": b"\0", "text": "x", "boolean": False, "timestamp with time zone": "now",
}  # fmt: skip
NAMING = sorted((lost_streams._BESIDE | lost_streams._ELSEWHERE).keys() & PRIVILEGES.keys())
"""The tables of the log from whose rows verification concludes that a stream is lost."""
INSUFFICIENT, REFUSED_BY_A_TRIGGER = "42501", "23000"


def test_service_role_has_the_privileges_of_the_list_and_no_others() -> None:
    with service() as connection:
        held = dict(connection.execute(HELD, [list(PRIVILEGES)]).fetchall())
    assert held == {table: privileges for table, (privileges, _) in PRIVILEGES.items()}


def row_of_no_stream(connection: psycopg.Connection[Any], table: str) -> tuple[sql.Composed, list[Any]]:
    """An INSERT of a row that names a stream which isn't there."""
    columns = connection.execute(COLUMNS, [table]).fetchall()
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(sql.Identifier(name) for name, _ in columns),
        sql.SQL(", ").join(sql.Placeholder() for _ in columns),
    )
    return statement, [uuid4() if type == "uuid" else VALUES[type] for _, type in columns]


@pytest.mark.parametrize("table", NAMING)
def test_service_role_can_not_name_a_stream_without_a_head(table: str) -> None:
    with service() as connection:
        statement, values = row_of_no_stream(connection, table)
        with pytest.raises((InsufficientPrivilege, IntegrityError)) as refusal:
            connection.execute(statement, values)
    assert refusal.value.sqlstate == (INSUFFICIENT if PRIVILEGES[table][0] == READ else REFUSED_BY_A_TRIGGER)
