"""Immutability of the record: the service's role lacks the right to change it, and triggers refuse it to its owner too.

Each statement is run by the owner first, in a transaction that is rolled back: so it is valid, and what refuses it to
the service is the right that it lacks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.conf import settings
from psycopg.errors import InsufficientPrivilege

from tests.events.staging import TRIGGERS, new_stream, one, owner, versions

UPSERT = """
    INSERT INTO events_event SELECT * FROM events_event LIMIT 1
    ON CONFLICT (stream, version) DO UPDATE SET actor = 'mallory'
"""
MERGE = """
    MERGE INTO events_event e USING (SELECT stream, version FROM events_event ORDER BY at DESC LIMIT 1) AS s
    ON e.stream = s.stream AND e.version = s.version WHEN MATCHED THEN {}
"""
CHANGES = {
    "update": "UPDATE events_event SET actor = 'mallory'",
    "update of no row": "UPDATE events_event SET actor = 'mallory' WHERE false",
    "delete": "DELETE FROM events_event",
    "truncate": "TRUNCATE events_event",
    "truncate of all": "TRUNCATE events_head, events_event CASCADE",
    "upsert": UPSERT,
    "merge that updates": MERGE.format("UPDATE SET actor = 'mallory'"),
    "merge that deletes": MERGE.format("DELETE"),
    "update through the view": "UPDATE events_public SET actor = 'mallory'",
    "delete through the view": "DELETE FROM events_public",
    "update of the access log": "UPDATE matches_accessentry SET by = NULL",
    "delete from the access log": "DELETE FROM matches_accessentry",
    "truncate of the access log": "TRUNCATE matches_accessentry CASCADE",
}
"""Statements that the triggers refuse to the owner as well."""

UNDERMINING = {
    "lock": "DO 'BEGIN LOCK TABLE events_event IN ACCESS EXCLUSIVE MODE; END'",
    "row lock": "SELECT * FROM events_event FOR UPDATE",
    "copy to a file": "COPY events_event TO '/dev/null'",
    "copy to a program": "COPY events_event TO PROGRAM 'cat > /dev/null'",
    "copy from a program": "COPY events_event FROM PROGRAM 'true'",
    "disable the triggers": "ALTER TABLE events_event DISABLE TRIGGER ALL",
    "disable one trigger": "ALTER TABLE events_event DISABLE TRIGGER events_event_append_only",
    "weaken a trigger": "ALTER TABLE events_event ENABLE TRIGGER events_event_append_only",
    "let the owner remove what isn't archived": "ALTER TABLE events_event DISABLE TRIGGER events_event_only_archived",
    "drop a trigger": "DROP TRIGGER events_event_append_only ON events_event",
    "replica role": "SET session_replication_role = replica",
    "drop the function": "DROP FUNCTION events_refuse_change CASCADE",
    "replace the function": "CREATE OR REPLACE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN RETURN NULL; END'",
    "alter a column": "ALTER TABLE events_event ALTER COLUMN actor DROP NOT NULL",
    "rename": "ALTER TABLE events_event RENAME TO events_old",
    "take over": "ALTER TABLE events_event OWNER TO {role}",
    "drop": "DROP TABLE events_event CASCADE",
    "a rule": "CREATE RULE quiet AS ON UPDATE TO events_event DO INSTEAD NOTHING",
    "a trigger of one's own": "CREATE TRIGGER own BEFORE INSERT ON events_event"
    " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "a temporary table": "CREATE TEMP TABLE events_event (LIKE public.events_event)",
    "a table": "CREATE TABLE public.events_shadow (LIKE public.events_event)",
    "a schema": "CREATE SCHEMA shadow",
    "become the owner": "SET ROLE {owner}",
    "become a superuser": "ALTER ROLE {role} SUPERUSER",
    "become a member of the owner": "GRANT {owner} TO {role}",
    "change a seed": "UPDATE matches_seed SET sealed = ''",
    "delete seeds": "DELETE FROM matches_seed",
    "truncate seeds": "TRUNCATE matches_seed",
    "change a sealed part": "UPDATE matches_sealedpart SET sealed = ''",
    "delete sealed parts": "DELETE FROM matches_sealedpart",
    "delete heads": "DELETE FROM events_head",
    "truncate heads": "TRUNCATE events_head",
    "move a head": "UPDATE events_head SET version = version + 1",
    "set a head back": "UPDATE events_head SET version = 1, hash = (SELECT hash FROM events_event LIMIT 1)",
    "close a stream": "UPDATE events_head SET closed = true",
    "a head of one's own": "INSERT INTO events_head VALUES (gen_random_uuid(), 1, 'x')",
    "lock a head past the door": "SELECT * FROM events_head FOR UPDATE",
    "an event past the head": "INSERT INTO events_event SELECT stream, version + 99999, type, schema, public, NULL,"
    " NULL, NULL, actor, at, hash FROM events_event LIMIT 1",
    "change a migration": "UPDATE django_migrations SET name = 'other'",
    "forget the migrations": "DELETE FROM django_migrations",
    "claim a migration": "INSERT INTO django_migrations (app, name, applied) VALUES ('matches', '9999_later', now())",
    "let unchecked leaves in": "ALTER TABLE events_leaf DISABLE TRIGGER events_leaf_checked",
    "check leaves otherwise": "CREATE OR REPLACE FUNCTION events_check_leaves() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN RETURN NULL; END'",
    "delete leaves": "DELETE FROM events_leaf WHERE position < 0",
    "upsert a seed": "INSERT INTO matches_seed SELECT * FROM matches_seed ON CONFLICT (match_id)"
    " DO UPDATE SET sealed = ''",
    "run the append as oneself": "ALTER FUNCTION events_append_many SECURITY INVOKER",
}
"""Statements that the owner may execute, and the service may not."""

FOR_GOOD = {
    "lose acknowledged events": "ALTER SYSTEM SET fsync = off",
}
"""Statements that can't be rolled back, so that only the service tries them."""
ATTACKS = CHANGES | UNDERMINING | FOR_GOOD


