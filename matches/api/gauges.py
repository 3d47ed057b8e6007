"""The gauges that need queries: of the database, the broker and the parts. Asked at most once in a few seconds."""

import threading
import time
from collections.abc import Callable, Iterator

import kombu.exceptions
from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from prometheus_client.core import GaugeMetricFamily, Metric
from psycopg import Error as PostgresError

from events import outbox, projections
from events.checkpoints.health import Health
from matches.http import readiness
from matches.reads import figures

FRESH_SECONDS = 5.0
"""Values are cached for so long, so that a process asks the database no more often, however many scrape it."""
_PATIENCE_SECONDS = 1.0
_UNASKED = (DatabaseError, PostgresError)


class Gauges:
    """A collector that caches its values; parts that are away have no gauge."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: list[Metric] = []
        self._queried_at = -FRESH_SECONDS

    def collect(self) -> Iterator[Metric]:
        """Return all gauges."""
        with self._lock:
            if time.monotonic() - self._queried_at >= FRESH_SECONDS:
                self._cached = list(_queried())
                self._queried_at = time.monotonic()
            cached = self._cached
        yield from cached


def _queried() -> Iterator[Metric]:
    parts = readiness.components()
    answers = _gauge("croupier_part_answers", "1 for a part that answers, 0 for one that is away", "part")
    for part in parts:
        answers.add_metric([part.name], int(part.answers))
    yield answers
    for part in parts:
        yield from _of_checkpoints(part.checkpoints) if part.checkpoints else ()
    here = {part.name for part in parts if part.answers}
    # A database that hangs would block the scrape, too.
    if {"database", "migrated"} <= here:
        for ask in (_of_projections, _of_figures):
            yield from _unless_away(ask)
    if "broker" in here:
        yield from _of_queues()


def _unless_away(ask: Callable[[], Iterator[Metric]]) -> list[Metric]:
    try:
        return list(ask())
    except _UNASKED:
        return []


def _of_checkpoints(health: Health) -> Iterator[Metric]:
    if health.age_seconds is not None:
        yield GaugeMetricFamily("croupier_checkpoint_age_seconds", "Age of the newest checkpoint", health.age_seconds)
    waiting = "Age of the oldest event after the newest checkpoint"
    yield GaugeMetricFamily("croupier_unsigned_seconds", waiting, health.waiting_seconds)
    faults = "Stored checkpoints and leaves that no signature covers"
    yield GaugeMetricFamily("croupier_checkpoint_faults", faults, len(health.faults))


def _of_projections() -> Iterator[Metric]:
    """Yield how far the projections, and the consumers of other streams' events, are behind the log."""
    behind = projections.lag()
    streams = _gauge("croupier_dirty_streams", "Streams that wait for it", "projection")
    age = _gauge("croupier_dirty_seconds", "Age of the oldest of them", "projection")
    for name in (*projections.names(), *outbox.names()):
        count, seconds = behind.get(name, (0, 0.0))
        streams.add_metric([name], count)
        age.add_metric([name], seconds)
    yield from (streams, age)


def _of_figures() -> Iterator[Metric]:
    stored_figures = figures.read()
    matches = _gauge("croupier_matches", "Matches: running, paused, or awake: a bot or the dealer is to act", "state")
    for state in ("running", "paused", "awake"):
        matches.add_metric([state], getattr(stored_figures, state))
    yield matches
    yield GaugeMetricFamily("croupier_flags_due", "Flags that should have fallen", stored_figures.flags_due)
    yield GaugeMetricFamily("croupier_flags_due_seconds", "Age of the oldest of them", stored_figures.flags_seconds)
    messages = GaugeMetricFamily(
        "croupier_messages",
        "Messages to webhooks and accounts: waiting, failing (waiting after a failed attempt), given_up in an hour",
        labels=["way", "state"],
    )
    for way, messages_of_way in (("webhook", stored_figures.webhooks), ("call", stored_figures.calls)):
        for state, count in messages_of_way._asdict().items():
            messages.add_metric([way, state], count)
    yield messages


def _of_queues() -> Iterator[Metric]:
    """Yield the number of tasks in each queue, for any kind of broker."""
    waiting = _gauge("croupier_queue_tasks", "Tasks that wait in a queue", "queue")
    try:
        with current_app.pool.acquire(block=True, timeout=_PATIENCE_SECONDS) as connection:
            for name in settings.CELERY_TASK_QUEUES:
                waiting.add_metric([name], _length(connection, name))
    except (*connection_errors(), kombu.exceptions.KombuError):
        return
    yield waiting


def connection_errors() -> tuple[type[BaseException], ...]:
    """Return the exceptions that a broker that is away raises."""
    connection = current_app.connection_for_read()
    return (*connection.connection_errors, *connection.channel_errors)


def _length(connection: kombu.Connection, name: str) -> int:
    """Return 0 for a missing queue: it was never used, or is empty on Redis."""
    channel = connection.channel()
    try:
        return channel.queue_declare(name, passive=True).message_count
    except connection.channel_errors:
        return 0
    finally:
        channel.close()


def _gauge(name: str, description: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, description, labels=[label])
