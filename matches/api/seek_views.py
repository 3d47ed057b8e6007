"""Seats that may be taken without an invitation: listed for who may, opened and closed by who opened the match."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches import services
from matches.api.host_views import moved
from matches.http.bodies import SeekBody, SeekQuery
from matches.http.match_access import match_named, refuse_unless_host
from matches.http.new_matches import open_to
from matches.http.operations import operation
from matches.http.paging import page
from matches.http.responses import answer
from matches.reads import seeks
from matches.reads.documents import MatchDocument, SeekPage


class SeeksView(APIView):
    """The open seats."""

    scopes = {"GET": "match:read"}

    @operation("listSeeks", tag="Play", query=SeekQuery, answers={200: SeekPage})
    def get(self, request: Request, query: SeekQuery) -> HttpResponse:
        """Seats of friendlies that anybody may take, or that the caller was named for, newest first. POST
        .../matches/{name}/join with the `seat` takes one; of two at once one gets it, the other `seat_taken`."""
        found, following = page(seeks.seeks_for(request.user, query.game), query.cursor, query.limit, order=("-id",))
        return answer(SeekPage(seeks.documents(found), following))


class SeekView(APIView):
    """An open seat."""

    scopes = {"PUT": "match:play"}

    @operation(
        "openSeat", tag="Play", body=SeekBody, answers={200: MatchDocument},
        problems=(
            "forbidden", "already_started", "match_over", "no_such_seat", "seat_taken", "no_such_player",
            "no_seek_in_season", "not_for_guests",
        ),
    )  # fmt: skip
    def put(self, request: Request, name: str, body: SeekBody) -> HttpResponse:
        """Open a seat that is still free to anybody or to named accounts, or with null withdraw it: an act of the
        match's opener or an organiser. Its invitation stays good beside it."""
        match = match_named(name)
        refuse_unless_host(request, match)
        services.open_seat(match_id=match.id, by=request.user.id, seat=body.seat, open_to=open_to(body.open_to))
        return moved(request, name)
