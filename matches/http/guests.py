"""Guests: accounts with a limited life, created by one click for people without one, and kept by signing up."""

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
"""A click that has made a guest may be repeated for so long, if its response was lost."""
_RENEWED_EVERY = timedelta(days=1)
_DIGITS = (4, 4, 4, 6, 6, 9, 9)
"""Digits of the numbers that are tried for a name; names are short as long as there are few guests."""


def is_requested(request: HttpRequest) -> bool:
    """True if an anonymous caller has pressed "play as a guest", and the settings allow guests."""
    return settings.GUESTS and not request.user.is_authenticated and "guest" in request.POST


def is_one(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.is_guest


def let_in(request: HttpRequest) -> Account:
    """Return a guest for this browser, signed in. Raise Problem too_many_requests, limits_unavailable.

    The same browser gets the same guest, from two tabs or by a second click, until it has received the first response:
    the guest's id is derived from the browser's CSRF secret, which a sign-in replaces.
    """
    account = just_made(request) or _made(request)
    login(request, account, backend=_BACKEND)
    request.session.set_expiry(settings.GUEST_DAYS * 86400)
    return account


def renew(request: HttpRequest) -> None:
    """Extend an active guest's account and session to their full life, at most once a day."""
    account = request.user
    if is_one(request) and account.guest_until - timezone.now() < timedelta(days=settings.GUEST_DAYS) - _RENEWED_EVERY:
        _of(account.id).update(guest_until=_end())
        request.session.set_expiry(settings.GUEST_DAYS * 86400)


def keep(request: HttpRequest, username: str, password: str) -> Account:
    """Turn the calling guest into an account of this name, with all that it has played; it stays signed in.

    Raise Problem bad_name, weak_password, name_taken, and conflict if it is no guest any more.
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
    """Return the guest that this browser has made a moment ago."""
    # One query: another request of this browser may make the guest at any moment.
    made_since = ExpressionWrapper(Q(joined_at__gt=Now() - _RETRY), output_field=BooleanField())
    guest = Account.objects.filter(id=_id_for(request)).annotate(made_lately=made_since).first()
    if guest is None:
        return None
    if guest.is_active and guest.is_guest and guest.made_lately:
        return guest
    # The browser never took its new secret: the current one belongs to a guest of long ago.
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
            # The name is another guest's, or the same browser's other request was faster.
            pass
        if made := _of(account_id).first():
            return made
    raise Problem("unavailable")


def _id_for(request: HttpRequest) -> UUID:
    digest = salted_hmac(_SALT, request.META["CSRF_COOKIE"], algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)


def _end() -> CombinedExpression:
    return Now() + timedelta(days=settings.GUEST_DAYS)
