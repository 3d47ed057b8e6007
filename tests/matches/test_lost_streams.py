"""A stream that was deleted whole is missed, though no checkpoint covers it; what is archived or waits is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from events import archiving, store
from matches.audit import lost_streams, verify_all
from matches.models import Match
from matches.seasons import process_manager
from matches.storage import order
from tests.events.staging import append, counted, new_stream, one, owner
from tests.events.test_roles import service
from tests.seasons.test_reopening import Ended
from tests.table_setting import play_on, play_to_the_end, running_match

OF_STREAM = (
    "events_event", "events_head", "events_key", "events_snapshot", "events_dirty", "events_checkpoint", "events_place",
    "events_unplaced", "events_held", "events_access",
)  # fmt: skip
"""Rows that an owner deletes to leave no trace of a match in the log."""
TRIGGERS = {
    "events_event": ("events_event_append_only", "events_event_no_truncate", "events_event_only_archived"),
    "events_place": ("events_place_append_only", "events_place_no_truncate", "events_place_only_archived"),
    "events_access": ("events_access_append_only", "events_access_no_truncate"),
}


def place_all() -> None:
    while order.place():
        pass


@contextmanager
def deleted(stream: UUID, tables: tuple[str, ...] = OF_STREAM) -> Iterator[None]:
    """A stream's rows are gone from these tables; they come back afterwards."""
    rows_by_table: dict[str, list[Any]] = {}
    with owner() as hand:
        with hand.transaction(), past_the_triggers(hand):
            for table in tables:
                rows_by_table[table] = hand.execute(f"SELECT t.* FROM {table} t WHERE stream = %s", [stream]).fetchall()  # noqa: S608
                hand.execute(f"DELETE FROM {table} WHERE stream = %s", [stream])  # noqa: S608
        try:
            yield
        finally:
            with hand.transaction(), past_the_triggers(hand):
                for table, rows in rows_by_table.items():
                    for row in rows:
                        values = ", ".join(["%s"] * len(row))
                        hand.execute(f"INSERT INTO {table} VALUES ({values})", row)  # noqa: S608


@contextmanager
def past_the_triggers(hand: psycopg.Connection[Any]) -> Iterator[None]:
    """Act as the owner with the triggers switched off, as somebody would who hides a deletion."""
    hand.execute("SET LOCAL session_replication_role = replica")
    for table, names in TRIGGERS.items():
        for name in names:
            hand.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
    yield
    for table, names in TRIGGERS.items():
        for name in names:
            hand.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def faults() -> list[str]:
    return [str(fault) for fault in lost_streams.named_by_tables()] + list(lost_streams.missing_places())


def test_deleted_match_is_named_by_the_tables_that_still_have_it() -> None:
    match = running_match("pyramid_poker")
    play_to_the_end(match)
    place_all()
    before = faults()
    with deleted(match.id):
        (tables, places) = [fault for fault in faults() if fault not in before]
    assert str(match.id) in tables
    assert "missing with its head; named by matches_match, matches_seat, matches_seed" in tables
    assert "rows too few after position" in places
    assert faults() == before


@pytest.mark.parametrize("followed_by_another", [True, False])
def test_deleted_stream_that_no_table_names_leaves_a_gap_in_the_order(followed_by_another: bool) -> None:
    stream = new_stream(3)
    place_all()
    before = faults()
    with deleted(stream):
        if followed_by_another:
            new_stream(1)
            place_all()
        (fault,) = [fault for fault in faults() if fault not in before]
        assert "1 rows too few after position" in fault
    assert faults() == before


def test_rolled_back_places_leave_no_gap() -> None:
    before = faults()
    new_stream(1)
    with owner() as hand, hand.transaction(force_rollback=True):
        hand.execute("INSERT INTO events_place (stream, first_version, last_version, late)"
                     " SELECT stream, first_version, last_version, false FROM events_unplaced")  # fmt: skip
    place_all()
    new_stream(2)
    place_all()
    assert faults() == before
    with owner() as hand:
        assert one(hand, "SELECT count(*) FROM events_place WHERE position > (SELECT last - 2 FROM events_placed)") == 2


