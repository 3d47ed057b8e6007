"""Devices that know an account: those on which somebody has signed in to it. Others' guesses don't keep them out.

A browser shows it by a cookie that stays when its session ends, a program by a token. A change of the password makes an
account's cookies worthless.
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
from matches.http.authentication import bearer, find
from matches.models import Account

_LIFETIME = timedelta(days=400)
"""As long as browsers keep a cookie."""
_SALT = "croupier.device"
_MOST = 5
"""So many accounts a browser is remembered for, those that signed in last."""


class _Entry(NamedTuple):
    """One account that knows a browser: `proof` is good until the password changes, `device` names the browser."""

    account: str
    proof: str
    device: str


def device_of(request: Request | HttpRequest, name: str) -> str | None:
    """What tells this device from the account's others, where it is one of the account with this name."""
    sought = name_key(name)
    asked = getattr(request, "_request", request)
    return _by_session(asked, sought) or _by_token(asked, sought) or _by_cookie(asked, sought)


def remember(request: HttpRequest, account: Account) -> None:
    """Let the browser that sent this request be known to the account, from the answer on."""
    request.device_of = account


@receiver(user_logged_in)
def _remember(request: HttpRequest | None, user: Account, **_: Any) -> None:
    # A guest has no password that could be guessed.
    if request is not None and not user.is_guest:
        remember(request, user)


@sync_and_async_middleware
def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Gives a browser its cookie with the answer to a sign-in."""
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
    token = find(text) if text and "\0" not in text else None
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
    """What the browser's cookie says, if this house has signed it."""
    try:
        told = signing.loads(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=_SALT, max_age=_LIFETIME)
    except signing.BadSignature:
        return []
    return [_Entry(*entry) for entry in told]


def _proof(account: Account) -> str:
    """Follows from how the password is kept, which no cookie tells."""
    return salted_hmac(_SALT, account.password, algorithm="sha256").hexdigest()[:32]
