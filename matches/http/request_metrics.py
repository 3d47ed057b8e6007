"""Metrics of each request and its time by its route, which also names its span."""

import time
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from events import tracing
from matches.http import metrics

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@sync_and_async_middleware
def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Measure up to the first byte of the response; a stream goes on after it."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            begun = time.perf_counter()
            return _measure(request, await get_response(request), begun)

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        return _measure(request, get_response(request), begun)

    return answer


def _measure(request: HttpRequest, response: HttpResponseBase, begun: float) -> HttpResponseBase:
    # The route, not the path: ids and invented names would each become a series of their own, and some are secrets.
    route = request.resolver_match.route if request.resolver_match else "none"
    note(request.method if request.method in _METHODS else "other", route, response.status_code, begun)
    return response


def note(method: str, route: str, status: int, begun: float) -> None:
    """Count a request that began at this instant of time.perf_counter, and name its span."""
    metrics.REQUESTS.labels(method, route, status).inc()
    metrics.SECONDS.labels(method, route).observe(time.perf_counter() - begun)
    if tracing.is_on():
        about: dict[str, str | int] = {"http.request.method": method, "http.route": route}
        about["http.response.status_code"] = status
        tracing.describe(f"{method} {route}", **about)
