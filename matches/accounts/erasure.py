"""Erasing an account: everything that names a person goes, the record stays and still verifies.

Events know players by opaque ids alone, so nothing in a log changes. What goes: the name, the portrait, the password,
tokens, sessions, settings, the webhook with its notices, where it is called and all its calls, notes, remarks (see
`matches.talk.erasing`), when somebody can play, and what the admin has noted about the account. What the house has told
with the name in it, and keeps, is told anew. What can't go is what somebody typed into a record for all to read:
reasons, rulings, appeals.
"""

from collections.abc import Callable
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q

from matches.accounts import access_log, portraits
from matches.accounts.access_log import Actor
from matches.domain.names import erased_name, name_key
from matches.domain.skeletons import skeleton
from matches.models import Account, Match, Seat, Webhook

UNDER_WAY = (Match.Status.RUNNING, Match.Status.PAUSED)
"""Where a seat holds its account back. A match that waits doesn't: anybody may be seated there unasked, and it begins
only once the seat of an erased account is another's; see `matches.services.opening.begin`. One whose start is called
begins without another look."""
_CALLED = Q(match__status=Match.Status.WAITING, match__deadline__falls_at__isnull=False)
_HOLDS_BACK = Q(match__status__in=UNDER_WAY) | _CALLED

ties: list[Callable[[UUID], str | None]] = []
"""What holds an account back besides a seat: each says what in a sentence, or None."""
forgettings: list[Callable[[UUID], None]] = []
"""What keeps something of an account beside the record: each takes it away."""
retellings: list[Callable[[UUID, str, str], None]] = []
"""What has told an account's name: each is given the account, the name, and the one that stands for it from now on."""


class StillSeated(Exception):
    """The account holds a seat at a match under way, or another part that others count on."""


def erase(account_id: UUID, actor: Actor = access_log.OPERATING) -> str:
    """Erase an account; gives the name that stands for it from now on. What the access log has of it stays: it names
    nobody.

    Raises StillSeated, or BrokenRecord where something that tells the name can't be told anew; then nothing is erased.
    """
    with transaction.atomic():
        account = Account.objects.select_for_update().get(id=account_id)
        seated = Seat.objects.filter(_HOLDS_BACK, account=account).select_related("match").first()
        if seated is not None:
            raise StillSeated(f"The account holds a seat at match {seated.match.code}, which is under way.")
        for tie in ties:
            if held := tie(account.id):
                raise StillSeated(held)
        LogEntry.objects.filter(object_id=str(account.id)).delete()
        # With a webhook goes what it was to be told.
        Webhook.objects.filter(account=account).delete()
        for forget in forgettings:
            forget(account.id)
        for theirs in (account.tokens, account.notes):
            theirs.all().delete()
        name, account.username = account.username, erased_name(account.id)
        account.name_key = name_key(account.username)
        account.name_skeleton, account.name_shared = skeleton(account.username), False
        # Without a usable password every session ends too: it holds a hash of the one it began with.
        account.set_unusable_password()
        for field in ("is_active", "is_staff", "is_superuser", "is_organiser"):
            setattr(account, field, False)
        portraits.erase(account.id)
        account.portrait_face, account.portrait_picture = None, ""
        for field in ("time_zone", "theme", "last_login", "guest_until"):
            setattr(account, field, Account._meta.get_field(field).get_default())
        account.save()
        account.groups.clear()
        account.user_permissions.clear()
        access_log.note(account.id, "account_erased", actor)
        for rewrite_answers in retellings:
            rewrite_answers(account.id, name, account.username)
    return account.username
