"""The declared acts of a host as REST operations, and the reminder, which isn't in the record."""

from typing import Any

from django.http import HttpResponse
from django.urls import path
from msgspec import Struct
from msgspec.structs import fields
from rest_framework.request import Request
from rest_framework.views import APIView

from games.kernel import SPECTATOR
from matches.api.declared_acts import act_in, body_of, example_of
from matches.domain import impartiality, lifecycle
from matches.domain.declared_host_acts import HOST_ACTS, AnswerAppeal, HostAct
from matches.http.etags import etag
from matches.http.match_access import lifecycle_of, match_named, read_match, refuse_unless_host
from matches.http.operations import operation
from matches.http.responses import answer
from matches.models import Match
from matches.notifications import reminders
from matches.reads import feed
from matches.reads.documents.match import AppealDocument, MatchDocument, ReminderDocument
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


class RemindView(APIView):
    scopes = {"POST": "match:play"}

    @operation(
        "remindPlayers",
        tag="Play",
        answers={200: ReminderDocument},
        problems=("forbidden", "plays_here", "not_started", "match_paused", "match_over"),
    )
    def post(self, request: Request, name: str) -> HttpResponse:
        """Notify the players for whom the match waits, each at most once in ten minutes however often it is requested:
        for hosts who don't play. It isn't in the record."""
        match = match_named(name)
        refuse_unless_host(request, match)
        now = lifecycle_of(request, match)
        impartiality.refuse_player(now, str(request.user.id), "remind")
        lifecycle.refuse_unless_running(now)
        reminded = reminders.remind_missing(match, feed.visible_state(match.id, SPECTATOR), request.user.id)
        return answer(ReminderDocument(*map(list, reminded)))


urlpatterns = [
    *(path(f"matches/<str:name>/{act.rest.path}", _view_of(act).as_view()) for act in HOST_ACTS),
    path("matches/<str:name>/remind", RemindView.as_view()),
]
