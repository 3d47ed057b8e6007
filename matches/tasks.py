"""Celery's entrances: names of acts and ids, nothing else. Every task may run twice, late or never."""

import time
from uuid import UUID

import psycopg
import structlog
from celery import shared_task
from django.db import InterfaceError, OperationalError

from events import projections
from matches import heartbeat, selectors, services
from matches.hints import ATTEND

log = structlog.get_logger(__name__)

_DATABASE_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, OperationalError, InterfaceError)
_LOOK_AHEAD_SECONDS = 1.1
"""A little more than the second between two runs, so that none falls between them; twice seen is once fallen."""


@shared_task(name=ATTEND)
def attend(match_id: str) -> None:
    """Do what a match waits for that no person must do: the dealer's duties and the bots' moves."""
    services.attend(match_id=UUID(match_id))


@shared_task(name="matches.tasks.sweep")
def sweep() -> None:
    """Once a second: attend to every match whose hint was lost, and bring the projections up to date."""
    heartbeat.beat(time.time())
    for match_id in selectors.matches_that_wait_for_the_house():
        _attend_or_complain(match_id)
    projections.catch_up()


@shared_task(name="matches.tasks.keep_time")
def keep_time() -> None:
    """Once a second: let each flag of the coming second fall at its instant. Any number of workers may do this."""
    begun = time.monotonic()
    for match_id, left in selectors.flags_to_fall(within_seconds=_LOOK_AHEAD_SECONDS):
        time.sleep(max(0.0, begun + left - time.monotonic()))
        _let_fall_or_complain(match_id)


def _let_fall_or_complain(match_id: UUID) -> None:
    try:
        while services.let_flag_fall(match_id=match_id, wait=False) is not None:
            pass
    except _DATABASE_AWAY:
        raise
    except Exception:
        log.exception("flag_not_fallen", match=str(match_id))


def _attend_or_complain(match_id: UUID) -> None:
    """One match that is frozen, or whose rules fail, must not hold up the others."""
    try:
        services.attend(match_id=match_id)
    except _DATABASE_AWAY:
        raise
    except Exception:
        log.exception("match_not_attended", match=str(match_id))
