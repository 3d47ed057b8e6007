"""Commands and nonces of the seat that the caller holds at a match, and commands of its host.

`send_at_once` plays a usual command on the event loop, `send` any command in a thread. They differ only in who waits
for the database: what `send_at_once` doesn't play, `send` plays or refuses.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.http import HttpRequest
from rest_framework.request import Request

from events.records import Point
from games import catalogue
from games.kernel import HOST, Illegal, Witness, canonical, to_json
from matches.http import metrics
from matches.http.authentication import Credential
from matches.http.bodies import NonceBody
from matches.http.match_access import gives_host_commands, match_without_catch_up
from matches.http.problems import Problem, refusal
from matches.http.scopes import reaches
from matches.http.visibility import cached_lifecycle
from matches.models import AccessToken, Account
from matches.reads import answers, entitlements, feed
from matches.reads.documents.match import LawfulDocument
from matches.services import fast_way, nonces, opening, playing
from matches.services.playing import Submission
from matches.storage import repository
from matches.storage.batch import Sender, password_fingerprint

T = TypeVar("T")

_SHORT = 20
"""A refusal lists at most so many legal commands."""
LONGEST_TEXT = 2000
"""A command in notation has at most so many characters."""
NOT_PLAIN = "not_plain"
"""The reason for not trying the fast path: the match isn't in memory, its sender has no seat there, the command is
notation, or the token's scope."""
DEALER_DUE = "dealer_due"
"""The code of a refusal that will be over in a moment."""
AWAITED = "croupier.awaited"
"""The key in a request's scope for what its command waits for."""


class Awaited(NamedTuple):
    """A match at which the dealer is due, the account whose command arrived meanwhile, and the rate-limit headers of
    its response."""

    match_id: UUID
    account: UUID
    limit_headers: dict[str, str]


class HeldSeat(NamedTuple):
    """The seat, or HOST, for which an account moves at a match."""

    match_id: UUID
    game: str
    seat: Witness


def send(player: UUID, name: str, body: dict[str, Any], *, key: str, expected: Point | None) -> playing.Accepted:
    """Play a command, as JSON or as `{"text": notation}`, from the player's seat at the match with this id or code, or
    as its host.

    `expected` is the point of its history that the command was decided on. Raise Problem, and what a service raises.
    """

    def act(held: HeldSeat) -> playing.Accepted:
        submission = submission_of(held.match_id, held.seat, player, body, key, expected)
        accepted = playing.submit(**submission._asdict())
        metrics.accepted(held.game)
        is_final = not accepted.replayed and not catalogue[held.game].keeps_texts
        return accepted if is_final else read_again(held.match_id, player, accepted)

    return _from_seat(act, player, name)


async def send_at_once(
    account: Account, token: AccessToken | None, credential: Credential, match_id: UUID, body: dict[str, Any],
    *, key: str, expected: Point | None,
) -> playing.Accepted | None:  # fmt: skip
    """Play a command that has been counted, from memory; None if `send` must do it, and nothing has happened.

    A command without a version is decided on the cached version, and stored only if that is the newest.
    """
    match_state = repository.cached_state(match_id)
    seat = match_state.lifecycle.seat_of(str(account.id)) if match_state is not None else None
    if match_state is None or seat is None or "text" in body or (token and not reaches(token, "match:play")):
        metrics.count_fallback(NOT_PLAIN)
        return None
    opened = match_state.lifecycle.opened
    submission = submission_of(match_id, seat, account.id, body, key, expected or Point(match_state.version, b""))
    outcome = await fast_way.submit_at_once(submission, _sender(account, credential, opened.season))
    if isinstance(outcome, fast_way.FellBack):
        metrics.count_fallback(outcome.why)
        return None
    metrics.accepted(opened.game)
    return outcome


def try_out(player: UUID, name: str, body: dict[str, Any], *, expected: Point | None) -> LawfulDocument:
    """Check whether `send` would be accepted now; raise as it does. Nothing is stored."""

    def act(held: HeldSeat) -> LawfulDocument:
        version, command = playing.try_out(
            match_id=held.match_id,
            seat=held.seat,
            player=str(player),
            command=_command_in(body),
            expected=expected.version if expected else None,
            held=expected.hash if expected else b"",
        )
        return LawfulDocument(version, to_json(command), feed.notation(held.game, command))

    return _from_seat(act, player, name)


