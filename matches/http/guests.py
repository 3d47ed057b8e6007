"""Guests: accounts that one click creates, and that expire unless their owner signs up or plays on."""

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
"""For so long after a guest's creation the same browser gets this guest again, in case the response was lost."""
_RENEWED_EVERY = timedelta(days=1)
_DIGITS = (4, 4, 4, 6, 6, 9, 9)
"""The lengths of the numbers in the names that are tried in turn: a short name is free while there are few guests."""


def is_requested(request: HttpRequest) -> bool:
    """True if an anonymous caller requests to play as a guest, and the settings allow guests."""
    return settings.GUESTS and not request.user.is_authenticated and "guest" in request.POST


def is_guest(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.is_guest


def sign_in(request: HttpRequest) -> Account:
    """Sign in this browser's guest, created if necessary, and return it.

    The same browser gets the same guest, from two tabs or by a second click, until it has received the first response:
    the guest's id is derived from the browser's CSRF secret, which a sign-in replaces.

    Raise Problem too_many_requests, limits_unavailable, unavailable.
    """
    account = recent_guest(request) or _create(request)
    login(request, account, backend=_BACKEND)
    request.session.set_expiry(settings.GUEST_DAYS * 86400)
    return account


def renew(request: HttpRequest) -> None:
    """Extend an active guest's account and session to their full life, at most once a day."""
    account = request.user
    due_before = timezone.now() + timedelta(days=settings.GUEST_DAYS) - _RENEWED_EVERY
    if is_guest(request) and account.guest_until < due_before:
        _of(account.id).update(guest_until=_end())
        request.session.set_expiry(settings.GUEST_DAYS * 86400)


def sign_up(request: HttpRequest, username: str, password: str) -> Account:
    """Turn the calling guest into an account with this name and password. It keeps its matches and this session; its
    other sessions end.

    Raise Problem bad_name, weak_password, name_taken, and conflict if it isn't a guest any more.
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


def recent_guest(request: HttpRequest) -> Account | None:
    """Return the guest that this browser created in the last minutes; None if there is none.

    If the browser's CSRF secret belongs to another account, replace the secret, so that a new guest can be created.
    """
    # One query, since another request of this browser may create the guest meanwhile.
    is_recent = ExpressionWrapper(Q(joined_at__gt=Now() - _RETRY), output_field=BooleanField())
    guest = Account.objects.filter(id=_id_for(request)).annotate(is_recent=is_recent).first()
    if guest is None:
        return None
    if guest.is_active and guest.is_guest and guest.is_recent:
        return guest
    # The browser didn't store the new secret of its last sign-in, so it still sends the one of an older guest.
    rotate_token(request)
    return None


def _create(request: HttpRequest) -> Account:
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
        if guest := _of(account_id).first():
            return guest
    raise Problem("unavailable")


def _id_for(request: HttpRequest) -> UUID:
    digest = salted_hmac(_SALT, request.META["CSRF_COOKIE"], algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)


def _end() -> CombinedExpression:
    return Now() + timedelta(days=settings.GUEST_DAYS)
