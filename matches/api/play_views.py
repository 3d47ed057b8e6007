"""Playing: commands, seats, nonces."""

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches import services
from matches.http import commands
from matches.http.bodies import CommandBody, CommandQuery, JoinBody, NonceBody
from matches.http.command_headers import KEY_HEADER, VERSION_HEADER, answered, idempotency_key
from matches.http.etags import etag, expected_point
from matches.http.match_access import match_named, own_witness, read_match, seat_held
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.reads import feed
from matches.reads.documents import AcceptedDocument, LawfulDocument, MatchDocument


class CommandsView(APIView):
    """A seat's commands."""

    scopes = {"POST": "match:play"}

    @operation(
        "sendCommand",
        tag="Play",
        body=CommandBody,
        query=CommandQuery,
        headers=(KEY_HEADER, VERSION_HEADER),
        answers={201: AcceptedDocument, 200: LawfulDocument},
        problems=(
            "forbidden", "not_started", "match_paused", "match_over", "not_your_turn", "not_now", "flag_fallen",
            "dealer_due", "stand_in_seated", "not_open_yet", "no_such_seat",
            "unknown_command", "version_behind", "idempotency_key_missing", "idempotency_key_reused",
            "illegal_move", "overloaded",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, query: CommandQuery, body: dict[str, Any]) -> HttpResponse:
        """A command as JSON (`{"type": "place", "cell": "C3"}`) or in notation (`{"text": "place C3"}`).

        The same Idempotency-Key with the same body answers the first response again, byte for byte; at a match without
        aids only until the next act, and then as spectators were told. While the dealer is
        at work, as right after the start, the answer waits for it for up to two seconds.
        """
        try:
            return _carried_out(request, name, query, body)
        except Problem as problem:
            commands.leave_word(request, name, problem.code)
            raise


class CommandView(APIView):
    """A command that was sent."""

    scopes = {"GET": "match:read"}

    @operation("readCommand", tag="Play", answers={200: AcceptedDocument}, problems=("never_happened",))
    def get(self, request: Request, name: str, key: str) -> HttpResponse:
        """Whether a command of the caller's is in the match, by its Idempotency-Key: the answer that it was given, byte
        for byte, or 404 `never_happened`. Ask after the house has lost history: what it acknowledged may be gone. A
        match without aids tells an earlier act as spectators were told it."""
        match = match_named(name)
        known = services.stored_answer(match_id=match.id, player=str(request.user.id), key=key)
        if known is None:
            raise Problem("never_happened", version=feed.visible_version(match.id, own_witness(request, match)))
        return _told(commands.read_again(match.id, request.user.id, known), 200)


class JoinView(APIView):
    """Taking a seat."""

    scopes = {"POST": "match:play"}

    @operation(
        "joinMatch", tag="Play", body=JoinBody, may_be_empty=True, answers={200: MatchDocument},
        problems=(
            "already_started", "match_over", "no_such_invitation", "seat_taken", "already_seated", "not_for_guests",
            "no_such_seat", "not_open_to_you",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, body: JoinBody) -> HttpResponse:
        """Take the seat that an invitation is for, or a `seat` that is open to the caller, as GET /seeks lists them.
        Joining again changes nothing."""
        match = match_named(name)
        if body.seat is None:
            services.join(match_id=match.id, player=request.user.id, invitation=body.invitation)
        else:
            services.take_seat(match_id=match.id, player=request.user.id, seat=body.seat)
        return _match(request, name)


class NonceView(APIView):
    """Randomness from the players."""

    scopes = {"POST": "match:play"}

    @operation("addNonce", tag="Play", body=NonceBody, answers={200: MatchDocument},
               problems=("forbidden", "already_started", "match_over", "nonce_given", "nonces_closed",
                         "nonce_too_early", "nonce_mismatch"))  # fmt: skip
    def post(self, request: Request, name: str, body: NonceBody) -> HttpResponse:
        """Mix the seat's own randomness into the seed, before the start.

        Send a `commitment` first, and its `nonce` once the match's `nonces.step` is `show`; a nonce without a
        commitment is taken in plain, and whoever gives theirs later can choose it to suit.
        """
        match = match_named(name)
        commands.give_nonce(match.id, request.user.id, seat_held(request, match), body)
        return _match(request, name)


def _carried_out(request: Request, name: str, query: CommandQuery, body: dict[str, Any]) -> HttpResponse:
    me = request.user.id
    if query.dry_run:
        match_named(name)
        return answer(commands.try_out(me, name, body, expected=expected_point(request)))
    try:
        expected, key = expected_point(request), idempotency_key(request)
    except Problem:
        commands.refuse_without_seat(me, name)
        raise
    return _told(commands.send(me, name, body, key=key, expected=expected), 201)


def _told(accepted: services.Accepted, status: int) -> HttpResponse:
    """The stored answer, byte for byte."""
    return HttpResponse(
        accepted.response, status=status, content_type="application/json", headers=answered(accepted)
    )  # fmt: skip


def _match(request: Request, name: str) -> HttpResponse:
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version, document.hash)})
