"""The checkpoint log checks every row, whoever inserts it, and a row that is no checkpoint stops nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from psycopg import sql
from psycopg.errors import InsufficientPrivilege, IntegrityError, UniqueViolation

from events import role_settings, selfcheck, store
from events.checkpoints import health, notes, signed, signing
from events.checkpoints import outside as outside
from events.checkpoints.notes import Checkpoint
from matches import tasks
from matches.storage import seeds
from tests.events.staging import append, counted, new_stream, one, owner
from tests.events.test_checkpoints import faults, sign, switch
from tests.events.test_roles import service
from tests.table_setting import in_another_process, running_match


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for copies of this test's own."""
    monkeypatch.setattr(settings, "CHECKPOINTS", tmp_path / "outside")
    return tmp_path / "outside"


LEAF = "INSERT INTO events_leaf (position, stream, version, hash) VALUES (%s, %s, %s, %s)"
SUBTREE = "INSERT INTO events_subtree (level, place, hash) VALUES (%s, %s, %s)"
SIGNED = "INSERT INTO events_signed (size, root, at, note) VALUES (%s, %s, %s, %s)"


def size() -> int:
    """Return the number of leaves."""
    with service() as connection:
        return int(one(connection, "SELECT max(position) + 1 FROM events_leaf"))


def root(connection: psycopg.Connection[Any], of_size: int) -> bytes:
    """The root of the tree as the database has it."""
    return bytes(one(connection, "SELECT events_root(%s)", of_size))


def head_of(stream: Any) -> tuple[Any, ...]:
    """A leaf that is true: the head of a stream."""
    head = store.head(stream)
    return stream, head.version, head.hash


FORGED_LEAVES: dict[str, Any] = {
    "of a stream that isn't there": lambda moved: (size(), uuid4(), 1, b"\0"),
    "with another hash": lambda moved: (size(), *head_of(moved)[:2], b"\0" * 32),
    "with no hash": lambda moved: (size(), *head_of(moved)[:2], None),
    "after a gap": lambda moved: (size() + 1, *head_of(moved)),
    "far ahead": lambda moved: (10**9, *head_of(moved)),
    "below the first": lambda moved: (-1, *head_of(moved)),
    "older than the one before": lambda moved: (size(), moved, 1, store.read(moved)[0].hash),
}


@pytest.mark.parametrize("forgery", FORGED_LEAVES)
def test_a_leaf_is_refused_to_the_service(forgery: str) -> None:
    moved = new_stream(2)
    assert sign()
    append(moved, [counted(3)])
    with service() as connection, pytest.raises(IntegrityError):
        connection.execute(LEAF, FORGED_LEAVES[forgery](moved))
    assert sign() and faults() == []


def test_two_leaves_of_which_one_is_false_are_both_refused() -> None:
    moved = new_stream(2)
    assert sign()
    append(moved, [counted(3)])
    with service() as connection:
        for rows in ([head_of(moved), (uuid4(), 1, b"\0")], [(uuid4(), 1, b"\0"), head_of(moved)]):
            with pytest.raises(IntegrityError), connection.cursor().copy("COPY events_leaf FROM STDIN") as copy:
                for place, row in enumerate(rows, start=size()):
                    copy.write_row((place, *row))
    assert sign() and faults() == []


@pytest.mark.parametrize("level", [1, 2, 9, 40])
def test_a_subtree_with_another_hash_is_refused_to_the_service(level: int) -> None:
    new_stream(1)
    assert sign()
    with service() as connection, pytest.raises(IntegrityError):
        connection.execute(SUBTREE, (level, size() >> level, b"x" * 32))
    assert sign() is None
    new_stream(1)
    assert sign() and faults() == []


FORGED_CHECKPOINTS: dict[str, Any] = {
    "ahead, with a note that is none": lambda it: (it.size + 999, b"\0", it.at, "x"),
    "with a note that is none": lambda it: (it.size, it.root, it.at, "x"),
    "with another root": lambda it: _signed(it._replace(root=b"x" * 32)),
    "of too many leaves": lambda it: _signed(it._replace(size=it.size + 1)),
    "of too few leaves": lambda it: _signed(it._replace(size=it.size - 1)),
    "from the future": lambda it: _signed(it._replace(at=it.at + timedelta(minutes=5))),
    "from the past": lambda it: _signed(it._replace(at=it.at - timedelta(minutes=5))),
    "with the note of another size": lambda it: (*_signed(it)[:3], _signed(it._replace(size=it.size + 1))[3]),
    "with more in its note": lambda it: (*_signed(it)[:3], _signed(it)[3] + "more\n"),
    "with no root": lambda it: (it.size, None, it.at, _signed(it)[3]),
}


