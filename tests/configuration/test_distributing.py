"""Distributing a database that isn't fit for it: a sentence, and nothing has changed."""

import subprocess
import sys
from typing import Any

import psycopg
import pytest
from django.conf import settings

from config.deployment import distributing
from tests.conftest import database_of_its_own
from tests.journeys.house import ROOT

_SHAPE = """
SELECT (SELECT array_agg(conname ORDER BY conname) FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
    (SELECT array_agg(tgname ORDER BY tgname) FROM pg_trigger WHERE tgname LIKE 'events%'),
    (SELECT array_agg(tablename ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public')
"""
_WITH_STREAM = """
SELECT table_name FROM information_schema.columns
WHERE column_name = 'stream' AND table_schema = 'public' AND table_name LIKE 'events%'
"""


def _shape(owner: psycopg.Connection[Any]) -> Any:
    return owner.execute(_SHAPE).fetchone()


def test_a_database_without_citus_is_left_as_it_is() -> None:
    with psycopg.connect(settings.DATABASE_LOGINS.owner, autocommit=True) as owner:
        before = _shape(owner)
        with pytest.raises(distributing.Refused, match="It has no Citus"):
            distributing.distribute(owner, settings.DATABASE_LOGINS.role, lambda _step: None)
        assert _shape(owner) == before


def test_a_database_that_is_not_prepared_is_refused() -> None:
    with (
        database_of_its_own(settings.DATABASE_LOGINS.owner, "bare") as url,
        psycopg.connect(url, autocommit=True) as owner,
        pytest.raises(distributing.Refused, match="isn't prepared"),
    ):
        distributing.distribute(owner, "nobody", lambda _step: None)


@pytest.mark.slow
def test_the_command_says_why_not() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "config.distribute"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert result.stderr.startswith("Croupier doesn't distribute this database; nothing was changed. It has no Citus")


def test_every_table_with_a_stream_column_is_listed() -> None:
    with psycopg.connect(settings.DATABASE_LOGINS.owner) as owner:
        for table, column in distributing.STREAMS.items():
            owner.execute(f"SELECT {column} FROM {table} LIMIT 0")  # noqa: S608
        rows = owner.execute(_WITH_STREAM).fetchall()
    kept_apart = {"events_leaf", "events_covered", "events_held", "events_place", "events_public"}
    assert {table for (table,) in rows} - kept_apart <= distributing.STREAMS.keys(), "A new table needs a place."
