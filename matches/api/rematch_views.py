"""The rematch of a finished friendly."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches import services
from matches.http.etags import etag
from matches.http.match_access import match_named, read_match, seat_held
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.models import Match
from matches.reads.documents import MatchDocument


class RematchView(APIView):
    """Playing again."""

    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("readRematch", tag="Play", answers={200: MatchDocument}, problems=("forbidden", "no_rematch"))
    def get(self, request: Request, name: str) -> HttpResponse:
        """The rematch that somebody at this table has offered; for those alone who hold a seat here. Whose `accepted`
        is false is still asked; a rematch that was called off is void."""
        match = match_named(name)
        seat_held(request, match)
        rematch = Match.objects.filter(rematch_of=match.id).first()
        if rematch is None:
            raise Problem("no_rematch")
        return _told(request, str(rematch.id), 200)

    @operation("offerRematch", tag="Play", answers={201: MatchDocument},
               problems=("forbidden", "not_finished", "no_rematch_in_season", "rematch_off", "player_gone",
                         "too_many_matches"))  # fmt: skip
    def post(self, request: Request, name: str) -> HttpResponse:
        """Offer the others at a finished friendly to play it again, with the same options, clocks and seats; the
        priority goes to the seat that came last. Where one of them has offered it, this accepts. The answer is the
        rematch, the same however often it is asked for: it begins by itself once everybody has accepted, which bots do
        at once. The others are called as by any match that they are given a seat at, and accept or decline it as such;
        whoever declines before it begins calls it off, the one who has offered it too. So does a day without answer."""
        match = match_named(name)
        seat_held(request, match)
        return _told(request, str(services.offer_rematch(match_id=match.id, player=request.user.id)), 201)


def _told(request: Request, rematch: str, status: int) -> HttpResponse:
    document = read_match(request, match_named(rematch))
    where = {"Location": f"/api/v1/matches/{document.id}", "ETag": etag(document.version, document.hash)}
    return answer(document, status=status, headers=where)
