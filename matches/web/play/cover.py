"""The preview picture of a match's link in chats: the board as any spectator sees it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.kernel import SPECTATOR
from matches.html.entry import counted
from matches.http.etags import names_tag
from matches.http.problems import Problem
from matches.reads import pictures
from matches.web.play.viewers import viewer_of

_WIDTH = 1200


@require_safe
@counted
def cover(request: HttpRequest, code: str) -> HttpResponse:
    """Return a PNG for anyone who may watch, also anonymously, with the spectators' delay."""
    match = viewer_of(request, code).match
    try:
        drawn = pictures.png_of(match, SPECTATOR, "light", _WIDTH)
    except pictures.Busy:
        raise Problem("pictures_busy") from None
    headers = {
        "ETag": pictures.tag_of(drawn),
        "Cache-Control": "private, no-cache",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(drawn, content_type="image/png", headers=headers)
