"""Alive, ready, figures."""

import logging
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Value
from django.test import Client, override_settings

from events import outbox
from events.checkpoints import health, signing
from events.log_throttle import LogThrottle
from matches.api import gauges
from matches.http import metrics, readiness
from matches.models import Heartbeat
from matches.publishing import heartbeat
from matches.reads.selectors import ClockTimestamp
from matches.storage import outages
from tests.events.staging import new_stream
from tests.events.test_checked_checkpoints import past_the_triggers, stored

client = Client(headers={"host": "localhost"})


@pytest.fixture(autouse=True)
def forgetful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process has found nothing away yet, no part has ever given a sign, and all that has happened is signed."""
    monkeypatch.setattr(settings, "CHECKPOINTS", tmp_path)
    new_stream(1)
    signing.sign_if_due(after_seconds=0)
    Heartbeat.objects.all().delete()
    readiness._absent.clear()
    yield
    Heartbeat.objects.all().delete()
    readiness._absent.clear()


@pytest.fixture
def staff() -> None:
    """A worker and a beat that no delay of the test makes silent."""
    silent(heartbeat.WORKER, -300)
    silent(heartbeat.BEAT, -300)


def silent(part: str, seconds: float) -> str:
    """Let a part have given its last sign so long ago; gives when that was."""
    at = ClockTimestamp() - Value(timedelta(seconds=seconds))
    Heartbeat.objects.update_or_create(part=part, defaults={"beaten_at": at})
    beaten_at = Heartbeat.objects.get(part=part).beaten_at.isoformat()
    return beaten_at.replace("+00:00", "Z")


def test_healthz_queries_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "components", lambda: pytest.fail("asked"))
    assert client.get("/healthz").json() == {"ok": True}


def test_readyz_reports_each_part(staff: None) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    names = ("database", "migrated", "role", "checkpoints", "broker", "worker", "beat")
    document = response.json()
    age = document.pop("checkpoint_age_seconds")
    assert document == {"ok": True, "parts": dict.fromkeys(names, True), "away": []}
    assert 0 <= age < 60


def test_readyz_names_a_setting_stored_for_the_service_role(staff: None) -> None:
    with stored("search_path = nowhere"):
        response = client.get("/readyz")
    assert (response.status_code, response.json()["parts"]["role"]) == (503, False)
    (away,) = response.json()["away"]
    assert "search_path = nowhere" in away["problems"][0]
    assert client.get("/readyz").status_code == 200


def test_readyz_reports_faults_of_the_checkpoints(staff: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with past_the_triggers() as hand:
        hand.execute("INSERT INTO events_signed (size, root, at, note) VALUES (10^9::bigint, '', now(), 'x')")
        try:
            response = client.get("/readyz")
            assert (response.status_code, response.json()["parts"]["checkpoints"]) == (200, False)
            wait_out("checkpoints")
            response = client.get("/readyz")
            figures = {metric.name: metric.samples[0].value for metric in gauges.Gauges().collect()}
        finally:
            hand.execute("DELETE FROM events_signed WHERE note = 'x'")
    assert response.status_code == 503
    (away,) = response.json()["away"]
    assert away["problems"] == [
        "The stored checkpoint of 1000000000 leaves is none. "
        "It is no checkpoint: origin, size, root and time stand on a line each."
    ]
    assert figures["croupier_checkpoint_faults"] == 1
    assert client.get("/readyz").status_code == 200


def test_readyz_reports_events_that_wait_for_a_checkpoint(staff: None, monkeypatch: pytest.MonkeyPatch) -> None:
    new_stream(1)
    assert client.get("/readyz").json()["parts"]["checkpoints"]
    monkeypatch.setattr(health, "LATE_SECONDS", 0)
    response = client.get("/readyz")
    (away,) = response.json()["away"]
    assert away["part"] == "checkpoints" and "for a signed checkpoint." in away["problems"][0]
    signing.sign_if_due(after_seconds=0)
    assert client.get("/readyz").json()["parts"]["checkpoints"]


@pytest.mark.parametrize("part", [heartbeat.WORKER, heartbeat.BEAT])
def test_part_silent_beyond_its_grace_is_named_with_its_last_sign(staff: None, part: str) -> None:
    since = silent(part, 7)
    response = client.get("/readyz")
    away = {"part": part, "since": since, "grace_seconds": 10.0, "in_grace": True}
    assert (response.status_code, response.json()["away"]) == (200, [away])
    assert response.json()["parts"][part] is False
    since = silent(part, 11)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["ok"]) == (503, False)
    assert response.json()["away"] == [away | {"since": since, "in_grace": False}]
    heartbeat.beat(part)
    assert client.get("/readyz").status_code == 200


def test_part_that_never_reported_has_its_grace_from_the_first_request(monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/readyz")
    assert (first.status_code, [it["part"] for it in first.json()["away"]]) == (200, ["worker", "beat"])
    assert {it["since"] for it in first.json()["away"]} == {None}
    wait_out("worker", "beat")
    assert client.get("/readyz").status_code == 503


def wait_out(*parts: str) -> None:
    """Let the grace of parts that are away pass."""
    for part in parts:
        began, since = readiness._absent[part]
        readiness._absent[part] = began - readiness.GRACE_SECONDS[part], since


def test_lasting_problem_is_logged_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(readiness, "_throttle", LogThrottle())
    with caplog.at_level(logging.ERROR):
        for seconds in (500.0, 510.0, 520.0):
            state = health.Health(1000.0, seconds, ())
            monkeypatch.setattr(health, "read", lambda state=state: state)
            assert readiness._checkpoints(True).problems == state.problems
    assert len([it for it in caplog.records if "part_has_problems" in str(it.msg)]) == 1


def test_broker_away_beyond_its_grace_is_named(staff: None) -> None:
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        response = client.get("/readyz")
        assert (response.status_code, response.json()["parts"]["broker"]) == (200, False)
        wait_out("broker")
        response = client.get("/readyz")
    assert response.status_code == 503
    (away,) = response.json()["away"]
    assert (away["part"], away["in_grace"]) == ("broker", False)
    assert abs((datetime.now(UTC) - datetime.fromisoformat(away["since"])).total_seconds()) < 60
    assert client.get("/readyz").status_code == 200, "It is back."
    assert "broker" not in readiness._absent, "Its next absence begins anew."


def test_readyz_fails_without_the_database(staff: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> bool:
        raise DatabaseError

    monkeypatch.setattr(readiness, "_query_database", ask)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["ok"] is False
    away = [(it["part"], it["in_grace"]) for it in response.json()["away"]]
    assert away == [
        ("database", False), ("migrated", False), ("role", False), ("checkpoints", True), ("worker", True),
        ("beat", True),
    ]  # fmt: skip


def test_database_that_never_answers_counts_as_away(staff: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(20)")
        return True

    monkeypatch.setattr(readiness, "_ANSWER_SECONDS", 0.2, raising=False)
    with monkeypatch.context() as hanging:
        hanging.setattr(readiness, "_query_database", ask)
        begun = monotonic()
        response = client.get("/readyz")
    assert monotonic() - begun < 5
    assert Heartbeat.objects.exists(), "Nobody is given the connection that was cut off."
    assert (response.status_code, response.json()["parts"]["database"]) == (503, False)
    assert client.get("/readyz").status_code == 200, "The next one is asked on another connection."


def test_database_lost_between_two_queries_is_reported_in_the_same_form(
    staff: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_database() -> None:
        raise psycopg.OperationalError

    monkeypatch.setattr(heartbeat, "last", lose_database)
    response = client.get("/readyz")
    assert [it["part"] for it in response.json()["away"]] == ["worker", "beat"]


def test_blocked_commits_are_reported_although_reads_succeed(staff: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process writes its beat each second; a standby that is frozen keeps its last one from being acknowledged."""
    monkeypatch.setattr(outages._cached, "is_web_process", True)
    for seconds, status, answers in ((1, 200, True), (7, 200, False), (11, 503, False)):
        monkeypatch.setattr(outages._cached, "beaten_at", monotonic() - seconds)
        response = client.get("/readyz")
        assert (response.status_code, response.json()["parts"]["commits"]) == (status, answers)
    (away,) = response.json()["away"]
    assert (away["part"], away["in_grace"], away["grace_seconds"]) == ("commits", False, 10.0)
    assert 10 < (datetime.now(UTC) - datetime.fromisoformat(away["since"])).total_seconds() < 60
    outages.beat()
    assert client.get("/readyz").status_code == 200


