"""Talk: threads of remarks beside a match or a season, and what hosts and readers have done about them.

All tables are of the app `web`, whose pages kept remarks first. Nothing here is part of a record.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

DATABASE_CLOCK = models.Func(function="clock_timestamp", output_field=models.DateTimeField())
"""The database's clock at this moment."""


class TalkSetting(models.Model):
    """For whom there is talk at a match, or in a season and at its matches: see `matches.domain.talk.TalkFor`."""

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

    `numbered` is the last number that was given: no number is given twice, whatever was erased. `revision` counts what
    was said and changed, `erased` how often remarks were taken out.
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
    """A line of talk, said at a version of the match or season as far as its writer had been told it.

    The database gives it `number`, its place in the thread, `revision` and `said_at` as it is stored; all three grow
    together. Its id is told nobody: it would say how much is said elsewhere. `key` names what was sent, so that sending
    it again says nothing twice. `hiding` is why it is hidden now. `match_id` is for the release before, which knows
    spectators' remarks alone.
    """

    match_id = models.UUIDField(null=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="remarks")
    at_version = models.IntegerField()
    text = models.CharField(max_length=500)
    said_at = models.DateTimeField(auto_now_add=True)
    # Empty for a moment only, until the database has filled them in.
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
    """That a host has hidden a remark and why, and, once it is shown again, by whom that was decided and why."""

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
    """That an account may say nothing at a match, or in a season and at its matches, until an instant or for good;
    `about` is the match or season."""

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
    """That an account doesn't want to read another one's remarks: they fold away for it, and for nobody else."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")
    made_at = models.DateTimeField(db_default=DATABASE_CLOCK)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "blocked"], name="block_once")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.blocked_id}"
