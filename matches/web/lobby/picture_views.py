"""Boards as pictures on tiles: a game's sample position, and a match's board as its reader sees it."""

from collections.abc import Callable
from functools import lru_cache
from gzip import compress

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games import catalogue
from matches.html.entry import counted
from matches.http.etags import names_tag
from matches.reads import pictures
from matches.reads.pictures import ThemeName
from matches.web.lobby.positions import position_of
from matches.web.play.viewers import viewer_of

_SAFE = {"Content-Security-Policy": "default-src 'none'; sandbox"}
_THEMES: dict[str, ThemeName] = {"light": "light", "dark": "dark"}


@require_safe
def position(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a game's sample position, light or with `?theme=dark`; the same for everybody."""
    if slug not in catalogue:
        raise Http404
    drawn = position_of(slug, _theme_of(request))
    return _answer(request, drawn, "public, max-age=86400", _packed_once)


@require_safe
@counted
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Return the table of a match as the reader sees it: as their seat, or as a spectator with the delay."""
    viewer = viewer_of(request, code)
    drawn = pictures.table_of(viewer.match, viewer.witness, _theme_of(request))
    # Another account may use the same browser next, so browsers must ask each time.
    return _answer(request, drawn, "private, no-cache", _packed)


def _answer(request: HttpRequest, drawn: bytes, keep: str, pack: Callable[[bytes], bytes]) -> HttpResponse:
    headers = _SAFE | {"ETag": pictures.tag_of(drawn), "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        drawn, headers["Content-Encoding"] = pack(drawn), "gzip"
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)


def _packed(drawn: bytes) -> bytes:
    """Return the picture in an eighth of its bytes."""
    return compress(drawn, compresslevel=5, mtime=0)


_packed_once = lru_cache(maxsize=64)(_packed)


def _theme_of(request: HttpRequest) -> ThemeName:
    return _THEMES.get(request.GET.get("theme", ""), "light")
