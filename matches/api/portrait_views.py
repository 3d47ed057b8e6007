"""The caller's portrait: a drawn face, or an uploaded picture."""

from typing import Annotated

from django.http import HttpResponse
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.accounts import portraits
from matches.domain.portraits import FACES, address
from matches.http import portrait_uploads
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.models import Account

_A_PAGE = 12
_BYTES = "application/octet-stream"
"""The content type with which generated clients send a file; the bytes show the kind of picture."""


class FacesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The part of the faces drawn for you to list: twelve of them, from this number on."""

    first: Annotated[int, Meta(ge=0, le=FACES - 1)] = 0


class Face(Struct, frozen=True):
    """A face drawn for you, and its URL."""

    number: int
    portrait: str


class PortraitDocument(Struct, frozen=True):
    """The URL of your portrait, from the root of this host. `face` is the number of the face you chose, shown if
    nothing is `uploaded`; `faces` are some of those to choose from, and `next` the first of the following ones."""

    portrait: str
    face: int
    uploaded: bool
    faces: list[Face]
    next: int | None


class FaceChosen(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of one of your faces."""

    face: int


class PortraitView(APIView):
    scopes = {"GET": "match:read", "PUT": "match:play", "DELETE": "match:play"}

    @operation("readPortrait", tag="Account", query=FacesQuery, answers={200: PortraitDocument})
    def get(self, request: Request, query: FacesQuery) -> HttpResponse:
        """Read the URL of your portrait, and the faces drawn for you."""
        return answer(_portrait_document(request.user, query.first))

    @operation(
        "choosePortrait", tag="Account", body=FaceChosen, answers={200: PortraitDocument}, problems=("no_such_face",)
    )
    def put(self, request: Request, body: FaceChosen) -> HttpResponse:
        """Choose one of the faces drawn for you; an uploaded picture is deleted."""
        try:
            portraits.choose_face(request.user.pk, body.face)
        except ValueError as wrong:
            raise Problem("no_such_face", str(wrong)) from None
        return _response(request)

    @operation("removePortrait", tag="Account", answers={200: PortraitDocument}, problems=("no_picture",))
    def delete(self, request: Request) -> HttpResponse:
        """Delete your uploaded picture; the face that you chose shows again."""
        if not portraits.remove(request.user.pk):
            raise Problem("no_picture")
        return _response(request)


class PictureView(APIView):
    scopes = {"PUT": "match:play"}

    @operation(
        "uploadPortrait", tag="Account", body=Media((*portraits.TYPES, _BYTES)), answers={200: PortraitDocument},
        problems=("bad_picture", "pictures_busy"),
    )  # fmt: skip
    def put(self, request: Request, body: bytes) -> HttpResponse:
        """Upload a picture as your portrait: PNG, JPEG or WebP, at most 2097152 bytes and 30 million pixels, at least
        80 by 100. It is turned upright, cut to 4 by 5 and encoded anew; nothing else in the file is kept."""
        portrait_uploads.keep(request, body)
        return _response(request)


def _response(request: Request) -> HttpResponse:
    return answer(_portrait_document(Account.objects.get(pk=request.user.pk)))


def _portrait_document(me: Account, first: int | None = None) -> PortraitDocument:
    chosen = me.portrait_face or 0
    start = chosen // _A_PAGE * _A_PAGE if first is None else first
    faces = [Face(number, address(me.id, number)) for number in range(start, min(start + _A_PAGE, FACES))]
    following = start + _A_PAGE
    return PortraitDocument(
        me.portrait, chosen, bool(me.portrait_picture), faces, following if following < FACES else None
    )
