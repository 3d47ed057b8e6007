"""Tables beside the log: accounts, tokens, and the rows by which matches are found."""

import uuid
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from matches.models.accounts import AccessEntry as AccessEntry
from matches.models.accounts import AccessToken as AccessToken
from matches.models.accounts import Account as Account
from matches.models.accounts import SeenEntry as SeenEntry
from matches.models.accounts import validate_time_zone as validate_time_zone
from matches.models.calls import Call as Call
from matches.models.calls import CallChoice as CallChoice
from matches.models.calls import CallCursor as CallCursor
from matches.models.calls import MailAddress as MailAddress
from matches.models.calls import PushSubscription as PushSubscription
from matches.models.calls import Reach as Reach
from matches.models.calls import SeasonCalls as SeasonCalls
from matches.models.pictures import UploadedPicture as UploadedPicture


class Match(models.Model):
    """The row by which a match is found, with what it waits for; written in the same transaction as its events.

    `needs` are the accounts that must act; `wake` is true if a bot or the dealer must. A scheduled match opens at
    `opens_at`. At `starts_at` its set-up begins by itself, without one play, but not while it
    `awaits_check_in`. The house pauses a match that has begun and awaits its check-in. Accounts without a seat see it
    `spectator_delay` seconds late; see `matches.reads.selectors.visible_to`. A match has at most one rematch;
    `rematch_of` is the previous match, which only its players may see.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"
        VOID = "void"

    id = models.UUIDField(primary_key=True, editable=False)
    code = models.CharField(max_length=12, unique=True)
    game = models.CharField(max_length=40)
    # No constraint of the database spans two streams.
    season = models.ForeignKey(
        "seasons.Season", on_delete=models.DO_NOTHING, null=True, related_name="matches", db_constraint=False
    )
    status = models.CharField(max_length=10, choices=Status.choices)
    version = models.IntegerField()
    opened_by = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="opened")
    opened_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    opens_at = models.DateTimeField(null=True)
    starts_at = models.DateTimeField(null=True)
    spectator_delay = models.IntegerField(db_default=0)
    awaits_check_in = models.BooleanField(db_default=False)
    needs = ArrayField(models.UUIDField(), default=list)
    wake = models.BooleanField(default=False)
    rematch_of = models.UUIDField(null=True, unique=True, editable=False)

    class Meta:
        ordering = ("-opened_at", "-id")
        verbose_name_plural = "matches"
        indexes: ClassVar = [
            models.Index(fields=["opened_at", "id"], name="match_newest"),
            models.Index(fields=["game", "opened_at"], name="match_of_game"),
            models.Index(fields=["id"], name="match_awake", condition=models.Q(wake=True)),
            models.Index(fields=["starts_at"], name="match_to_start", condition=models.Q(status="waiting")),
            models.Index(
                fields=["status"], name="match_under_way", condition=models.Q(status__in=("running", "paused"))
            ),
            models.Index(
                fields=["opened_by"],
                name="match_friendly_not_over",
                condition=models.Q(season=None, status__in=("waiting", "running", "paused")),
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Deadline(models.Model):
    """The instant at which a match's next flag falls, null if none can. Written with the events that change it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="deadline")
    falls_at = models.DateTimeField(null=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.match_id}: {self.falls_at}"


class Pulse(models.Model):
    """One row: the last beat of a process that accepts clients. See `matches.storage.outages`."""

    id = models.SmallIntegerField(primary_key=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.beaten_at}"


class WebProcess(models.Model):
    """A web process: its last sign of life, and the instant up to which it has settled every command that had arrived.
    See `matches.storage.outages`."""

    id = models.UUIDField(primary_key=True)
    beaten_at = models.DateTimeField()
    settled_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.id}: {self.settled_at}"


class Outage(models.Model):
    """A time in which no client could reach the service."""

    id = models.BigAutoField(primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} - {self.ended_at}"


class Hold(models.Model):
    """A time in which a lock on a match kept its players from acting; `ended_at` is null while it lasts. See
    `matches.storage.outages`."""

    id = models.BigAutoField(primary_key=True)
    match_id = models.UUIDField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match_id"], condition=models.Q(ended_at=None), name="hold_open_once")
        ]
        indexes: ClassVar = [models.Index(fields=["match_id", "ended_at"], name="hold_of_match")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.began_at} - {self.ended_at}"


class Heartbeat(models.Model):
    """The last sign of life of a part of the service. See `matches.publishing.heartbeat`."""

    part = models.CharField(max_length=20, primary_key=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.part} {self.beaten_at}"