def test_readyz_fails_without_a_required_standby(staff: None) -> None:
    with override_settings(DURABILITY="standby"):
        response = client.get("/readyz")
    assert (response.status_code, response.json()["parts"]["durability"]) == (503, False)
    assert [it["part"] for it in response.json()["away"]] == ["durability"]
    assert client.get("/readyz").status_code == 200


def test_missing_migration_is_reported_until_it_is_applied(staff: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "_migrated", False)
    recorder = MigrationRecorder(connections["owner"])
    newest = recorder.migration_qs.filter(app="matches").latest("id").name
    recorder.record_unapplied("matches", newest)
    try:
        response = client.get("/readyz")
        assert (response.status_code, response.json()["parts"]["migrated"]) == (503, False)
    finally:
        recorder.record_applied("matches", newest)
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(readiness, "MigrationExecutor", lambda _: pytest.fail("asked again"))
    assert client.get("/readyz").json()["parts"]["migrated"]


def test_metrics_contain_commands_requests_and_process_figures() -> None:
    metrics.accepted("pentagram")
    metrics.refused("pentagram", "not_now")
    client.get("/healthz")
    text = client.get("/metrics").content.decode()
    assert 'croupier_commands_total{game="pentagram",result="accepted"}' in text
    assert 'croupier_commands_total{game="pentagram",result="not_now"}' in text
    assert 'croupier_requests_total{method="GET",route="healthz",status="200"}' in text
    assert 'croupier_request_seconds_bucket{le="0.05",method="GET",route="healthz"}' in text
    for name in ("results", *outbox.names()):
        assert f'croupier_dirty_streams{{projection="{name}"}}' in text
        assert f'croupier_dirty_seconds{{projection="{name}"}}' in text
    assert "process_cpu_seconds_total" in text


