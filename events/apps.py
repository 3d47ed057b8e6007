"""The Django app of the event store."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = "Event log"
    default_auto_field = "django.db.models.BigAutoField"
