"""The e-mail addresses of accounts: set, verified by a letter, unsubscribed by one click, and used for a new password.

A letter contains a token that anybody who reads it could use. The token that verifies an address is stored only as a
hash and expires after a day. The token for a new password is signed and expires after an hour; it becomes invalid when
the account signs in or when its password or verified address changes.
"""

import hmac
import secrets
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from events import store
from matches.domain import mailboxes
from matches.domain.guests import not_for_guests
from matches.domain.names import name_key
from matches.models import Account, Call, MailAddress
from matches.notifications import webhooks

LETTER = "letter"
"""The way of a letter that somebody has requested, to verify an address or for a new password."""
VERIFIES = "verify_email"
RESETS = "reset_password"
VERIFIED_WITHIN = timedelta(days=1)
RESET_WITHIN = timedelta(hours=1)
_LONGEST = 254
_MOST_ACCOUNTS = 5
_UNSUBSCRIBE_SALT = "croupier.unsubscribe"
_RESET_SALT = "croupier.reset-password"


MayWrite = Callable[[str, bytes], bool]
"""Counts one more letter of a kind to the mailbox with a keyed hash (`digest_of`); returns False at its limit."""


class AddressRefused(Exception):
    """The address can't be used; the message says why."""


class TokenRefused(Exception):
    """The token is invalid, used up or expired."""


def is_on() -> bool:
    """True if the service sends letters: without a public URL no link in a letter would work."""
    return bool(settings.PUBLIC_URL)


def set_address(account: Account, address: str, may_write: MayWrite) -> None:
    """Store an address and send it a letter that verifies it, if the limits allow. Nothing else is sent to it until it
    is verified.

    Raise AddressRefused, not_for_guests.
    """
    if account.is_guest:
        raise not_for_guests(_("Only accounts get notifications, not guests."))
    address_given = address.strip()
    try:
        validate_email(address_given)
    except ValidationError:
        raise AddressRefused(_("That isn't an e-mail address.")) from None
    if len(address_given) > _LONGEST or not address_given.isascii():
        raise AddressRefused(_("An address is at most %(most)s ASCII letters long.") % {"most": _LONGEST})
    new_state = {
        "verified_at": None,
        "unsubscribed_at": None,
        "token_digest": None,
        "token_until": None,
        "set_at": Now(),
    }
    with transaction.atomic():
        MailAddress.objects.update_or_create(
            account=account,
            defaults={"sealed": webhooks.sealed(address_given), "digest": digest_of(address_given), **new_state},
        )
        # Waiting letters were meant for the previous address.
        _drop_waiting(account)
        _queue_letter(account, VERIFIES, address_given, may_write)


def address_of(account: Account) -> str:
    """Return the address of an account; empty if it has none, or if the secret key has changed since it was stored."""
    stored_address = MailAddress.objects.filter(account=account).first()
    try:
        return webhooks.unsealed(stored_address.sealed) if stored_address else ""
    except webhooks.Unreadable:
        return ""


def new_token(account: Account) -> str:
    """Return a new token that verifies the account's address; older ones become invalid."""
    token = secrets.token_urlsafe(32)
    MailAddress.objects.filter(account=account).update(
        token_digest=sha256(token.encode()).digest(), token_until=store.clock() + VERIFIED_WITHIN
    )
    return token


def verify(account: Account, token: str) -> None:
    """Mark the address as verified by the token of the letter; raise TokenRefused."""
    valid = MailAddress.objects.filter(
        account=account, token_digest=sha256(token.encode()).digest(), token_until__gt=Now()
    )
    if not valid.update(verified_at=Now(), token_digest=None, token_until=None, unsubscribed_at=None):
        raise TokenRefused


def remove(account: Account) -> bool:
    """Delete the address; return True if there was one."""
    with transaction.atomic():
        _drop_waiting(account)
        return MailAddress.objects.filter(account=account).delete()[0] > 0


def unsubscribe_token(account: Account) -> str:
    """Return the token with which a letter's reader unsubscribes; it doesn't expire."""
    return signing.dumps(str(account.id), salt=_UNSUBSCRIBE_SALT)


def account_of_unsubscribe_token(token: str) -> Account:
    """Return the account of an unsubscribe token; raise TokenRefused."""
    try:
        return Account.objects.get(id=UUID(signing.loads(token, salt=_UNSUBSCRIBE_SALT)))
    except (signing.BadSignature, ValueError, TypeError, Account.DoesNotExist):
        raise TokenRefused from None


def subscribe(account: Account, wanted: bool) -> None:
    """Turn calls by e-mail on or off. Turning them off drops the waiting ones."""
    with transaction.atomic():
        MailAddress.objects.filter(account=account).update(unsubscribed_at=None if wanted else Now())
        if not wanted:
            _drop_waiting(account, "email")


def request_reset(name: str, may_write: MayWrite) -> None:
    """Send a link for a new password to the account with this name or verified address, if the limits allow.

    The response must not reveal whether there is such an account.
    """
    eligible = Account.objects.filter(is_active=True, guest_until=None).exclude(mail_address__verified_at=None)
    name_given = name.strip()
    accounts = (
        eligible.filter(mail_address__digest=digest_of(name_given))
        if "@" in name_given
        else eligible.filter(name_key=name_key(name_given))
    )
    for account in accounts[:_MOST_ACCOUNTS]:
        _queue_letter(account, RESETS, address_of(account), may_write)


def reset_token(account: Account) -> str:
    return signing.dumps([str(account.id), _state_of(account)], salt=_RESET_SALT)


def account_of_reset_token(token: str) -> Account:
    """Return the account for which a reset token is valid; raise TokenRefused."""
    try:
        account_id, state = signing.loads(token, salt=_RESET_SALT, max_age=RESET_WITHIN)
        account = Account.objects.get(id=UUID(account_id), is_active=True)
    except (signing.BadSignature, ValueError, TypeError, Account.DoesNotExist):
        raise TokenRefused from None
    if not hmac.compare_digest(state, _state_of(account)):
        raise TokenRefused
    return account


def digest_of(address: str) -> bytes:
    """Return the keyed hash that identifies an address; it reveals nothing without the service's key."""
    return hmac.digest(
        settings.SECRET_KEY.encode(), b"croupier-mail-v1" + mailboxes.spelled(address).encode(), "sha256"
    )


def _state_of(account: Account) -> str:
    """Return a hash that changes when the account signs in, or when its password or verified address changes."""
    stored_address = MailAddress.objects.filter(account=account).exclude(verified_at=None).first()
    state = [account.password, account.last_login, stored_address and bytes(stored_address.digest).hex()]
    return salted_hmac(_RESET_SALT, repr(state), algorithm="sha256").hexdigest()


def _queue_letter(account: Account, kind: str, address: str, may_write: MayWrite) -> None:
    if not may_write(kind, digest_of(mailboxes.mailbox_of(address))):
        return
    at = store.clock()
    Call.objects.create(
        account=account, way=LETTER, kind=kind, cause=str(uuid4()), made_at=at, due_at=at, next_try_at=at
    )


def _drop_waiting(account: Account, *ways: str) -> None:
    waiting = Call.objects.filter(account=account, way__in=ways or ("email", LETTER), state=Call.State.WAITING)
    waiting.update(state=Call.State.LAPSED, done_at=Now())
