"""The gauges that take a question: what they count, how seldom they ask, and what they tell while a part is away."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from events import store
from matches.api import gauges, scraping
from matches.http import readiness
from matches.models import Call, Deadline, Match, Notice, Webhook
from matches.notifications import notices
from matches.publishing.task_publisher import ATTEND
from matches.reads import figures
from tests.table_setting import new_account, running_match

client = Client(headers={"host": "localhost"})


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauges, "FRESH_SECONDS", 0)


@pytest.fixture
def nobody_at_work() -> Iterator[None]:
    """Queues that nothing else puts anything into."""
    with current_app.pool.acquire(block=True) as connection:
        for name in settings.CELERY_TASK_QUEUES:
            connection.default_channel.queue_purge(name)
    yield


def read_series() -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the value of each series by its name and the values of its labels."""
    text = client.get("/metrics").content.decode()
    families = text_string_to_metric_families(text)
    return {(it.name, tuple(it.labels.values())): it.value for family in families for it in family.samples}


def test_matches_are_counted_by_status() -> None:
    before = read_series()
    match = running_match("pyramid_poker", new_account(), new_account())
    after = read_series()
    running, paused = ("croupier_matches", ("running",)), ("croupier_matches", ("paused",))
    assert after[running] == before[running] + 1
    Match.objects.filter(id=match.id).update(status=Match.Status.PAUSED)
    assert read_series()[running] == before[running]
    assert read_series()[paused] == before[paused] + 1


def test_overdue_flags_are_counted_with_their_age() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    late = {"falls_at": store.clock() - timedelta(days=1)}
    Deadline.objects.update_or_create(match_id=match.id, defaults=late)
    values = read_series()
    Deadline.objects.filter(match_id=match.id).update(falls_at=None)
    assert values["croupier_flags_due", ()] >= 1
    assert 86400 <= values["croupier_flags_due_seconds", ()] < 86500
    assert read_series()["croupier_flags_due", ()] == values["croupier_flags_due", ()] - 1


def test_notices_are_counted_by_their_state() -> None:
    account, now = new_account(), store.clock()
    notices.set_webhook(account, "https://hooks.example.org/x")
    webhook = Webhook.objects.get(account=account)
    before = figures.read()
    waiting = {"webhook": webhook, "kind": Notice.Kind.TEST, "version": 0, "made_at": now, "next_try_at": now}
    for about, more in (("a", {}), ("b", {"attempts": 2}), ("c", {"given_up_at": now}), ("d", {"sent_at": now})):
        Notice.objects.create(about=about, text="", **waiting, **more)
    Notice.objects.create(about="e", text="", **waiting, given_up_at=now - timedelta(hours=2))
    call = {"account": account, "way": "push", "kind": "your_turn", "made_at": now, "due_at": now, "next_try_at": now}
    Call.objects.create(cause="a", **call, attempts=1)
    Call.objects.create(cause="b", **call, state=Call.State.GIVEN_UP, done_at=now)
    after = figures.read()
    account.delete()
    assert [new - old for new, old in zip(after.webhooks, before.webhooks, strict=True)] == [2, 1, 1]
    assert [new - old for new, old in zip(after.calls, before.calls, strict=True)] == [1, 1, 1]


def test_waiting_tasks_are_counted_by_queue(nobody_at_work: None) -> None:
    for _ in range(3):
        current_app.send_task(ATTEND, ("00000000-0000-0000-0000-000000000000",), queue="bots")
    values = read_series()
    assert [values["croupier_queue_tasks", (name,)] for name in settings.CELERY_TASK_QUEUES] == [0, 0, 3, 0]


def test_gauges_query_the_database_once_per_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauges, "FRESH_SECONDS", 3600)
    monkeypatch.setattr(scraping, "_gauges", gauges.Gauges())
    reads = []
    monkeypatch.setattr(figures, "read", lambda read=figures.read: reads.append(1) or read())
    assert len([read_series() for _ in range(3)]) == 3
    assert reads == [1]


@pytest.mark.parametrize(("away", "missing"), [("database", "croupier_matches"), ("broker", "croupier_queue_tasks")])
def test_absent_part_is_reported_without_its_gauges(away: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [readiness.Component(name, name != away) for name in readiness.GRACE_SECONDS]
    monkeypatch.setattr(readiness, "components", lambda: shown)
    answers = read_series()
    assert answers["croupier_part_answers", (away,)] == 0
    assert {name for name, _ in answers}.isdisjoint({missing})


def test_the_figures_are_counted_by_indexes() -> None:
    """A table of finished matches and sent messages may be of any length."""
    query = figures._FIGURES
    (rows,) = store.roundtrip(
        store.raw_connection(),
        [("SET enable_seqscan = off", ()), (f"EXPLAIN {query}", ()), ("RESET enable_seqscan", ())],
    )[1:2]
    plan = "\n".join(line for (line,) in rows)
    assert "Seq Scan" not in plan, plan
    for index in (
        "match_under_way",
        "match_awake",
        "notice_pending",
        "notice_given_up",
        "call_waiting",
        "call_given_up",
    ):
        assert index in plan, plan


def test_gauge_files_of_dead_processes_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead, mine = 2**22 + 1, os.getpid()
    for name in (f"gauge_livesum_{dead}.db", f"counter_{dead}.db", f"gauge_livesum_{mine}.db"):
        (tmp_path / name).touch()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    scraping._forget_the_dead(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {f"counter_{dead}.db", f"gauge_livesum_{mine}.db"}
