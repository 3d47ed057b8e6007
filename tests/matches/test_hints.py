"""Hints for workers: which line they stand in, and that a worker serves all."""

from uuid import uuid4

from celery import current_app as app
from django.conf import settings

from matches import hints, tasks
from tests.api.canaries import decoded, monitored
from tests.table_setting import wait_until


def test_a_match_in_which_something_happens_goes_before_those_that_go_on_by_themselves() -> None:
    moved, going_on = uuid4(), uuid4()
    with monitored() as commands:
        hints.go_on_later(going_on)
        hints.wake_the_house(moved)
        wait_until(lambda: any(str(moved) in decoded(it) for it in commands))
    told = [text for it in commands if (text := decoded(it)).startswith("LPUSH ")]
    lines = {match: {it.split()[1] for it in told if str(match) in it} for match in (moved, going_on)}
    assert lines == {moved: {hints.QUICK_LINE}, going_on: {hints.SLOW_LINE}}


def test_a_worker_serves_all_lines_and_only_the_sweep_waits_behind_bots() -> None:
    assert set(app.amqp.queues.consume_from) == {"celery", hints.QUICK_LINE, hints.SLOW_LINE}
    ticks = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    lines = {tick: app.amqp.router.route({}, tick)["queue"].name for tick in ticks}
    assert lines == dict.fromkeys(ticks, "celery") | {tasks.sweep.name: hints.SLOW_LINE}
