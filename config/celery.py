"""The Celery application: it carries hints, so losing a message costs time and nothing else."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging, task_postrun, task_prerun, worker_init, worker_shutdown

from config.runner import liveness

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks look at every page, half a second of each start. No worker shows one, and a test runs the checks.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("croupier")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Being connected is enough: Celery then leaves the logging of the settings alone."""


@worker_init.connect
def take_precaution(**_: Any) -> None:
    """A worker ends where the database is unsafe."""
    from config.server import startup_check

    startup_check.refuse_unsafe_database()


@worker_init.connect
def record_spans(**_: Any) -> None:
    """A worker's acts go on with the traces of the requests that brought them."""
    from django.conf import settings

    from config import tracing

    tracing.begin(settings.VERSION)


@worker_init.connect
def show_that_the_threads_move(sender: Any, **_: Any) -> None:
    """A worker gives its sign of life for as long as its threads get done with their tasks, and with their matches."""
    from matches.tasks import worker_threads

    threads = liveness.Threads(sender.concurrency)
    task_prerun.connect(lambda task_id, **_: threads.begin(task_id), weak=False)
    task_postrun.connect(lambda task_id, **_: threads.end(task_id), weak=False)
    liveness.alive_signal.keep_giving(lambda: threads.move() and worker_threads.move(liveness.STUCK_SECONDS))


@beat_init.connect
def show_that_beat_lives(**_: Any) -> None:
    """Beat gives its sign of life to its supervisor, and to the readiness page."""
    from matches.publishing import heartbeat

    liveness.alive_signal.keep_giving()
    heartbeat.keep_beating(heartbeat.BEAT)


@worker_shutdown.connect
def let_worker_threads_finish(**_: Any) -> None:
    """What is being done for a match is done before the worker ends."""
    from matches.tasks import worker_threads

    worker_threads.stop()