def read_again(match_id: UUID, player: UUID, accepted: playing.Accepted) -> playing.Accepted:
    """Return a stored response as the player may see it now."""
    return accepted._replace(response=answers.visible_answer(match_id, str(player), accepted.response))


def mark_for_retry(request: Request | HttpRequest, name: str, code: str) -> None:
    """Let the server retry this command once the dealer has acted, if the dealer caused the refusal."""
    plain = getattr(request, "_request", request)
    scope = getattr(plain, "scope", None)
    if scope is not None and code == DEALER_DUE:
        scope[AWAITED] = Awaited(match_without_catch_up(name).id, request.user.pk, getattr(plain, "limit_headers", {}))


def refuse_without_seat(player: UUID, name: str) -> None:
    """Raise Problem if the player holds no seat at the match with this id or code, and doesn't host it."""
    _held_seat(player, name)


def give_nonce(match_id: UUID, player: UUID, seat: int, body: NonceBody) -> None:
    """Store a seat's nonce or its commitment."""
    if body.commitment is not None:
        nonces.commit_nonce(match_id=match_id, player=player, seat=seat, commitment=body.commitment)
    elif body.nonce is not None:
        opening.add_nonce(match_id=match_id, player=player, seat=seat, nonce=body.nonce)


def _from_seat(act: Callable[[HeldSeat], T], player: UUID, name: str) -> T:
    """Run the act from the player's cached seat; if that is outdated, from the seat they hold now."""
    held = _held_seat(player, name)
    try:
        try:
            return act(held)
        except playing.NotAllowed:
            now = _held_seat(player, name)
            if now == held:
                raise
            return act(now)
    except Illegal as illegal:
        # A player who has lost the seat meanwhile must not see its legal moves.
        held = _held_seat(player, name)
        metrics.refused(held.game, illegal.code)
        raise _with_alternatives(illegal, held) from None


def _held_seat(player: UUID, name: str) -> HeldSeat:
    """Return the player's seat at this match, from the cache if possible: the transaction of the move checks it. For a
    host without a seat, of a game with commands for its host, that is HOST. Raise Problem, and plays_here."""
    lifecycle = cached_lifecycle(name)
    seat = lifecycle.seat_of(str(player)) if lifecycle else None
    if lifecycle is not None and seat is not None:
        return HeldSeat(UUID(name), lifecycle.opened.game, seat)
    # Only fresh data may refuse a player.
    match = match_without_catch_up(name)
    seat = entitlements.lifecycle_for(match.id, str(player)).seat_of(str(player))
    if seat is not None:
        return HeldSeat(match.id, match.game, seat)
    if gives_host_commands(player, match):
        return HeldSeat(match.id, match.game, HOST)
    raise Problem("forbidden", "You hold no seat at this match.")


def submission_of(
    match_id: UUID, seat: Witness, player: UUID, body: dict[str, Any], key: str, expected: Point | None
) -> Submission:
    """Return a command as every path submits it. Its fingerprint is the same for a repeated command and different for
    another one under the same key. Raise Problem."""
    version, hash = expected or (None, b"")
    fingerprint = sha256(canonical(body)).digest()
    return Submission(match_id, seat, str(player), _command_in(body), key, fingerprint, version, hash)


def _sender(account: Account, credential: Credential, season: str | None) -> Sender:
    by_session = credential.token is None
    return Sender(
        account.id, credential.token, credential.session if by_session else None,
        password_fingerprint(account.password) if by_session else None, UUID(season) if season else None,
    )  # fmt: skip


def _command_in(body: dict[str, Any]) -> dict[str, Any] | playing.Typed:
    if "text" not in body or "type" in body:
        # A command as JSON may have a text of its own.
        return body
    text = body["text"]
    if len(body) > 1 or not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise Problem("malformed", f'Notation stands alone: {{"text": "..."}}, in at most {LONGEST_TEXT} characters.')
    return playing.Typed(text)


def _with_alternatives(illegal: Illegal, held: HeldSeat) -> Problem:
    """Return the refusal with the match's version and, if the list is short, the legal commands."""
    options = feed.legal(held.match_id, held.seat, _SHORT)
    listed = {"legal": options.legal} if options.complete and options.legal else {}
    return refusal(illegal, version=options.version, **listed)
