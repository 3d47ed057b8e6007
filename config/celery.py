"""The Celery application. Its messages are hints, so losing one only costs time."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging, task_postrun, task_prerun, worker_init, worker_shutdown

from config.runner import liveness

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks load every page, which takes half a second of each start. No worker serves a page, and a test runs the
# checks.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("croupier")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Keep the logging of the settings: Celery leaves it unchanged if a receiver is connected."""


@worker_init.connect
def end_if_database_is_unsafe(**_: Any) -> None:
    from config.server import startup_check

    startup_check.refuse_unsafe_database()


@worker_init.connect
def record_spans(**_: Any) -> None:
    """Record a worker's spans in the traces of the requests that caused them."""
    from django.conf import settings

    from config import tracing

    tracing.begin(settings.VERSION)


@worker_init.connect
def send_alive_signal_of_worker(sender: Any, **_: Any) -> None:
    """Send a worker's alive signal while its threads finish their tasks and matches."""
    from matches.tasks import worker_threads

    threads = liveness.Threads(sender.concurrency)
    task_prerun.connect(lambda task_id, **_: threads.begin(task_id), weak=False)
    task_postrun.connect(lambda task_id, **_: threads.end(task_id), weak=False)
    liveness.alive_signal.keep_giving(lambda: threads.move() and worker_threads.move(liveness.STUCK_SECONDS))


@beat_init.connect
def send_alive_signal_of_beat(**_: Any) -> None:
    """Send beat's alive signal to its supervisor, and its heartbeat for the readiness page."""
    from matches.publishing import heartbeat

    liveness.alive_signal.keep_giving()
    heartbeat.keep_beating(heartbeat.BEAT)


@worker_shutdown.connect
def let_worker_threads_finish(**_: Any) -> None:
    """Let the threads finish their current matches before the worker ends."""
    from matches.tasks import worker_threads

    worker_threads.stop()
