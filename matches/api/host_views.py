"""The host's acts. Each takes a reason, and stands in the record; a host who plays at the match is refused most."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches import services
from matches.http.bodies import (
    AdjudicateBody,
    ExtendBody,
    HostBody,
    RewindBody,
    RulingBody,
    StandInBody,
    StandInEndBody,
    SubstituteBody,
)
from matches.http.etags import etag
from matches.http.match_access import hosted, match_named, read_match, refuse_unless_host
from matches.http.new_matches import account_or_bot
from matches.http.operations import operation
from matches.http.responses import answer
from matches.reads.documents import MatchDocument


class PauseView(APIView):
    """Stopping the clocks."""

    scopes = {"POST": "match:play"}

    @operation(
        "pauseMatch",
        tag="Play",
        body=HostBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "not_started", "match_paused", "match_over"),
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
        "resumeMatch",
        tag="Play",
        body=HostBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "match_over", "not_paused"),
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
        problems=("forbidden", "plays_here", "not_started", "match_over", "no_prompt", "too_much_time"),
    )
    def post(self, request: Request, name: str, body: ExtendBody) -> HttpResponse:
        """Give a seat's running turn more time."""
        match = hosted(request, name)
        services.extend(match_id=match.id, by=request.user.id, seat=body.seat, seconds=body.seconds, reason=body.reason)
        return moved(request, name)


class VoidView(APIView):
    """A match that doesn't count."""

    scopes = {"POST": "match:play"}

    @operation(
        "voidMatch",
        tag="Play",
        body=HostBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "match_over"),
    )
    def post(self, request: Request, name: str, body: HostBody) -> HttpResponse:
        """Declare the match void: it is over, nobody has won, and every secret opens. A host who plays against a person
        may do so before the start, and later until everybody has accepted."""
        match = hosted(request, name)
        services.void(match_id=match.id, by=request.user.id, reason=body.reason)
        return moved(request, name)


class AdjudicateView(APIView):
    """The host's decision."""

    scopes = {"POST": "match:play"}

    @operation(
        "adjudicateMatch",
        tag="Play",
        body=AdjudicateBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "not_started", "match_over", "no_such_seat", "no_winner"),
    )
    def post(self, request: Request, name: str, body: AdjudicateBody) -> HttpResponse:
        """Name the winners and end the match; its outcome's reason is `adjudicated`."""
        match = hosted(request, name)
        services.adjudicate(match_id=match.id, by=request.user.id, winners=body.winners, reason=body.reason)
        return moved(request, name)


class SubstituteView(APIView):
    """Another player in a seat."""

    scopes = {"POST": "match:play"}

    @operation(
        "substitutePlayer",
        tag="Play",
        body=SubstituteBody,
        answers={200: MatchDocument},
        problems=(
            "forbidden", "plays_here", "match_over", "no_such_seat", "no_such_player", "not_enrolled",
            "runs_the_season", "already_seated", "knows_secrets", "too_many_bot_matches",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, body: SubstituteBody) -> HttpResponse:
        """Let another account, or `bot`, hold a seat from now on. It sees what the seat sees; who leaves becomes a
        spectator. In a season's match it is none that runs the season; in a private one's it is an account that may
        see it."""
        match = hosted(request, name)
        player = account_or_bot(body.player)
        services.substitute(match_id=match.id, by=request.user.id, seat=body.seat, player=player, reason=body.reason)
        return moved(request, name)


class StandInView(APIView):
    """Playing for the absent."""

    scopes = {"POST": "match:play"}

    @operation(
        "seatStandIn",
        tag="Play",
        body=StandInBody,
        answers={200: MatchDocument},
        problems=(
            "forbidden", "plays_here", "match_over", "no_such_seat", "nobody_absent", "stand_in_seated",
            "too_many_bot_matches",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, body: StandInBody) -> HttpResponse:
        """Let a bot, or the dealer at random, play for an absent player. The seat stays theirs, and so does what it
        sees."""
        match = hosted(request, name)
        services.seat_stand_in(
            match_id=match.id, by=request.user.id, seat=body.seat, player=body.player, reason=body.reason
        )
        return moved(request, name)


class StandInEndView(APIView):
    """Playing again."""

    scopes = {"POST": "match:play"}

    @operation(
        "endStandIn",
        tag="Play",
        body=StandInEndBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "match_over", "no_such_seat", "no_stand_in"),
    )
    def post(self, request: Request, name: str, body: StandInEndBody) -> HttpResponse:
        """Let a seat's player play again; the player may say so, or a host."""
        match = match_named(name)
        if not any(seat.number == body.seat and seat.account_id == request.user.id for seat in match.seats.all()):
            refuse_unless_host(request, match)
        services.end_stand_in(match_id=match.id, by=request.user.id, seat=body.seat, reason=body.reason)
        return moved(request, name)


class RewindView(APIView):
    """Back to an earlier version."""

    scopes = {"POST": "match:play"}

    @operation(
        "rewindMatch",
        tag="Play",
        body=RewindBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "not_started", "match_over", "no_such_version", "amid_an_act"),
    )
    def post(self, request: Request, name: str, body: RewindBody) -> HttpResponse:
        """Go on from the state and the clocks of an earlier version, with new draws. Nothing is deleted; players,
        pauses, rulings and appeals stay as they are."""
        match = hosted(request, name)
        services.rewind(match_id=match.id, by=request.user.id, to_version=body.to_version, reason=body.reason)
        return moved(request, name)


class RuleView(APIView):
    """Rulings."""

    scopes = {"POST": "match:play"}

    @operation(
        "postRuling",
        tag="Play",
        body=RulingBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here"),
    )
    def post(self, request: Request, name: str, body: RulingBody) -> HttpResponse:
        """Say for all to read how a rule is meant, also after the end."""
        match = hosted(request, name)
        services.rule(match_id=match.id, by=request.user.id, text=body.reason)
        return moved(request, name)


class ApproveView(APIView):
    """The result counts."""

    scopes = {"POST": "match:play"}

    @operation(
        "approveResult",
        tag="Play",
        body=HostBody,
        answers={200: MatchDocument},
        problems=("forbidden", "plays_here", "nothing_to_approve", "not_finished", "already_approved"),
    )
    def post(self, request: Request, name: str, body: HostBody) -> HttpResponse:
        """Let the result of a match that was opened with `approval` count."""
        match = hosted(request, name)
        services.approve(match_id=match.id, by=request.user.id, reason=body.reason)
        return moved(request, name)


def moved(request: Request, name: str) -> HttpResponse:
    """The match after an act."""
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version, document.hash)})