def test_archived_stream_is_not_reported_as_lost() -> None:
    match = running_match("pyramid_poker")
    play_to_the_end(match)
    place_all()
    before = faults()
    (segment,) = archiving.archive(match.id)
    with owner() as hand:
        removed = archiving.remove(hand, segment, lambda stream, read: True)
    assert removed.events == store.head(match.id).version
    with owner() as hand:
        assert one(hand, "SELECT count(*) FROM events_place WHERE stream = %s", match.id) == 0
    assert faults() == before
    assert verify_all.check([match.id], rules=False).broken == []


def test_places_cannot_be_deleted_by_any_role() -> None:
    stream = new_stream(1)
    place_all()
    with service() as connection, pytest.raises(InsufficientPrivilege):
        connection.execute("DELETE FROM events_place WHERE stream = %s", [stream])
    with owner() as hand, pytest.raises(InsufficientPrivilege, match="append-only"):
        hand.execute("DELETE FROM events_place WHERE stream = %s", [stream])


@pytest.mark.parametrize("role", ["origin", "replica"])
@pytest.mark.parametrize(
    "change",
    ["UPDATE events_placed SET removed = removed + 1", "UPDATE events_placed SET last = 0", "DELETE FROM events_placed",
     "TRUNCATE events_placed"],
)  # fmt: skip
def test_count_of_places_is_changed_by_its_triggers_alone(change: str, role: str) -> None:
    with owner() as hand, pytest.raises(InsufficientPrivilege, match="append-only"):
        hand.execute(f"SET session_replication_role = {role}")
        hand.execute(change)


QUEUE = {
    "remove an act from the queue": "DELETE FROM events_unplaced WHERE stream = %s",
    "change an act in the queue": "UPDATE events_unplaced SET last_version = 1 WHERE stream = %s",
    "queue an act": "INSERT INTO events_unplaced (stream, first_version, last_version) VALUES (%s, 1, 1)",
    "give a place": "INSERT INTO events_place (stream, first_version, last_version, late) VALUES (%s, 1, 1, false)",
    "hold an act back": "INSERT INTO events_held VALUES (-1, %s, 1, 1, now())",
    "let an act go": "DELETE FROM events_held WHERE stream = %s",
    "date an act that is held back": "UPDATE events_held SET due_at = now() WHERE stream = %s",
}
"""Statements after which an act would have no place, or another one than its own."""


@pytest.mark.parametrize("change", QUEUE)
def test_service_role_changes_the_order_by_its_function_alone(change: str) -> None:
    stream = new_stream(2)
    with service() as connection:
        with pytest.raises(InsufficientPrivilege):
            connection.execute(QUEUE[change], [stream])
        while one(connection, "SELECT count(*) FROM events_unplaced"):
            assert one(connection, "SELECT matches_place_acts(1)")
        placed = connection.execute(
            "SELECT first_version, last_version, late FROM events_place WHERE stream = %s", [stream]
        ).fetchall()
    assert placed == [(1, 2, False)]
    assert list(lost_streams.misplaced([stream])) == []


@pytest.mark.parametrize("opened_at", ["294276-12-31 23:59:59+00", "infinity", "-infinity"])
def test_no_instant_of_a_match_keeps_acts_from_being_placed(opened_at: str) -> None:
    match = running_match("pyramid_poker")
    place_all()
    play_on(match, 1, Random(1))
    stream = new_stream(1)
    with service() as connection:
        change = "UPDATE matches_match SET opened_at = %s, spectator_delay = 2147483647 WHERE id = %s"
        connection.execute(change, [opened_at, match.id])
        place_all()
        waiting = one(connection, "SELECT count(*) FROM events_unplaced WHERE stream = ANY(%s)", [match.id, stream])
        connection.execute("UPDATE matches_match SET opened_at = now(), spectator_delay = 0 WHERE id = %s", [match.id])
    assert waiting == 0


def test_verification_names_the_first_version_without_a_place() -> None:
    stream = new_stream(2)
    place_all()
    append(stream, [counted(3)])
    assert verify_all.check([stream], rules=False).broken == []
    with deleted(stream, ("events_unplaced",)):
        (fault,) = verify_all.check([stream], rules=False).broken
    assert (fault.stream, fault.version) == (stream, 3)
    assert "neither placed, waiting nor archived" in fault.reason
    with deleted(stream, ("events_place",)):
        (fault,) = verify_all.check([stream], rules=False).broken
    assert (fault.stream, fault.version) == (stream, 1)
    place_all()
    assert verify_all.check([stream], rules=False).broken == []


