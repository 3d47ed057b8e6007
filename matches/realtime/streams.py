"""Streams over HTTP: a view starts the response, and the hubs continue it without a thread for each reader."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from functools import partial
from uuid import UUID

import msgspec
import structlog
from django.conf import settings

from matches.http import metrics
from matches.http.addresses import network
from matches.http.asgi import Application, Message, Receive, Send
from matches.http.authentication import Credential, session_credential
from matches.http.open_connections import LivePlace, connection_slots
from matches.http.problems import CONTENT_TYPE, Problem
from matches.http.streaming import MEDIA_TYPES, STREAM, Stream, heartbeat, line
from matches.realtime import season_changes
from matches.realtime.connections import GIVEN_AWAY, Connection
from matches.realtime.hub_registry import hubs
from matches.realtime.talk_hub import Listener
from matches.realtime.together import until_one_ends
from matches.realtime.turn_alerts import TurnAlerts

log = structlog.get_logger(__name__)

SIGN_SECONDS = 5.0
CHANGED = '{"kind":"changed"}'


class Streams:
    """ASGI middleware. The application starts the response; if it has put a Stream into the scope, this class continues
    it."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if not _may_stream(scope):
            await self.application(scope, receive, send)
            return
        try:
            # Refuse before a thread and a query are spent on a stream that would find no place.
            connection_slots().refuse_early(network((scope.get("client") or ("",))[0]))
        except Problem as problem:
            await _refuse(send, problem)
            return
        first_messages: list[Message] = []

        async def hold(message: Message) -> None:
            """Hold back the start of a stream; other responses pass, because an export may be of any length."""
            if STREAM in scope:
                first_messages.append(message)
            else:
                await send(message)

        await self.application(scope, receive, hold)
        if first_messages:
            await _stream(scope[STREAM], first_messages, receive, send)


def _may_stream(scope: Message) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept").lower()
    return scope["path"].endswith("/me/stream") or any(name.encode() in accepted for name in MEDIA_TYPES)


async def _stream(stream: Stream, first_messages: list[Message], receive: Receive, send: Send) -> None:
    start, *bodies = first_messages
    account = stream.account.id if stream.account else None
    connection = Connection(account, _credential(stream))
    registry = hubs()
    with metrics.CONNECTIONS.labels("stream").track_inprogress(), ExitStack() as held:
        address, end = network(stream.address), partial(connection.end, GIVEN_AWAY)
        try:
            registry.slots.hold("address", address, held)
            if account:
                registry.slots.hold("account", str(account), held)
            # Without an account only seasons can be followed; such streams take no places from those of matches.
            registry.slots.hold_place(LivePlace("accounts" if account else "followers", address, end), held)
        except Problem as problem:
            await _refuse(send, problem)
            return
        length = (b"content-length",)
        headers = [(name, value) for name, value in start["headers"] if name.lower() not in length]
        await send({**start, "headers": headers})
        for body in bodies:
            await send({**body, "more_body": True})
        try:
            await until_one_ends(
                _send_updates(stream, connection, held, send),
                _until_disconnect(receive),
                asyncio.sleep(settings.LIVE_SECONDS),
            )
        except OSError:
            pass
        except Exception as error:  # the reader reconnects from its last version
            log.warning("stream_broken", error=type(error).__name__)
        with suppress(OSError):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_updates(stream: Stream, connection: Connection, held: ExitStack, send: Send) -> None:
    if stream.season is not None:
        connection.version = stream.version
        texts = _season_changes(stream.season, connection, held)
    elif stream.login:
        texts = _login(connection, held)
    elif stream.talk is not None:
        texts = _talk_frames(stream, connection, held)
    elif stream.match_id is not None:
        texts = _match_frames(stream, connection, held)
    else:
        texts = _turn_alerts(stream, connection, held)
    async for text in texts:
        body = line(stream.form, text) if text else heartbeat(stream.form)
        await send({"type": "http.response.body", "body": body.encode(), "more_body": True})


async def _match_frames(stream: Stream, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """Yield the match's frames until its end; an empty text if nothing has happened for a while."""
    assert stream.match_id is not None and stream.witness is not None  # noqa: S101  both or neither
    async with hubs().arrivals.at_once:
        watch = held.enter_context(hubs().watching(connection, stream.match_id, stream.witness))
        await watch.hub.refreshed()
    watch.continue_from(stream.version, lost=not await watch.holds(stream.version))
    while True:
        async for text in watch.news():
            yield text
        if connection.close_reason is not None:
            return
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _talk_frames(stream: Stream, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """Yield the new remarks of a thread while the account may read it. The view has sent the latest remarks; they are
    sent again in their current form."""
    assert stream.talk is not None  # noqa: S101
    listener = Listener(connection, only=stream.thread)
    held.enter_context(hubs().listening(listener, stream.talk))
    while connection.close_reason is None:
        for text in listener.take():
            yield text
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _season_changes(season: UUID, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """Yield a message whenever the season has changed, without its content: the reader reloads the page, which shows
    what they may see. Changes within a moment are sent as one."""
    held.enter_context(hubs().following(connection, season))
    while connection.close_reason is None:
        has_moved = await connection.wait(SIGN_SECONDS)
        if connection.close_reason is None:
            yield CHANGED if has_moved else ""
            await asyncio.sleep(season_changes.REST_SECONDS if has_moved else 0)


async def _login(connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """Yield only keep-alive texts, until the session ends."""
    held.enter_context(hubs().signed_in(connection))
    while connection.close_reason is None:
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _turn_alerts(stream: Stream, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """Yield the account's turn alerts."""
    assert connection.account is not None  # noqa: S101 (only a season's stream has no account)
    alerts = TurnAlerts(connection.account, connection, stream.alerted)
    held.enter_context(hubs().waiting(alerts))
    await hubs().update_alerts([connection.account])
    while connection.close_reason is None:
        for text in alerts.take():
            yield text
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _until_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, problem: Problem) -> None:
    problem_headers = {"content-type": CONTENT_TYPE, **problem.headers}
    headers = [(name.lower().encode(), value.encode()) for name, value in problem_headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(problem.document(""))})


def _credential(stream: Stream) -> Credential:
    if stream.account is None:
        return Credential()
    if stream.token is not None:
        return Credential(token=stream.token.id)
    return session_credential(stream.account, stream.session)
