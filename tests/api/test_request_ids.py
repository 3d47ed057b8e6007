"""A request's id goes through: in by header, out by header, in every log line."""

import asyncio
import uuid

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from structlog.contextvars import get_contextvars

from matches.http.request_ids import TRACEPARENT, middleware

logged_ids: list[str] = []


def view(request: HttpRequest) -> HttpResponse:
    logged_ids.append(get_contextvars()["request_id"])
    return HttpResponse()


async def later(request: HttpRequest) -> HttpResponse:
    return view(request)


def response_to(path: str = "/api/v1/me", **headers: str) -> HttpResponse:
    return middleware(view)(RequestFactory().get(path, headers=headers))


def test_a_sane_id_is_kept() -> None:
    assert response_to(**{"x-request-id": "caller-1234"}).headers["X-Request-ID"] == "caller-1234"
    assert logged_ids[-1] == "caller-1234"
    assert "request_id" not in get_contextvars()


@pytest.mark.parametrize("id", ["", "short", "x" * 65, "with space here", "new\nline-here", "ünïcödé-id"])
def test_another_is_replaced(id: str) -> None:
    assert uuid.UUID(response_to(**{"x-request-id": id}).headers["X-Request-ID"])


def test_request_id_is_set_in_an_async_stack() -> None:
    request = RequestFactory().get("/", headers={"x-request-id": "caller-1234"})
    assert asyncio.run(middleware(later)(request)).headers["X-Request-ID"] == "caller-1234"
    assert logged_ids[-1] == "caller-1234"


def test_trace_id_of_a_trusted_proxy_is_the_request_id() -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    request = RequestFactory().get("/", headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"})
    assert middleware(view)(request).headers["X-Request-ID"] != trace, "Whoever sent that header isn't known here."
    request.scope = {TRACEPARENT: request.headers["traceparent"]}
    assert middleware(view)(request).headers["X-Request-ID"] == trace


def test_answers_of_the_api_are_never_stored() -> None:
    assert response_to().headers["Cache-Control"] == "private, no-store"
    assert response_to().headers["X-Content-Type-Options"] == "nosniff"
    assert "Cache-Control" not in response_to("/healthz").headers
