"""The access log of accounts: changes of passwords, rights and tokens, who made them, and which entries the account has
seen.

The service can't change or delete an entry: its database role may only insert.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet
from structlog.contextvars import get_contextvars

from matches.models import AccessEntry, Account, SeenEntry

Door = AccessEntry.Door
OPERATOR = "the operator of this service"

_WORDS = {
    "account_made": "made this account",
    "account_erased": "erased this account",
    "guest_signed_up": "signed up, and kept what the guest had played",
    "password_changed": "changed the password",
    "reset_link_made": "made a link with which to choose a new password",
    "password_reset": "had made the link with which a new password was chosen",
    "password_reset_by_letter": "chose a new password by a link in a letter",
    "email_set": "set an e-mail address, which isn't verified yet",
    "email_verified": "verified the e-mail address",
    "email_removed": "took the e-mail address away",
    "rights_changed": "changed this account's rights",
    "token_made": "made a token",
    "token_revoked": "revoked a token",
    "portrait_removed": "took down the uploaded portrait",
}
_RIGHTS = {
    "is_active": ("the account may sign in", "the account may not sign in"),
    "is_organiser": ("an organiser of the house", "no organiser of the house"),
    "is_staff": ("on the staff", "not on the staff"),
    "is_superuser": ("a superuser", "no superuser"),
}
RIGHTS = tuple(_RIGHTS)
"""The rights: fields of an account that say what it may do."""


class Actor(NamedTuple):
    """The author of a change, and through which entry point; `by` is an account's id, or None for the operator at the
    machine."""

    by: UUID | None
    door: str


OPERATING = Actor(None, Door.COMMAND)


class ReadableEntry(NamedTuple):
    """An entry in words: `who` has done `what`."""

    id: int
    at: datetime
    kind: str
    account: UUID
    by: UUID | None
    who: str
    what: str
    door: str
    request_id: str
    is_seen: bool

    @property
    def where(self) -> str:
        return _WHERE.get(self.door, self.door)


_WHERE = {
    Door.PAGE: "on a page",
    Door.PANEL: "in the panel",
    Door.LINK: "by a link for a new password",
    Door.REST: "over the API",
    Door.COMMAND: "at the machine",
}


def note(account: UUID, kind: str, actor: Actor, **changes: Any) -> AccessEntry:
    """Add an entry in the transaction of the change; `changes` must hold no secret."""
    if kind not in _WORDS:
        raise ValueError(f"Nobody could read what {kind} is.")
    request_id = str(get_contextvars().get("request_id", ""))
    return AccessEntry.objects.create(
        account=account, kind=kind, changes=changes, by=actor.by, door=actor.door, request_id=request_id
    )


def about(account: UUID, most: int = 100) -> list[ReadableEntry]:
    """Return the newest entries about an account, newest first, then older ones that it hasn't seen.

    So nobody can hide an entry behind many others.
    """
    theirs = AccessEntry.objects.filter(account=account)
    newest, unseen = (it.order_by("-id").values("id")[:most] for it in (theirs, _unseen(account)))
    return _readable(theirs.filter(Q(id__in=newest) | Q(id__in=unseen)), 2 * most)


def newest(most: int = 100) -> list[ReadableEntry]:
    """Return the newest entries about any account, newest first."""
    return _readable(AccessEntry.objects.all(), most)


def unseen(account: UUID, most: int = 100) -> list[ReadableEntry]:
    """Return what others have changed in an account and it hasn't seen yet, newest first."""
    return _readable(_unseen(account), most)


def count_unseen(account: UUID) -> int:
    return _unseen(account).count()


def mark_seen(account: UUID, entries: Iterable[int]) -> None:
    """Mark these entries about the account as seen; ignore entries about others."""
    theirs = _unseen(account).filter(id__in=list(entries)).values_list("id", flat=True)
    SeenEntry.objects.bulk_create([SeenEntry(entry_id=entry) for entry in theirs], ignore_conflicts=True)


def _unseen(account: UUID) -> QuerySet[AccessEntry]:
    others = Q(by=None) | ~Q(by=F("account"))
    return AccessEntry.objects.filter(others, account=account, seen=None)


def _readable(entries: QuerySet[AccessEntry], most: int) -> list[ReadableEntry]:
    page = list(entries.order_by("-id").select_related("seen")[:most])
    names = dict(Account.objects.filter(id__in={it.by for it in page}).values_list("id", "username"))
    return [
        ReadableEntry(
            it.id, it.at, it.kind, it.account, it.by, names.get(it.by, OPERATOR), _sentence(it), it.door,
            it.request_id, hasattr(it, "seen"),
        )
        for it in page
    ]  # fmt: skip


def _sentence(entry: AccessEntry) -> str:
    """Return what was done, without who did it; a kind of a later release is shown by its name."""
    words = _WORDS.get(entry.kind, entry.kind.replace("_", " "))
    details = [_RIGHTS[name][not entry.changes[name]] for name in RIGHTS if name in entry.changes]
    if token := entry.changes.get("token"):
        details.append(f"{token}...")
    if revoked := entry.changes.get("tokens_revoked"):
        details.append(f"{revoked} token{'s' * (revoked != 1)} revoked")
    if reason := entry.changes.get("reason"):
        details.append(reason)
    return f"{words}: {', '.join(details)}" if details else words
