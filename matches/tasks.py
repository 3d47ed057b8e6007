"""Celery's entrances: names of acts and ids, nothing else. Every task may run twice, late or never."""

from collections.abc import Callable
from functools import wraps
from math import inf
from threading import BoundedSemaphore
from uuid import UUID

import structlog
from celery import Task, shared_task
from celery.app.task import Context

from events import database_errors, outbox, projections, tracing
from events.archived import ArchiveUnavailable
from events.checkpoints import signing
from events.log_throttle import LogThrottle
from games.kernel import Illegal
from matches.contests.services import trials
from matches.domain.match_state import MatchState
from matches.notifications import call_delivery, calls, match_calls, notices, receivers
from matches.publishing import heartbeat
from matches.publishing.task_publisher import ATTEND, ORIGIN
from matches.reads import selectors
from matches.seasons import calls as season_calls
from matches.seasons import notices as season_notices
from matches.seasons import personal_notices, process_manager, timekeeping
from matches.services import playing, timing
from matches.storage import order
from matches.workers import archiving, flags, guests, pace, pruning, rematches, show
from matches.workers.isolation import isolated
from matches.workers.worker_threads import WorkerThreads

log = structlog.get_logger(__name__)

_throttle = LogThrottle()
_SLICE_SECONDS = 1.0
"""Half of the time between two slices, so that trials leave the worker's processor to matches."""
_ACTS_IN_A_ROW = 4
"""After so many acts a match waits for its next turn: bots among themselves keep nobody waiting."""


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
                except database_errors.ERRORS as error:
                    # The next tick tries again.
                    _complain_of_the_database(error)
                finally:
                    free.release()

        return run

    return limit


@shared_task(name=ATTEND, bind=True)
def attend(self: Task, match_id: str) -> None:
    """See that a match gets what it waits for and no person must do: the dealer's duties and the bots' moves."""
    worker_threads.attend_to(selectors.work_of([UUID(match_id)]), origin_of(self.request))


@shared_task(name="matches.tasks.sweep")
@_at_most(1)
def sweep() -> None:
    """Once a second: see to matches whose hint was lost."""
    worker_threads.attend_to(selectors.work_of(selectors.matches_that_wait_for_the_house()))


@shared_task(name="matches.tasks.catch_up")
def catch_up() -> None:
    """Once a second: let happen what is due in seasons, start matches, deliver between streams, project, and
    give the events of all streams their order."""
    heartbeat.beat(heartbeat.WORKER)
    _catch_up()


@_at_most(1)
def _catch_up() -> None:
    for season_id in timekeeping.seasons_to_wake():
        isolated(_wake, season_id)
    for match_id in selectors.matches_to_start():
        isolated(_start, match_id)
    outbox.catch_up()
    projections.catch_up()
    order.place()


@shared_task(name="matches.tasks.keep_time")
@_at_most(2)
def keep_time() -> None:
    """Twice a second: let each flag of the coming half second fall at its instant. Any worker may do it, or several."""
    flags.keep_time()


@shared_task(name="matches.tasks.sign_checkpoint")
@_at_most(1)
def sign_checkpoint() -> None:
    """Every quarter of a minute: sign a checkpoint where one is due, and copy those that lack one to the outside."""
    try:
        signing.sign_if_due()
        signing.publish()
    except (signing.Forked, signing.Unsound, ArchiveUnavailable, OSError) as error:
        if _throttle.is_due("no_checkpoint", str(error)):
            log.error("no_checkpoint", reason=str(error))


@shared_task(name="matches.tasks.erase_guests")
@_at_most(1)
def erase_guests() -> None:
    """Every five minutes: erase guests who haven't come back for their days."""
    guests.erase_gone()


@shared_task(name="matches.tasks.let_rematches_lapse")
@_at_most(1)
def let_rematches_lapse() -> None:
    """Every five minutes: call off the rematches that nobody has answered for a day."""
    rematches.let_lapse()


@shared_task(name="matches.tasks.keep_show")
@_at_most(1)
def keep_show() -> None:
    """Every two seconds: see that bots play a match for those who look at the front page."""
    show.keep()


@shared_task(name="matches.tasks.play_trials")
@_at_most(1)
def play_trials() -> None:
    """Every two seconds: play a slice of the trial of a contest that has waited longest."""
    trials.play_slice(_SLICE_SECONDS)


@shared_task(name="matches.tasks.tell")
@_at_most(2)
def tell() -> None:
    """Once a second: queue what webhooks want to know, and send what is due."""
    # First, as looking at matches moves the instant since which both look.
    personal_notices.queue_new_notices()
    notices.queue_new_notices()
    season_notices.queue_new_notices()
    notices.send_pending()


@shared_task(name="matches.tasks.call")
@_at_most(2)
def call() -> None:
    """Once a second: queue what people are to be told, and send what is due."""
    match_calls.queue_new_calls()
    season_calls.queue_new_calls()
    receivers.queue_webhook_calls()
    season_calls.queue_webhook_calls()
    call_delivery.send_pending()


@shared_task(name="matches.tasks.remind")
@_at_most(1)
def remind() -> None:
    """Every twenty seconds: queue what only time brings, turns that end and check-ins that open."""
    match_calls.remind()
    season_calls.remind()


@shared_task(name="matches.tasks.forget_calls")
@_at_most(1)
def forget_calls() -> None:
    """Every hour: drop calls from long ago."""
    calls.forget_old()


@shared_task(name="matches.tasks.archive_old")
@_at_most(1)
def archive_old() -> None:
    """Every hour: put what has been over for long into the archive."""
    archiving.archive_old()


@shared_task(name="matches.tasks.prune")
@_at_most(1)
def prune() -> None:
    """Every hour: remove what nobody needs any more."""
    pruning.prune()


def origin_of(request: Context) -> tracing.Origin | None:
    """What has brought the task; None for one that a process of an older release has sent."""
    told = (request.headers or {}).get(ORIGIN)
    return tracing.Origin(*told) if told else None


def _serve(match_id: UUID) -> float | None:
    """Some acts of the house; in how many seconds the match waits for more of them, if it does."""
    acts, rest = 0, 0.0

    def rests(match_state: MatchState) -> bool:
        nonlocal rest
        rest = pace.rest(match_id, match_state)
        return rest > 0

    def act(match_id: UUID) -> None:
        nonlocal acts
        acts = playing.attend(match_id=match_id, most=_ACTS_IN_A_ROW, rests=rests)

    try:
        isolated(act, match_id)
    except database_errors.ERRORS as error:
        # The sweep finds it again.
        _complain_of_the_database(error)
    if rest:
        # Of one that nobody looks at the sweep asks again.
        return rest if rest < inf else None
    return 0 if acts == _ACTS_IN_A_ROW else None


worker_threads = WorkerThreads(_serve)
"""Who serves the matches that this process hears of."""


def _complain_of_the_database(error: Exception) -> None:
    if _throttle.is_due("away"):
        log.warning("database_away", error=type(error).__name__)


def _wake(season_id: UUID) -> None:
    while timekeeping.keep_time(season_id):
        process_manager.settle_soon(season_id)


def _start(match_id: UUID) -> None:
    try:
        timing.start_scheduled(match_id=match_id)
    except Illegal:
        # Somebody was faster, or a player left their seat.
        log.info("match_not_started", match=str(match_id))
