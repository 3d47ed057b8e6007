"""Letters: calls by e-mail, and those that verify an address or lead to a new password. Text, and the same as HTML."""

from email.utils import parseaddr
from functools import partial
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Account, Call
from matches.notifications import mail_addresses
from matches.notifications.call_delivery import Errand, Message

_OF_A_PROGRAM = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""By RFC 3834, and for Exchange, which reads the second: nobody answers that they are away."""
NOWHERE = ""
"""Sent to nobody: the address is gone, so nothing is to be tried again."""


def send_calls(found: list[Call], told: list[Message]) -> str | Errand:
    """One letter with all calls that are due to an account."""
    account = found[0].account
    leave = f"{settings.PUBLIC_URL}/unsubscribe/{mail_addresses.unsubscribing(account)}"
    headers = {"List-Unsubscribe": f"<{leave}>", "Precedence": "bulk"}
    if leave.startswith("https:"):
        # RFC 8058 allows one press over HTTPS alone.
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    subject = (
        told[0].title
        if len(told) == 1
        else ngettext("%(count)s thing for you", "%(count)s things for you", len(told)) % {"count": len(told)}
    )
    lines = [(it.text, f"{settings.PUBLIC_URL}{it.page}") for it in told]
    return _send(
        account, subject, "calls", {"lines": lines, "leave": leave, "root": settings.PUBLIC_URL}, found, headers
    )


def send_asked(found: list[Call], told: list[Message]) -> str | Errand:
    """The letter that was asked for."""
    call, account = found[0], found[0].account
    if call.kind == mail_addresses.VERIFIES:
        link = f"{settings.PUBLIC_URL}/account/email/{mail_addresses.new_token(account)}"
        return _send(account, _("Is this your address?"), "verify", {"link": link}, found, {})
    link = f"{settings.PUBLIC_URL}/new-password/{mail_addresses.reset_token(account)}"
    return _send(account, _("A new password"), "reset", {"link": link}, found, {})


def _send(
    account: Account, subject: str, template: str, about: dict[str, Any], found: list[Call], headers: dict[str, str]
) -> str | Errand:
    address = mail_addresses.address_of(account)
    if not address or not mail_addresses.is_on():
        return NOWHERE
    # The same at each attempt, so that a mailbox can tell that it has it already.
    domain = parseaddr(settings.MAIL_FROM)[1].rpartition("@")[2]
    headers = {**_OF_A_PROGRAM, **headers, "Message-ID": f"<{found[0].id}@{domain}>"}
    letter = EmailMultiAlternatives(
        f"Croupier: {subject}", render_to_string(f"mail/{template}.txt", about), settings.MAIL_FROM, [address],
        headers=headers, connection=get_connection(),
    )  # fmt: skip
    letter.attach_alternative(render_to_string(f"mail/{template}.html", about), "text/html")
    return Errand(partial(_delivered, letter), _failure_of)


def _delivered(letter: EmailMultiAlternatives) -> str:
    """Empty where the mail server took the letter, else what went wrong."""
    try:
        letter.send()
    except (SMTPException, OSError) as error:
        return type(error).__name__
    return ""


def _failure_of(fault: str) -> str:
    return _("The mail server can't be reached, or refuses: %(name)s.") % {"name": fault} if fault else ""
