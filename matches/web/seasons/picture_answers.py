"""How a season's picture is answered: made once, kept by whoever has it for as long as nothing changes."""

from django.http import HttpRequest, HttpResponse

from matches.http.etags import names_tag
from matches.http.problems import Problem
from matches.web.seasons import pictures


def answered(request: HttpRequest, drawn: str) -> HttpResponse:
    """Return the drawing as a PNG; raise Problem if too many are requested at once."""
    headers = {
        # What is drawn tells the pictures apart, so whoever has one already waits for none to be made.
        "ETag": pictures.tag_of(drawn.encode()),
        "Cache-Control": "private, no-cache",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    try:
        made = pictures.photographed(drawn)
    except pictures.Busy:
        raise Problem("pictures_busy") from None
    return HttpResponse(made, content_type="image/png", headers=headers)
