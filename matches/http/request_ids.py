"""Request ids, which response, problems, log lines, spans and tasks of a request carry."""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bound_contextvars

from events import tracing

TRACEPARENT = "croupier.traceparent"
"""The key in a scope for a trusted proxy's trace context of the request."""
COMMON_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"}
"""Headers of every response of the API, unless it sets others."""
_SANE = re.compile(r"[A-Za-z0-9._-]{8,64}")


@sync_and_async_middleware
def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Use a valid X-Request-ID or make one; responses of the API are private and never cached."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            with _identified(request):
                return _sign(request, await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        with _identified(request):
            return _sign(request, get_response(request))

    return answer


@contextmanager
def identified(name: str, *, given: str = "", traceparent: str = "") -> Iterator[str]:
    """Bind the block to one request and yield its id: the client's `given` one if it is valid, else that of its
    trace."""
    with tracing.entered(name, traceparent) as trace_id:
        request_id = (given if _SANE.fullmatch(given) else trace_id) or str(uuid.uuid4())
        traced = {"trace_id": trace_id} if trace_id else {}
        with bound_contextvars(request_id=request_id, **traced):
            tracing.describe(name, request_id=request_id)
            yield request_id


@contextmanager
def _identified(request: HttpRequest) -> Iterator[None]:
    given = request.headers.get("X-Request-ID", "")
    traceparent = getattr(request, "scope", {}).get(TRACEPARENT, "")
    with identified("request", given=given, traceparent=traceparent) as request_id:
        request.request_id = request_id
        yield


def _sign(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    response.headers["X-Request-ID"] = request.request_id
    of_the_api = request.path.startswith("/api/")
    for name, value in COMMON_HEADERS.items():
        if of_the_api or name != "Cache-Control":
            response.headers.setdefault(name, value)
    for name, value in getattr(request, "limit_headers", {}).items():
        response.headers.setdefault(name, value)
    return response
