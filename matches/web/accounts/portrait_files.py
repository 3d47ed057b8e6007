"""The pictures that portraits are, each at an address that tells which one it is."""

from functools import lru_cache
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.drawing.portraits import draw
from matches.http.etags import names_tag
from matches.models import UploadedPicture

# A picture opened by itself is a document of this host: it may run and fetch nothing.
_ALONE: Final = {"Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff"}
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_AN_HOUR: Final = "public, max-age=3600"
"""An upload's address never shows another picture, but one that was taken down is to be out of caches soon."""

_drawn = lru_cache(1024)(draw)


@require_safe
def drawn(request: HttpRequest, seed: str) -> HttpResponse:
    """The face of a seed, for whoever asks: it is the seed that chooses, and nobody's secret."""
    try:
        picture = _drawn(seed)
    except ValueError:
        raise Http404 from None
    return HttpResponse(picture, content_type="image/svg+xml", headers=_ALONE | {"Cache-Control": _FOR_EVER})


@require_safe
def uploaded(request: HttpRequest, name: str) -> HttpResponse:
    """A picture that somebody has uploaded, as long as it is their portrait."""
    jpeg = UploadedPicture.objects.filter(name=name).values_list("jpeg", flat=True).first()
    if jpeg is None:
        raise Http404
    headers = _ALONE | {"Cache-Control": _AN_HOUR, "ETag": f'"{name}"'}
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(bytes(jpeg), content_type="image/jpeg", headers=headers)
