"""Store functions for a database whose tables are distributed, as far as one Postgres can show."""

from uuid import uuid4

import psycopg
import pytest
from django.conf import settings

from events import distribution, store
from events.chain import GENESIS, link

_APPEND = """
SELECT events_append_many(ARRAY[1], ARRAY[%s], ARRAY[0], ARRAY['somebody'], ARRAY[%s], ARRAY['key'],
    ARRAY['f']::bytea[], ARRAY['answer']::bytea[], ARRAY[false], ARRAY[1, 1], ARRAY['x', 'y'], ARRAY[1, 1],
    ARRAY['{}', '{}']::bytea[], ARRAY[NULL, NULL]::bytea[], ARRAY[NULL, NULL]::text[], ARRAY[NULL, NULL]::bytea[],
    %s::bytea[], ARRAY[1, 1], '{one, two}', true)
"""


def test_a_database_of_one_server_is_not_distributed() -> None:
    assert not distribution.is_distributed()


def test_the_append_of_this_release_is_made_one_that_stores_row_by_row() -> None:
    stream = uuid4()
    with psycopg.connect(settings.DATABASE_LOGINS.owner) as owner:
        statement = distribution.append_in_one_phase(owner)
        owner.execute(statement.encode())
        assert distribution.append_in_one_phase(owner) == "", "It is so already."

        at = store.clock()
        first = link(GENESIS, stream, 1, "x", 1, "somebody", at, b"{}", None, b"")
        second = link(first, stream, 2, "y", 1, "somebody", at, b"{}", None, b"")
        owner.execute(_APPEND, [stream, at, [first, second]])
        cursor = owner.execute(
            "SELECT version, type, hash FROM events_event WHERE stream = %s ORDER BY version", [stream]
        )
        assert cursor.fetchall() == [(1, "x", first), (2, "y", second)]
        dirty = owner.execute("SELECT projection, version FROM events_dirty WHERE stream = %s ORDER BY 1", [stream])
        assert dirty.fetchall() == [("one", 2), ("two", 2)]
        owner.rollback()


def test_another_function_is_not_changed() -> None:
    with psycopg.connect(settings.DATABASE_LOGINS.owner) as owner:
        there = owner.execute("SELECT pg_get_functiondef('events_append_many'::regproc)").fetchone()
        assert there is not None
        owner.execute(there[0].replace("stored := '{1}';", "stored :=  '{1}';").encode())
        with pytest.raises(distribution.OtherFunction):
            distribution.append_in_one_phase(owner)
        owner.rollback()
