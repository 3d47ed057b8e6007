"""How much a caller may ask for. Without Redis play goes on; making accounts and tokens waits."""

import hashlib
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, parse_many
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from matches.accounts import name_key
from matches.addresses import network
from matches.api import windows
from matches.api.problems import Problem
from matches.api.windows import Counter, CounterAway, Verdict


class ByMethod(BaseThrottle):
    """Reads and commands, each counted by account and address. Open when Redis is away.

    A view that costs more than others names its own purpose: `counted_as`.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        """True, or Problem `too_many_requests`."""
        purpose = getattr(view, "counted_as", "reads" if request.method in SAFE_METHODS else "commands")
        who = request.user.pk if request.user else "nobody"
        try:
            _spend(windows.of_play, request, purpose, f"{who}:{_network(request)}")
        except CounterAway:
            return True
        return True


def spend_entry(request: Request | HttpRequest, purpose: str, name: str) -> None:
    """One try at a door that guesses would go through: `logins` or `signups`. Closed when Redis is away."""
    spelling = hashlib.sha256(name_key(name).encode()).hexdigest()[:32]
    try:
        _spend(windows.of_entries, request, purpose, f"at:{_network(request)}", f"as:{spelling}")
    except CounterAway:
        raise Problem("limits_unavailable") from None


def _spend(counter: Counter, request: Request | HttpRequest, purpose: str, *keys: str) -> None:
    if not settings.LIMITS:
        return
    rates = _rates(settings.LIMIT_RATES[purpose])
    # The braces keep all keys of one script in one place of a Redis cluster.
    spans = [(f"croupier:limit:{{{purpose}}}:{key}:{rate.get_expiry()}", rate) for key in keys for rate in rates]
    verdict = counter.count(spans)
    getattr(request, "_request", request).limit_headers = _headers(verdict)
    if not verdict.allowed:
        seconds = max(1, -(-verdict.wait // 1000))
        raise Problem(
            "too_many_requests",
            f"More than {verdict.limit} requests; try again in {seconds} s.",
            headers={"Retry-After": str(seconds)},
        )


def _headers(verdict: Verdict) -> dict[str, str]:
    return {"RateLimit-Limit": str(verdict.limit), "RateLimit-Remaining": str(verdict.left)}


@cache
def _rates(text: str) -> list[RateLimitItem]:
    return parse_many(text)


def _network(request: Request | HttpRequest) -> str:
    return network(request.META.get("REMOTE_ADDR", ""))
