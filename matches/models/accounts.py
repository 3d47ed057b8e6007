"""Accounts, their tokens, and the access log."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from matches.domain import portraits
from matches.domain.names import MAX_LENGTH, is_time_zone, name_key
from matches.domain.skeletons import MAX_LENGTH as MAX_SKELETON_LENGTH
from matches.domain.skeletons import skeleton


class NameTaken(IntegrityError):
    """The name is refused, as another account's name looks the same."""


class AccountManager(BaseUserManager["Account"]):
    """Makes accounts and finds them by any spelling of their name."""

    def create_user(self, username: str, password: str | None = None, **fields: Any) -> "Account":
        """Store a new account, by default with an unusable password; raise IntegrityError for a taken name.

        The name is stored in normal form (NFKC), in which names are compared for look-alikes.
        """
        account = self.model(**fields)
        self.rename(account, username)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def rename(self, account: "Account", username: str) -> None:
        """Set an account's name without saving it. Raise NameTaken for some taken names; saving raises IntegrityError
        for the others."""
        account.username = self.model.normalize_username(username)
        account.name_key, account.name_skeleton = name_key(account.username), skeleton(account.username)
        self._refuse_shared_skeleton(account.name_skeleton)

    def create_superuser(self, username: str, password: str | None = None, **fields: Any) -> "Account":
        """Store an account with all rights, and an entry of the access log; only for the operator's command."""
        rights = {"is_staff": True, "is_superuser": True, "is_organiser": True}
        with transaction.atomic():
            account = self.create_user(username, password, **rights, **fields)
            AccessEntry.objects.create(
                account=account.id, kind="account_made", changes=rights, door=AccessEntry.Door.COMMAND
            )
        return account

    def _refuse_shared_skeleton(self, wanted: str) -> None:
        """Raise NameTaken if an account from before the comparison of names has this skeleton, as no constraint refuses
        it.

        Accounts that an older release makes at the same time have no skeleton yet.
        """
        unknown, shared = models.Q(name_skeleton=None), models.Q(name_skeleton=wanted, name_shared=True)
        for name, stored_skeleton in self.filter(unknown | shared).values_list("username", "name_skeleton"):
            if wanted in (stored_skeleton, skeleton(name)):
                raise NameTaken(f"The name looks like {name}.")

    def get_by_natural_key(self, username: str | None) -> "Account":
        """Return the account with this name in any spelling."""
        return self.get(name_key=name_key(username or ""))


def validate_time_zone(name: str) -> None:
    """Raise ValidationError for a name that isn't in the IANA time zone database."""
    if not is_time_zone(name):
        raise ValidationError("Give a time zone such as Europe/Vienna, or UTC.")


class Account(AbstractBaseUser, PermissionsMixin):
    """A login. Events contain only its `id`. Pages show times in `time_zone`.

    No two names look alike, except those with `name_shared`, which are from before the comparison of names. A guest has
    `guest_until`, from which on the sweep may erase it.
    """

    class Theme(models.TextChoices):
        SYSTEM = "system"
        LIGHT = "light"
        DARK = "dark"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=MAX_LENGTH, unique=True)
    name_key = models.CharField(max_length=4 * MAX_LENGTH, unique=True, editable=False)
    name_skeleton = models.CharField(max_length=MAX_SKELETON_LENGTH, null=True, editable=False)
    name_shared = models.BooleanField(db_default=False, editable=False)
    is_organiser = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    theme = models.CharField(max_length=10, choices=Theme.choices, default=Theme.SYSTEM)
    # See `matches.domain.portraits`. An erased account has no face; the picture is the name of an upload.
    portrait_face = models.SmallIntegerField(null=True, default=0, db_default=0, editable=False)
    portrait_picture = models.CharField(max_length=32, default="", db_default="", editable=False)
    guest_until = models.DateTimeField(null=True, editable=False)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = AccountManager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["name_skeleton"], name="account_by_look"),
            models.Index(fields=["guest_until"], name="guest_by_end", condition=models.Q(guest_until__isnull=False)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name_skeleton"], name="one_look_a_name", condition=models.Q(name_shared=False)
            ),
            models.CheckConstraint(
                name="guest_without_rights",
                condition=models.Q(guest_until=None) | models.Q(is_organiser=False, is_staff=False, is_superuser=False),
            ),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def is_guest(self) -> bool:
        """True if nobody has signed up with this account."""
        return self.guest_until is not None

    @property
    def portrait(self) -> str:
        """Return the path of the portrait's URL."""
        if self.is_guest:
            return portraits.guest_address(self.id)
        return portraits.address(self.id, self.portrait_face, self.portrait_picture)


class AccessToken(models.Model):
    """A program's credential. Only its hash is stored; `prefix` helps its owner to distinguish tokens."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80, blank=True)
    prefix = models.CharField(max_length=12)
    digest = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=40))
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.prefix}..."


class AccessEntry(models.Model):
    """An entry of the access log: a change of an account's password, rights or tokens. No entry is ever changed.

    `by` is the account that made the change, None for the operator. `changes` contains the new values, and never a
    secret. Entries contain only ids of accounts, so that they need not be erased.
    """

    class Door(models.TextChoices):
        PAGE = "page"
        PANEL = "panel"
        LINK = "link"
        REST = "rest"
        COMMAND = "command"

    id = models.BigAutoField(primary_key=True)
    account = models.UUIDField()
    at = models.DateTimeField(db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField()))
    kind = models.CharField(max_length=40)
    changes = models.JSONField(default=dict)
    by = models.UUIDField(null=True)
    door = models.CharField(max_length=10, choices=Door.choices)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["account", "-id"], name="access_of_account")]

    def __str__(self) -> str:
        return f"{self.account}: {self.kind}"


class SeenEntry(models.Model):
    """An entry of the access log that its account has seen."""

    entry = models.OneToOneField(AccessEntry, on_delete=models.DO_NOTHING, primary_key=True, related_name="seen")

    def __str__(self) -> str:
        return str(self.entry_id)
