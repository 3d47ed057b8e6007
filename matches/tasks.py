"""Celery's entrances: names of acts and ids, nothing else. Every task may run twice, late or never."""

import time
from uuid import UUID

from celery import shared_task

from events import projections
from matches import heartbeat, selectors, services
from matches.hints import ATTEND


@shared_task(name=ATTEND)
def attend(match_id: str) -> None:
    """Do what a match waits for that no person must do: the dealer's duties and the bots' moves."""
    services.attend(match_id=UUID(match_id))


@shared_task(name="matches.tasks.sweep")
def sweep() -> None:
    """Once a second: attend to every match whose hint was lost, and bring the projections up to date."""
    heartbeat.beat(time.time())
    for match_id in selectors.matches_that_wait_for_the_house():
        services.attend(match_id=match_id)
    projections.catch_up()
