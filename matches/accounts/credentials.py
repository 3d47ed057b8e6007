"""Passwords, tokens and rights of accounts: changed only here, logged, and applied at once to open sessions and
connections.

A new password ends every session and, unless its owner keeps them, every token.
"""

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from matches.accounts import access_log, officials
from matches.accounts.access_log import Actor
from matches.domain.guests import not_for_guests
from matches.models import AccessToken, Account
from matches.publishing import publisher


def change_password(account: Account, password: str, actor: Actor, kind: str, *, keep_tokens: bool = False) -> None:
    """Set the password, end the other sessions, and log the change as `kind`; raise not_for_guests.

    A session holds a hash of the password that it began with, so all end except one that is given the new hash.
    """
    _refuse_guest(account)
    with transaction.atomic():
        account.set_password(password)
        account.save(update_fields=["password"])
        revoked = 0 if keep_tokens else _revoke_tokens(account)
        access_log.note(account.id, kind, actor, **({"tokens_revoked": revoked} if revoked else {}))
        end_soon(account.id)


def change_rights(account: Account, rights: Mapping[str, bool], actor: Actor) -> None:
    """Change rights (those of `access_log.RIGHTS`) and log the differences.

    Raise officials.OfficialInvolved, and not_for_guests for a right given to a guest. The operator at the machine is
    never involved.
    """
    with transaction.atomic():
        now = Account.objects.select_for_update().get(id=account.id)
        changes = {name: given for name, given in rights.items() if getattr(now, name) != given}
        if not changes:
            return
        if any(given for name, given in changes.items() if name != "is_active"):
            _refuse_guest(now)
        if actor.by is not None:
            officials.refuse_involved_official(actor.by, account.id)
        Account.objects.filter(id=account.id).update(**changes)
        access_log.note(account.id, "rights_changed", actor, **changes)
        end_soon(account.id)


def _refuse_guest(account: Account) -> None:
    if account.is_guest:
        raise not_for_guests("A guest has neither a password nor rights.")


def _revoke_tokens(account: Account) -> int:
    """Revoke every token of the account; return how many were valid."""
    return AccessToken.objects.filter(account=account, revoked_at=None, expires_at__gt=Now()).update(revoked_at=Now())


def end_soon(account: UUID) -> None:
    """After the commit, let all processes check the account's open connections, which may have ended."""
    transaction.on_commit(partial(publisher.announce_ended, account))
