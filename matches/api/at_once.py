"""Programs' usual requests about a match, handled on the event loop from memory; Django handles all others.

The only refusal here is Overloaded. Every other refusal, and every request that memory can't answer or that is unusual
in any way, is left to Django's views; their responses and these are the same in all headers.
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
from matches.http.asgi import Application, Message, Receive, ReplayableReceive, Send
from matches.http.authentication import Credential
from matches.http.command_headers import answered, key_in
from matches.http.commands_at_once import send_at_once
from matches.http.etags import point_in
from matches.http.overload import Overloaded
from matches.http.problems import CONTENT_TYPE, Problem
from matches.http.program_requests import ProgramRequest
from matches.http.scopes import reaches
from matches.http.visibility import cached_lifecycle

log = structlog.get_logger(__name__)

_MAY_READ = {"Allow": "GET, HEAD, OPTIONS"}
_MAY_SEND = {"Allow": "POST, OPTIONS"}


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: Mapping[str, str]


class AtOnce:
    """ASGI middleware: responds to what it can, and passes all else on unchanged."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        program_request = program_requests.read(scope)
        # A request that the server retries was refused because of the dealer, so it is left to Django.
        answering = (
            _WAYS.get((program_request.method, program_request.about))
            if program_request and limits.COUNTED not in scope
            else None
        )
        if program_request is None or answering is None:
            await self.application(scope, receive, send)
            return
        replayable = ReplayableReceive(receive)
        given, traceparent = program_request.headers.get("x-request-id", ""), program_request.traceparent
        with request_ids.identified("request", given=given, traceparent=traceparent) as request_id:
            answer = await _unless_it_fails(answering(program_request, scope, replayable), request_id)
            if answer is not None:
                route = f"api/v1/matches/<str:name>/{program_request.about}"
                request_metrics.note(program_request.method, route, answer.status, begun)
                metrics.AT_ONCE.labels(program_request.method, route).inc()
        if answer is None:
            await self.application(scope, replayable.again(), send)
        else:
            await _send(answer, program_request, request_id, send)


async def _send(answer: Answer, program_request: ProgramRequest, request_id: str, send: Send) -> None:
    headers = {**program_requests.common_headers(program_request.scheme), **answer.headers, "X-Request-ID": request_id}
    headers["Content-Length"] = str(len(answer.body))
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": encoded})
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})


async def _unless_it_fails(answering: Awaitable[Answer | None], request_id: str) -> Answer | None:
    """Return the response; None for a request that Django must handle. If a command was stored before the error, its
    retry finds it by the key."""
    try:
        return await answering
    except Overloaded as problem:
        body = msgspec.json.encode(problem.document(request_id))
        return Answer(problem.status, body, {**_MAY_SEND, **problem.headers, "Content-Type": CONTENT_TYPE})
    except Exception as error:
        # Not the error's text, which may contain a secret.
        log.error("not answered at once", error=type(error).__name__)
        return None


async def _command(program_request: ProgramRequest, scope: Message, replayable: ReplayableReceive) -> Answer | None:
    """Play a command; when its sender's limit was counted, store that in the scope. Raise Overloaded."""
    read = await _read(program_request, replayable)
    if read is not None:
        overload.refuse_beyond_capacity(program_request.match_id)
    token = await preparing.token_behind(program_request.bearer)
    if token is None or read is None or not reaches(token, "match:play"):
        return None
    account = token.account
    headers = await limits.spend_at_once("commands", account.id, network(program_request.address))
    if headers is None:
        return None
    scope[limits.COUNTED] = headers
    await preparing.warm_cache(program_request.match_id)
    story = cached_lifecycle(str(program_request.match_id))
    seat = story.seat_of(str(account.id)) if story is not None else None
    if seat is None:
        return None
    accepted = await send_at_once(
        account, token, Credential(token=token.id), program_request.match_id, seat, read.body,
        key=read.key, expected=read.expected,
    )  # fmt: skip
    if accepted is None:
        return None
    return Answer(201, accepted.response, {**_MAY_SEND, **headers, **answered(accepted)})


async def _read_match(program_request: ProgramRequest, scope: Message, _: ReplayableReceive) -> Answer | None:
    """Return a view or events; when the caller's limit was counted, store that in the scope."""
    page = reads_at_once.wanted(program_request)
    token = await preparing.token_behind(program_request.bearer) if page and not distribution.is_distributed() else None
    if page is None or token is None or not reaches(token, "match:read"):
        return None
    headers = await limits.spend_at_once("reads", token.account.id, network(program_request.address))
    if headers is None:
        return None
    scope[limits.COUNTED] = headers
    body = await reads_at_once.read_at_once(program_request.match_id, page, token)
    return Answer(200, body, {**_MAY_READ, **headers}) if body is not None else None


class _Command(NamedTuple):
    body: dict[str, Any]
    key: str
    expected: Point | None


async def _read(program_request: ProgramRequest, replayable: ReplayableReceive) -> _Command | None:
    """Return the command in the request; None if it isn't plain JSON of a usual length, or must be refused."""
    length = program_request.headers.get("content-length", "")
    if program_request.query or program_request.headers.get("content-type") != "application/json":
        return None
    if not length.isascii() or not length.isdigit() or len(length) > 9 or int(length) > settings.BODY_LIMIT:
        return None
    try:
        key, expected = (
            key_in(program_request.headers.get("idempotency-key", "")),
            point_in(program_request.headers.get("if-match", "")),
        )
        sent = await replayable.body()
        body = strict_json.read(sent) if sent is not None else None
    except (Problem, strict_json.BadJSON):
        return None
    return _Command(body, key, expected) if isinstance(body, dict) else None


_WAYS: dict[tuple[str, str], Callable[[ProgramRequest, Message, ReplayableReceive], Awaitable[Answer | None]]] = {
    ("POST", "commands"): _command,
    ("GET", "view"): _read_match,
    ("GET", "events"): _read_match,
}
"""The handler for each method and route below a match."""
