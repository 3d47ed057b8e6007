"""Access tokens: made once, shown once, kept as a hash."""

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
"""How many good tokens an account may have."""
_MARK = "crp_"
_PREFIX_LENGTH = 12
_SALT = "croupier.token"
_RETRY = timedelta(minutes=5)
"""How long a form that was sent again is shown the secret again: the first answer may not have arrived."""


class NewToken(NamedTuple):
    """A token on its way to its owner; only the prefix and the digest are kept."""

    token: str
    prefix: str
    digest: bytes


def new_token(press: str = "") -> NewToken:
    """A token of 32 random bytes, or of those that follow from a press of its owner's button."""
    drawn = salted_hmac(_SALT, press, algorithm="sha256").digest() if press else secrets.token_bytes(32)
    token = _MARK + base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()
    return NewToken(token, token[:_PREFIX_LENGTH], digest_of(token))


def digest_of(token: str) -> bytes:
    """What is kept of a token. It is random and long, so a plain hash can't be turned back."""
    return hashlib.sha256(token.encode()).digest()


@transaction.atomic
def make(
    account: Account, *, name: str, scopes: Iterable[str], door: str = Door.REST, press: str = ""
) -> tuple[AccessToken, str]:
    """A token of this account for `LIFETIME`, and its secret, which is nowhere else; of `MOST` the oldest gives way.
    The same `press` of a form's button gives the same token for `_RETRY`, and conflict after that.

    Raises Problem where the password is another by now than that of the account as it was read: else a token that was
    asked for with the old one would be made after a change had revoked all of them. Raises not_for_guests.
    """
    if account.is_guest:
        raise not_for_guests("Programs play for accounts alone.")
    as_read = Account.objects.select_for_update(no_key=True).filter(id=account.id, password=account.password)
    if not as_read.filter(is_active=True).exists():
        raise Problem("bad_credentials")
    secret = new_token(f"{account.id} {press}" if press else "")
    if press and (before := AccessToken.objects.filter(digest=secret.digest).first()):
        return _made_before(before), secret.token
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


def _made_before(token: AccessToken) -> AccessToken:
    """The token; raises Problem conflict where its secret isn't shown any more."""
    if token.revoked_at or token.made_at < timezone.now() - _RETRY:
        raise Problem("conflict", "This form has made its token already. Load the page again to make another one.")
    return token


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
