"""A promise that a standby has what is acknowledged is held against what the database is set to."""

import os
import subprocess
import sys

import psycopg
import pytest
from django.conf import settings
from django.test import override_settings

from events import durability, selfcheck
from tests.events.staging import owner
from tests.table_setting import ROOT
from tests.waiting import PATIENCE

ASKED = "SELECT '{commit}', '{names}'"


@pytest.mark.parametrize(
    ("promise", "commit", "names", "standbys", "sentence"),
    [
        ("local", "on", "", "NULL", None),
        ("local", "local", "s1", "0", None),
        ("local", "off", "s1", "1", "synchronous_commit is off"),
        ("standby", "on", "ANY 1 (s1, s2)", "1", None),
        ("standby", "remote_apply", "*", "2", None),
        ("standby", "local", "s1", "1", "synchronous_commit is local"),
        ("standby", "remote_write", "s1", "1", "synchronous_commit is remote_write"),
        ("standby", "on", " ", "1", "synchronous_standby_names is empty"),
        ("standby", "on", "s1", "0", "no synchronous standby of 's1' is connected"),
        ("standby", "on", "s1", "NULL", "isn't shown its standbys: GRANT pg_monitor"),
    ],
)
def test_durability_setting_is_met_or_its_fault_reported(
    promise: str, commit: str, names: str, standbys: str, sentence: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These can't be switched within a session: the questions are asked of answers that are known."""
    monkeypatch.setattr(durability, "_SETTINGS", ASKED.format(commit=commit, names=names))
    monkeypatch.setattr(durability, "_STANDBYS", f"SELECT {standbys}::integer")
    with override_settings(DURABILITY=promise), psycopg.connect(settings.DATABASE_LOGINS.app) as connection:
        faults_reported = selfcheck.faults(connection)
    assert [sentence in fault for fault in faults_reported] == ([] if sentence is None else [True]), faults_reported


def test_service_role_can_read_only_the_number_of_standbys() -> None:
    with psycopg.connect(settings.DATABASE_LOGINS.app) as connection:
        assert connection.execute("SELECT events_standbys()").fetchone() == (0,)
        assert connection.execute("SELECT pg_has_role('pg_read_all_stats', 'USAGE')").fetchone() == (False,)


def test_an_owner_who_sees_no_standbys_is_not_taken_for_one_who_has_none() -> None:
    """Replace the view by rows: without a standby even the plain role counts none, and a hidden row has no state."""
    with owner() as hand:
        ((body,),) = hand.execute("SELECT prosrc FROM pg_proc WHERE proname = 'events_standbys'").fetchall()
        for rows, counted in (
            ("(NULL, NULL)", None),
            ("('sync', 'streaming'), ('potential', 'streaming'), ('sync', 'catchup')", 1),
            ("('quorum', 'streaming'), ('quorum', 'streaming'), ('async', 'streaming')", 2),
        ):
            pretended = body.replace("pg_stat_replication", f"(VALUES {rows}) AS it (sync_state, state)")
            assert pretended != body
            assert hand.execute(pretended).fetchone() == (counted,)


@pytest.mark.slow
def test_a_process_that_promises_a_standby_does_not_start_without_one() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import config.asgi"],
        cwd=ROOT, env=os.environ | {"CROUPIER_DURABILITY": "standby"}, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert ended.returncode == 1
    assert "CROUPIER_DURABILITY is standby, and synchronous_standby_names is empty" in ended.stderr
    assert "Traceback" not in ended.stderr
