"""Let flags fall without a request: in time by a worker, or a little later by a web process if no worker runs.

Matches that another transaction has locked are handled in separate threads, so that they delay no other flag.
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
from matches.reads import selectors
from matches.services import timing
from matches.storage import holds, outages
from matches.workers.isolation import isolated

log = structlog.get_logger(__name__)

LOOK_AHEAD_SECONDS = 0.6
"""A little more than the half second between two runs, so that no flag is missed; a flag found twice falls once."""
LEFT_SECONDS = 3.0
"""A flag that is overdue for so long isn't handled by any worker."""
_HELD_SECONDS = 0.4
"""A match that has been locked for so long isn't just locked by a move."""
_APART_SECONDS = 2.0
"""Checks further apart don't show that a match was locked in between."""
_RECENT_SECONDS = 3600
_MARGIN_SECONDS = 0.4
"""The time that web processes need to settle what arrived before a flag and to report it; with a busy process the flag
waits for the next run."""
_throttle = LogThrottle(seconds=60)


class _HeldMatches:
    """Waits for locked matches in two threads of this process, and measures how long each has been locked."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="held")
        self._matches: set[UUID] = set()
        self._locked: dict[UUID, tuple[float, float]] = {}

    def note_locked(self, match_id: UUID) -> float:
        """Note that this match is locked now; return for how many seconds it has been locked at every check."""
        now, since = time.monotonic(), self._since(match_id)
        self._locked = {it: times for it, times in self._locked.items() if now - times[1] < _APART_SECONDS}
        self._locked[match_id] = since, now
        return now - since

    def wait_for(self, match_id: UUID) -> None:
        """Let the match's overdue flags fall, or credit its hold, as soon as it can be locked."""
        if match_id not in self._matches:
            self._matches.add(match_id)
            self._threads.submit(self._wait_for, match_id)

    def _since(self, match_id: UUID) -> float:
        """Return since when the match has been locked at every check; now if it wasn't."""
        now = time.monotonic()
        first, last = self._locked.get(match_id, (now, now))
        return first if now - last < _APART_SECONDS else now

    def _wait_for(self, match_id: UUID) -> None:
        def wait(it: UUID) -> None:
            with holds.recording_hold(it, self._since(it)):
                timing.catch_up_clock(match_id=it)

        try:
            isolated(wait, match_id)
        except database_errors.ERRORS:
            # The next run retries.
            return
        finally:
            self._matches.discard(match_id)
            connections.close_all()


_waiting = _HeldMatches()


def keep_time() -> None:
    """Let each flag of the coming half second fall at its instant."""
    silence = outages.load_silence()
    if silence.is_outage:
        return
    _credit_outages(silence)
    flags = selectors.flags_to_fall(within_seconds=LOOK_AHEAD_SECONDS)
    # Measured after the query: a flag that is checked too early would wait for the next run.
    listed = time.monotonic()
    for match_id, seconds_left in flags:
        time.sleep(max(0.0, listed + seconds_left + _MARGIN_SECONDS - time.monotonic()))
        isolated(_let_fall, match_id)


def let_missed_flags_fall() -> None:
    """Let flags fall that no worker has let fall."""
    _let_all_fall(match_id for match_id, _ in selectors.flags_to_fall(within_seconds=-LEFT_SECONDS))
    _wait_for_held_matches()


def watch_for_missed_flags() -> None:
    """Check once a second from now on, in a thread, for flags that workers have missed."""
    threading.Thread(target=_watch, name="flags", daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(1)
        try:
            let_missed_flags_fall()
        except Exception as error:  # the next check tries again
            if _throttle.is_due(type(error).__name__):
                log.warning("flags_unwatched", error=type(error).__name__)
        finally:
            connections.close_all()


def _credit_outages(silence: outages.Silence) -> None:
    """Credit an outage of the last hour to the matches whose clocks ran; older ones are credited with the next act."""
    if silence.newest is not None and (silence.newest_seconds or 0.0) < _RECENT_SECONDS:
        _let_all_fall(selectors.matches_on_the_clock_since(silence.newest))
    if silence.is_held:
        _wait_for_held_matches()


def _wait_for_held_matches() -> None:
    for match_id in holds.open_ones():
        _waiting.wait_for(match_id)


def _let_all_fall(match_ids: Iterable[UUID]) -> None:
    for match_id in match_ids:
        isolated(_let_fall, match_id)


def _let_fall(match_id: UUID) -> None:
    try:
        while timing.let_flag_fall(match_id=match_id, wait=False) is not None:
            pass
    except (timing.Locked, *database_errors.HELD):
        if _waiting.note_locked(match_id) > _HELD_SECONDS:
            _waiting.wait_for(match_id)
