"""Guests: accounts with a limited life, made by one press for whoever has none, and kept by signing up."""

from datetime import timedelta
from secrets import randbelow
from uuid import UUID

from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.db import IntegrityError, transaction
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.accounts import access_log, credentials
from matches.accounts.access_log import Actor, Door
from matches.domain.names import guest_name
from matches.http import devices, limits, signing_up
from matches.http.problems import Problem
from matches.models import Account

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_SALT = "croupier.guest"
_RETRY = timedelta(minutes=5)
"""How long the press that has made a guest may be repeated by who hasn't got the answer."""
_RENEWED_EVERY = timedelta(days=1)
_DIGITS = (4, 4, 4, 6, 6, 9, 9)
"""Of the numbers that are tried for a name, so that it is short as long as guests are few."""


def asked_for(request: HttpRequest) -> bool:
    """Whether somebody who isn't signed in has pressed what begins as a guest, and the house lets guests in."""
    return settings.GUESTS and not request.user.is_authenticated and "guest" in request.POST


def is_one(request: HttpRequest) -> bool:
    """Whether the caller plays as a guest."""
    return request.user.is_authenticated and request.user.is_guest


def let_in(request: HttpRequest) -> Account:
    """A guest for this browser, signed in. Raises Problem too_many_requests, limits_unavailable.

    The same browser gets the same guest, from two tabs or at a second press, until the first answer has reached it: the
    guest's id follows from the browser's secret against other sites' forms, which a sign-in replaces.
    """
    account = just_made(request) or _made(request)
    login(request, account, backend=_BACKEND)
    request.session.set_expiry(settings.GUEST_DAYS * 86400)
    return account


def renew(request: HttpRequest) -> None:
    """Let a guest who is here stay on: at most once a day, guest and session last for all their days again."""
    account = request.user
    if is_one(request) and account.guest_until - timezone.now() < timedelta(days=settings.GUEST_DAYS) - _RENEWED_EVERY:
        _of(account.id).update(guest_until=_end())
        request.session.set_expiry(settings.GUEST_DAYS * 86400)


def keep(request: HttpRequest, username: str, password: str) -> Account:
    """Make the guest who asks an account of this name, with all that it has played; it stays signed in here.

    Raises Problem bad_name, weak_password, name_taken, and conflict where it is no guest any more.
    """
    signing_up.refuse_bad(username, password)
    try:
        with transaction.atomic():
            account = _of(request.user.pk).select_for_update().first()
            if account is None:
                raise Problem("conflict", "The guest has been signed up with, or erased. Load the page again.")
            Account.objects.rename(account, username)
            account.guest_until = None
            account.set_password(password)
            account.save()
            access_log.note(account.id, "guest_signed_up", Actor(account.id, Door.PAGE))
            credentials.end_soon(account.id)
    except IntegrityError:
        raise Problem("name_taken") from None
    update_session_auth_hash(request, account)
    request.session.set_expiry(None)
    devices.remember(request, account)
    return account


def _of(account_id: UUID) -> QuerySet[Account]:
    return Account.objects.filter(id=account_id, is_active=True).exclude(guest_until=None)


def just_made(request: HttpRequest) -> Account | None:
    """The guest that this browser's press has made a moment ago."""
    # Read once: another press of this browser may make the guest at any moment.
    made_since = ExpressionWrapper(Q(joined_at__gt=Now() - _RETRY), output_field=BooleanField())
    found = Account.objects.filter(id=_id_for(request)).annotate(made_lately=made_since).first()
    if found is None:
        return None
    if found.is_active and found.is_guest and found.made_lately:
        return found
    # The browser never took its new secret: what it has belongs to a guest of long ago.
    rotate_token(request)
    return None


def _made(request: HttpRequest) -> Account:
    limits.spend_guest(request)
    account_id = _id_for(request)
    for digits in _DIGITS:
        name = guest_name(10 ** (digits - 1) + randbelow(9 * 10 ** (digits - 1)))
        try:
            with transaction.atomic():
                Account.objects.create_user(name, id=account_id, guest_until=_end())
        except IntegrityError:
            # The name is another guest's, or the same browser's other press was faster.
            pass
        if made := _of(account_id).first():
            return made
    raise Problem("unavailable")


def _id_for(request: HttpRequest) -> UUID:
    digest = salted_hmac(_SALT, request.META["CSRF_COOKIE"], algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)


def _end() -> CombinedExpression:
    return Now() + timedelta(days=settings.GUEST_DAYS)
