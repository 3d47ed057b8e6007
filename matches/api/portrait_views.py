"""The caller's portrait: a face drawn for it, or a picture of its own."""

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
"""The content type with which generated clients send a file; the bytes tell the kind of picture."""


class FacesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the faces drawn for you to list: twelve of them, from this number on."""

    first: Annotated[int, Meta(ge=0, le=FACES - 1)] = 0


class Face(Struct, frozen=True):
    """A face drawn for you, and where it is."""

    number: int
    portrait: str


class PortraitDocument(Struct, frozen=True):
    """Where your portrait is, from the root of this host. `face` is the number of the face you chose, shown where
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
    """Your portrait."""

    scopes = {"GET": "match:read", "PUT": "match:play", "DELETE": "match:play"}

    @operation("readPortrait", tag="Account", query=FacesQuery, answers={200: PortraitDocument})
    def get(self, request: Request, query: FacesQuery) -> HttpResponse:
        """Read where your portrait is, and which faces are drawn for you."""
        return answer(_told(request.user, query.first))

    @operation(
        "choosePortrait", tag="Account", body=FaceChosen, answers={200: PortraitDocument}, problems=("no_such_face",)
    )
    def put(self, request: Request, body: FaceChosen) -> HttpResponse:
        """Choose one of the faces drawn for you; an uploaded picture is taken away for good."""
        try:
            portraits.choose_face(request.user.pk, body.face)
        except ValueError as wrong:
            raise Problem("no_such_face", str(wrong)) from None
        return _now(request)

    @operation("removePortrait", tag="Account", answers={200: PortraitDocument}, problems=("no_picture",))
    def delete(self, request: Request) -> HttpResponse:
        """Take your uploaded picture away for good; the face that you chose shows again."""
        if not portraits.remove(request.user.pk):
            raise Problem("no_picture")
        return _now(request)


class PictureView(APIView):
    """Your portrait as a picture."""

    scopes = {"PUT": "match:play"}

    @operation(
        "uploadPortrait", tag="Account", body=Media((*portraits.TYPES, _BYTES)), answers={200: PortraitDocument},
        problems=("bad_picture", "pictures_busy"),
    )  # fmt: skip
    def put(self, request: Request, body: bytes) -> HttpResponse:
        """Show yourself by a picture: PNG, JPEG or WebP, at most 2097152 bytes and 30 million pixels, at least 80 by
        100. It is turned upright, cut to 4 by 5 and drawn anew; nothing else that the file holds is kept."""
        portrait_uploads.keep(request, body)
        return _now(request)


def _now(request: Request) -> HttpResponse:
    return answer(_told(Account.objects.get(pk=request.user.pk)))


def _told(me: Account, first: int | None = None) -> PortraitDocument:
    chosen = me.portrait_face or 0
    start = chosen // _A_PAGE * _A_PAGE if first is None else first
    faces = [Face(number, address(me.id, number)) for number in range(start, min(start + _A_PAGE, FACES))]
    following = start + _A_PAGE
    return PortraitDocument(
        me.portrait, chosen, bool(me.portrait_picture), faces, following if following < FACES else None
    )
