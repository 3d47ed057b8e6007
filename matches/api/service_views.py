"""The service's own endpoints: health, readiness, metrics, schema and docs."""

import ipaddress

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from matches.api import schema, scraping
from matches.http import readiness
from matches.http.responses import answer

_DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Respond if this process is alive."""
    return answer({"ok": True}, headers={"Cache-Control": "no-store"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Return whether the service does all its tasks: 503 if a part is away for longer than its grace.

    Play goes on without broker, workers and beat; `healthz` checks only that.
    """
    parts = readiness.components()
    ready = all(part.in_grace for part in parts)
    status = {
        "ok": ready,
        "parts": {part.name: part.answers for part in parts},
        "away": [part.document() for part in parts if not part.answers],
        "checkpoint_age_seconds": next((part.checkpoints.age_seconds for part in parts if part.checkpoints), None),
    }
    return answer(status, 200 if ready else 503, {"Cache-Control": "no-store"})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics, only to the networks of CROUPIER_METRICS_FROM: they reveal when somebody acted."""
    if not _may_scrape(request.META.get("REMOTE_ADDR", "")):
        raise Http404
    return HttpResponse(scraping.exposition(), content_type=CONTENT_TYPE_LATEST)


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(schema.document(), content_type="application/json")


@require_safe
@ensure_csrf_cookie
def docs(request: HttpRequest) -> HttpResponse:
    """Show the document as a page that loads nothing from other hosts."""
    context = {
        "title": "API",
        "schema": "/api/schema",
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "bot": render_to_string("api/bot.py.txt"),
    }
    page = render(request, "api/docs.html", context)
    page.headers["Content-Security-Policy"] = _DOCS_POLICY
    return page


def _may_scrape(address: str) -> bool:
    try:
        caller = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(caller in ipaddress.ip_network(network) for network in settings.METRICS_FROM)
