"""Responses with a season's pictures, which clients keep until the picture changes."""

from django.http import HttpRequest, HttpResponse

from matches.http.etags import names_tag
from matches.http.problems import Problem
from matches.web.seasons import pictures


def answered(request: HttpRequest, drawn: str) -> HttpResponse:
    """Return the drawing as a PNG; raise Problem if too many are requested at once."""
    headers = {
        # The tag is of the drawing, so that a client with the picture gets 304 before a PNG is made.
        "ETag": pictures.tag_of(drawn.encode()),
        "Cache-Control": "private, no-cache",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    try:
        png = pictures.photographed(drawn)
    except pictures.Busy:
        raise Problem("pictures_busy") from None
    return HttpResponse(png, content_type="image/png", headers=headers)
