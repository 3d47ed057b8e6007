"""Access tokens: made once, shown once, kept as a hash."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from matches.accounts import access_log, credentials
from matches.accounts.access_log import Actor, Door
from matches.domain.guests import not_for_guests
from matches.http.problems import Problem
from matches.models import AccessToken, Account

LIFETIME = timedelta(days=90)
MOST = 100
"""How many good tokens an account may have."""
_MARK = "crp_"
_PREFIX_LENGTH = 12


class NewToken(NamedTuple):
    """A token on its way to its owner; only the prefix and the digest are kept."""

    token: str
    prefix: str
    digest: bytes


def new_token() -> NewToken:
    """A token of 32 random bytes."""
    token = _MARK + secrets.token_urlsafe(32)
    return NewToken(token, token[:_PREFIX_LENGTH], digest_of(token))


def digest_of(token: str) -> bytes:
    """What is kept of a token. It is random and long, so a plain hash can't be turned back."""
    return hashlib.sha256(token.encode()).digest()


@transaction.atomic
def make(account: Account, *, name: str, scopes: Iterable[str], door: str = Door.REST) -> tuple[AccessToken, str]:
    """A token of this account for `LIFETIME`, and its secret, which is nowhere else; of `MOST` the oldest gives way.

    Raises Problem where the password is another by now than that of the account as it was read: else a token that was
    asked for with the old one would be made after a change had revoked all of them. Raises not_for_guests.
    """
    if account.is_guest:
        raise not_for_guests("Programs play for accounts alone.")
    as_read = Account.objects.select_for_update(no_key=True).filter(id=account.id, password=account.password)
    if not as_read.filter(is_active=True).exists():
        raise Problem("bad_credentials")
    secret = new_token()
    made = AccessToken.objects.create(
        account=account,
        name=name,
        prefix=secret.prefix,
        digest=secret.digest,
        scopes=sorted(set(scopes)),
        expires_at=timezone.now() + LIFETIME,
    )
    access_log.note(account.id, "token_made", Actor(account.id, door), token=secret.prefix)
    if spare := [token.pk for token in good_ones(account)[MOST:]]:
        AccessToken.objects.filter(pk__in=spare).update(revoked_at=timezone.now())
        credentials.end_soon(account.id)
    return made, secret.token


def good_ones(account: Account) -> list[AccessToken]:
    """The account's tokens that are neither revoked nor expired, newest first."""
    good = AccessToken.objects.filter(account=account, revoked_at=None, expires_at__gt=timezone.now())
    return list(good.order_by("-made_at"))


@transaction.atomic
def revoke(account: Account, token_id: UUID, door: str = Door.REST) -> bool:
    """Refuse this token of the account from now on; False where it has none of this id."""
    mine = AccessToken.objects.select_for_update().filter(pk=token_id, account=account, revoked_at=None).first()
    if mine is None:
        return False
    mine.revoked_at = timezone.now()
    mine.save(update_fields=["revoked_at"])
    access_log.note(account.id, "token_revoked", Actor(account.id, door), token=mine.prefix)
    credentials.end_soon(account.id)
    return True
