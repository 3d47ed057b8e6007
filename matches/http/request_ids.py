"""Gives each request an id that its answer, its problems and its log lines carry."""

import re
import uuid
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bound_contextvars

_SANE = re.compile(r"[A-Za-z0-9._-]{8,64}")


@sync_and_async_middleware
def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Takes a sane X-Request-ID or makes one; answers of the API are private and never cached."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            with bound_contextvars(request_id=_mark(request)):
                return _sign(request, await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        with bound_contextvars(request_id=_mark(request)):
            return _sign(request, get_response(request))

    return answer


def _mark(request: HttpRequest) -> str:
    given = request.headers.get("X-Request-ID", "")
    request.request_id = given if _SANE.fullmatch(given) else str(uuid.uuid4())
    return request.request_id


def _sign(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    response.headers["X-Request-ID"] = request.request_id
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "private, no-store")
    for name, value in getattr(request, "limit_headers", {}).items():
        response.headers.setdefault(name, value)
    return response
