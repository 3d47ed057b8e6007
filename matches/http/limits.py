"""How much a caller may ask for. Without Redis play goes on; making accounts and tokens waits."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, parse_many
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from matches.domain.names import name_key
from matches.http import devices, loop_counter, rate_windows
from matches.http.addresses import network
from matches.http.problems import Problem
from matches.http.rate_windows import Counter, CounterAway, Verdict

COUNTED = "croupier.counted"
"""Where the scope of a request that the server sends again has what was told when it was counted."""


class ByMethod(BaseThrottle):
    """Reads and commands, each counted by account and address. Open when Redis is away.

    A view that costs more than others names its own purpose: `counted_as`.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        """True, or Problem `too_many_requests`."""
        purpose = getattr(view, "counted_as", "reads" if request.method in SAFE_METHODS else "commands")
        spend(purpose, request.user.pk if request.user else None, _network(request), request)
        return True


def spend(purpose: str, account: UUID | None, address: str, request: Request | HttpRequest | None = None) -> None:
    """Count one more of an account's and address's `reads` or `commands`; raises Problem `too_many_requests`. Open when
    Redis is away. The answer to `request`, where there is one, tells what is left. One that the server sends again
    has been counted."""
    plain = getattr(request, "_request", request)
    told = getattr(plain, "scope", {}).get(COUNTED)
    if plain is not None and told is not None:
        plain.limit_headers = told
        return
    with suppress(CounterAway):
        _spend(rate_windows.of_play, request, purpose, f"{account or 'nobody'}:{address}")


async def spend_at_once(purpose: str, account: UUID, address: str) -> dict[str, str] | None:
    """Count as `spend` does, on the event loop: the headers that tell what is left. None where it was one too many,
    which isn't counted. Open when Redis is away."""
    if not settings.LIMITS:
        return {}
    try:
        verdict = await loop_counter.of_play().count(_spans(purpose, purpose, f"{account}:{address}"))
    except CounterAway:
        return {}
    return _headers(verdict) if verdict.allowed else None


def spend_download(request: Request) -> None:
    """One more record that somebody without an account takes away; accounts have limits of their own. Raises Problem
    `too_many_requests`. Open when Redis is away."""
    if request.user is None:
        spend("archives", None, _network(request), request)


def spend_signup(request: Request | HttpRequest, name: str) -> None:
    """One try to make an account of this name. Closed when Redis is away."""
    try:
        _spend(rate_windows.of_entries, request, "signups", f"at:{_network(request)}", f"as:{_spelling(name)}")
    except CounterAway:
        raise Problem("limits_unavailable") from None


def spend_letter(request: Request | HttpRequest, name: str) -> None:
    """One more letter that somebody asks for, to this account or name. Closed when Redis is away."""
    try:
        _spend(rate_windows.of_entries, request, "letters", f"at:{_network(request)}", f"as:{_spelling(name)}")
    except CounterAway:
        raise Problem("limits_unavailable") from None


def may_write(kind: str, mailbox: bytes) -> bool:
    """Count one more letter of a kind to a mailbox, whoever asks for it, from wherever; False where it has had as many
    as it may, and when Redis is away.

    No answer tells: it would say whether an account has the mailbox. Kinds are counted apart, so that whoever has
    others' addresses verified keeps nobody from a new password.
    """
    if not settings.LIMITS:
        return True
    spans = _spans("mailboxes", "mailboxes", f"{kind}:{mailbox.hex()}")
    try:
        return rate_windows.of_entries.count(spans).allowed
    except CounterAway:
        return False


def spend_guest(request: Request | HttpRequest) -> None:
    """One more guest from the caller's address. Closed when Redis is away."""
    try:
        _count(rate_windows.of_entries, request, _spans("guests", "guests", f"at:{_network(request)}"), "new guests")
    except CounterAway:
        raise Problem("limits_unavailable") from None


@contextmanager
def guessing(request: Request | HttpRequest, name: str) -> Iterator[None]:
    """One try at the password of this name, at whichever door. Closed when Redis is away.

    Tries are counted for the name at the caller's address, for the address, and for the name wherever they come from.
    A device that knows the account is counted by itself instead of by the name, so that it needn't wait for the tries
    of others. Where the block ends without an exception the password was right, and only the address has spent a try.
    """
    where, who = _network(request), _spelling(name)
    at_address = _spans("logins", "logins_address", f"at:{where}")
    if device := devices.device_of(request, name) if settings.LIMITS else None:
        of_name = _spans("logins", "logins", f"by:{device}")
    else:
        here = _spans("logins", "logins", f"as:{who}:at:{where}")
        of_name = [*here, *_spans("logins", "logins_name", f"as:{who}")]
    try:
        _count(rate_windows.of_entries, request, [*at_address, *of_name], "tries to sign in")
    except CounterAway:
        raise Problem("limits_unavailable") from None
    yield
    with suppress(CounterAway):
        _give_back([key for key, _ in of_name])


def _spelling(name: str) -> str:
    return hashlib.sha256(name_key(name).encode()).hexdigest()[:32]


def _spend(counter: Counter, request: Request | HttpRequest | None, purpose: str, *keys: str) -> None:
    _count(counter, request, [span for key in keys for span in _spans(purpose, purpose, key)])


def _spans(together: str, purpose: str, key: str) -> list[tuple[str, RateLimitItem]]:
    """The counters of a key, one a span of the purpose's rates.

    The braces keep all keys of one script in one place of a Redis cluster.
    """
    rates = _rates(settings.LIMIT_RATES[purpose])
    return [(f"croupier:limit:{{{together}}}:{key}:{rate.get_expiry()}", rate) for rate in rates]


def _count(
    counter: Counter,
    request: Request | HttpRequest | None,
    spans: list[tuple[str, RateLimitItem]],
    what: str = "requests",
) -> None:
    if not settings.LIMITS:
        return
    verdict = counter.count(spans)
    if request is not None:
        getattr(request, "_request", request).limit_headers = _headers(verdict)
    if not verdict.allowed:
        seconds = max(1, -(-verdict.wait // 1000))
        raise Problem(
            "too_many_requests",
            f"More than {verdict.limit} {what}; try again in {seconds} s.",
            headers={"Retry-After": str(seconds)},
        )


def _give_back(keys: list[str]) -> None:
    if settings.LIMITS:
        rate_windows.of_entries.give_back(keys)


def _headers(verdict: Verdict) -> dict[str, str]:
    return {"RateLimit-Limit": str(verdict.limit), "RateLimit-Remaining": str(verdict.left)}


@cache
def _rates(text: str) -> list[RateLimitItem]:
    return parse_many(text)


def _network(request: Request | HttpRequest) -> str:
    return network(request.META.get("REMOTE_ADDR", ""))