def named(sql: str) -> str:
    """The statement with the roles' names in it."""
    with owner() as hand:
        return sql.format(role=settings.DATABASE_LOGINS.role, owner=hand.info.user)


@contextmanager
def service() -> Iterator[psycopg.Connection[Any]]:
    """A connection as the service logs in."""
    with psycopg.connect(settings.DATABASE_LOGINS.app, autocommit=True) as connection:
        yield connection


def refused_by_a_trigger(hand: psycopg.Connection[Any], sql: str) -> bool:
    """True if the triggers refuse the statement; it is rolled back in any case."""
    try:
        with hand.transaction(force_rollback=True):
            hand.execute(sql)
    except InsufficientPrivilege as error:
        assert "The event log is append-only" in str(error)
        return True
    return False


@pytest.mark.parametrize("what", CHANGES)
def test_the_triggers_refuse_every_change_to_the_owner(what: str) -> None:
    stream = new_stream(length=2)
    with owner() as hand:
        assert refused_by_a_trigger(hand, CHANGES[what])
        hand.execute("SET session_replication_role = replica")
        assert refused_by_a_trigger(hand, CHANGES[what]), "the triggers must fire for a replica too"
    assert versions(stream) == [1, 2]


@pytest.mark.parametrize("what", UNDERMINING)
def test_statement_refused_to_the_service_is_allowed_to_the_owner(what: str) -> None:
    new_stream(length=2)
    with owner() as hand:
        assert not refused_by_a_trigger(hand, named(UNDERMINING[what]))


@pytest.mark.parametrize("what", ATTACKS)
def test_the_service_lacks_the_right(what: str) -> None:
    stream = new_stream(length=2)
    with service() as connection, pytest.raises(InsufficientPrivilege) as refusal:
        connection.execute(named(ATTACKS[what]))
    assert refusal.value.sqlstate == "42501"
    assert "append-only" not in str(refusal.value), "the right itself must be missing, not only a trigger in the way"
    assert versions(stream) == [1, 2]
    with owner() as hand:
        enabled = hand.execute("SELECT tgenabled FROM pg_trigger WHERE tgname = ANY(%s)", [list(TRIGGERS)]).fetchall()
    assert enabled == [("A",)] * len(TRIGGERS)


@pytest.mark.parametrize("right", ["UPDATE", "DELETE", "TRUNCATE", "TRIGGER", "UPDATE (actor)", "ALL"])
def test_the_service_can_grant_itself_nothing(right: str) -> None:
    """Postgres warns instead of refusing, as the role holds other rights."""
    with service() as connection:
        notices: list[str | None] = []
        connection.add_notice_handler(lambda notice: notices.append(notice.sqlstate))
        connection.execute(named(f"GRANT {right} ON events_event TO {{role}}"))
        assert notices == ["01007"]
        held = ("UPDATE", "DELETE", "TRUNCATE", "TRIGGER", "REFERENCES")
        assert not any(one(connection, "SELECT has_table_privilege('events_event', %s)", name) for name in held)
        assert not one(connection, "SELECT has_any_column_privilege('events_event', 'UPDATE')")


def test_the_service_is_a_plain_role_that_owns_nothing() -> None:
    with service() as connection:
        rights = "rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls"
        row = connection.execute(f"SELECT {rights} FROM pg_roles WHERE rolname = current_user").fetchone()  # noqa: S608
        assert row == (False,) * 5
        assert one(connection, "SELECT count(*) FROM pg_class WHERE pg_has_role(relowner, 'MEMBER')") == 0
        assert one(connection, "SELECT count(*) FROM pg_auth_members WHERE member = current_user::regrole") == 0


def test_a_session_of_the_service_has_time_outs() -> None:
    with service() as connection:
        for name in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            assert one(connection, "SELECT current_setting(%s)", name) not in ("0", None)
