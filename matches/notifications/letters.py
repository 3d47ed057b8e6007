"""Letters: calls by e-mail, and those that verify an address or contain a link for a new password. Text and HTML."""

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
"""By RFC 3834, and for Exchange, which reads the second: neither sends an automatic reply."""
NOWHERE = ""
"""The result without a receiver: the address is gone, so nothing is to be tried again."""


def send_calls(claimed: list[Call], due_messages: list[Message]) -> str | Errand:
    """Send one letter with all due calls of an account."""
    account = claimed[0].account
    leave = f"{settings.PUBLIC_URL}/unsubscribe/{mail_addresses.unsubscribe_token(account)}"
    headers = {"List-Unsubscribe": f"<{leave}>", "Precedence": "bulk"}
    if leave.startswith("https:"):
        # RFC 8058 allows one-click unsubscribing only over HTTPS.
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    subject = (
        due_messages[0].title
        if len(due_messages) == 1
        else ngettext("%(count)s thing for you", "%(count)s things for you", len(due_messages))
        % {"count": len(due_messages)}
    )
    lines = [(it.text, f"{settings.PUBLIC_URL}{it.page}") for it in due_messages]
    return _send(
        account, subject, "calls", {"lines": lines, "leave": leave, "root": settings.PUBLIC_URL}, claimed, headers
    )


def send_requested(claimed: list[Call], due_messages: list[Message]) -> str | Errand:
    """Send the letter that verifies an address, or the one for a new password."""
    call, account = claimed[0], claimed[0].account
    if call.kind == mail_addresses.VERIFIES:
        link = f"{settings.PUBLIC_URL}/account/email/{mail_addresses.new_token(account)}"
        return _send(account, _("Is this your address?"), "verify", {"link": link}, claimed, {})
    link = f"{settings.PUBLIC_URL}/new-password/{mail_addresses.reset_token(account)}"
    return _send(account, _("A new password"), "reset", {"link": link}, claimed, {})


def _send(
    account: Account, subject: str, template: str, about: dict[str, Any], claimed: list[Call], headers: dict[str, str]
) -> str | Errand:
    address = mail_addresses.address_of(account)
    if not address or not mail_addresses.is_on():
        return NOWHERE
    # The same id at each attempt, so that a mailbox can drop a duplicate.
    domain = parseaddr(settings.MAIL_FROM)[1].rpartition("@")[2]
    headers = {**_OF_A_PROGRAM, **headers, "Message-ID": f"<{claimed[0].id}@{domain}>"}
    letter = EmailMultiAlternatives(
        f"Croupier: {subject}", render_to_string(f"mail/{template}.txt", about), settings.MAIL_FROM, [address],
        headers=headers, connection=get_connection(),
    )  # fmt: skip
    letter.attach_alternative(render_to_string(f"mail/{template}.html", about), "text/html")
    return Errand(partial(_deliver, letter), _failure_of)


def _deliver(letter: EmailMultiAlternatives) -> str:
    """Return an empty string if the mail server took the letter, else the name of the error."""
    try:
        letter.send()
    except (SMTPException, OSError) as error:
        return type(error).__name__
    return ""


def _failure_of(fault: str) -> str:
    return _("The mail server can't be reached, or refuses: %(name)s.") % {"name": fault} if fault else ""
