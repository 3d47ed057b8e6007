"""Erasing an account: everything that names a person is deleted; the record stays and still verifies.

Events know players by opaque ids only, so no log changes. Deleted are the name, the portrait, the password, tokens,
sessions, settings, the webhook with its notices, the addresses for calls and all calls, notes, remarks (see
`matches.talk.erasing`), memberships of rooms (`matches.seasons.rooms`), texts beside the log (`matches.storage.texts`),
availability, and the admin's log about the account. Stored texts that hold the name are rewritten. What somebody has
typed into a record for all to read (reasons, rulings, appeals) can't be deleted.
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
"""Matches in which a seat prevents erasure. A waiting match doesn't: anybody may be seated there without consent, and
it begins only once the seat of an erased account has another player; see `matches.services.opening.begin`. A match
whose start is called begins without this check."""
_CALLED = Q(match__status=Match.Status.WAITING, match__deadline__falls_at__isnull=False)
_HOLDS_BACK = Q(match__status__in=UNDER_WAY) | _CALLED

ties: list[Callable[[UUID], str | None]] = []
"""Functions that return a sentence if something besides a seat prevents an erasure, else None."""
forgettings: list[Callable[[UUID], None]] = []
"""Functions that delete an account's data outside the record."""
retellings: list[Callable[[UUID, str, str], None]] = []
"""Functions that rewrite stored texts: given the account, its name, and the name that replaces it."""


class StillSeated(Exception):
    """The account holds a seat at a match under way, or has another duty that others depend on."""


def erase(account_id: UUID, actor: Actor = access_log.OPERATING) -> str:
    """Erase an account; return the name that replaces its own. The access log keeps its entries, which name nobody.

    Raise StillSeated, or BrokenRecord if a stored text can't be rewritten; then nothing is erased.
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
        # The webhook's waiting notices are deleted with it.
        Webhook.objects.filter(account=account).delete()
        for forget in forgettings:
            forget(account.id)
        for theirs in (account.tokens, account.notes):
            theirs.all().delete()
        name, account.username = account.username, erased_name(account.id)
        account.name_key = name_key(account.username)
        account.name_skeleton, account.name_shared = skeleton(account.username), False
        # An unusable password also ends every session: each holds a hash of the password that it began with.
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
