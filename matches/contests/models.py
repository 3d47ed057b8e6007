"""Tables of the library of contests. None is part of a record: a match has the content in its options."""

import uuid
from typing import Any, ClassVar

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Q

DATABASE_CLOCK = models.Func(function="clock_timestamp", output_field=models.DateTimeField())
"""The database's current time."""


class Contest(models.Model):
    """A contest in the library. Without an `author` it is the installation's own, from the preset of this name.

    `version` is the number of the newest version, `published` that of the version that others read. A copy is `after`
    an account, or after somebody without one, of this name. `fingerprint` is that of the request that made it.
    """

    class Status(models.TextChoices):
        PRIVATE = "private"
        PUBLISHED = "published"
        RETIRED = "retired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="contests")
    after = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    after_name = models.CharField(max_length=60, blank=True)
    preset = models.CharField(max_length=40, null=True, unique=True)
    title = models.CharField(max_length=60, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PRIVATE)
    version = models.IntegerField(default=1)
    published = models.IntegerField(null=True)
    fingerprint = models.BinaryField(max_length=32)
    made_at = models.DateTimeField(db_default=DATABASE_CLOCK)
    changed_at = models.DateTimeField(db_default=DATABASE_CLOCK)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status="private", published=None) | (~Q(status="private") & Q(published__isnull=False)),
                name="contest_published_or_private",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["-changed_at", "-id"], name="contest_listed", condition=Q(status="published")),
            models.Index(fields=["author", "-changed_at"], name="contest_of_author"),
        ]

    def __str__(self) -> str:
        return self.title


class Version(models.Model):
    """A version of a contest's content: its JSON, with the names in the author's order, and the SHA-256 of its
    canonical form. One that was published stays as it is."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="versions")
    number = models.IntegerField()
    content = models.TextField()
    digest = models.BinaryField(max_length=32)
    faults = models.IntegerField()
    made_at = models.DateTimeField(db_default=DATABASE_CLOCK)
    published_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["contest", "number"], name="contest_version_once")]

    def __str__(self) -> str:
        return f"{self.contest_id} {self.number}"

    @property
    def data(self) -> dict[str, Any]:
        """The content as JSON data."""
        data: dict[str, Any] = msgspec.json.decode(self.content)
        return data


class ContestTrial(models.Model):
    """A trial that an account wants of a content: so many contests of bots, played in slices by workers.

    Whoever plays a slice holds the row until `held_until`; a slice that isn't stored by then is played again. `tries`
    counts the slices since one was stored, `seconds` the time spent. While the trial runs it has its `content`, and
    the `sums` of what was played; once it has ended, only the `result`.
    """

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    seats = models.SmallIntegerField()
    runs = models.SmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    content = models.TextField(blank=True)
    sums = models.BinaryField(null=True)
    done = models.SmallIntegerField(default=0)
    result = models.TextField(blank=True)
    held_until = models.DateTimeField(null=True)
    tries = models.SmallIntegerField(default=0)
    seconds = models.FloatField(default=0)
    begun_at = models.DateTimeField(db_default=DATABASE_CLOCK)
    changed_at = models.DateTimeField(db_default=DATABASE_CLOCK)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "digest", "seats", "runs"], name="trial_once"),
            models.UniqueConstraint(fields=["account"], condition=Q(status="running"), name="trial_running_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["digest", "seats", "runs"], name="trial_of_content"),
            models.Index(fields=["changed_at"], name="trial_to_play", condition=Q(status="running")),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.done} of {self.runs}"