def _signed(checkpoint: Checkpoint) -> tuple[Any, ...]:
    return checkpoint.size, checkpoint.root, checkpoint.at, signing.signer().sign(checkpoint)


@contextmanager
def grown_by_the_service() -> Iterator[tuple[psycopg.Connection[Any], Checkpoint]]:
    """A transaction of the service with one leaf more, and the checkpoint that it could store."""
    moved = new_stream(1)
    with service() as connection, connection.transaction():
        place = size()
        connection.execute(LEAF, (place, *head_of(moved)))
        level = 1
        while (place + 1) >> level << level == place + 1:
            left, right = (2 * (place >> level) + side for side in (0, 1))
            halves = f"sha256('\\x01'::bytea || events_node({level - 1}, {left}) || events_node({level - 1}, {right}))"
            connection.execute(SUBTREE, (level, place >> level, one(connection, f"SELECT {halves}")))
            level += 1
        at = one(connection, "SELECT clock_timestamp()")
        yield connection, Checkpoint(settings.CHECKPOINT_ORIGIN, place + 1, root(connection, place + 1), at)


@pytest.mark.parametrize("forgery", FORGED_CHECKPOINTS)
def test_a_checkpoint_is_refused_to_the_service(forgery: str) -> None:
    new_stream(1)
    assert sign()
    with grown_by_the_service() as (connection, checkpoint):
        with pytest.raises(psycopg.IntegrityError), connection.transaction():
            connection.execute(SIGNED, FORGED_CHECKPOINTS[forgery](checkpoint))
        connection.execute(SIGNED, _signed(checkpoint))
    assert faults() == []


def test_leaves_that_the_service_left_unsigned_are_signed_by_the_next_checkpoint() -> None:
    """The service's role may append true leaves without a checkpoint, or with a badly signed one."""
    new_stream(1)
    assert sign()
    moved = new_stream(1)
    with service() as connection:
        connection.execute(LEAF, (size(), *head_of(moved)))
    assert any("covered by none" in problem for problem in health.read().problems)
    assert sign() and health.read().problems == ()
    with grown_by_the_service() as (connection, checkpoint):
        note = signing.signer().sign(checkpoint)
        connection.execute(SIGNED, (*_signed(checkpoint)[:3], note[:-20] + "A" * 18 + "=\n"))
    assert any("signature is not the key's" in problem for problem in health.read().problems)
    assert signing.newest() != note and sign() is None
    new_stream(1)
    note = sign()
    assert note and signing.newest() == note and health.read().problems == ()
    assert signing.publish() and signing.publish() == 0
    assert checkpoint.size not in [copy.size for copy in outside.copies()]
    with past_the_triggers() as hand:
        hand.execute("DELETE FROM events_signed WHERE size = %s", [checkpoint.size])
    assert faults() == []


@contextmanager
def past_the_triggers() -> Iterator[psycopg.Connection[Any]]:
    """The owner, who may do what the triggers forbid."""
    with owner() as hand:
        switch(hand, "DISABLE TRIGGER")
        try:
            yield hand
        finally:
            switch(hand, "ENABLE ALWAYS TRIGGER")


