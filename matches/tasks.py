"""Celery's entrances: names of acts and ids, nothing else. Every task may run twice, late or never."""

import time
from collections.abc import Callable
from functools import wraps
from threading import BoundedSemaphore
from uuid import UUID

import structlog
from celery import shared_task

from events import away, checkpoints, outbox, projections
from events.complaints import Complaints
from games.kernel import Illegal
from matches import heartbeat, hints, notices, outage, selectors, services
from matches.hints import ATTEND
from matches.seasons import notices as season_notices
from matches.table import BrokenRecord

log = structlog.get_logger(__name__)

_complaints = Complaints()
_ACTS_IN_A_ROW = 20
"""After so many acts a match goes to the end of the slow line: bots among themselves keep nobody waiting."""
_LOOK_AHEAD_SECONDS = 0.6
"""A little more than the half second between two runs, so that none falls between them; twice seen is once fallen."""
_RECENT_SECONDS = 3600
_MARGIN_SECONDS = 0.01
"""A command that arrived just before its flag may still be on its way to the match's lock; it goes first."""


def _at_most(runs: int) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """So many runs at once in a process; one more ends at once, and so does one that finds the database away.

    So ticks that piled up while no worker was there are gone in a moment. An expiry of theirs would do the same, but by
    the clocks of the hosts: a worker whose clock is ahead of beat's would take every tick for stale.
    """

    def limit(act: Callable[[], None]) -> Callable[[], None]:
        free = BoundedSemaphore(runs)

        @wraps(act)
        def run() -> None:
            if free.acquire(blocking=False):
                try:
                    act()
                except away.ERRORS as error:
                    # The next tick tries again.
                    if _complaints.is_due("away"):
                        log.warning("database_away", error=type(error).__name__)
                finally:
                    free.release()

        return run

    return limit


@shared_task(name=ATTEND)
def attend(match_id: str) -> None:
    """Do what a match waits for that no person must do: the dealer's duties and the bots' moves."""
    _attend(UUID(match_id))


@shared_task(name="matches.tasks.sweep")
@_at_most(1)
def sweep() -> None:
    """Once a second: attend to matches whose hint was lost."""
    for match_id in selectors.matches_that_wait_for_the_house():
        _or_complain(_attend, match_id)


@shared_task(name="matches.tasks.catch_up")
def catch_up() -> None:
    """Once a second: start what is scheduled, deliver between streams, and project."""
    heartbeat.beat(time.time())
    _catch_up()


@_at_most(1)
def _catch_up() -> None:
    for match_id in selectors.matches_to_start():
        _or_complain(_start, match_id)
    outbox.catch_up()
    projections.catch_up()


@shared_task(name="matches.tasks.keep_time")
@_at_most(2)
def keep_time() -> None:
    """Twice a second: let each flag of the coming half second fall at its instant. Any worker may do it, or several."""
    silence = outage.look()
    if silence.is_outage:
        return
    _give_time_back(silence)
    flags = selectors.flags_to_fall(within_seconds=_LOOK_AHEAD_SECONDS)
    # From after the answer on: a flag that is visited too early stays up until the next run.
    listed = time.monotonic()
    for match_id, left in flags:
        time.sleep(max(0.0, listed + left + _MARGIN_SECONDS - time.monotonic()))
        _or_complain(_let_fall, match_id)


@shared_task(name="matches.tasks.sign_checkpoint")
@_at_most(1)
def sign_checkpoint() -> None:
    """Every quarter of a minute: sign a checkpoint where one is due, and copy those that lack one to the outside."""
    try:
        checkpoints.sign_if_due()
        checkpoints.publish()
    except (checkpoints.Forked, OSError) as error:
        if _complaints.is_due("no_checkpoint", str(error)):
            log.error("no_checkpoint", reason=str(error))


@shared_task(name="matches.tasks.tell")
@_at_most(2)
def tell() -> None:
    """Once a second: queue what webhooks want to know, and send what is due."""
    notices.look()
    season_notices.look()
    notices.send_pending()


def _give_time_back(silence: outage.Silence) -> None:
    """Credit the matches that an outage of the last hour has cost time; older ones are credited when they go on."""
    if silence.newest is not None and (silence.newest_seconds or 0.0) < _RECENT_SECONDS:
        for match_id in selectors.matches_on_the_clock_since(silence.newest):
            _or_complain(_let_fall, match_id)


def _attend(match_id: UUID) -> None:
    if services.attend(match_id=match_id, most=_ACTS_IN_A_ROW) == _ACTS_IN_A_ROW:
        hints.go_on_later(match_id)


def _let_fall(match_id: UUID) -> None:
    while services.let_flag_fall(match_id=match_id, wait=False) is not None:
        pass


def _start(match_id: UUID) -> None:
    try:
        services.start_scheduled(match_id=match_id)
    except Illegal:
        # Somebody was faster, or a player left their seat.
        log.info("match_not_started", match=str(match_id))


def _or_complain(act: Callable[[UUID], object], match_id: UUID) -> None:
    """One match that is frozen, or whose rules fail, must not hold up the others; nor does it fill the log."""
    try:
        act(match_id)
    except BrokenRecord as error:
        if _complaints.is_due(match_id):
            log.error("match_frozen", match=str(match_id), broken=str(error))
    except away.ERRORS as error:
        if away.is_away(error):
            raise
        # Somebody has kept the match's door for too long: that is this match's trouble.
        log.warning("match_held", match=str(match_id), error=type(error).__name__)
    except Exception as error:
        if _complaints.is_due(match_id, type(error).__name__):
            log.exception("match_not_served", match=str(match_id))
