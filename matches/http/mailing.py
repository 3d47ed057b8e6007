"""Handling of e-mail addresses in pages and the API.

Setting an address requires the password. E-mails are counted by who requests them and by the mailbox.
"""

from django.db import transaction
from django.http import HttpRequest
from rest_framework.request import Request

from matches.accounts import access_log, credentials
from matches.accounts.access_log import Actor, Door
from matches.http import devices, limits, signing_up
from matches.http.problems import Problem
from matches.models import Account
from matches.notifications import mail_addresses


def set_address(request: Request | HttpRequest, address: str, password: str, door: str) -> None:
    """Send a letter that verifies a new address of the caller, which may then also reset the password;
    raise Problem."""
    me: Account = request.user
    refuse_off()
    with limits.guessing(request, me.username):
        if not me.check_password(password):
            raise Problem("bad_credentials", "That isn't your current password.")
    limits.spend_letter(request, str(me.id))
    try:
        with transaction.atomic():
            mail_addresses.set_address(me, address, limits.may_write)
            access_log.note(me.id, "email_set", Actor(me.id, door))
    except mail_addresses.AddressRefused as refused:
        raise Problem("bad_email", str(refused)) from None


def verify(me: Account, token: str, door: str) -> None:
    """Mark the caller's address as verified; raise Problem."""
    try:
        with transaction.atomic():
            mail_addresses.verify(me, token)
            access_log.note(me.id, "email_verified", Actor(me.id, door))
    except mail_addresses.TokenRefused:
        raise Problem("bad_link") from None


def remove(me: Account, door: str) -> None:
    """Delete the caller's address; raise Problem."""
    with transaction.atomic():
        if not mail_addresses.remove(me):
            raise Problem("no_email")
        access_log.note(me.id, "email_removed", Actor(me.id, door))


def request_reset(request: Request | HttpRequest, name: str) -> None:
    """Send a link for a new password, if there is an account with the name or address; raise Problem."""
    refuse_off()
    limits.spend_letter(request, name)
    mail_addresses.request_reset(name, limits.may_write)


def reset(request: Request | HttpRequest, token: str, password: str) -> Account:
    """Set a new password by a link in a letter; all sessions and tokens end. Raise Problem."""
    try:
        with transaction.atomic():
            account = Account.objects.select_for_update().get(id=mail_addresses.account_of_reset_token(token).id)
            # Check again under the lock: of two simultaneous uses the second must fail.
            mail_addresses.account_of_reset_token(token)
            signing_up.refuse_weak(password, account)
            actor = Actor(account.id, Door.LINK)
            credentials.change_password(account, password, actor, "password_reset_by_letter")
    except mail_addresses.TokenRefused:
        raise Problem("bad_link") from None
    devices.remember(getattr(request, "_request", request), account)
    return account


def refuse_off() -> None:
    """Raise Problem if the service sends no letters."""
    if not mail_addresses.is_on():
        raise Problem("no_mail")
