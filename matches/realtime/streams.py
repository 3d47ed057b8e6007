"""Streams over HTTP: an answer that a view has begun goes on from the hubs, without a thread for each reader."""

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
from matches.http.streaming import MEDIA_TYPES, STREAM, Stream, line, sign_of_life
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
    """ASGI middleware: the application begins the answer; where it has put a Stream into the scope, it goes on here."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if not _may_stream(scope):
            await self.application(scope, receive, send)
            return
        try:
            # What would find no place isn't worth a thread and a look at the match.
            connection_slots().refuse_early(network((scope.get("client") or ("",))[0]))
        except Problem as problem:
            await _refuse(send, problem)
            return
        begun: list[Message] = []

        async def hold(message: Message) -> None:
            """Hold back a stream's beginning; other answers pass, as an export may be of any length."""
            if STREAM in scope:
                begun.append(message)
            else:
                await send(message)

        await self.application(scope, receive, hold)
        if begun:
            await _go_on(scope[STREAM], begun, receive, send)


def _may_stream(scope: Message) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept").lower()
    return scope["path"].endswith("/me/stream") or any(name.encode() in accepted for name in MEDIA_TYPES)


async def _go_on(stream: Stream, begun: list[Message], receive: Receive, send: Send) -> None:
    start, *bodies = begun
    account = stream.account.id if stream.account else None
    connection = Connection(account, _credential(stream))
    registry = hubs()
    with metrics.CONNECTIONS.labels("stream").track_inprogress(), ExitStack() as held:
        address, end = network(stream.address), partial(connection.end, GIVEN_AWAY)
        try:
            registry.slots.hold("address", address, held)
            if account:
                registry.slots.hold("account", str(account), held)
            # Who isn't signed in follows seasons alone, and takes no place from those who watch matches.
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
                _tell(stream, connection, held, send), _until_gone(receive), asyncio.sleep(settings.LIVE_SECONDS)
            )
        except OSError:
            pass
        except Exception as error:  # the reader comes again from its last version
            log.warning("stream_broken", error=type(error).__name__)
        with suppress(OSError):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _tell(stream: Stream, connection: Connection, held: ExitStack, send: Send) -> None:
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
        body = line(stream.form, text) if text else sign_of_life(stream.form)
        await send({"type": "http.response.body", "body": body.encode(), "more_body": True})


async def _match_frames(stream: Stream, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """The match's frames until its end; an empty one where nothing has happened for a while."""
    assert stream.match_id is not None and stream.witness is not None  # noqa: S101  both or neither
    async with hubs().arrivals.at_once:
        watch = held.enter_context(hubs().watching(connection, stream.match_id, stream.witness))
        await watch.hub.refreshed()
    watch.go_on_from(stream.version, lost=not await watch.holds(stream.version))
    while True:
        async for text in watch.news():
            yield text
        if connection.close_reason is not None:
            return
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _talk_frames(stream: Stream, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """What is said in a thread, for as long as the account reads it. The view has told its latest remarks, which are
    told again, with whatever has become of them meanwhile."""
    assert stream.talk is not None  # noqa: S101
    listener = Listener(connection, only=stream.thread)
    held.enter_context(hubs().listening(listener, stream.talk))
    while connection.close_reason is None:
        for text in listener.take():
            yield text
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _season_changes(season: UUID, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """That the season has moved, and nothing of how: who is told so asks for their page, which knows what they may
    see. What happens within a moment is told once."""
    held.enter_context(hubs().following(connection, season))
    while connection.close_reason is None:
        has_moved = await connection.wait(SIGN_SECONDS)
        if connection.close_reason is None:
            yield CHANGED if has_moved else ""
            await asyncio.sleep(season_changes.REST_SECONDS if has_moved else 0)


async def _login(connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """Nothing but signs of life, until the login ends."""
    held.enter_context(hubs().signed_in(connection))
    while connection.close_reason is None:
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _turn_alerts(stream: Stream, connection: Connection, held: ExitStack) -> AsyncIterator[str]:
    """The account's turn alerts."""
    assert connection.account is not None  # noqa: S101 (only a season is followed without an account)
    alerts = TurnAlerts(connection.account, connection, stream.told)
    held.enter_context(hubs().waiting(alerts))
    await hubs().update_alerts([connection.account])
    while connection.close_reason is None:
        for text in alerts.take():
            yield text
        if not await connection.wait(SIGN_SECONDS):
            yield ""


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, problem: Problem) -> None:
    told = {"content-type": CONTENT_TYPE, **problem.headers}
    headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(problem.document(""))})


def _credential(stream: Stream) -> Credential:
    if stream.account is None:
        return Credential()
    if stream.token is not None:
        return Credential(token=stream.token.id)
    return session_credential(stream.account, stream.session)
