"""Talk: threads of remarks beside a match or a season, and what hosts and readers have done about them.

All tables belong to the app `web`, where remarks were stored first. None is part of a record.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

DATABASE_CLOCK = models.Func(function="clock_timestamp", output_field=models.DateTimeField())
"""The database's current time."""


class TalkSetting(models.Model):
    """The people for whom the talk of a match, or of a season and its matches, is open. See
    `matches.domain.talk.TalkFor`."""

    about = models.UUIDField(primary_key=True)
    open_to = models.CharField(max_length=10)
    changed_by = models.UUIDField(null=True)
    changed_at = models.DateTimeField(db_default=DATABASE_CLOCK)

    class Meta:
        app_label = "web"

    def __str__(self) -> str:
        return f"{self.about}: {self.open_to}"


class Thread(models.Model):
    """A thread of a match (`table`, `spectators`) or of a season's board (its episode's number).

    `numbered` is the last number given to a remark; numbers of erased remarks are not given again. `revision` counts
    new and changed remarks, `erased` the times at which remarks were erased.
    """

    about = models.UUIDField()
    name = models.CharField(max_length=20)
    numbered = models.IntegerField(db_default=0)
    revision = models.BigIntegerField(db_default=0)
    erased = models.IntegerField(db_default=0)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [models.UniqueConstraint(fields=["about", "name"], name="thread_once")]

    def __str__(self) -> str:
        return f"{self.about} {self.name}"


class Remark(models.Model):
    """A line of talk, written at the newest version of the match or season that its author could see.

    The database sets `number` (the place in the thread), `revision` and `said_at` when it stores the remark; all three
    grow together. The id is secret, as it would show how much is said elsewhere. `key` is the idempotency key. `hiding`
    is set while the remark is hidden. `match_id` is for the previous release, which has only spectators' remarks.
    """

    match_id = models.UUIDField(null=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="remarks")
    at_version = models.IntegerField()
    text = models.CharField(max_length=500)
    said_at = models.DateTimeField(auto_now_add=True)
    # Null only until the database has set them.
    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, null=True, related_name="remarks")
    number = models.IntegerField(null=True)
    revision = models.BigIntegerField(null=True)
    key = models.CharField(max_length=200, null=True)
    hiding = models.ForeignKey("web.Hiding", on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        app_label = "web"
        ordering = ("id",)
        indexes: ClassVar = [
            models.Index(fields=["match_id", "id"], name="remark_of_match"),
            models.Index(fields=["thread", "revision"], name="remark_by_revision"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["thread", "number"], name="remark_number_once"),
            models.UniqueConstraint(fields=["account", "key"], name="remark_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.thread_id}: {self.text[:40]}"


class Hiding(models.Model):
    """A host's act of hiding a remark with its reason, and, once the remark is shown again, who ended it and why."""

    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="hidings")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=DATABASE_CLOCK)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    ended_reason = models.CharField(max_length=500, db_default="")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["remark"], condition=Q(ended_at=None), name="hidden_once")
        ]

    def __str__(self) -> str:
        return f"{self.remark_id}: {self.reason[:40]}"


class Mute(models.Model):
    """A mute: the account may write no remarks at a match, or in a season and its matches, until an instant or for
    good. `about` is the match or season."""

    about = models.UUIDField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=DATABASE_CLOCK)
    until = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    lifted_reason = models.CharField(max_length=500, db_default="")
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "web"
        indexes: ClassVar = [
            models.Index(fields=["account", "about"], name="mute_of_account"),
            models.Index(fields=["about", "-id"], name="mute_of_talk"),
        ]

    def __str__(self) -> str:
        return f"{self.about}: {self.account_id}"


class Block(models.Model):
    """An account's choice to fold another account's remarks, only for itself."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")
    made_at = models.DateTimeField(db_default=DATABASE_CLOCK)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "blocked"], name="block_once")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.blocked_id}"


class Report(models.Model):
    """A reader's report of a remark in a season's talk, and what an official has done about it. It shows the remark to
    the season's officials, except its author. `season` is the season's id."""

    id = models.UUIDField(primary_key=True, editable=False)
    season = models.UUIDField()
    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=DATABASE_CLOCK)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    answer = models.CharField(max_length=500, db_default="")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [models.UniqueConstraint(fields=["remark", "by"], name="report_once")]
        indexes: ClassVar = [models.Index(fields=["season", "-at", "-id"], name="report_newest")]

    def __str__(self) -> str:
        return f"{self.remark_id}: {self.reason[:40]}"
