"""Playing: commands, seats, nonces."""

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http import commands
from matches.http.bodies import CommandBody, CommandQuery, JoinBody, NonceBody
from matches.http.command_headers import KEY_HEADER, VERSION_HEADER, command_answer, key_and_point
from matches.http.etags import etag, expected_point
from matches.http.match_access import match_named, own_witness, read_match, seat_held
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.reads import feed
from matches.reads.documents.match import AcceptedDocument, LawfulDocument, MatchDocument
from matches.services import opening, playing, seeking


class CommandsView(APIView):
    scopes = {"POST": "match:play"}

    @operation(
        "sendCommand",
        tag="Play",
        body=CommandBody,
        query=CommandQuery,
        headers=(KEY_HEADER, VERSION_HEADER),
        answers={201: AcceptedDocument, 200: LawfulDocument},
        problems=(
            "forbidden", "plays_here", "not_started", "match_paused", "match_over", "not_your_turn", "not_now",
            "flag_fallen", "dealer_due", "stand_in_seated", "not_open_yet", "no_such_seat",
            "unknown_command", "version_behind", "idempotency_key_missing", "idempotency_key_reused",
            "illegal_move", "overloaded",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, query: CommandQuery, body: dict[str, Any]) -> HttpResponse:
        """Send a command as JSON (`{"type": "place", "cell": "C3"}`) or in notation (`{"text": "place C3"}`).

        The same Idempotency-Key with the same body gets the first response again, byte for byte; at a match without
        aids only until the next act, and then as spectators saw it. While the dealer is due, as right after the start,
        the response waits up to two seconds for it. If the game has commands for its host (`due.host`), those who may
        host the match and hold no seat at it send them here; the response has what spectators see.
        """
        try:
            return _carry_out(request, name, query, body)
        except Problem as problem:
            commands.mark_for_retry(request, name, problem.code)
            raise


class CommandView(APIView):
    scopes = {"GET": "match:read"}

    @operation("readCommand", tag="Play", answers={200: AcceptedDocument}, problems=("never_happened",))
    def get(self, request: Request, name: str, key: str) -> HttpResponse:
        """Return whether a command of the caller is in the match, by its Idempotency-Key: its response, byte for byte,
        or 404 `never_happened`. Use it after the house has lost history: acknowledged commands may be gone. A match
        without aids returns an earlier act as spectators saw it."""
        match = match_named(name)
        stored = playing.stored_answer(match_id=match.id, player=str(request.user.id), key=key)
        if stored is None:
            raise Problem("never_happened", version=feed.visible_version(match.id, own_witness(request, match)))
        return command_answer(commands.read_again(match.id, request.user.id, stored), 200).for_django()


class JoinView(APIView):
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
            opening.join(match_id=match.id, player=request.user.id, invitation=body.invitation)
        else:
            seeking.take_seat(match_id=match.id, player=request.user.id, seat=body.seat)
        return _match(request, name)


class NonceView(APIView):
    scopes = {"POST": "match:play"}

    @operation("addNonce", tag="Play", body=NonceBody, answers={200: MatchDocument},
               problems=("forbidden", "already_started", "match_over", "nonce_given", "nonces_closed",
                         "nonce_too_early", "nonce_mismatch"))  # fmt: skip
    def post(self, request: Request, name: str, body: NonceBody) -> HttpResponse:
        """Mix the seat's own randomness into the seed, before the start.

        Send a `commitment` first, and its `nonce` once the match's `nonces.step` is `show`; a nonce without a
        commitment is plain, and whoever gives theirs later can choose it to suit.
        """
        match = match_named(name)
        commands.give_nonce(match.id, request.user.id, seat_held(request, match), body)
        return _match(request, name)


def _carry_out(request: Request, name: str, query: CommandQuery, body: dict[str, Any]) -> HttpResponse:
    me = request.user.id
    if query.dry_run:
        match_named(name)
        return answer(commands.try_out(me, name, body, expected=expected_point(request)))
    try:
        key, expected = key_and_point(request.headers)
    except Problem:
        commands.refuse_without_seat(me, name)
        raise
    return command_answer(commands.send(me, name, body, key=key, expected=expected)).for_django()


def _match(request: Request, name: str) -> HttpResponse:
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version, document.hash)})
