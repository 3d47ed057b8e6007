"""Programs' usual requests about a match, answered on the event loop from memory; whatever else comes is for Django.

Nothing is refused here but what would wait too long. Whatever else would be, what can't be told from memory and what
reads in any unusual way goes on to Django's views, which have the last word; their answers and these are alike to the
last header.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import structlog
from django.conf import settings

from events import distribution
from events.records import Point
from matches.api import reads_at_once
from matches.http import (
    limits,
    metrics,
    overload,
    preparing,
    program_requests,
    request_ids,
    request_metrics,
    strict_json,
)
from matches.http.addresses import network
from matches.http.asgi import Application, Heard, Message, Receive, Send
from matches.http.authentication import Credential
from matches.http.command_headers import answered, key_in
from matches.http.commands_at_once import send_at_once
from matches.http.etags import point_in
from matches.http.overload import Overloaded
from matches.http.problems import CONTENT_TYPE, Problem
from matches.http.program_requests import ProgramRequest
from matches.http.scopes import reaches
from matches.http.visibility import story_seen

log = structlog.get_logger(__name__)

_MAY_READ = {"Allow": "GET, HEAD, OPTIONS"}
_MAY_SEND = {"Allow": "POST, OPTIONS"}


class Answer(NamedTuple):
    """What a request is answered with."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class AtOnce:
    """ASGI middleware: answers what it can, and hands everything else on as it came."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        asked = program_requests.read(scope)
        # What the server sends again has found the dealer at work, and is no usual request.
        answering = _WAYS.get((asked.method, asked.about)) if asked and limits.COUNTED not in scope else None
        if asked is None or answering is None:
            await self.application(scope, receive, send)
            return
        heard = Heard(receive)
        with request_ids.identified("request", given=asked.request_id, traceparent=asked.traceparent) as request_id:
            answer = await _unless_it_fails(answering(asked, scope, heard), request_id)
            if answer is not None:
                route = f"api/v1/matches/<str:name>/{asked.about}"
                request_metrics.note(asked.method, route, answer.status, begun)
                metrics.AT_ONCE.labels(asked.method, route).inc()
        if answer is None:
            await self.application(scope, heard.again(), send)
        else:
            await _send(answer, asked, request_id, send)


async def _send(answer: Answer, asked: ProgramRequest, request_id: str, send: Send) -> None:
    headers = {**program_requests.common_headers(asked.scheme), **answer.headers, "X-Request-ID": request_id}
    headers["Content-Length"] = str(len(answer.body))
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": encoded})
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})


async def _unless_it_fails(answering: Awaitable[Answer | None], request_id: str) -> Answer | None:
    """The answer; None for a request that must be answered otherwise. A command that was stored before something went
    wrong is found by its key, and answered as it was."""
    try:
        return await answering
    except Overloaded as problem:
        body = msgspec.json.encode(problem.document(request_id))
        return Answer(problem.status, body, {**_MAY_SEND, **problem.headers, "Content-Type": CONTENT_TYPE})
    except Exception as error:
        # Not what the error says: a secret may be in it.
        log.error("not answered at once", error=type(error).__name__)
        return None


async def _command(asked: ProgramRequest, scope: Message, heard: Heard) -> Answer | None:
    """Play a command; where its sender's limit was counted, the scope says so. Raises Overloaded."""
    read = await _read(asked, heard)
    if read is not None:
        overload.refuse_beyond_capacity(asked.match_id)
    token = await preparing.token_behind(asked.bearer)
    if token is None or read is None or not reaches(token, "match:play"):
        return None
    account = token.account
    headers = await limits.spend_at_once("commands", account.id, network(asked.address))
    if headers is None:
        return None
    scope[limits.COUNTED] = headers
    await preparing.remember(asked.match_id)
    story = story_seen(str(asked.match_id))
    seat = story.seat_of(str(account.id)) if story is not None else None
    if seat is None:
        return None
    accepted = await send_at_once(
        account, token, Credential(token=token.id), asked.match_id, seat, read.body,
        key=read.key, expected=read.expected,
    )  # fmt: skip
    if accepted is None:
        return None
    return Answer(201, accepted.response, {**_MAY_SEND, **headers, **answered(accepted)})


async def _look(asked: ProgramRequest, scope: Message, _: Heard) -> Answer | None:
    """A view or events; where the caller's limit was counted, the scope says so."""
    page = reads_at_once.wanted(asked)
    token = await preparing.token_behind(asked.bearer) if page and not distribution.is_distributed() else None
    if page is None or token is None or not reaches(token, "match:read"):
        return None
    headers = await limits.spend_at_once("reads", token.account.id, network(asked.address))
    if headers is None:
        return None
    scope[limits.COUNTED] = headers
    body = await reads_at_once.read_at_once(asked.match_id, page, token)
    return Answer(200, body, {**_MAY_READ, **headers}) if body is not None else None


class _Command(NamedTuple):
    body: dict[str, Any]
    key: str
    expected: Point | None


async def _read(asked: ProgramRequest, heard: Heard) -> _Command | None:
    """The command that is sent; None where it isn't plain JSON of a usual length, or anything is to be refused."""
    length = asked.headers.get("content-length", "")
    if asked.query or asked.headers.get("content-type") != "application/json":
        return None
    if not length.isascii() or not length.isdigit() or len(length) > 9 or int(length) > settings.BODY_LIMIT:
        return None
    try:
        key, expected = key_in(asked.headers.get("idempotency-key", "")), point_in(asked.headers.get("if-match", ""))
        sent = await heard.body()
        body = strict_json.read(sent) if sent is not None else None
    except (Problem, strict_json.BadJSON):
        return None
    return _Command(body, key, expected) if isinstance(body, dict) else None


_WAYS: dict[tuple[str, str], Callable[[ProgramRequest, Message, Heard], Awaitable[Answer | None]]] = {
    ("POST", "commands"): _command,
    ("GET", "view"): _look,
    ("GET", "events"): _look,
}
"""What answers which method of which address below a match."""
