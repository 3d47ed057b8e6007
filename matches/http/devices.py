"""Devices on which somebody has signed in to an account: others' wrong passwords don't lock them out.

A browser proves it by a cookie that outlives its session, a program by a token. A new password invalidates an account's
cookies.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.decorators import sync_and_async_middleware
from rest_framework.request import Request

from matches.domain.names import name_key
from matches.http.authentication import bearer, load_token
from matches.models import Account

_LIFETIME = timedelta(days=400)
"""The longest time for which browsers keep a cookie."""
_SALT = "croupier.device"
_MOST = 5
"""A browser is remembered for the latest so many accounts."""


class _Entry(NamedTuple):
    """One account that knows a browser: `proof` is good until the password changes, `device` names the browser."""

    account: str
    proof: str
    device: str


def device_of(request: Request | HttpRequest, name: str) -> str | None:
    """Return a name for this device among those of the account with this name; None if it isn't one of them."""
    sought = name_key(name)
    plain_request = getattr(request, "_request", request)
    return _by_session(plain_request, sought) or _by_token(plain_request, sought) or _by_cookie(plain_request, sought)


def remember(request: HttpRequest, account: Account) -> None:
    """Let the response mark the browser of this request as known to the account."""
    request.device_of = account


@receiver(user_logged_in)
def _remember(request: HttpRequest | None, user: Account, **_: Any) -> None:
    # A guest has no password that could be guessed.
    if request is not None and not user.is_guest:
        remember(request, user)


@sync_and_async_middleware
def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Set the browser's cookie in the response to a sign-in."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            return _mark(request, await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _mark(request, get_response(request))

    return answer


def _mark(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    account = getattr(request, "device_of", None)
    if account is not None:
        others = [entry for entry in _entries(request) if entry.account != account.id.hex]
        entries = [_Entry(account.id.hex, _proof(account), secrets.token_hex(8)), *others][:_MOST]
        response.set_cookie(
            settings.DEVICE_COOKIE_NAME,
            signing.dumps(entries, salt=_SALT),
            max_age=_LIFETIME,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite=settings.SESSION_COOKIE_SAMESITE,
        )
    return response


def _by_session(request: HttpRequest, sought: str) -> str | None:
    key = session.session_key if (session := getattr(request, "session", None)) else None
    user = getattr(request, "user", None)
    if not key or user is None or not user.is_authenticated or user.name_key != sought:
        return None
    return f"session:{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def _by_token(request: HttpRequest, sought: str) -> str | None:
    text = bearer(request)
    token = load_token(text) if text and "\0" not in text else None
    return f"token:{token.id.hex}" if token and token.account.name_key == sought else None


def _by_cookie(request: HttpRequest, sought: str) -> str | None:
    entries = _entries(request)
    if not entries:
        return None
    accounts = Account.objects.filter(id__in=[UUID(it.account) for it in entries], name_key=sought, is_active=True)
    proofs = {account.id.hex: _proof(account) for account in accounts}
    good = (it for it in entries if constant_time_compare(it.proof, proofs.get(it.account, "")))
    return next((f"browser:{it.device}" for it in good), None)


def _entries(request: HttpRequest) -> list[_Entry]:
    """Return the entries of the browser's cookie, if its signature is good."""
    try:
        entries = signing.loads(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=_SALT, max_age=_LIFETIME)
    except signing.BadSignature:
        return []
    return [_Entry(*entry) for entry in entries]


def _proof(account: Account) -> str:
    """Return a hash of the stored password hash, which can't be derived from a cookie."""
    return salted_hmac(_SALT, account.password, algorithm="sha256").hexdigest()[:32]
