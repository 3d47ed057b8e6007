"""Rate limits. Without Redis play goes on; creating accounts and tokens must wait."""

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
"""The key in a retried request's scope for the rate-limit headers of its first count."""


class ByMethod(BaseThrottle):
    """Limits reads and commands by account and address; unlimited while Redis is away.

    An expensive view names its own purpose: `counted_as`.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True, or raise Problem `too_many_requests`."""
        spend(purpose_of(view, request.method), request.user.pk if request.user else None, _network(request), request)
        return True


def purpose_of(view: Any, method: str) -> str:
    """Return the limit that counts a view's requests of this method."""
    purpose: str = getattr(view, "counted_as", "reads" if method in SAFE_METHODS else "commands")
    return purpose


def spend(purpose: str, account: UUID | None, address: str, request: Request | HttpRequest | None = None) -> None:
    """Count one more of an account's and address's `reads` or `commands`; raise Problem `too_many_requests`.

    Unlimited while Redis is away. The response to `request`, if given, gets the rate-limit headers. A request that the
    server retries was counted before.
    """
    plain = getattr(request, "_request", request)
    counted_headers = getattr(plain, "scope", {}).get(COUNTED)
    if plain is not None and counted_headers is not None:
        plain.limit_headers = counted_headers
        return
    with suppress(CounterAway):
        _count(rate_windows.of_play, request, _spans_of(purpose, account, address))


async def spend_at_once(purpose: str, account: UUID, address: str) -> dict[str, str] | None:
    """Count as `spend` does, on the event loop; return the rate-limit headers.

    None at the limit; such a request isn't counted. Unlimited while Redis is away.
    """
    if not settings.LIMITS:
        return {}
    try:
        verdict = await loop_counter.of_play().count(_spans_of(purpose, account, address))
    except CounterAway:
        return {}
    return _headers(verdict) if verdict.allowed else None


def spend_download(request: Request) -> None:
    """Count one more download by an anonymous caller; accounts have limits of their own. Raise Problem
    `too_many_requests`. Unlimited while Redis is away."""
    if request.user is None:
        spend("archives", None, _network(request), request)


def spend_signup(request: Request | HttpRequest, name: str) -> None:
    """Count one attempt to create an account of this name. Closed while Redis is away."""
    at, named = f"at:{_network(request)}", f"as:{_spelling(name)}"
    _count_entry(request, [*_spans("signups", "signups", at), *_spans("signups", "signups", named)])


def spend_letter(request: Request | HttpRequest, name: str) -> None:
    """Count one more letter that somebody requests for this account or name. Closed while Redis is away."""
    at, named = f"at:{_network(request)}", f"as:{_spelling(name)}"
    _count_entry(request, [*_spans("letters", "letters", at), *_spans("letters", "letters", named)])


def may_write(kind: str, mailbox: bytes) -> bool:
    """Count one more letter of a kind to a mailbox, from any address; False at its limit, and while Redis is away.

    No response may reveal the result: it would show whether an account has the mailbox. Kinds are counted separately,
    so that letters to verify an address can't block those for a new password.
    """
    if not settings.LIMITS:
        return True
    spans = _spans("mailboxes", "mailboxes", f"{kind}:{mailbox.hex()}")
    try:
        return rate_windows.of_entries.count(spans).allowed
    except CounterAway:
        return False


def spend_guest(request: Request | HttpRequest) -> None:
    """Count one more guest from the caller's address. Closed while Redis is away."""
    _count_entry(request, _spans("guests", "guests", f"at:{_network(request)}"), "new guests")


@contextmanager
def guessing(request: Request | HttpRequest, name: str) -> Iterator[None]:
    """Count one attempt at the password of this name, through any entry point. Closed while Redis is away.

    Attempts are counted for the name at the caller's address, for the address, and for the name from all addresses. A
    device known to the account is counted by itself instead of by the name, so that others' attempts don't block it. If
    the block ends without an exception the password was right, and only the address's count stays.
    """
    where, who = _network(request), _spelling(name)
    at_address = _spans("logins", "logins_address", f"at:{where}")
    if device := devices.device_of(request, name) if settings.LIMITS else None:
        of_name = _spans("logins", "logins", f"by:{device}")
    else:
        here = _spans("logins", "logins", f"as:{who}:at:{where}")
        of_name = [*here, *_spans("logins", "logins_name", f"as:{who}")]
    _count_entry(request, [*at_address, *of_name], "tries to sign in")
    yield
    with suppress(CounterAway):
        _give_back([key for key, _ in of_name])


def _spelling(name: str) -> str:
    return hashlib.sha256(name_key(name).encode()).hexdigest()[:32]


def _spans_of(purpose: str, account: UUID | None, address: str) -> list[tuple[str, RateLimitItem]]:
    """Return the counters of an account's requests from an address."""
    return _spans(purpose, purpose, f"{account or 'nobody'}:{address}")


def _spans(together: str, purpose: str, key: str) -> list[tuple[str, RateLimitItem]]:
    """Return the counters of a key, one for each rate of the purpose.

    The braces keep all keys of one script on one node of a Redis cluster.
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


def _count_entry(
    request: Request | HttpRequest, spans: list[tuple[str, RateLimitItem]], what: str = "requests"
) -> None:
    try:
        _count(rate_windows.of_entries, request, spans, what)
    except CounterAway:
        raise Problem("limits_unavailable") from None


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
