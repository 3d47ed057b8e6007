"""Tables of seasons and their members, written in the same transaction as the events."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.talk import DATABASE_CLOCK


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


class Room(models.Model):
    """A room in which some of a season's people talk; `matches.seasons.domain.rooms` has its kinds and rights. Its
    remarks are in the thread `room` about its id. No event names a room.

    `subject` is the player of a confessional. `key` is the idempotency key of its opener, who is None once erased, as
    its title is then empty.
    """

    class Kind(models.TextChoices):
        PRIVATE = "private"
        CONFESSIONAL = "confessional"
        LOUNGE = "lounge"
        STAFF = "staff"

    id = models.UUIDField(primary_key=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="rooms")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    title = models.CharField(max_length=80, blank=True)
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="confessionals"
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="opened_rooms"
    )
    opened_at = models.DateTimeField(db_default=DATABASE_CLOCK)
    closed_at = models.DateTimeField(null=True)
    key = models.CharField(max_length=200, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["season", "kind", "subject"],
                condition=~Q(kind="private"),
                name="room_of_its_kind_once",
                nulls_distinct=False,
            ),
            models.UniqueConstraint(fields=["opened_by", "key"], name="room_key_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["season", "-opened_at", "-id"], name="room_newest"),
            models.Index(fields=["opened_by", "season"], condition=Q(closed_at=None), name="room_open_of_opener"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.kind}"


class RoomMember(models.Model):
    """A member of a private room. Who has left it keeps the row: others still see who was a member at the start of
    their match."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="members")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rooms")
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "room"], name="room_member_once")]

    def __str__(self) -> str:
        return f"{self.room_id}: {self.account_id}"


class RoomRead(models.Model):
    """The number of the last remark of a room that an account has marked as read. Only the account can see it."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="room_reads")
    number = models.IntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "room"], name="room_read_once")]

    def __str__(self) -> str:
        return f"{self.room_id}: {self.account_id}"


class RoomLook(models.Model):
    """A host's look into a private room: the host has read what was said before it. The service can't change or delete
    the row, so it names room and account by their ids alone."""

    room_id = models.UUIDField()
    by = models.UUIDField()
    at = models.DateTimeField(db_default=DATABASE_CLOCK)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["room_id", "-id"], name="look_into_room")]

    def __str__(self) -> str:
        return f"{self.room_id}: {self.by}"
