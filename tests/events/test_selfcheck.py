"""The start-up check finds each fault of the database, and a process doesn't start on one that has any."""

import os
import subprocess
import sys
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from django.conf import settings
from psycopg import sql

from events import selfcheck
from events.selfcheck import UnsafeDatabase, faults, refuse_unsafe_database
from tests.cases import some_slow
from tests.events.staging import owner
from tests.table_setting import ROOT, in_another_process
from tests.waiting import PATIENCE

ROLE = "The service's role "
PLANTED = {
    "ALTER ROLE {role} SUPERUSER": ROLE + "is a superuser",
    "ALTER ROLE {role} BYPASSRLS": ROLE + "is a superuser",
    "ALTER TABLE events_event OWNER TO {role}": ROLE + "owns events_event",
    "GRANT {owner} TO {role}": ROLE + "owns events_event",
    "GRANT UPDATE ON events_event TO {role}": ROLE + "may change or delete rows of events_event",
    "GRANT UPDATE (actor) ON events_event TO PUBLIC": ROLE + "may change or delete rows of events_event",
    "GRANT DELETE ON events_event TO {role}": ROLE + "may change or delete rows of events_event",
    "GRANT TRUNCATE ON events_event TO {role}": ROLE + "may change or delete rows of events_event",
    "GRANT UPDATE ON matches_seed TO {role}": ROLE + "may change or delete rows of matches_seed",
    "GRANT UPDATE ON matches_sealedpart TO {role}": ROLE + "may change or delete rows of matches_sealedpart",
    "GRANT DELETE ON events_public TO {role}": ROLE + "may change or delete rows of events_public",
    "GRANT DELETE ON events_head TO {role}": ROLE + "may write to events_head past events_append_many",
    "GRANT UPDATE (closed) ON events_head TO {role}": ROLE + "may write to events_head past events_append_many",
    "GRANT INSERT ON events_event TO {role}": ROLE + "may write to events_event past events_append_many",
    "ALTER FUNCTION events_append_many SECURITY INVOKER": "events_append_many doesn't run as another owner",
    "ALTER FUNCTION events_enter RESET ALL": "events_enter doesn't run as another owner",
    "ALTER FUNCTION events_append_many OWNER TO {role}": "events_append_many doesn't run as another owner",
    "GRANT EXECUTE ON FUNCTION events_append_many TO PUBLIC": "Everybody who may connect may call events_append_many",
    "GRANT UPDATE ON events_signed TO {role}": ROLE + "may change or delete rows of events_signed",
    "GRANT TEMPORARY ON DATABASE {database} TO {role}": ROLE + "may make tables",
    "GRANT CREATE ON SCHEMA public TO PUBLIC": ROLE + "may make tables",
    "ALTER TABLE events_event DISABLE TRIGGER events_event_append_only": "The append-only triggers of events_event",
    "ALTER TABLE events_event DISABLE TRIGGER events_event_only_archived": "The trigger that keeps unarchived rows of ",
    "DROP TRIGGER events_event_only_archived ON events_event": "The trigger that keeps unarchived rows of ",
    "ALTER TABLE events_leaf DISABLE TRIGGER events_leaf_only_tiled": "The trigger that keeps unarchived rows of ",
    "ALTER TABLE events_leaf DISABLE TRIGGER events_leaf_checked": "The trigger that checks new rows of events_leaf",
    "ALTER TABLE events_subtree ENABLE TRIGGER events_subtree_checked": "The trigger that checks new rows of events_su",
    "DROP TRIGGER events_signed_checked ON events_signed": "The trigger that checks new rows of events_signed",
    "ALTER TABLE matches_seed ENABLE REPLICA TRIGGER matches_seed_checked": "The trigger that checks new rows of matc",
    "ALTER TABLE events_placed ENABLE TRIGGER events_placed_counted_alone": "The trigger that guards the count",
    "DROP TRIGGER events_access_checked ON events_access": "The trigger that checks new rows of events_access",
    "GRANT DELETE ON events_unplaced TO {role}": ROLE + "may write to events_unplaced",
    "GRANT INSERT ON events_place TO {role}": ROLE + "may write to events_place",
    "GRANT UPDATE (due_at) ON events_held TO {role}": ROLE + "may write to events_held",
    "ALTER FUNCTION matches_place_acts SECURITY INVOKER": "matches_place_acts doesn't run as another owner",
    "GRANT UPDATE ON django_migrations TO {role}": ROLE + "may write to django_migrations, which only the owner",
    "GRANT INSERT (name) ON django_migrations TO {role}": ROLE + "may write to django_migrations, which only the owner",
    "ALTER FUNCTION events_drop_unsigned RESET ALL": "events_drop_unsigned doesn't run as another owner",
    "ALTER ROLE {role} SET search_path = nowhere": "Settings are stored for the service's role that don't belong there",
    "ALTER ROLE {role} IN DATABASE {database} SET row_security = off": "Settings are stored for the service's role",
    "GRANT UPDATE ON events_covered TO {role}": ROLE + "may write to events_covered",
    "ALTER TABLE events_event ENABLE TRIGGER events_event_no_truncate": "The append-only triggers of events_event",
    "ALTER TABLE events_event ENABLE REPLICA TRIGGER events_event_append_only": "The append-only triggers of events",
    "DROP TRIGGER events_event_no_truncate ON events_event": "The append-only triggers of events_event",
    "ALTER TABLE events_signed DISABLE TRIGGER events_signed_append_only": "The append-only triggers of events_signed",
    "DROP TRIGGER events_access_no_truncate ON events_access": "The append-only triggers of events_access",
    "DROP TRIGGER matches_accessentry_no_truncate ON matches_accessentry": "The append-only triggers of matches_access",
    "ALTER TABLE matches_accessentry ENABLE TRIGGER matches_accessentry_append_only": "The append-only triggers of mat",
    "GRANT DELETE ON matches_accessentry TO {role}": ROLE + "may change or delete rows of matches_accessentry",
    "ALTER TABLE events_leaf OWNER TO {role}": ROLE + "owns events_leaf",
    "ALTER TABLE events_head OWNER TO {role}": ROLE + "owns events_head",
    "SET LOCAL synchronous_commit = off": "The database may lose acknowledged events: synchronous_commit is off.",
}


