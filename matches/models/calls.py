"""Calls to accounts: their choices, addresses and browsers, and the calls to be sent."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Reach(models.Model):
    """An account's choices for all calls; without a row the defaults apply. Quiet hours are in the account's time
    zone."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="reach"
    )
    details = models.BooleanField(default=False)
    digest = models.CharField(max_length=10, default="at_once")
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)

    def __str__(self) -> str:
        return str(self.account_id)


class CallChoice(models.Model):
    """An account's choice to get, or not to get, a kind of call by a way."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="call_choices")
    kind = models.CharField(max_length=20)
    way = models.CharField(max_length=10)
    wanted = models.BooleanField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "kind", "way"], name="call_choice_once")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.kind} by {self.way}"


class SeasonCalls(models.Model):
    """An account's choice to get all calls of a season or none, which overrides its choices by kind."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="season_calls")
    season_id = models.UUIDField()
    choice = models.CharField(max_length=10)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "season_id"], name="season_calls_once")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.choice} of {self.season_id}"


class MailAddress(models.Model):
    """An account's sealed e-mail address, and a keyed digest by which it is found. Before `verified_at` only the letter
    that verifies it is sent; of that letter's token only the hash is stored."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="mail_address"
    )
    sealed = models.BinaryField()
    digest = models.BinaryField(max_length=32, db_index=True)
    set_at = models.DateTimeField(db_default=Now())
    token_digest = models.BinaryField(max_length=32, null=True)
    token_until = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True)
    unsubscribed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return str(self.account_id)


class PushSubscription(models.Model):
    """A browser that gets an account's calls: its address at a push service and its keys, sealed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pushes")
    sealed = models.BinaryField()
    digest = models.BinaryField(max_length=32, unique=True)
    label = models.CharField(max_length=80)
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.account_id}: {self.label}"


class Call(models.Model):
    """A call to an account by a way, sent or to be sent. `cause` names its subject, so that no call is made twice by a
    way; each browser of an account is a `receiver`.

    Calls of a line (an account, a way, a receiver) are sent oldest first, and none before `due_at`.
    """

    class State(models.TextChoices):
        """The state of a call: `merged` if a later call of its kind replaces it, `lapsed` if it is no longer true."""

        WAITING = "waiting"
        SENT = "sent"
        MERGED = "merged"
        LAPSED = "lapsed"
        GIVEN_UP = "given_up"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calls")
    way = models.CharField(max_length=10)
    receiver = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, null=True, related_name="calls")
    kind = models.CharField(max_length=20)
    season_id = models.UUIDField(null=True)
    match_id = models.UUIDField(null=True)
    cause = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    next_try_at = models.DateTimeField()
    attempts = models.SmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    done_at = models.DateTimeField(null=True)
    last_failure = models.CharField(max_length=200, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["account", "way", "receiver", "kind", "match_id", "season_id", "cause"],
                name="call_once",
                nulls_distinct=False,
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["account", "way", "receiver", "due_at", "made_at"],
                name="call_waiting",
                condition=models.Q(state="waiting"),
            ),
            models.Index(fields=["done_at"], name="call_given_up", condition=models.Q(state="given_up")),
            models.Index(fields=["account", "-made_at"], name="call_of_account"),
            models.Index(fields=["made_at"], name="call_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.account_id} by {self.way}"


class CallCursor(models.Model):
    """One row: the instant of the log up to which calls have been made."""

    id = models.SmallIntegerField(primary_key=True)
    looked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.looked_at}"
