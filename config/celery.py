"""The Celery application: it carries hints, so losing a message costs time and nothing else."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init

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
    from config import precaution

    precaution.refuse_unsafe_database()