def test_verification_reads_the_unplaced_acts_once_for_many_streams() -> None:
    """They have no index by stream, and after an upgrade or an outage there may be millions."""
    streams = ", ".join(f"'{new_stream(1)}'" for _ in range(5))
    with owner() as hand:
        question = lost_streams._MISPLACED.replace("$1", f"array[{streams}]")
        plan = one(hand, f"EXPLAIN (ANALYZE, FORMAT JSON) {question}")
    assert {
        node["Actual Loops"] for node in nodes(plan[0]["Plan"]) if node.get("Relation Name") == "events_unplaced"
    } == {1}


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node of a query plan and all below it."""
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


def test_verification_names_a_truncated_version_that_has_a_place() -> None:
    stream = new_stream(2)
    head = store.head(stream)
    append(stream, [counted(3), counted(4)])
    place_all()
    cut = "DELETE FROM events_event WHERE stream = %s AND version > 2"
    with owner() as hand:
        with hand.transaction(), past_the_triggers(hand):
            rows = hand.execute(cut + " RETURNING *", [stream]).fetchall()
            hand.execute("UPDATE events_head SET version = 2, hash = %s WHERE stream = %s", [head.hash, stream])
        (fault,) = verify_all.check([stream], rules=False).broken
        with hand.transaction(), past_the_triggers(hand):
            values = ", ".join(["%s"] * len(rows[0]))
            hand.cursor().executemany(f"INSERT INTO events_event VALUES ({values})", rows)  # noqa: S608
            hand.execute("UPDATE events_head SET version = 4, hash = %s WHERE stream = %s", [rows[-1][-1], stream])
    assert (fault.version, fault.reason) == (3, "missing; named by the order of all acts")
    assert verify_all.check([stream], rules=False).broken == []


def test_a_place_of_no_version_is_left_out_by_verification() -> None:
    stream = new_stream(1)
    with owner() as hand:
        with hand.transaction(), past_the_triggers(hand):
            hand.execute("INSERT INTO events_place VALUES (-1, %s, 5, 1, false)", [stream])
        assert list(lost_streams.misplaced([stream])) == []
        with hand.transaction(), past_the_triggers(hand):
            hand.execute("DELETE FROM events_place WHERE position = -1")


def test_match_named_only_by_the_log_of_its_season_is_reported_as_lost() -> None:
    season = Ended()
    match = Match.objects.get(id=season.match)
    assert verify_all.check([season.id], rules=False).broken == []
    with deleted(match.id, ("events_event", "events_head")):
        (fault,) = verify_all.check([season.id], rules=False).broken
    assert (fault.stream, fault.reason) == (match.id, f"missing with its head; named by the log of season {season.id}")


def test_match_that_its_season_has_yet_to_open_is_not_reported_as_lost() -> None:
    season = Ended()
    with owner() as hand:
        hand.execute("INSERT INTO events_dirty (stream, projection, version, since)"
                     " VALUES (%s, %s, 1, now()) ON CONFLICT DO NOTHING",
                     [season.id, process_manager.SEASON_TABLES.name])  # fmt: skip
    with deleted(season.match, ("events_event", "events_head")):
        assert verify_all.check([season.id], rules=False).broken == []
    with owner() as hand:
        hand.execute("DELETE FROM events_dirty WHERE stream = %s", [season.id])


def test_a_mark_for_no_consumer_hides_no_match_of_a_season() -> None:
    season = Ended()
    with service() as connection:
        connection.execute("INSERT INTO events_dirty (stream, projection, version, since)"
                           " VALUES (%s, 'nobody', 1, now())", [season.id])  # fmt: skip
    with deleted(season.match, ("events_event", "events_head")):
        (fault,) = verify_all.check([season.id], rules=False).broken
    assert fault.stream == season.match
    with owner() as hand:
        hand.execute("DELETE FROM events_dirty WHERE stream = %s", [season.id])
