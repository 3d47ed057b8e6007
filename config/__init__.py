"""The assembly of the service. Importing it makes the Celery application the current one."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
