"""The declared acts of a host as REST operations."""

from typing import Any

from django.http import HttpResponse
from django.urls import path
from msgspec import Struct
from msgspec.structs import fields
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.declared_acts import act_in, body_of, example_of
from matches.domain.declared_host_acts import HOST_ACTS, AnswerAppeal, HostAct
from matches.http.etags import etag
from matches.http.match_access import match_named, read_match, refuse_unless_host
from matches.http.operations import operation
from matches.http.responses import answer
from matches.models import Match
from matches.reads import feed
from matches.reads.documents.match import AppealDocument, MatchDocument
from matches.services.carrying_out import HostRequest, carry_out


def moved(request: Request, name: str) -> HttpResponse:
    """Return the match after an act."""
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version, document.hash)})


def _view_of(act: type[HostAct]) -> type[APIView]:
    @operation(
        act.rest.operation,
        tag="Play",
        body=body_of(act),
        may_be_empty=not any(field.required for field in fields(act)),
        answers={200: AppealDocument if act is AnswerAppeal else MatchDocument},
        problems=("forbidden", "plays_here", *act.rest.refusals),
        example=example_of(act),
    )
    def post(_: APIView, request: Request, name: str, body: Struct, **of_path: Any) -> HttpResponse:
        match, wanted = match_named(name), act_in(act, body, of_path)
        if wanted.own_seat is None or not _holds(match, wanted.own_seat, request):
            refuse_unless_host(request, match)
        carry_out(wanted, HostRequest(match.id, request.user.id))
        if isinstance(wanted, AnswerAppeal):
            return answer(feed.appeals(match_named(name).id).results[wanted.number - 1])
        return moved(request, name)

    post.__doc__ = act.__doc__
    return type(act.rest.operation, (APIView,), {"post": post, "scopes": {"POST": "match:play"}})


def _holds(match: Match, number: int, request: Request) -> bool:
    return any(seat.number == number and seat.account_id == request.user.id for seat in match.seats.all())


urlpatterns = [path(f"matches/<str:name>/{act.rest.path}", _view_of(act).as_view()) for act in HOST_ACTS]