def test_made_up_addresses_make_no_series() -> None:
    client.get("/api/v1/made/up/nowhere")
    assert "nowhere" not in client.get("/metrics").content.decode()


@pytest.mark.parametrize(("address", "status"), [("127.0.0.9", 200), ("::1", 200), ("192.0.2.1", 404), ("", 404)])
def test_figures_are_for_some_networks(address: str, status: int) -> None:
    assert client.get("/metrics", REMOTE_ADDR=address).status_code == status


def test_the_database_is_not_timed_while_migrations_are_read_from_our_own_files(
    staff: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk once had a database that answers at once called away."""
    ours = [name for name in sys.modules if re.search(r"\.migrations\.\d{4}_", name)]
    for name in ours:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(readiness, "_migrated", False)
    monkeypatch.setattr(readiness, "_of_database", lambda ask: timed.append(set(ours) - set(sys.modules)) or ask())
    readiness._read_migrations.cache_clear()
    timed: list[set[str]] = []
    assert {part.name for part in readiness.components() if part.answers} >= {"database", "migrated"}
    assert ours and timed[1] == set()


def test_metrics_work_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseError

    monkeypatch.setattr("events.projections.lag", fail)
    monkeypatch.setattr("matches.api.gauges.FRESH_SECONDS", 0)
    response = client.get("/metrics")
    assert response.status_code == 200
    assert b"croupier_dirty_streams" not in response.content