BAD_ROWS: dict[str, Any] = {
    "a false leaf": lambda at: [(LEAF, (at, uuid4(), 1, b"\0"))],
    "a false leaf far ahead": lambda at: [(LEAF, (at + 10**6, uuid4(), 1, b"\0"))],
    "a true leaf far ahead": lambda at: [(LEAF, (at + 10**6, *head_of(new_stream(1))))],
    "a subtree of leaves to come": lambda at: [(SUBTREE, (level, at >> level, b"x" * 32)) for level in (1, 2, 5)],
    "a checkpoint far ahead": lambda at: [(SIGNED, (at + 999, b"\0", "2026-11-27T11:46:03Z", "x"))],
    "a checkpoint of the next size": lambda at: [(SIGNED, (at + 1, b"\0", "2026-11-27T11:46:03Z", "x"))],
    "a checkpoint from the future": lambda at: [(SIGNED, (at + 999, b"\0", "2999-01-01T00:00:00Z", "x"))],
    "a leaf and a checkpoint": lambda at: [
        (LEAF, (at, uuid4(), 1, b"\0")),
        (SIGNED, (at + 999, b"\0", "2026-11-27T11:46:03Z", "x")),
    ],
}
"""Rows that the service's role could store before rows were checked. Nobody may remove them."""


@pytest.mark.parametrize("rows", BAD_ROWS)
def test_bad_checkpoint_row_is_reported_and_not_copied(rows: str, folder: Path) -> None:
    new_stream(1)
    assert sign()
    signing.publish()
    last = outside.newest()
    with past_the_triggers() as hand:
        for statement, values in BAD_ROWS[rows](size()):
            hand.execute(statement, values)
    if "subtree" not in rows:
        assert health.read().problems
    for _ in range(3):
        new_stream(1), new_stream(1)
        tasks.sign_checkpoint()
        sign()
        tasks.sign_checkpoint()
    copies = [copy for copy in outside.copies() if copy.size > last.size]
    assert copies and all(signed.is_own(copy.note, copy.size) for copy in copies)
    assert outside.newest().note == signing.newest()
    is_told = bool(health.read().problems)
    with past_the_triggers() as hand:
        hand.execute("DELETE FROM events_signed WHERE note = 'x'")
    assert is_told == (rows in ("a checkpoint far ahead", "a checkpoint from the future", "a leaf and a checkpoint"))
    assert health.read().problems == () and faults() == []


def test_leaves_that_a_checkpoint_covers_are_not_dropped_with_the_unsigned() -> None:
    new_stream(1)
    assert sign()
    before = size()
    with service() as connection:
        assert one(connection, "SELECT events_drop_unsigned()") == 0
    assert size() == before
    with owner() as hand, pytest.raises(InsufficientPrivilege):
        hand.execute("DELETE FROM events_leaf WHERE position = %s", [before - 1])


def test_a_false_leaf_below_a_well_formed_note_is_not_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database can't check the signature, so it drops nothing that a well-formed note covers."""
    new_stream(1)
    assert sign()
    at = size()
    forged = Checkpoint(settings.CHECKPOINT_ORIGIN, at + 1, b"x" * 32, store.clock())
    with past_the_triggers() as hand:
        hand.execute(LEAF, (at, uuid4(), 1, b"\0"))
        other = notes.Signer(settings.CHECKPOINT_ORIGIN, "another secret").sign(forged)
        hand.execute(SIGNED, (forged.size, forged.root, forged.at, other))
    new_stream(1)
    with pytest.raises(signing.Unsound, match=f"Leaf {at} of the checkpoint log is no event"):
        sign()
    assert len(health.read().problems) == 2
    with past_the_triggers() as hand:
        hand.execute("DELETE FROM events_signed WHERE size = %s", [forged.size])
    assert sign() and health.read().problems == () and faults() == []


def test_a_bad_copy_outside_hides_no_later_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    new_stream(1)
    sign()
    signing.publish()
    newest = outside.newest()
    outside.write(newest.size + 999, store.clock(), "x")
    (settings.CHECKPOINTS / "posted").write_text(str(newest.size + 999))
    taken: list[str] = []
    monkeypatch.setattr(settings, "CHECKPOINT_WEBHOOK", "https://example.org")
    monkeypatch.setattr(outside, "_post", lambda url, copy: taken.append(copy.note) or True)
    new_stream(1)
    note = sign()
    assert note and signing.publish() == 1
    assert taken == [note]


# The seeds


def test_a_seed_is_stored_only_with_the_opening_of_its_stream() -> None:
    match = running_match("pentagram")
    for stream in (uuid4(), new_stream(1)):
        with service() as connection, pytest.raises(IntegrityError, match="does not open the stream"):
            connection.execute("INSERT INTO matches_seed (match_id, sealed) VALUES (%s, 'x')", [stream])
    with service() as connection, pytest.raises(UniqueViolation):
        connection.execute("INSERT INTO matches_seed (match_id, sealed) VALUES (%s, 'x')", [match.id])
    assert seeds.faults([match.id]) == {}


