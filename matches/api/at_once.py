"""Programs' usual requests about a match, handled on the event loop from memory; Django handles all others.

The only refusal here is Overloaded. Every other refusal, and every request that memory can't answer or that is unusual
in any way, is left to Django's views; their responses and these are the same in all headers.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

import structlog
from django.conf import settings
from rest_framework.views import APIView

from events import distribution
from matches.api import reads_at_once
from matches.api.match_views import ViewView
from matches.api.play_views import CommandsView
from matches.api.record_views import EventsView
from matches.http import limits, metrics, overload, preparing, program_requests, request_ids, request_metrics
from matches.http.addresses import network
from matches.http.asgi import Application, Message, Receive, ReplayableReceive, Send
from matches.http.authentication import Credential
from matches.http.command_headers import command_answer, key_and_point
from matches.http.commands import send_at_once
from matches.http.overload import Overloaded
from matches.http.parsing import read_json
from matches.http.problems import Problem, problem_answer
from matches.http.program_requests import ProgramRequest
from matches.http.responses import Answer
from matches.http.scopes import reaches
from matches.models import AccessToken

log = structlog.get_logger(__name__)


class AtOnce:
    """ASGI middleware: responds to what it can, and passes all else on unchanged."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        program_request = program_requests.read(scope)
        # A request that the server retries was refused because of the dealer, so it is left to Django.
        operation = (
            _OPERATIONS.get((program_request.method, program_request.about))
            if program_request and limits.COUNTED not in scope
            else None
        )
        if program_request is None or operation is None:
            await self.application(scope, receive, send)
            return
        replayable = ReplayableReceive(receive)
        given, traceparent = program_request.headers.get("x-request-id", ""), program_request.traceparent
        with request_ids.identified("request", given=given, traceparent=traceparent) as request_id:
            answer = await _unless_it_fails(operation.answer(program_request, scope, replayable), request_id)
            if answer is not None:
                request_metrics.note(program_request.method, operation.route, answer.status, begun)
                metrics.AT_ONCE.labels(program_request.method, operation.route).inc()
        if answer is None:
            await self.application(scope, replayable.again(), send)
        else:
            added = {"Allow": operation.allow, **scope.get(limits.COUNTED, {}), "X-Request-ID": request_id}
            await _send(answer, {**program_requests.common_headers(program_request.scheme), **added}, send)


async def _send(answer: Answer, added: Mapping[str, str], send: Send) -> None:
    """Send a response with the headers that middleware and framework add to Django's."""
    headers = {**added, **answer.headers, "Content-Type": answer.content_type, "Content-Length": str(len(answer.body))}
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": encoded})
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})


async def _unless_it_fails(answering: Awaitable[Answer | None], request_id: str) -> Answer | None:
    """Return the response; None for a request that Django must handle. If a command was stored before the error, its
    retry finds it by the key."""
    try:
        return await answering
    except Overloaded as problem:
        return problem_answer(problem, request_id)
    except Exception as error:
        # Not the error's text, which may contain a secret.
        log.error("not answered at once", error=type(error).__name__)
        return None


async def _command(program_request: ProgramRequest, scope: Message, replayable: ReplayableReceive) -> Answer | None:
    """Play a command; raise Overloaded."""
    sent = await replayable.body() if _is_plain(program_request) else None
    if sent is None:
        return None
    headers = program_request.headers
    try:
        key, expected = key_and_point(headers)
        body = read_json(sent, headers.get("content-type", ""))
    except Problem:
        return None
    # A CommandBody is any object, which needs no conversion.
    if not isinstance(body, dict):
        return None
    overload.refuse_beyond_capacity(program_request.match_id)
    token = await _counted_token(program_request, scope)
    if token is None:
        return None
    await preparing.warm_cache(program_request.match_id)
    accepted = await send_at_once(
        token.account, token, Credential(token=token.id), program_request.match_id, body, key=key, expected=expected,
    )  # fmt: skip
    return command_answer(accepted) if accepted is not None else None


def _is_plain(program_request: ProgramRequest) -> bool:
    """True if a command has no parameters, and a length that Django's view would read."""
    length = program_request.headers.get("content-length", "")
    is_length = length.isascii() and length.isdigit() and len(length) < 10
    return not program_request.query and is_length and int(length) <= settings.BODY_LIMIT


async def _read_match(program_request: ProgramRequest, scope: Message, _: ReplayableReceive) -> Answer | None:
    """Return a view or events."""
    page = reads_at_once.wanted(program_request)
    token = await _counted_token(program_request, scope) if page and not distribution.is_distributed() else None
    if page is None or token is None:
        return None
    body = await reads_at_once.read_at_once(program_request.match_id, page, token)
    return Answer(200, body, {}) if body is not None else None


async def _counted_token(program_request: ProgramRequest, scope: Message) -> AccessToken | None:
    """Return the sender's token after counting the request, and store in the scope that it was counted. None if Django
    must refuse the request."""
    operation = _OPERATIONS[program_request.method, program_request.about]
    token = await preparing.load_token(program_request.bearer)
    if token is None or not reaches(token, operation.needed_scope):
        return None
    headers = await limits.spend_at_once(operation.purpose, token.account_id, network(program_request.address))
    if headers is None:
        return None
    scope[limits.COUNTED] = headers
    return token


class _Operation(NamedTuple):
    """A method of one of Django's views, and what answers it here: route, methods, scope and limit are the view's."""

    route: str
    allow: str
    needed_scope: str
    purpose: str
    answer: Callable[[ProgramRequest, Message, ReplayableReceive], Awaitable[Answer | None]]


def _operation(
    method: str, about: str, view: type[APIView],
    answer: Callable[[ProgramRequest, Message, ReplayableReceive], Awaitable[Answer | None]],
) -> _Operation:  # fmt: skip
    instance = view()
    instance.setup(None)
    return _Operation(
        f"api/v1/matches/<str:name>/{about}", ", ".join(instance.allowed_methods), view.scopes[method],
        limits.purpose_of(view, method), answer,
    )  # fmt: skip


_OPERATIONS = {
    (method, about): _operation(method, about, view, answer)
    for method, about, view, answer in (
        ("POST", "commands", CommandsView, _command),
        ("GET", "view", ViewView, _read_match),
        ("GET", "events", EventsView, _read_match),
    )
}
"""The operations that are answered here, by method and the part of the path below the match."""
