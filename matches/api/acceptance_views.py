"""A player's answer to a seat that the opener of a friendly has assigned to them."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.host_views import moved
from matches.http.bodies import DeclineBody
from matches.http.match_access import match_named, seat_held
from matches.http.operations import operation
from matches.reads.documents.match import MatchDocument
from matches.services import accepting


class AcceptView(APIView):
    scopes = {"POST": "match:play"}

    @operation("acceptMatch", tag="Play", answers={200: MatchDocument}, problems=("forbidden", "match_over"))
    def post(self, request: Request, name: str) -> HttpResponse:
        """Accept the seat that you were given in a friendly. Accepting again changes nothing; joining by an invitation,
        adding a nonce and sending a command accept it too. No result counts before everybody has accepted."""
        match = match_named(name)
        seat_held(request, match)
        accepting.accept(match_id=match.id, player=request.user.id)
        return moved(request, name)


class DeclineView(APIView):
    scopes = {"POST": "match:play"}

    @operation("declineMatch", tag="Play", body=DeclineBody, may_be_empty=True, answers={200: MatchDocument},
               problems=("forbidden", "match_over", "already_accepted", "nonces_called"))  # fmt: skip
    def post(self, request: Request, name: str, body: DeclineBody) -> HttpResponse:
        """Decline the seat that you were given in a friendly: before the start it is open again, afterwards the match
        is void. Who has accepted resigns instead."""
        match = match_named(name)
        seat_held(request, match)
        accepting.decline(match_id=match.id, player=request.user.id, reason=body.reason)
        return moved(request, name)
