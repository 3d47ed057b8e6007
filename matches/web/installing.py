"""Installing the site as an application: its manifest, and the service worker that shows calls."""

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe

_WORKER = Path(__file__).parent / "service_worker.js"


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return name, icon and first page."""
    document = {
        "name": "Croupier",
        "short_name": "Croupier",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#fafaf9",
        "theme_color": "#611529",
        "icons": [{"src": static("web/icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    return JsonResponse(
        document, content_type="application/manifest+json", headers={"Cache-Control": "public, max-age=3600"}
    )


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the worker, at the root, so that its scope is the whole site."""
    return HttpResponse(_worker(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@cache
def _worker() -> bytes:
    return _WORKER.read_bytes()
