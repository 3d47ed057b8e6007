"""Where a season is found and who belongs to it, written in the same transaction as its events."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Season(models.Model):
    """A season in a list. At `wakes_at` time brings something to it next."""

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
    wakes_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-opened_at", "-id")
        indexes: ClassVar = [
            models.Index(fields=["opened_at", "id"], name="season_newest"),
            models.Index(fields=["wakes_at"], name="season_to_wake", condition=models.Q(wakes_at__isnull=False)),
        ]

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


class CalendarLink(models.Model):
    """An address at which calendar programs read what an account may see: of a season, or, without one, its own
    matches. Of the secret in it only the hash is kept."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendars")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, related_name="calendars")
    digest = models.BinaryField(max_length=32, unique=True)
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "season"], name="calendar_once", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.season_id or 'own'}"


class Availability(models.Model):
    """When a player says that they can play. It stands in no event: it is told to the season's officials and the player
    alone, and goes with the account, the player's part in the season, and the season's end."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="availabilities")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="availabilities")
    said = models.JSONField()
    said_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "account"], name="availability_once")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.account_id}"


class DisplayName(models.Model):
    """What a player is, or was, called in a season alone; the events have its id."""

    id = models.UUIDField(primary_key=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="display_names")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="display_names")
    name = models.CharField(max_length=40)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.account_id}"


class Invitation(models.Model):
    """For whom an organiser has made a link of a season, until somebody follows it: a name or an address, which stands
    in no event."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="invitations")
    number = models.IntegerField()
    label = models.CharField(max_length=200)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "number"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.season_id}: link {self.number}"
