"""Appeals: requests of a seat that the hosts check something. A host's answer is an act of its own."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.bodies import AppealBody
from matches.http.match_access import match_named, own_witness, seat_held
from matches.http.operations import operation
from matches.http.responses import answer
from matches.reads import feed
from matches.reads.documents.match import AppealDocument, AppealList
from matches.services import appealing


class AppealsView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("listAppeals", tag="Play", answers={200: AppealList})
    def get(self, request: Request, name: str) -> HttpResponse:
        """List the match's appeals with their answers, oldest first; all who see the match may read them."""
        match = match_named(name)
        return answer(feed.appeals(match.id, own_witness(request, match)))

    @operation(
        "openAppeal",
        tag="Play",
        body=AppealBody,
        answers={201: AppealDocument},
        problems=("forbidden", "too_many_appeals"),
    )
    def post(self, request: Request, name: str, body: AppealBody) -> HttpResponse:
        """Ask the hosts to check something: for the players of the match, also after its end."""
        match = match_named(name)
        seat_held(request, match)
        number = appealing.appeal(match_id=match.id, player=request.user.id, kind=body.kind, text=body.text)
        return answer(feed.appeals(match.id).results[number - 1], status=201)
