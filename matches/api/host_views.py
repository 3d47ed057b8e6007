"""A host's acts over REST: a view for each row of `matches.http.host_acts`."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import path
from msgspec import Struct
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.etags import etag
from matches.http.host_acts import HOST_ACTS, HostAct
from matches.http.match_access import match_named, read_match, refuse_unless_host
from matches.http.operations import operation
from matches.http.responses import answer
from matches.models import Match
from matches.reads import feed
from matches.reads.documents import AppealDocument, MatchDocument


def moved(request: Request, name: str, **_: Any) -> HttpResponse:
    """Return the match after an act."""
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version, document.hash)})


def _appeal(request: Request, name: str, *, number: int, **_: Any) -> HttpResponse:
    """Return the appeal after its answer."""
    return answer(feed.appeals(match_named(name).id).results[number - 1])


_RESPONSES: dict[type[Struct], Callable[..., HttpResponse]] = {MatchDocument: moved, AppealDocument: _appeal}


def _view_of(act: HostAct) -> type[APIView]:
    @operation(
        act.operation,
        tag="Play",
        body=act.body,
        may_be_empty=act.may_be_empty,
        answers={200: act.answers},
        problems=("forbidden", "plays_here", *act.problems),
    )
    def post(_: APIView, request: Request, name: str, body: Struct, **of_path: Any) -> HttpResponse:
        match, values = match_named(name), of_path | asdict(body)
        if not (act.for_seat and _holds(match, values["seat"], request)):
            refuse_unless_host(request, match)
        act.carry_out(match.id, request.user.id, values)
        return _RESPONSES[act.answers](request, name, **of_path)

    post.__doc__ = act.promise
    return type(act.operation, (APIView,), {"post": post, "scopes": {"POST": "match:play"}})


def _holds(match: Match, number: int, request: Request) -> bool:
    return any(seat.number == number and seat.account_id == request.user.id for seat in match.seats.all())


urlpatterns = [path(f"matches/<str:name>/{act.path}", _view_of(act).as_view()) for act in HOST_ACTS]
