"""Where a season is found and who belongs to it, written in the same transaction as its events."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Season(models.Model):
    """A season in a list."""

    class Status(models.TextChoices):
        """The life of a season."""

        ENROLLING = "enrolling"
        RUNNING = "running"
        FINAL = "final"
        FINISHED = "finished"

    id = models.UUIDField(primary_key=True, editable=False)
    title = models.CharField(max_length=120)
    status = models.CharField(max_length=10, choices=Status.choices)
    version = models.IntegerField()
    public = models.BooleanField()
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="opened_seasons")
    opened_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ("-opened_at", "-id")
        indexes: ClassVar = [models.Index(fields=["opened_at", "id"], name="season_newest")]

    def __str__(self) -> str:
        return self.title


class Member(models.Model):
    """An account's part in a season. Who was ever a player stays one here: their record is theirs to read."""

    class Role(models.TextChoices):
        """The parts that an account can have."""

        ORGANISER = "organiser"
        HOST = "host"
        AUDITOR = "auditor"
        PLAYER = "player"

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="members")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "account"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.account_id} ({self.role})"
