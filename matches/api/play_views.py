"""Playing: commands, seats, nonces, the start."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from games.kernel import Illegal, canonical, to_json
from matches import feed, metrics, services
from matches.api.answers import answer
from matches.api.bodies import CommandQuery, JoinBody, NonceBody, ReasonBody
from matches.api.etags import etag, expected_point
from matches.api.host_views import refuse_unless_host
from matches.api.keys import KEY_HEADER, VERSION_HEADER, idempotency_key
from matches.api.match_views import match_named, own_witness, read_match, seat_held
from matches.api.operations import operation
from matches.api.problems import Problem, refusal
from matches.api.seats import Place, place_of
from matches.documents import AcceptedDocument, LawfulDocument, MatchDocument

SHORT = 20
"""Up to this many legal commands are listed in a refusal."""


class CommandsView(APIView):
    """A seat's commands."""

    scopes = {"POST": "match:play"}

    @operation(
        "sendCommand",
        tag="Play",
        body=dict[str, Any],
        query=CommandQuery,
        headers=(KEY_HEADER, VERSION_HEADER),
        answers={201: AcceptedDocument, 200: LawfulDocument},
        problems=(
            "forbidden", "not_started", "match_paused", "match_over", "not_your_turn", "not_now", "flag_fallen",
            "dealer_due", "stand_in_seated", "not_open_yet", "no_such_seat",
            "unknown_command", "version_behind", "idempotency_key_missing", "idempotency_key_reused",
            "illegal_move",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, query: CommandQuery, body: dict[str, Any]) -> HttpResponse:
        """A command as JSON (`{"type": "place", "cell": "C3"}`) or in notation (`{"text": "place C3"}`).

        The same Idempotency-Key with the same body answers the first response again, byte for byte.
        """
        if query.dry_run:
            match_named(name)
        try:
            return _from_seat(_try_out if query.dry_run else _submit, request, name, body)
        except Illegal as illegal:
            # Whoever has lost the seat meanwhile hears nothing of its moves.
            place = place_of(request, name)
            metrics.refused(place.game, illegal.code)
            raise _with_alternatives(illegal, place) from None


class CommandView(APIView):
    """A command that was sent."""

    scopes = {"GET": "match:read"}

    @operation("readCommand", tag="Play", answers={200: AcceptedDocument}, problems=("never_happened",))
    def get(self, request: Request, name: str, key: str) -> HttpResponse:
        """Whether a command of the caller's is in the match, by its Idempotency-Key: the answer that it was given, byte
        for byte, or 404 `never_happened`. Ask after the house has lost history: what it acknowledged may be gone."""
        match = match_named(name)
        known = services.stored_answer(match_id=match.id, player=str(request.user.id), key=key)
        if known is None:
            raise Problem("never_happened", version=feed.version_told(match.id, own_witness(request, match)))
        return _told(known, 200)


class JoinView(APIView):
    """Taking a seat."""

    scopes = {"POST": "match:play"}

    @operation(
        "joinMatch", tag="Play", body=JoinBody, may_be_empty=True, answers={200: MatchDocument},
        problems=("already_started", "match_over", "no_such_invitation", "seat_taken", "already_seated"),
    )  # fmt: skip
    def post(self, request: Request, name: str, body: JoinBody) -> HttpResponse:
        """Take the seat that an invitation is for. Joining again changes nothing."""
        match = match_named(name)
        services.join(match_id=match.id, player=request.user.id, invitation=body.invitation)
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
        give_nonce(match.id, request.user.id, seat_held(request, match), body)
        return _match(request, name)


class StartView(APIView):
    """The start."""

    scopes = {"POST": "match:play"}

    @operation(
        "startMatch", tag="Play", body=ReasonBody, may_be_empty=True, answers={200: MatchDocument},
        problems=(
            "forbidden", "plays_here", "already_started", "match_over", "seats_open", "nonces_called", "player_gone",
        ),
    )  # fmt: skip
    def post(self, request: Request, name: str, body: ReasonBody) -> HttpResponse:
        """Begin play: an act of the match's opener or an organiser, once every seat is taken.

        Where promised nonces are still to be shown, play begins with the last of them, or 15 seconds later without.
        """
        match = match_named(name)
        refuse_unless_host(request, match)
        services.start(match_id=match.id, by=request.user.id, reason=body.reason)
        return _match(request, name)


def give_nonce(match_id: UUID, player: UUID, seat: int, body: NonceBody) -> None:
    """A seat's nonce or its commitment, as it was sent."""
    if body.commitment is not None:
        services.commit_nonce(match_id=match_id, player=player, seat=seat, commitment=body.commitment)
    elif body.nonce is not None:
        services.add_nonce(match_id=match_id, player=player, seat=seat, nonce=body.nonce)


def _from_seat(
    act: Callable[[Request, Place, dict[str, Any]], HttpResponse], request: Request, name: str, body: dict[str, Any]
) -> HttpResponse:
    """The act from the caller's seat; where that has changed hands unseen here, from the one they hold now."""
    place = place_of(request, name)
    try:
        return act(request, place, body)
    except services.NotAllowed:
        now = place_of(request, name)
        if now == place:
            raise
        return act(request, now, body)


def _submit(request: Request, place: Place, body: dict[str, Any]) -> HttpResponse:
    expected = expected_point(request)
    accepted = services.submit(
        match_id=place.match_id,
        seat=place.seat,
        player=str(request.user.id),
        command=_asked(body),
        key=idempotency_key(request),
        fingerprint=sha256(canonical(body)).digest(),
        expected=expected.version if expected else None,
        held=expected.hash if expected else b"",
    )
    metrics.accepted(place.game)
    return _told(accepted, 201)


def _told(accepted: services.Accepted, status: int) -> HttpResponse:
    """The stored answer, byte for byte. Its ETag is that of the last event it tells."""
    last = msgspec.json.decode(accepted.response, type=_Answer).events[-1]
    headers = {"ETag": etag(accepted.version, last.hash)}
    if accepted.replayed:
        headers["Idempotent-Replayed"] = "true"
    return HttpResponse(accepted.response, status=status, content_type="application/json", headers=headers)


def _try_out(request: Request, place: Place, body: dict[str, Any]) -> HttpResponse:
    expected = expected_point(request)
    version, command = services.try_out(
        match_id=place.match_id,
        seat=place.seat,
        player=str(request.user.id),
        command=_asked(body),
        expected=expected.version if expected else None,
        held=expected.hash if expected else b"",
    )
    return answer(LawfulDocument(version, to_json(command), feed.notation(place.game, command)))


def _asked(body: dict[str, Any]) -> dict[str, Any] | services.Typed:
    if "text" not in body:
        return body
    text = body["text"]
    if len(body) > 1 or not isinstance(text, str) or len(text) > 2000:
        raise Problem("malformed", 'Notation stands alone: {"text": "..."}, in at most 2000 characters.')
    return services.Typed(text)


def _with_alternatives(illegal: Illegal, place: Place) -> Problem:
    """The refusal with the match's version and, where the list is short, what would be legal."""
    options = feed.legal(place.match_id, place.seat, SHORT)
    listed = {"legal": options.legal} if options.complete and options.legal else {}
    return refusal(illegal, version=options.version, **listed)


def _match(request: Request, name: str) -> HttpResponse:
    document = read_match(request, match_named(name))
    return answer(document, headers={"ETag": etag(document.version, document.hash)})


class _Chained(Struct):
    hash: str


class _Answer(Struct):
    """Of the answer to a command what its ETag takes."""

    events: list[_Chained]
