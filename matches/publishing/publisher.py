"""Publish hints to open connections, such as a match that has moved. A lost hint only causes a delay.

Hints go to listeners in this process at once, and to the channel layer's groups in a separate thread, so that no move
waits for them. They contain only ids and a version.
"""

import atexit
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from functools import cache
from typing import Any
from uuid import UUID

import redis
import structlog
from channels.layers import get_channel_layer
from django.conf import settings

from events import tracing
from events.log_throttle import LogThrottle
from matches.publishing import redis_client

log = structlog.get_logger(__name__)

Hint = dict[str, Any]
"""`{"type": "moved", "match", "version"}`, `{"type": "seen", "match"}`, `{"type": "said", "match"}` (or a season's id),
`{"type": "acted", "match", "version"}` (a season's), `{"type": "needed", "account", "match"}` or `{"type": "ended",
"account"}`. With tracing, `moved` also has `trace`, the traceparent of its cause."""

CREDENTIALS = "credentials"
"""The group of all processes with connections of signed-in accounts."""

_SOCKET_SECONDS = 1.0
_FAILURE_PAUSE_SECONDS = 1.0
_BATCH_PAUSE_SECONDS = 0.01
_MOST_PENDING = 10_000
_MOST_AT_ONCE = 200
_throttle = LogThrottle(seconds=60)

listeners: list[Callable[[str, Hint], None]] = []
"""Functions called in this process with each group and hint. They must return at once and raise nothing."""


def match_group(match_id: UUID) -> str:
    """Return the group of a match's connections."""
    return f"match.{match_id}"


def talk_group(about: UUID) -> str:
    """Return the group of listeners to the talk of a match or season."""
    return f"talk.{about}"


def season_group(season_id: UUID) -> str:
    """Return the group of a season's followers."""
    return f"season.{season_id}"


def account_group(account_id: UUID | str) -> str:
    """Return the group of an account's turn alerts."""
    return f"account.{account_id}"


def announce(match_id: UUID, version: int, called: Collection[str] = ()) -> None:
    """Publish that a match has reached a version, and to the accounts in `called` that it now waits for them."""
    moved: Hint = {"type": "moved", "match": str(match_id), "version": version}
    if traceparent := tracing.traceparent():
        moved["trace"] = traceparent
    publish(match_group(match_id), moved)
    for account in called:
        publish(account_group(account), {"type": "needed", "account": account, "match": str(match_id)})


def announce_talk(about: UUID) -> None:
    """Publish that something was said or changed in the talk of a match or season."""
    publish(talk_group(about), {"type": "said", "match": str(about)})


def announce_season(season_id: UUID, version: int) -> None:
    """Publish that a season has reached a version."""
    publish(season_group(season_id), {"type": "acted", "match": str(season_id), "version": version})


def announce_ended(account: UUID) -> None:
    """Publish that a credential of this account may no longer be valid."""
    publish(CREDENTIALS, {"type": "ended", "account": str(account)})


def publish(group: str, hint: Hint) -> None:
    """Publish a hint to a group, in this process and in all others."""
    for listener in listeners:
        listener(group, hint)
    _publisher().post(group, hint)


class Publisher(threading.Thread):
    """Publishes hints in the format of channels_redis' pubsub layer. Of several pending hints with the same group, type
    and match (or account) only the newest is sent."""

    def __init__(self) -> None:
        super().__init__(name="publisher", daemon=True)
        self._pending: OrderedDict[tuple[str, str, str], Hint] = OrderedDict()
        self._ready = threading.Condition()
        self._is_over = False

    def post(self, group: str, hint: Hint) -> None:
        """Queue a hint; drop the oldest if more than `_MOST_PENDING` are pending."""
        with self._ready:
            self._pending[group, hint["type"], hint.get("match") or hint["account"]] = hint
            if len(self._pending) > _MOST_PENDING:
                self._pending.popitem(last=False)
            self._ready.notify()

    def run(self) -> None:
        """Publish until the process ends."""
        while batch := self._take():
            try:
                self._publish(batch)
                # Publishing after each move would make the next move a tenth slower. The first hint after a pause is
                # sent at once; hints that come during the pause are sent in one batch.
                time.sleep(_BATCH_PAUSE_SECONDS)
            except Exception as error:  # a lost hint must never end the thread
                if _throttle.is_due():
                    log.warning("hints_not_published", error=type(error).__name__)
                # Drop the pending hints: by then the hubs have polled for what these announce.
                time.sleep(_FAILURE_PAUSE_SECONDS)
                self._take_all()

    def finish(self, patience: float = 2.0) -> None:
        """Publish the pending hints and stop the thread, within `patience` seconds.

        If the interpreter stopped the thread while it sends, the client's locks would stay taken, and closing the
        client would block for ever.
        """
        with self._ready:
            self._is_over = True
            self._ready.notify()
        self.join(patience)

    def _take(self) -> list[tuple[str, Hint]]:
        with self._ready:
            while not self._pending and not self._is_over:
                self._ready.wait()
            count = min(_MOST_AT_ONCE, len(self._pending))
            return [(key[0], hint) for key, hint in (self._pending.popitem(last=False) for _ in range(count))]

    def _take_all(self) -> None:
        with self._ready:
            self._pending.clear()

    def _publish(self, batch: list[tuple[str, Hint]]) -> None:
        layer, prefix = get_channel_layer(), settings.CHANNEL_LAYERS["default"]["CONFIG"]["prefix"]
        hints = [("PUBLISH", f"{prefix}__group__{group}", layer.serialize(hint)) for group, hint in batch]
        pool = _client().connection_pool
        # Sent directly, because a pipeline's bookkeeping takes longer than all of this, while moves wait for the GIL.
        connection = pool.get_connection()
        try:
            connection.send_packed_command(connection.pack_commands(hints))
            for _ in hints:
                connection.read_response()
        except Exception:
            connection.disconnect()
            raise
        finally:
            pool.release(connection)


@cache
def _client() -> redis.Redis:
    # The layer's own client has no timeout: it would hold a lock for ever if the server accepts and doesn't respond.
    return redis_client.connect(_SOCKET_SECONDS)


_starting = threading.Lock()
_running: list[Publisher] = []


def _publisher() -> Publisher:
    """Return this process's publisher; a forked child starts its own."""
    if _running and _running[0].is_alive():
        return _running[0]
    with _starting:
        if not _running or not _running[0].is_alive():
            _running[:] = [Publisher()]
            _running[0].start()
            atexit.register(_running[0].finish)
        return _running[0]
