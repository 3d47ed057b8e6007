"""Tables of seasons and their members, written in the same transaction as the events."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Season(models.Model):
    """A season in lists. The next event by time is due at `wakes_at`."""

    class Status(models.TextChoices):
        """Stages of a season."""

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
    """An account's role in a season. Former players keep their row, so that they can still read the season."""

    class Role(models.TextChoices):
        """Roles that an account can have in a season."""

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
    """An address at which calendar programs read the matches of a season that an account may see, or the account's own
    matches if `season` is null. Only the hash of its secret is stored."""

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
    """Times at which a player can play. No event has them: only the season's officials and the player can read them.
    The row is deleted with the account, when the player withdraws or is substituted, and at the season's end."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="availabilities")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="availabilities")
    said = models.JSONField()
    said_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "account"], name="availability_once")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.account_id}"


class DisplayName(models.Model):
    """A present or former name of a player that only one season shows; the events have its id."""

    id = models.UUIDField(primary_key=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="display_names")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="display_names")
    name = models.CharField(max_length=40)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.account_id}"


class Invitation(models.Model):
    """Label of a joining link that an organiser has made for one person: a name or an address. No event has it, and the
    row is deleted when the link is used or revoked, and at the season's end."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="invitations")
    number = models.IntegerField()
    label = models.CharField(max_length=200)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "number"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.season_id}: link {self.number}"
