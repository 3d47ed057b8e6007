"""The files of portraits, whose URLs name one picture each."""

from functools import lru_cache
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.drawing.portraits import draw
from matches.http.etags import names_tag
from matches.models import UploadedPicture

# A picture opened in its own tab is a document of this host: it must not run or load anything.
_SANDBOX_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
_CACHED_FOR_EVER: Final = "public, max-age=31536000, immutable"
_CACHED_FOR_AN_HOUR: Final = "public, max-age=3600"
"""An upload's URL never shows another picture, but a removed one should disappear from caches soon."""

_cached_drawing = lru_cache(1024)(draw)


@require_safe
def drawn(request: HttpRequest, seed: str) -> HttpResponse:
    """Return the face of a seed, for anyone: the seed is not secret."""
    try:
        picture = _cached_drawing(seed)
    except ValueError:
        raise Http404 from None
    return HttpResponse(
        picture, content_type="image/svg+xml", headers=_SANDBOX_HEADERS | {"Cache-Control": _CACHED_FOR_EVER}
    )


@require_safe
def uploaded(request: HttpRequest, name: str) -> HttpResponse:
    """Return an uploaded picture, as long as it is somebody's portrait."""
    jpeg = UploadedPicture.objects.filter(name=name).values_list("jpeg", flat=True).first()
    if jpeg is None:
        raise Http404
    headers = _SANDBOX_HEADERS | {"Cache-Control": _CACHED_FOR_AN_HOUR, "ETag": f'"{name}"'}
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(bytes(jpeg), content_type="image/jpeg", headers=headers)
