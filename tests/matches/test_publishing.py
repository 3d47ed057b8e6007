"""Hints for workers: which line they stand in, and that a worker serves all."""

from uuid import uuid4

import pytest
from celery import current_app as app
from django.conf import settings

from matches import services, tasks
from matches.models import Match
from matches.publishing import publisher, task_publisher
from tests.api.canaries import decoded, monitored
from tests.table_setting import BOT, new_account, running_match, wait_until, waiting_match


def test_matches_with_people_and_matches_among_bots_stand_in_lines_of_their_own() -> None:
    with monitored() as commands:
        alone, with_people = running_match("pyramid_poker"), running_match("pyramid_poker", BOT, new_account())

        def lines() -> dict[Match, set[str]]:
            told = [text for it in commands if (text := decoded(it)).startswith("LPUSH ")]
            return {match: {it.split()[1] for it in told if str(match.id) in it} for match in (alone, with_people)}

        wait_until(lambda: all(lines().values()))
    assert lines() == {with_people: {task_publisher.QUICK_LINE}, alone: {task_publisher.SLOW_LINE}}


def test_a_worker_serves_all_lines_and_only_the_sweep_waits_behind_bots() -> None:
    assert set(app.amqp.queues.consume_from) == {"celery", task_publisher.QUICK_LINE, task_publisher.SLOW_LINE}
    ticks = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    lines = {tick: app.amqp.router.route({}, tick)["queue"].name for tick in ticks}
    assert lines == dict.fromkeys(ticks, "celery") | {tasks.sweep.name: task_publisher.SLOW_LINE}


def test_whose_turn_it_is_still_is_not_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    players, hints = (new_account(), new_account()), []
    match = waiting_match("pyramid_poker", *players)
    for player in players:
        services.accept(match_id=match.id, player=player.id)
    monkeypatch.setattr(publisher, "listeners", [lambda group, hint: hints.append((group, hint["type"]))])
    services.start(match_id=match.id, by=match.opened_by_id, reason="Begin.")
    services.rule(match_id=match.id, by=match.opened_by_id, text="Speak up, please.")
    moved, needed = (publisher.match_group(match.id), "moved"), (publisher.account_group(players[0].id), "needed")
    assert hints == [moved, needed, moved]


def test_a_process_that_ends_has_published_what_waited() -> None:
    """A thread that is stopped amid a word keeps the client's locks, and the process never ended."""
    match_id = uuid4()
    with monitored() as commands:
        herald = publisher.Publisher()
        herald.post(publisher.match_group(match_id), {"type": "moved", "match": str(match_id), "version": 1})
        herald.start()
        herald.finish()
        assert not herald.is_alive()
        wait_until(lambda: any(str(match_id) in decoded(it) for it in commands))
