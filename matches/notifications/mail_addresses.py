"""The e-mail addresses of accounts: set, verified by a letter, unsubscribed by one press, and good for a new password.

What stands in a letter is worth something to whoever reads it: the token that verifies is kept as a hash alone and ends
after a day; the link for a new password is signed, and ends with the password, the address, or after an hour.
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
"""The way of what isn't called but asked for: a letter that verifies an address, one for a new password."""
VERIFIES = "verify_email"
RESETS = "reset_password"
VERIFIED_WITHIN = timedelta(days=1)
RESET_WITHIN = timedelta(hours=1)
_LONGEST = 254
_MOST_ACCOUNTS = 5
_UNSUBSCRIBES = "croupier.unsubscribe"
_RESETTING = "croupier.reset-password"


MayWrite = Callable[[str, bytes], bool]
"""Counts one more letter of a kind to a mailbox, which a digest names; False where it has had as many as it may."""


class AddressRefused(Exception):
    """No letter could go there; says why in a sentence."""


class TokenRefused(Exception):
    """The token is none, is used up or has ended."""


def is_on() -> bool:
    """Whether the house sends letters: without an address of its own no link in one leads anywhere."""
    return bool(settings.PUBLIC_URL)


def set_address(account: Account, address: str, may_write: MayWrite) -> None:
    """Have a letter sent that verifies an address, if one may go there; until then nothing else does. Raises
    AddressRefused, not_for_guests."""
    if account.is_guest:
        raise not_for_guests(_("Calls are for accounts alone."))
    told = address.strip()
    try:
        validate_email(told)
    except ValidationError:
        raise AddressRefused(_("That is no e-mail address.")) from None
    if len(told) > _LONGEST or not told.isascii():
        raise AddressRefused(_("An address is at most %(most)s ASCII letters long.") % {"most": _LONGEST})
    fresh = {"verified_at": None, "unsubscribed_at": None, "token_digest": None, "token_until": None, "set_at": Now()}
    with transaction.atomic():
        MailAddress.objects.update_or_create(
            account=account, defaults={"sealed": webhooks.sealed(told), "digest": digest_of(told), **fresh}
        )
        # What waits was meant for the address before.
        _drop_waiting(account)
        _ask_for(account, VERIFIES, told, may_write)


def address_of(account: Account) -> str:
    """Where letters to an account go; empty where nowhere, or the house has another key since."""
    kept = MailAddress.objects.filter(account=account).first()
    try:
        return webhooks.unsealed(kept.sealed) if kept else ""
    except webhooks.Unreadable:
        return ""


def new_token(account: Account) -> str:
    """A token that verifies the account's address; those of before do so no more."""
    token = secrets.token_urlsafe(32)
    MailAddress.objects.filter(account=account).update(
        token_digest=sha256(token.encode()).digest(), token_until=store.clock() + VERIFIED_WITHIN
    )
    return token


def verify(account: Account, token: str) -> None:
    """The account has read the letter, so the address is its own; raises TokenRefused."""
    good = MailAddress.objects.filter(
        account=account, token_digest=sha256(token.encode()).digest(), token_until__gt=Now()
    )
    if not good.update(verified_at=Now(), token_digest=None, token_until=None, unsubscribed_at=None):
        raise TokenRefused


def remove(account: Account) -> bool:
    """Send no letters any more, and forget the address; gives whether there was one."""
    with transaction.atomic():
        _drop_waiting(account)
        return MailAddress.objects.filter(account=account).delete()[0] > 0


def unsubscribing(account: Account) -> str:
    """The token in a letter that ends all letters but those that are asked for; it doesn't end itself."""
    return signing.dumps(str(account.id), salt=_UNSUBSCRIBES)


def unsubscribed(token: str) -> Account:
    """Whose token it is; raises TokenRefused."""
    try:
        return Account.objects.get(id=UUID(signing.loads(token, salt=_UNSUBSCRIBES)))
    except (signing.BadSignature, ValueError, TypeError, Account.DoesNotExist):
        raise TokenRefused from None


def subscribe(account: Account, wanted: bool) -> None:
    """Have calls come by mail, or no more: what waits is dropped then."""
    with transaction.atomic():
        MailAddress.objects.filter(account=account).update(unsubscribed_at=None if wanted else Now())
        if not wanted:
            _drop_waiting(account, "email")


def ask_for_reset(name: str, may_write: MayWrite) -> None:
    """Have a link for a new password sent to whoever is called so, or has this verified address, if letters may go
    there; nobody learns whether there is anybody."""
    good = Account.objects.filter(is_active=True, guest_until=None).exclude(mail_address__verified_at=None)
    told = name.strip()
    found = good.filter(mail_address__digest=digest_of(told)) if "@" in told else good.filter(name_key=name_key(told))
    for account in found[:_MOST_ACCOUNTS]:
        _ask_for(account, RESETS, address_of(account), may_write)


def reset_token(account: Account) -> str:
    """The token in a link for a new password."""
    return signing.dumps([str(account.id), _state_of(account)], salt=_RESETTING)


def resetting(token: str) -> Account:
    """Whose new password the token is good for; raises TokenRefused."""
    try:
        told, state = signing.loads(token, salt=_RESETTING, max_age=RESET_WITHIN)
        account = Account.objects.get(id=UUID(told), is_active=True)
    except (signing.BadSignature, ValueError, TypeError, Account.DoesNotExist):
        raise TokenRefused from None
    if not hmac.compare_digest(state, _state_of(account)):
        raise TokenRefused
    return account


def digest_of(address: str) -> bytes:
    """What an address is found by; nobody without the house's key can tell which it is."""
    return hmac.digest(
        settings.SECRET_KEY.encode(), b"croupier-mail-v1" + mailboxes.spelled(address).encode(), "sha256"
    )


def _state_of(account: Account) -> str:
    """Another one after a sign-in, with a new password, and with another address."""
    kept = MailAddress.objects.filter(account=account).exclude(verified_at=None).first()
    known = [account.password, account.last_login, kept and bytes(kept.digest).hex()]
    return salted_hmac(_RESETTING, repr(known), algorithm="sha256").hexdigest()


def _ask_for(account: Account, kind: str, address: str, may_write: MayWrite) -> None:
    if not may_write(kind, digest_of(mailboxes.mailbox_of(address))):
        return
    at = store.clock()
    Call.objects.create(
        account=account, way=LETTER, kind=kind, cause=str(uuid4()), made_at=at, due_at=at, next_try_at=at
    )


def _drop_waiting(account: Account, *ways: str) -> None:
    waiting = Call.objects.filter(account=account, way__in=ways or ("email", LETTER), state=Call.State.WAITING)
    waiting.update(state=Call.State.LAPSED, done_at=Now())
