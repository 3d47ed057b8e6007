"""Hints to other processes that a match has moved. Losing one costs latency, never correctness.

A thread of its own sends them, so a move never waits for Redis; a match that moves again before its hint is out
has one hint pending, not two.
"""

import threading
import time
from collections import OrderedDict
from functools import cache
from typing import NamedTuple
from uuid import UUID

import redis
import structlog
from celery import current_app
from django.conf import settings

log = structlog.get_logger(__name__)

ATTEND = "matches.tasks.attend"
"""The task that does what the house owes a match."""

CHANNEL = "croupier:match:"
"""Redis channel prefix; the message on `<prefix><match id>` is the version."""

_MOST_PENDING = 10_000
_SECONDS_BETWEEN_COMPLAINTS = 60


class Hint(NamedTuple):
    """A match stands at `version`; with `wake` a bot or the dealer must act."""

    version: int
    wake: bool


class Messenger(threading.Thread):
    """Sends the newest hint of each match that has moved."""

    def __init__(self) -> None:
        super().__init__(name="hints", daemon=True)
        self._pending: OrderedDict[UUID, Hint] = OrderedDict()
        self._ready = threading.Condition()
        self._quiet_until = 0.0

    def post(self, match_id: UUID, hint: Hint) -> None:
        """Queue a hint; the oldest is dropped when far too many wait."""
        with self._ready:
            self._pending[match_id] = hint
            if len(self._pending) > _MOST_PENDING:
                self._pending.popitem(last=False)
            self._ready.notify()

    def run(self) -> None:
        """Send hints until the process ends."""
        while True:
            with self._ready:
                while not self._pending:
                    self._ready.wait()
                match_id, hint = self._pending.popitem(last=False)
            try:
                _send(match_id, hint)
            except Exception as error:  # a lost hint must never end the thread
                self._complain(error)

    def _complain(self, error: Exception) -> None:
        if time.monotonic() >= self._quiet_until:
            self._quiet_until = time.monotonic() + _SECONDS_BETWEEN_COMPLAINTS
            log.warning("hints_lost", error=type(error).__name__)


def post(match_id: UUID, version: int, *, wake: bool) -> None:
    """Tell the other processes, soon, that the match has moved."""
    _messenger().post(match_id, Hint(version, wake))


def _send(match_id: UUID, hint: Hint) -> None:
    if hint.wake:
        current_app.send_task(ATTEND, (str(match_id),), retry=False, ignore_result=True)
    _redis().publish(f"{CHANNEL}{match_id}", hint.version)


_starting = threading.Lock()
_running: list[Messenger] = []


def _messenger() -> Messenger:
    """This process's messenger; a forked child starts its own."""
    with _starting:
        if not _running or not _running[0].is_alive():
            _running[:] = [Messenger()]
            _running[0].start()
        return _running[0]


@cache
def _redis() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