def test_the_database_that_was_prepared_is_clean() -> None:
    assert faults() == []
    refuse_unsafe_database()


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str) -> None:
    names = {"role": settings.DATABASE_LOGINS.role, "database": "", "owner": ""}
    with owner() as hand, hand.transaction(force_rollback=True):
        names |= {"database": hand.info.dbname, "owner": hand.info.user}
        hand.execute(sql.SQL(fault).format(**{name: sql.Identifier(it) for name, it in names.items()}))
        hand.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(settings.DATABASE_LOGINS.role)))
        sentences = faults(hand)
    assert any(sentence.startswith(PLANTED[fault]) for sentence in sentences), sentences


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_may_lose_events_is_found(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """These can't be switched within a session: the question is asked of an answer that is known."""
    (fault,) = [sentence for sentence in selfcheck._QUESTIONS if f": {setting} is off." in sentence]
    pretended = selfcheck._QUESTIONS[fault].replace(f"current_setting('{setting}')", "'off'")
    assert pretended != selfcheck._QUESTIONS[fault]
    monkeypatch.setitem(selfcheck._QUESTIONS, fault, pretended)
    assert faults() == [fault]


def test_the_owner_as_the_service_has_every_fault_of_a_role() -> None:
    with owner() as hand, pytest.raises(UnsafeDatabase) as refusal:
        refuse_unsafe_database(hand)
    for fault in ("is a superuser", "owns events_event", "rows of events_event", "rows of matches_seed"):
        assert fault in str(refusal.value)


STARTS = {
    "web": ["config.server.serve", "--port", "0"],
    "worker": ["celery", "-A", "config", "worker", "-P", "solo", "--without-gossip", "--without-mingle"],
}


def started(part: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A part of the service started on another database; it must end by itself."""
    return subprocess.run(
        [sys.executable, "-m", *STARTS[part]],
        cwd=ROOT, env=os.environ | env, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.parametrize("part", some_slow(STARTS, always=["web"]))
def test_a_process_refuses_to_start_as_the_owner_with_a_plain_sentence(part: str) -> None:
    ended = started(part, DATABASE_LOGIN="app", DATABASE_URL=settings.DATABASE_LOGINS.owner)
    assert ended.returncode == 1
    assert "Croupier doesn't start on an unsafe database. The service's role is a superuser" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_a_process_refuses_to_start_on_a_database_that_was_not_prepared() -> None:
    name = f"empty_{uuid4().hex}"
    url = urlunsplit(urlsplit(settings.DATABASE_LOGINS.app)._replace(path=f"/{name}"))
    with owner() as hand:
        hand.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            ended = started("web", DATABASE_LOGIN="app", DATABASE_URL=url)
        finally:
            hand.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
    assert ended.returncode == 1
    assert "Croupier doesn't start: the database can't be asked whether it is safe." in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_safe_database_lets_a_process_start() -> None:
    ended = in_another_process("import config.asgi; print('it may serve')")
    assert "it may serve" in ended.stdout, ended.stderr
