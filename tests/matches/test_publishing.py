"""Hints for workers: which line they stand in, and that a worker serves all."""

from uuid import uuid4

import pytest
from celery import current_app as app
from celery.app.task import Context
from django.conf import settings
from structlog.contextvars import bound_contextvars, get_contextvars

from events.tracing import Origin
from matches import tasks
from matches.domain.fair_queue import Work
from matches.models import Match
from matches.publishing import publisher, task_publisher
from matches.services import accepting, hosting, opening
from matches.workers.worker_threads import WorkerThreads
from tests.api.canaries import decoded, monitored
from tests.table_setting import BOT, new_account, running_match, wait_until, waiting_match


def test_matches_with_people_and_among_bots_have_separate_queues() -> None:
    with monitored() as commands:
        alone, with_people = running_match("pyramid_poker"), running_match("pyramid_poker", BOT, new_account())

        def lines() -> dict[Match, set[str]]:
            pushed = [text for it in commands if (text := decoded(it)).startswith("LPUSH ")]
            return {match: {it.split()[1] for it in pushed if str(match.id) in it} for match in (alone, with_people)}

        wait_until(lambda: all(lines().values()))
    assert lines() == {with_people: {task_publisher.QUICK_LINE}, alone: {task_publisher.SLOW_LINE}}


def test_worker_serves_all_queues_and_each_tick_uses_its_own() -> None:
    assert set(app.amqp.queues.consume_from) == {
        "celery", task_publisher.QUICK_LINE, task_publisher.SLOW_LINE, "trials",
    }  # fmt: skip
    ticks = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    lines = {tick: app.amqp.router.route({}, tick)["queue"].name for tick in ticks}
    assert lines == dict.fromkeys(ticks, "celery") | {
        tasks.sweep.name: task_publisher.SLOW_LINE,
        tasks.play_trials.name: "trials",
    }


def test_unchanged_turn_is_not_published_again(monkeypatch: pytest.MonkeyPatch) -> None:
    players, hints = (new_account(), new_account()), []
    match = waiting_match("pyramid_poker", *players)
    for player in players:
        accepting.accept(match_id=match.id, player=player.id)
    monkeypatch.setattr(publisher, "listeners", [lambda group, hint: hints.append((group, hint["type"]))])
    opening.start(match_id=match.id, by=match.opened_by_id, reason="Begin.")
    hosting.rule(match_id=match.id, by=match.opened_by_id, text="Speak up, please.")
    moved, needed = (publisher.match_group(match.id), "moved"), (publisher.account_group(players[0].id), "needed")
    assert hints == [moved, needed, moved]


def test_process_publishes_pending_hints_before_it_ends() -> None:
    """A thread that is stopped amid a word keeps the client's locks, and the process never ended."""
    match_id = uuid4()
    with monitored() as commands:
        herald = publisher.Publisher()
        herald.post(publisher.match_group(match_id), {"type": "moved", "match": str(match_id), "version": 1})
        herald.start()
        herald.finish()
        assert not herald.is_alive()
        wait_until(lambda: any(str(match_id) in decoded(it) for it in commands))


def test_worker_keeps_the_id_of_the_request_that_woke_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The header is what went through the broker; the thread that serves the match isn't the task's."""
    match = running_match("pyramid_poker", BOT, new_account())
    sent: list[tuple[str, object]] = []
    monkeypatch.setattr(app, "send_task", lambda name, args, **options: sent.append((args[0], options["headers"])))
    with bound_contextvars(request_id="caller-1234"):
        task_publisher.wake_the_house(match.id)
    wait_until(lambda: any(it == str(match.id) for it, _ in sent))
    headers = dict(sent)[str(match.id)]
    taken = Context({"id": "1", "task": task_publisher.ATTEND, "origin": "gen1@host", **headers})
    assert tasks.origin_of(taken).request_id == "caller-1234"
    served = []
    threads = WorkerThreads(lambda match_id: served.append(get_contextvars().get("request_id")), threads=0)
    monkeypatch.setattr(tasks, "worker_threads", threads)
    for given_headers in (headers, None, headers):
        tasks.attend.apply((str(match.id),), headers=given_headers)
        if not given_headers:
            assert threads.serve_next(), "An older release's task names no request."
    assert threads.serve_next()
    assert served == ["caller-1234", "caller-1234"]


def test_resting_bot_keeps_the_id_of_its_request() -> None:
    match_id, request_ids = uuid4(), []
    rests = iter([0.001, 0.001, 0.001])

    def serve(_: object) -> float:
        request_ids.append(get_contextvars().get("request_id"))
        return next(rests)

    threads = WorkerThreads(serve, threads=0)
    threads.attend_to([Work(match_id, match_id, alone=False)], Origin("caller-1234"))
    wait_until(lambda: threads.serve_next() and len(request_ids) == 3)
    assert request_ids == ["caller-1234", "caller-1234", None]
