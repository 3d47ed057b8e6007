"""What lets a browser keep the house as an application: its manifest, and the worker that shows calls."""

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe

_WORKER = Path(__file__).parent / "service_worker.js"


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Name, icon and first page."""
    told = {
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
        told, content_type="application/manifest+json", headers={"Cache-Control": "public, max-age=3600"}
    )


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The worker, at the root: it may speak for every page."""
    return HttpResponse(_worker(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@cache
def _worker() -> bytes:
    return _WORKER.read_bytes()
