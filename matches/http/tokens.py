"""Access tokens: made once, shown once, stored as a hash."""

import base64
import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.accounts import access_log, credentials
from matches.accounts.access_log import Actor, Door
from matches.domain.guests import not_for_guests
from matches.http.problems import Problem
from matches.models import AccessToken, Account

LIFETIME = timedelta(days=90)
MOST = 100
"""An account may have so many valid tokens."""
_MARK = "crp_"
_PREFIX_LENGTH = 12
_SALT = "croupier.token"
_RETRY = timedelta(minutes=5)
"""A repeated form gets the same secret for so long, as the first response may be lost."""


class NewToken(NamedTuple):
    """A new token for its owner; only the prefix and the digest are stored."""

    token: str
    prefix: str
    digest: bytes


def new_token(press: str = "") -> NewToken:
    """Return a token of 32 random bytes, or of bytes derived from a press of its owner's button."""
    drawn = salted_hmac(_SALT, press, algorithm="sha256").digest() if press else secrets.token_bytes(32)
    token = _MARK + base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()
    return NewToken(token, token[:_PREFIX_LENGTH], digest_of(token))


def digest_of(token: str) -> bytes:
    """Return the stored hash of a token, which is random and long, so a plain hash is safe."""
    return hashlib.sha256(token.encode()).digest()


@transaction.atomic
def make(
    account: Account, *, name: str, scopes: Iterable[str], door: str = Door.REST, press: str = ""
) -> tuple[AccessToken, str]:
    """Make a token of this account for `LIFETIME`; return it and its secret, which is stored nowhere. Beyond `MOST`
    tokens the oldest is revoked. The same `press` of a form's button gives the same token for `_RETRY`, and conflict
    after that.

    Raise Problem if the password has changed since the account was read: otherwise a token requested with the old
    password would be made after a change had revoked all tokens. Raise not_for_guests.
    """
    if account.is_guest:
        raise not_for_guests("Programs play for accounts alone.")
    as_read = Account.objects.select_for_update(no_key=True).filter(id=account.id, password=account.password)
    if not as_read.filter(is_active=True).exists():
        raise Problem("bad_credentials")
    secret = new_token(f"{account.id} {press}" if press else "")
    if press and (before := AccessToken.objects.filter(digest=secret.digest).first()):
        return _made_before(before), secret.token
    new_row = AccessToken.objects.create(
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
    return new_row, secret.token


def _made_before(token: AccessToken) -> AccessToken:
    """Return the token; raise Problem conflict if its secret may no longer be shown."""
    if token.revoked_at or token.made_at < timezone.now() - _RETRY:
        raise Problem("conflict", "This form has made its token already. Load the page again to make another one.")
    return token


def good_ones(account: Account) -> list[AccessToken]:
    """Return the account's tokens that are neither revoked nor expired, newest first."""
    good = AccessToken.objects.filter(account=account, revoked_at=None, expires_at__gt=timezone.now())
    return list(good.order_by("-made_at"))


@transaction.atomic
def revoke(account: Account, token_id: UUID, door: str = Door.REST) -> bool:
    """Revoke this token of the account; False if it has no valid token of this id."""
    mine = AccessToken.objects.select_for_update().filter(pk=token_id, account=account, revoked_at=None).first()
    if mine is None:
        return False
    mine.revoked_at = timezone.now()
    mine.save(update_fields=["revoked_at"])
    access_log.note(account.id, "token_revoked", Actor(account.id, door), token=mine.prefix)
    credentials.end_soon(account.id)
    return True
