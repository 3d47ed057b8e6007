"""The access log of the caller's account."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from msgspec import Meta, Struct, field
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.accounts import access_log
from matches.http.operations import operation
from matches.http.responses import answer, nothing
from matches.http.scopes import ANY

_MOST = 100


class AccessEntryDocument(Struct, frozen=True):
    """A change of your account's password, rights or tokens. `by` is an account; null is the operator.

    `seen` is false until you have marked what others did as seen, and always for what you did yourself.
    """

    id: int
    at: datetime
    kind: str
    text: str
    by: UUID | None
    by_name: str
    door: str
    request_id: str
    is_seen: bool = field(name="seen")


class AccessLogPage(Struct, frozen=True):
    """The newest hundred entries, newest first, and up to a hundred older ones that you haven't seen yet."""

    results: list[AccessEntryDocument]
    next: str | None = None


class SeenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of the entries that you have seen."""

    entries: Annotated[list[Annotated[int, Meta(ge=1, le=2**53 - 1)]], Meta(min_length=1, max_length=_MOST)]


class AccessLogView(APIView):
    scopes = {"GET": ANY}

    @operation("readAccessLog", tag="Account", answers={200: AccessLogPage})
    def get(self, request: Request) -> HttpResponse:
        """List changes of your password, rights and tokens: by whom, when and through which entry point."""
        entries = [
            AccessEntryDocument(
                it.id, it.at, it.kind, f"{it.who} {it.what}.", it.by, it.who, it.door, it.request_id, it.is_seen
            )
            for it in access_log.about(request.user.id, _MOST)
        ]
        return answer(AccessLogPage(entries))


class SeenView(APIView):
    scopes = {"POST": "match:play"}

    @operation("markAccessSeen", tag="Account", body=SeenBody, answers={204: None})
    def post(self, request: Request, body: SeenBody) -> HttpResponse:
        """Mark entries about your account as seen; pages no longer show them then. Other ids are ignored."""
        access_log.mark_seen(request.user.id, body.entries)
        return nothing()
