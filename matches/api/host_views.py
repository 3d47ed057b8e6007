"""The host's acts: pause, resume, extend. Each takes a reason, and stands in the record."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches import services
from matches.api.answers import answer
from matches.api.bodies import ExtendBody, HostBody
from matches.api.etags import etag
from matches.api.match_views import match_named, read_match
from matches.api.operations import operation
from matches.api.problems import Problem
from matches.documents import MatchDocument
from matches.models import Match


class PauseView(APIView):
    """Stopping the clocks."""

    scopes = {"POST": "match:play"}

    @operation(
        "pauseMatch",
        tag="Play",
        body=HostBody,
        answers={200: MatchDocument},
        problems=("forbidden", "not_started", "match_paused", "match_over"),
    )
    def post(self, request: Request, name: str, body: HostBody) -> HttpResponse:
        """Stop all clocks; nobody may move until the match is resumed."""
        match = hosted(request, name)
        services.pause(match_id=match.id, by=request.user.id, reason=body.reason)
        return moved(request, name)


class ResumeView(APIView):
    """Letting it go on."""

    scopes = {"POST": "match:play"}

    @operation(
        "resumeMatch", tag="Play", body=HostBody, answers={200: MatchDocument}, problems=("forbidden", "not_paused")
    )
    def post(self, request: Request, name: str, body: HostBody) -> HttpResponse:
        """Let a paused match go on; the clocks go on from where they stood."""
        match = hosted(request, name)
        services.resume(match_id=match.id, by=request.user.id, reason=body.reason)
        return moved(request, name)


class ExtendView(APIView):
    """Giving time."""

    scopes = {"POST": "match:play"}

    @operation(
        "extendTurn",
        tag="Play",
        body=ExtendBody,
        answers={200: MatchDocument},
        problems=("forbidden", "not_started", "match_over", "no_prompt"),
    )
    def post(self, request: Request, name: str, body: ExtendBody) -> HttpResponse:
        """Give a seat's running turn more time."""
        match = hosted(request, name)
        services.extend(match_id=match.id, by=request.user.id, seat=body.seat, seconds=body.seconds, reason=body.reason)
        return moved(request, name)


def refuse_unless_host(request: Request, match: Match) -> None:
    """Hosts are whoever opened the match, and organisers; raises Problem."""
    if match.opened_by_id != request.user.id and not request.user.is_organiser:
        raise Problem("forbidden", "That is for whoever opened the match, or an organiser.")


def hosted(request: Request, name: str) -> Match:
    """The match, which the caller hosts; raises Problem."""
    match = match_named(name)
    refuse_unless_host(request, match)
    return match


def moved(request: Request, name: str) -> HttpResponse:
    """The match after an act."""
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version)})