class Seat(models.Model):
    """A seat and its player. An open seat has an invitation, of which only the hash is stored. A seat that is `awaited`
    was given to an account that hasn't accepted it yet; the house plays for a seat that is `stood_in`.

    `open_to` are the accounts that may take an open seat without its invitation; if it is empty all may, if it is None
    nobody may.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.SmallIntegerField()
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="seats", null=True)
    is_bot = models.BooleanField(default=False)
    role = models.CharField(max_length=20, blank=True)
    invitation = models.BinaryField(max_length=32, null=True)
    awaited = models.BooleanField(db_default=False)
    stood_in = models.BooleanField(db_default=False)
    open_to = ArrayField(models.UUIDField(), null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "number"], name="seat_once")]
        indexes: ClassVar = [
            models.Index(
                fields=["id"],
                name="seat_sought",
                condition=models.Q(open_to__isnull=False, account__isnull=True, is_bot=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.number}"


class Seed(models.Model):
    """A match's sealed seed, and the root of its later seeds. Only the code that deals reads them: no view, admin page,
    log or export does."""

    match_id = models.UUIDField(primary_key=True, editable=False)
    sealed = models.BinaryField()
    root = models.BinaryField(null=True)

    class Meta:
        db_table = "matches_seed"

    def __str__(self) -> str:
        return str(self.match_id)


class SealedPart(models.Model):
    """A sealed part of options, for the match or season whose log holds the commitment. Only the code that deals reads
    it, and the record of a match that is over: no view, admin page or log does."""

    pk = models.CompositePrimaryKey("stream", "commitment")
    stream = models.UUIDField(editable=False)
    commitment = models.BinaryField(max_length=32)
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return str(self.stream)


class StoredText(models.Model):
    """A text, sealed like a seed, for the match or season whose log names its commitment. It is deleted with its
    author, or by a host's act. Only `matches.storage.texts` reads it."""

    pk = models.CompositePrimaryKey("stream", "commitment")
    stream = models.UUIDField(editable=False)
    commitment = models.BinaryField(max_length=32)
    author_id = models.UUIDField(null=True, db_index=True)
    sealed = models.BinaryField()

    class Meta:
        db_table = "matches_text"

    def __str__(self) -> str:
        return str(self.stream)


class PlayerResult(models.Model):
    """A row of the projection `results`: the result of a finished match for one player."""

    generation = models.IntegerField()
    match_id = models.UUIDField()
    account_id = models.UUIDField()
    seat = models.SmallIntegerField()
    game = models.CharField(max_length=40)
    won = models.BooleanField()
    reason = models.CharField(max_length=20)
    finished_at = models.DateTimeField()
    # See `Lifecycle.counts`.
    counts = models.BooleanField(db_default=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["generation", "match_id", "seat"], name="result_once")]
        indexes: ClassVar = [
            models.Index(fields=["generation", "account_id", "-finished_at"], name="result_of_account")
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seat}"


class Webhook(models.Model):
    """The webhook of an account or a season, to which notices are sent. Its URL, which often contains a token, and its
    secret are sealed; `form` is the format of its messages, see `matches.notifications.webhook_forms`.

    Matches that have changed since `looked_at` are searched next. Nothing is sent before `next_try_at`, which depends
    on the number of `failures` in a row, and nothing while `off_at` is set; `off_reason` is why.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.OneToOneField(Account, on_delete=models.CASCADE, null=True, related_name="webhook")
    season_id = models.UUIDField(null=True, unique=True)
    sealed_url = models.BinaryField()
    secret = models.BinaryField()
    form = models.CharField(max_length=10, default="standard", db_default="standard")
    made_at = models.DateTimeField()
    looked_at = models.DateTimeField()
    off_at = models.DateTimeField(null=True)
    off_reason = models.CharField(max_length=200, default="", db_default="")
    failures = models.SmallIntegerField(default=0, db_default=0)
    failed_at = models.DateTimeField(null=True)
    next_try_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return str(self.id)


class Notice(models.Model):
    """A notice to a webhook, sent or to be sent. `about` names the turn or act, so that no notice is made twice;
    `season_id` is the season that a notice to an account is about."""

    class Kind(models.TextChoices):
        YOUR_TURN = "your_turn"
        TIME_RUNNING_OUT = "time_running_out"
        TEN_MINUTES_LEFT = "ten_minutes_left"
        MATCH_OVER = "match_over"
        SEASON_NEWS = "season_news"
        DECISION_AWAITED = "decision_awaited"
        DECISION_MADE = "decision_made"
        CORRECTION = "correction"
        APPOINTMENT = "appointment"
        CLAIM = "claim"
        INVITATION = "invitation"
        APPLICATION = "application"
        OFFICIAL = "official"
        TEST = "test"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="notices")
    match_id = models.UUIDField(null=True)
    season_id = models.UUIDField(null=True)
    account_id = models.UUIDField(null=True)
    kind = models.CharField(max_length=20)
    about = models.CharField(max_length=200)
    text = models.CharField(max_length=500)
    version = models.IntegerField()
    made_at = models.DateTimeField()
    next_try_at = models.DateTimeField()
    attempts = models.SmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)
    last_failure = models.CharField(max_length=200, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["webhook", "match_id", "account_id", "kind", "about"],
                name="notice_once",
                nulls_distinct=False,
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["webhook", "match_id", "made_at"],
                name="notice_pending",
                condition=models.Q(sent_at=None, given_up_at=None),
            ),
            models.Index(fields=["given_up_at"], name="notice_given_up", condition=models.Q(given_up_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.text