def test_a_match_whose_seed_was_lost_is_given_no_other_one_by_the_service() -> None:
    match = running_match("pentagram")
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute("DELETE FROM matches_seed WHERE match_id = %s", [match.id])
        hand.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(settings.DATABASE_LOGINS.role)))
        with pytest.raises(IntegrityError, match="does not open the stream"):
            hand.execute("INSERT INTO matches_seed (match_id, sealed) VALUES (%s, 'x')", [match.id])


# The role's own settings


@contextmanager
def stored(setting: str) -> Iterator[None]:
    """A setting that the role itself has stored for its sessions to come."""
    with service() as connection:
        connection.execute(f"ALTER ROLE CURRENT_USER SET {setting}")
    try:
        yield
    finally:
        with owner() as hand:
            role, name = sql.Identifier(settings.DATABASE_LOGINS.role), sql.SQL(setting.split(" = ")[0])
            hand.execute(sql.SQL("ALTER ROLE {} RESET {}").format(role, name))
            hand.execute(sql.SQL("ALTER ROLE {} SET statement_timeout = '30s'").format(role))


FOREIGN = [
    "search_path = nowhere",
    "default_transaction_read_only = on",
    "statement_timeout = '9s'",
    "DateStyle = german",
]


@pytest.mark.parametrize("setting", FOREIGN)
def test_setting_stored_for_the_role_is_reported(setting: str) -> None:
    with stored(setting):
        with service() as connection:
            (fault,) = role_settings.faults(connection)
            with pytest.raises(selfcheck.UnsafeDatabase, match=setting.split(" = ")[0]):
                selfcheck.refuse_foreign_settings(connection)
        assert setting.split(" = ")[0] in fault
    with service() as connection:
        assert role_settings.faults(connection) == []


@pytest.mark.parametrize("setting", ["work_mem = '8MB'", "random_page_cost = 1.5"])
def test_a_setting_that_changes_no_answer_is_left_to_the_operator(setting: str) -> None:
    with stored(setting), service() as connection:
        assert role_settings.faults(connection) == []


@pytest.mark.slow
def test_a_process_refuses_to_start_with_a_search_path_that_the_role_stored() -> None:
    with stored("search_path = nowhere"):
        ended = in_another_process("import config.asgi")
    assert ended.returncode == 1
    assert "doesn't start on an unsafe database. Settings are stored for the service's role" in ended.stderr


def test_functions_of_the_owner_work_whatever_search_path_the_role_has() -> None:
    stream = new_stream(1)
    with service() as connection:
        connection.execute("SET search_path = nowhere")
        cursor = connection.execute("SELECT * FROM public.events_enter(%s, 'mira', NULL, true)", [stream])
        assert cursor.fetchone()[1] == 1
        assert one(connection, "SELECT public.events_drop_unsigned()") == 0
        with pytest.raises(IntegrityError):
            connection.execute(LEAF.replace("events_leaf", "public.events_leaf"), (size(), uuid4(), 1, b"\0"))


def test_preparing_the_database_resets_what_the_role_stored_for_itself() -> None:
    from config.deployment import database

    with stored("search_path = nowhere"), owner() as hand:
        assert database.ensure_role(hand, settings.DATABASE_LOGINS) == ["search_path"]
        assert database.ensure_role(hand, settings.DATABASE_LOGINS) == []


def test_signing_waits_for_rows_that_are_not_committed() -> None:
    moved, place = new_stream(2), size()
    with service() as connection, connection.transaction():
        connection.execute(LEAF, (place, moved, 1, store.read(moved)[0].hash))
        assert sign() is None
    assert sign() is not None
    assert faults() == []


def test_checkpoint_log_refuses_rows_that_an_old_snapshot_has_checked() -> None:
    moved, place = new_stream(1), size()
    with service() as connection, pytest.raises(IntegrityError, match="READ COMMITTED only"), connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.execute(LEAF, (place, moved, 1, store.read(moved)[0].hash))
