"""Messages from a socket's client, and the responses; commands are played as those over REST."""

import json
from contextlib import nullcontext
from typing import Annotated, Any, NamedTuple
from uuid import UUID, uuid4

import msgspec
import structlog
from msgspec import Meta, Struct

from events import appending, tracing
from events.records import Point
from games.kernel import Witness
from matches.http import commands, limits, strict_json
from matches.http.parsing import convert
from matches.http.problems import Problem, problem_of
from matches.http.request_ids import identified
from matches.http.scopes import refuse_beyond
from matches.http.visibility import refuse_unseen
from matches.realtime import access
from matches.realtime.access import Identity
from matches.services.playing import Accepted

log = structlog.get_logger(__name__)

Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Id = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$(?!\n)")]


class Auth(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="auth"):
    """Authentication by a token: the first frame if there was no cookie."""

    token: Annotated[str, Meta(max_length=200)]


class CommandMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="command"):
    """A command as in REST; `id` is its idempotency key, `expected` the version it was decided on."""

    id: Id
    command: dict[str, Any]
    expected: Version | None = None

    @property
    def point(self) -> Point | None:
        """The point of the match's history that the command was decided on, if given."""
        return None if self.expected is None else Point(self.expected, b"")


class Resync(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="resync"):
    """A request to send everything after this version again."""

    after: Version


class Pong(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="pong"):
    """The answer to a ping."""


Message = Auth | CommandMessage | Resync | Pong


class Answer(NamedTuple):
    """The result of a command: its frame, and the code of its refusal; empty if it was accepted."""

    frame: bytes
    code: str = ""


def read(text: str | None) -> Message:
    """Return the message of a frame; raises Problem."""
    if text is None:
        raise Problem("malformed", "A frame is text, not bytes.")
    try:
        return convert(strict_json.read(text.encode()), Message)  # type: ignore[arg-type]
    except strict_json.BadJSON as error:
        raise Problem("malformed", str(error)) from None


def carry_out(
    identity: Identity, address: str, match_id: UUID, message: CommandMessage, counted: bool = False
) -> Answer:
    """Play the command as REST would, and return the result. `counted`: it has already been counted against the
    account's limit. Raises SignedOut if the credential is no longer valid."""
    access.refuse_signed_out(identity)
    named = msgspec.json.encode(message.id)
    with identified("socket command") as request_id:
        try:
            accepted = _accepted(identity, address, match_id, message, counted)
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                log.error("command failed", exc_info=error)
                problem = Problem("internal")
            document = msgspec.json.encode(problem.document(request_id))
            return Answer(b'{"kind":"refused","id":%b,"problem":%b}' % (named, document), problem.code)
    return Answer(_frame(message, accepted))


async def carry_out_at_once(
    identity: Identity, witness: Witness, match_id: UUID, message: CommandMessage
) -> Answer | None:
    """Play a usual command that has been counted, without a thread. None if it must be played by `carry_out`; then
    nothing has changed."""
    if identity.account is None or not isinstance(witness, int):
        return None
    # A request id costs time and no response contains it here, so it is created only for traces and logs.
    followed = identified("socket command") if tracing.is_on() or appending.has_lines() else nullcontext()
    with followed:
        accepted = await commands.send_at_once(
            identity.account, identity.token, identity.credential, match_id, message.command,
            key=message.id, expected=message.point,
        )  # fmt: skip
    return Answer(_frame(message, accepted)) if accepted is not None else None


def _frame(message: CommandMessage, accepted: Accepted) -> bytes:
    replayed = b"true" if accepted.replayed else b"false"
    return b'{"kind":"accepted","id":%b,"version":%d,"replayed":%b,"answer":%b}' % (
        msgspec.json.encode(message.id), accepted.version, replayed, accepted.response,
    )  # fmt: skip


def _accepted(identity: Identity, address: str, match_id: UUID, message: CommandMessage, counted: bool) -> Accepted:
    """Return the result of the command; raises as `commands.send` does, and the refusals of a REST request."""
    account, name = identity.account, str(match_id)
    if account is None:
        raise Problem("not_authenticated")
    refuse_beyond(identity.token, "match:play")
    refuse_unseen(name, account.id)
    if not counted:
        limits.spend("commands", account.id, address)
    return commands.send(account.id, name, message.command, key=message.id, expected=message.point)


def spend_read(identity: Identity, address: str) -> None:
    """Count one read against the caller's limit; raises Problem."""
    limits.spend("reads", identity.account.id if identity.account else None, address)


def refused(problem: Problem, id: str | None = None) -> str:
    """Return the frame of a refusal."""
    return json.dumps({"kind": "refused", "id": id, "problem": problem.document(str(uuid4()))}, separators=(",", ":"))
