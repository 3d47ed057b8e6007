"""The rematch of a finished friendly."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.etags import etag
from matches.http.match_access import match_named, read_match, seat_held
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.models import Match
from matches.reads.documents.match import MatchDocument
from matches.services import rematching


class RematchView(APIView):
    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("readRematch", tag="Play", answers={200: MatchDocument}, problems=("forbidden", "no_rematch"))
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the rematch that somebody at this table has offered: only for players of this match. A player whose
        `accepted` is false has yet to answer; a rematch that was called off is void."""
        match = match_named(name)
        seat_held(request, match)
        rematch = Match.objects.filter(rematch_of=match.id).first()
        if rematch is None:
            raise Problem("no_rematch")
        return _rematch_response(request, str(rematch.id), 200)

    @operation("offerRematch", tag="Play", answers={201: MatchDocument},
               problems=("forbidden", "not_finished", "no_rematch_in_season", "rematch_off", "player_gone",
                         "too_many_matches"))  # fmt: skip
    def post(self, request: Request, name: str) -> HttpResponse:
        """Offer the others at a finished friendly to play it again, with the same options, clocks and seats; the
        priority goes to the seat that came last. If one of them has offered it, this accepts. The response is the
        rematch, the same for each request: it begins by itself once everybody has accepted, which bots do at once. The
        others are called as for any match in which they are given a seat, and accept or decline it as such; anyone who
        declines before it begins calls it off, including the one who has offered it. So does a day without answer."""
        match = match_named(name)
        seat_held(request, match)
        return _rematch_response(request, str(rematching.offer_rematch(match_id=match.id, player=request.user.id)), 201)


def _rematch_response(request: Request, rematch: str, status: int) -> HttpResponse:
    document = read_match(request, match_named(rematch))
    where = {"Location": f"/api/v1/matches/{document.id}", "ETag": etag(document.version, document.hash)}
    return answer(document, status=status, headers=where)
