"""Open seats: listed for those who may take them, opened and closed by the match's opener."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.host_views import moved
from matches.http.bodies import SeekBody, SeekQuery
from matches.http.match_access import match_named, refuse_unless_host
from matches.http.new_matches import open_to
from matches.http.operations import operation
from matches.http.paging import page
from matches.http.responses import answer
from matches.reads import seeks
from matches.reads.documents.match import MatchDocument
from matches.reads.documents.seeks import SeekPage
from matches.services import seeking


class SeeksView(APIView):
    scopes = {"GET": "match:read"}

    @operation("listSeeks", tag="Play", query=SeekQuery, answers={200: SeekPage})
    def get(self, request: Request, query: SeekQuery) -> HttpResponse:
        """List seats of friendlies that anybody may take, or that name the caller, newest first. POST
        .../matches/{name}/join with the `seat` takes one; of two at once one gets it, the other `seat_taken`."""
        seats, following = page(seeks.seeks_for(request.user, query.game), query.cursor, query.limit, order=("-id",))
        return answer(SeekPage(seeks.documents(seats), following))


class SeekView(APIView):
    scopes = {"PUT": "match:play"}

    @operation(
        "openSeat", tag="Play", body=SeekBody, answers={200: MatchDocument},
        problems=(
            "forbidden", "already_started", "match_over", "no_such_seat", "seat_taken", "no_such_player",
            "no_seek_in_season", "not_for_guests",
        ),
    )  # fmt: skip
    def put(self, request: Request, name: str, body: SeekBody) -> HttpResponse:
        """Open a free seat to anybody or to named accounts, or with null withdraw it: for the match's opener or an
        organiser. Its invitation stays valid."""
        match = match_named(name)
        refuse_unless_host(request, match)
        seeking.open_seat(match_id=match.id, by=request.user.id, seat=body.seat, open_to=open_to(body.open_to))
        return moved(request, name)
