"""Flags that fall by themselves: on time by a worker, or a little late by a web process where no worker runs.

A match that another transaction has locked is left to threads of its own, so that it delays no other flag.
"""

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import structlog
from django.db import connections

from events import database_errors
from events.log_throttle import LogThrottle
from matches import services
from matches.reads import selectors
from matches.storage import holds, outages
from matches.workers.isolation import isolated

log = structlog.get_logger(__name__)

LOOK_AHEAD_SECONDS = 0.6
"""A little more than the half second between two runs, so that none falls between them; twice seen is once fallen."""
LEFT_SECONDS = 3.0
"""A flag that should have fallen so long ago is one that no worker comes for."""
_HELD_SECONDS = 0.4
"""A match that has been locked for so long isn't just being moved in."""
_APART_SECONDS = 2.0
"""Looks that lie further apart don't show that it was locked in between."""
_RECENT_SECONDS = 3600
_MARGIN_SECONDS = 0.4
"""Web processes need as long to settle what arrived before a flag, and to say so; a busy one needs longer, and the flag
waits for the next run."""
_throttle = LogThrottle(seconds=60)


class _HeldMatches:
    """Waits for locked matches in two threads of this process, and knows for how long each has been locked."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="held")
        self._matches: set[UUID] = set()
        self._met: dict[UUID, tuple[float, float]] = {}

    def meet(self, match_id: UUID) -> float:
        """This match is found locked now; gives for how many seconds it has been at every look."""
        now, since = time.monotonic(), self._since(match_id)
        self._met = {it: seen for it, seen in self._met.items() if now - seen[1] < _APART_SECONDS}
        self._met[match_id] = since, now
        return now - since

    def wait_for(self, match_id: UUID) -> None:
        """Let the match's overdue flags fall, or give it its time back, as soon as it can be reached."""
        if match_id not in self._matches:
            self._matches.add(match_id)
            self._threads.submit(self._wait_for, match_id)

    def _since(self, match_id: UUID) -> float:
        """Since when it has been found locked at every look; now where that is no time at all."""
        now = time.monotonic()
        first, last = self._met.get(match_id, (now, now))
        return first if now - last < _APART_SECONDS else now

    def _wait_for(self, match_id: UUID) -> None:
        def wait(it: UUID) -> None:
            with holds.recording_hold(it, self._since(it)):
                services.catch_up_clock(match_id=it)

        try:
            isolated(wait, match_id)
        except database_errors.ERRORS:
            # The next run finds it again.
            return
        finally:
            self._matches.discard(match_id)
            connections.close_all()


_waiting = _HeldMatches()


def keep_time() -> None:
    """Let each flag of the coming half second fall at its instant."""
    silence = outages.look()
    if silence.is_outage:
        return
    _give_time_back(silence)
    flags = selectors.flags_to_fall(within_seconds=LOOK_AHEAD_SECONDS)
    # From after the answer on: a flag that is visited too early stays up until the next run.
    listed = time.monotonic()
    for match_id, left in flags:
        time.sleep(max(0.0, listed + left + _MARGIN_SECONDS - time.monotonic()))
        isolated(_let_fall, match_id)


def let_left_ones_fall() -> None:
    """Let flags fall that no worker has let fall."""
    _let_all_fall(match_id for match_id, _ in selectors.flags_to_fall(within_seconds=-LEFT_SECONDS))
    _reach_held_ones()


def keep_watch() -> None:
    """This process looks once a second from now on whether workers leave flags behind."""
    threading.Thread(target=_keep_watch, name="flags", daemon=True).start()


def _keep_watch() -> None:
    while True:
        time.sleep(1)
        try:
            let_left_ones_fall()
        except Exception as error:  # the next look tries again
            if _throttle.is_due(type(error).__name__):
                log.warning("flags_unwatched", error=type(error).__name__)
        finally:
            connections.close_all()


def _give_time_back(silence: outages.Silence) -> None:
    """Credit the matches that an outage of the last hour has cost time; older ones are credited when they go on."""
    if silence.newest is not None and (silence.newest_seconds or 0.0) < _RECENT_SECONDS:
        _let_all_fall(selectors.matches_on_the_clock_since(silence.newest))
    if silence.is_held:
        _reach_held_ones()


def _reach_held_ones() -> None:
    for match_id in holds.open_ones():
        _waiting.wait_for(match_id)


def _let_all_fall(match_ids: Iterable[UUID]) -> None:
    for match_id in match_ids:
        isolated(_let_fall, match_id)


def _let_fall(match_id: UUID) -> None:
    try:
        while services.let_flag_fall(match_id=match_id, wait=False) is not None:
            pass
    except (services.Locked, *database_errors.HELD):
        if _waiting.meet(match_id) > _HELD_SECONDS:
            _waiting.wait_for(match_id)
