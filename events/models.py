"""The event log as a read-only model of the public parts."""

from django.db import models


class LoggedEvent(models.Model):
    """The public part of an event, from the view `events_public`."""

    id = models.CharField(primary_key=True, max_length=60)
    stream = models.UUIDField()
    version = models.IntegerField()
    type = models.TextField()
    schema = models.SmallIntegerField()
    actor = models.TextField()
    at = models.DateTimeField()
    public = models.JSONField()
    has_secret = models.BooleanField()
    hash = models.TextField()

    class Meta:
        managed = False
        db_table = "events_public"
        ordering = ("-at", "stream", "-version")
        verbose_name = "event"

    def __str__(self) -> str:
        return f"{self.type} ({self.stream}, version {self.version})"
