"""Offers between the seats of a friendly: a takeback, a pause, resuming, more time."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.host_views import moved
from matches.http.bodies import OfferBody
from matches.http.match_access import match_named, own_witness, seat_held
from matches.http.operations import operation
from matches.http.responses import answer
from matches.reads import feed
from matches.reads.documents.match import MatchDocument, OfferList
from matches.services import offering


class OffersView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("listOffers", tag="Play", answers={200: OfferList})
    def get(self, request: Request, name: str) -> HttpResponse:
        """List the match's open offers, oldest first; all may read them. The match's events say what became of the
        others."""
        match = match_named(name)
        return answer(feed.offers(match.id, own_witness(request, match)))

    @operation(
        "makeOffer", tag="Play", body=OfferBody, answers={200: MatchDocument},
        problems=(
            "forbidden", "not_started", "match_over", "match_paused", "not_paused", "no_offers_in_season",
            "stand_in_seated", "nobody_to_ask", "already_offered", "offered_enough", "nothing_to_take_back",
            "no_prompt", "too_much_time",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, body: OfferBody) -> HttpResponse:
        """Offer the people in all other seats of a friendly a `takeback` of your last move, a `pause`, or to `resume`
        after one; or give those whose clocks run `time`, as much again as a turn has, without asking.

        An offer takes place once all have accepted it. The first who declines closes it, its seat can withdraw it by
        declining, and the next move closes it. A seat may offer a kind twice between two moves. A takeback continues
        from before your last move, with the clocks of then and new draws; what has been seen since stays known. In a
        pause all clocks are stopped; once its minutes are over, `resume` needs nobody's answer. A program at the table
        declines everything. A rematch is offered by POST .../rematch.
        """
        match = match_named(name)
        seat_held(request, match)
        offering.make_offer(match_id=match.id, player=request.user.id, kind=body.kind, minutes=body.minutes)
        return moved(request, name)


class AcceptOfferView(APIView):
    scopes = {"POST": "match:play"}

    @operation("acceptOffer", tag="Play", answers={200: MatchDocument},
               problems=("forbidden", "no_such_offer", "offer_closed", "own_offer"))  # fmt: skip
    def post(self, request: Request, name: str, number: int) -> HttpResponse:
        """Accept another seat's offer; it takes place once all others have accepted. Read `learnt` before you accept a
        takeback: those seats keep what they have seen alone."""
        match = match_named(name)
        seat_held(request, match)
        offering.accept_offer(match_id=match.id, player=request.user.id, number=number)
        return moved(request, name)


class DeclineOfferView(APIView):
    scopes = {"POST": "match:play"}

    @operation("declineOffer", tag="Play", answers={200: MatchDocument},
               problems=("forbidden", "no_such_offer", "offer_closed"))  # fmt: skip
    def post(self, request: Request, name: str, number: int) -> HttpResponse:
        """Decline another seat's offer, which closes it for all; or withdraw your own offer."""
        match = match_named(name)
        seat_held(request, match)
        offering.decline_offer(match_id=match.id, player=request.user.id, number=number)
        return moved(request, name)
