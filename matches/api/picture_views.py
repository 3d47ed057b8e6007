"""The board as a picture."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.bodies import PictureQuery, PNGQuery
from matches.http.etags import names_tag
from matches.http.match_access import entitled, match_named
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.reads import pictures


class SVGView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("drawBoard", tag="History", query=PictureQuery, answers={200: Media(("image/svg+xml",)), 304: None})
    def get(self, request: Request, name: str, query: PictureQuery) -> HttpResponse:
        """Draw the board at a version as an SVG picture, as any witness the caller is entitled to (see `readView`)."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        drawn = pictures.svg_of(match, entitlement.witness, query.theme, entitlement.until(query.at))
        return _picture(request, drawn, "image/svg+xml")


class PNGView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation(
        "photographBoard",
        tag="History",
        query=PNGQuery,
        answers={200: Media(("image/png",)), 304: None},
        problems=("pictures_busy",),
    )
    def get(self, request: Request, name: str, query: PNGQuery) -> HttpResponse:
        """Draw the board at a version as a PNG of `width` pixels, for a chat; otherwise like `drawBoard`."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        try:
            drawn = pictures.png_of(match, entitlement.witness, query.theme, query.width, entitlement.until(query.at))
        except pictures.Busy:
            raise Problem("pictures_busy") from None
        return _picture(request, drawn, "image/png")


def _picture(request: Request, drawn: bytes, content_type: str) -> HttpResponse:
    headers = {"ETag": pictures.tag_of(drawn)}
    if names_tag(request, headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    # A picture opened by itself is a document of this host: it must not run or load anything.
    headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return HttpResponse(drawn, content_type=content_type, headers=headers)
