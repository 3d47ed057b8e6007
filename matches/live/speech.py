"""What a client says over a socket, and what is answered: commands go through the very view that REST's go through."""

import json
from typing import Annotated, Any
from uuid import UUID, uuid4

import msgspec
import structlog
from django.http import HttpRequest
from msgspec import Meta, Struct
from structlog.contextvars import bound_contextvars

from matches.api import strict_json
from matches.api.etags import etag, version_in
from matches.api.limits import ByMethod
from matches.api.parsing import convert
from matches.api.play_views import CommandsView
from matches.api.problems import Problem
from matches.live.admission import Caller

log = structlog.get_logger(__name__)

Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Id = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")]


class Auth(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="auth"):
    """Who it is, by a token; the first frame where no cookie has said so."""

    token: Annotated[str, Meta(max_length=200)]


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="command"):
    """A command as REST takes it; `id` is its idempotency key, `expected` the version it was decided on."""

    id: Id
    command: dict[str, Any]
    expected: Version | None = None


class Resync(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="resync"):
    """Tell everything after this version again."""

    after: Version


class Pong(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="pong"):
    """The answer to a ping."""


Message = Auth | Command | Resync | Pong

ACCEPTED = b'{"kind":"accepted",'
"""How the frame of an accepted command begins."""

_view = CommandsView.as_view()


def read(text: str | None) -> Message:
    """What a frame says; raises Problem."""
    if text is None:
        raise Problem("malformed", "A frame is text, not bytes.")
    try:
        return convert(strict_json.read(text.encode()), Message)  # type: ignore[arg-type]
    except strict_json.BadJSON as error:
        raise Problem("malformed", str(error)) from None


def carry_out(caller: Caller, address: str, match_id: UUID, message: Command) -> bytes:
    """Send the command as REST would, and answer with the frame that tells what came of it."""
    request = _request("POST", caller, address)
    request.path = request.path_info = f"/api/v1/matches/{match_id}/commands"
    request._body = json.dumps(message.command).encode()  # type: ignore[attr-defined]
    request.META |= {"CONTENT_TYPE": "application/json", "HTTP_IDEMPOTENCY_KEY": message.id}
    if message.expected is not None:
        request.META["HTTP_IF_MATCH"] = etag(message.expected)
    with bound_contextvars(request_id=request.request_id):  # type: ignore[attr-defined]
        response = _view(request, name=str(match_id))
    named = msgspec.json.encode(message.id)
    if response.status_code >= 400:
        return b'{"kind":"refused","id":%b,"problem":%b}' % (named, response.content)
    version = version_in(response["ETag"])
    replayed = b"true" if "Idempotent-Replayed" in response else b"false"
    return ACCEPTED + b'"id":%b,"version":%d,"replayed":%b,"answer":%b}' % (
        named, version, replayed, response.content,
    )  # fmt: skip


def spend_read(caller: Caller, address: str) -> None:
    """Count one read against the caller's limit; raises Problem."""
    ByMethod().allow_request(_request("GET", caller, address), None)  # type: ignore[arg-type]


def refused(problem: Problem, id: str | None = None) -> str:
    """The frame of a refusal."""
    return json.dumps({"kind": "refused", "id": id, "problem": problem.document(str(uuid4()))}, separators=(",", ":"))


def _request(method: str, caller: Caller, address: str) -> HttpRequest:
    request = HttpRequest()
    request.method = method
    request.META["REMOTE_ADDR"] = address
    request.request_id = str(uuid4())  # type: ignore[attr-defined]
    request.user = caller.account
    # The socket has shown who it is; what its token may do is for the view to ask.
    request._force_auth_user, request._force_auth_token = caller.account, caller.token  # type: ignore[attr-defined]
    return request
