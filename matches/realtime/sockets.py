"""A WebSocket at a match: it is let in, told what happens, heard, and shown out."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import ExitStack, suppress
from typing import Any, NamedTuple
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec
import structlog
from django.conf import settings

from matches.http import renderers
from matches.http.addresses import network
from matches.http.authentication import SignedOut
from matches.http.problems import CONTENT_TYPE, Problem, problem_of
from matches.reads import feed
from matches.realtime import access, connections, inbound
from matches.realtime.access import Caller
from matches.realtime.connections import Ending, Member
from matches.realtime.database_threads import acting, looking
from matches.realtime.hub import Watch
from matches.realtime.hub_registry import Floor, floor

log = structlog.get_logger(__name__)

AUTH_SECONDS = 5.0
PING_SECONDS = 15.0
SLOW_SECONDS = 10.0
"""A frame that takes longer to be read makes its reader too slow; the server cuts off who reads nothing."""
_MOST_FAULTS = 20
_HASH = re.compile(r"[0-9a-f]{8,64}")
_CLOSE_SECONDS = 2.0

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Asked(NamedTuple):
    """What the address asks for."""

    name: str
    after: int | None
    hash: str
    form: str


class ShownOut(Exception):
    """The connection is to be closed."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.reason)
        self.ending = ending


class Gone(Exception):
    """The client has left."""


async def at_match(scope: Message, receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/matches/{id or code}."""
    await receive()
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    try:
        asked = _asked(scope)
        _refuse_foreign(headers)
    except Problem as problem:
        await _refuse(send, problem)
        return
    await send({"type": "websocket.accept"})
    address = network((scope.get("client") or ("",))[0])
    socket = Socket(receive, send, address)
    try:
        with ExitStack() as held:
            await socket.live(asked, headers, held)
    except ShownOut as out:
        await socket.close(out.ending)
    except (Gone, OSError):
        pass
    except Exception as error:
        if problem_of(error) is None:
            log.error("socket failed", exc_info=error)
        await socket.close(connections.AWAY)


async def nowhere(scope: Message, receive: Receive, send: Send) -> None:
    """For every other address."""
    await receive()
    await _refuse(send, Problem("not_found"))


class Socket:
    """One open connection."""

    def __init__(self, receive: Receive, send: Send, address: str) -> None:
        self._receive = receive
        self._send = send
        self._address = address

    async def live(self, asked: Asked, headers: dict[str, str], held: ExitStack) -> None:
        """From the greeting to the end; raises ShownOut or Gone."""
        house = floor()
        self._take_place(house, "address", self._address, held)
        caller = await self._caller(headers, asked)
        account = caller.account.id if caller.account else None
        self._take_place(house, *(("account", str(account)) if account else ("strangers", "all")), held)
        await self._spend(caller)
        match_id, witness = await self._place(caller, asked.name)
        member = Member(account, caller.credential, form=asked.form)
        watch = held.enter_context(house.watching(member, match_id, witness))
        await watch.hub.refreshed()
        tasks = [
            asyncio.create_task(self._tell(watch, asked)),
            asyncio.create_task(self._hear(watch, caller)),
            asyncio.create_task(self._age(member)),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self, ending: Ending) -> None:
        """Say why, where it can still be heard."""
        with suppress(Exception):
            message = {"type": "websocket.close", "code": ending.code, "reason": ending.reason}
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._send(message)

    def _take_place(self, house: Floor, kind: str, whose: str, held: ExitStack) -> None:
        if not house.places.take(kind, whose):
            of_whom = "people who aren't signed in" if kind == "strangers" else f"this {kind}; close one first"
            raise ShownOut(Ending(connections.TOO_MANY, f"Too many connections from {of_whom}."))
        held.callback(house.places.give_back, kind, whose)

    async def _caller(self, headers: dict[str, str], asked: Asked) -> Caller:
        key = access.session_key(headers)
        if not key and asked.form and access.origin_may(headers):
            return access.STRANGER
        if key:
            caller = await looking(access.by_session)(key)
        else:
            caller = await looking(access.by_token)(await self._token())
        if caller is None:
            raise ShownOut(connections.SIGNED_OUT)
        return caller

    async def _token(self) -> str:
        """The token of the first frame."""
        try:
            async with asyncio.timeout(AUTH_SECONDS):
                message = inbound.read(await self._next())
        except (TimeoutError, Problem):
            message = None
        if not isinstance(message, inbound.Auth):
            raise ShownOut(
                Ending(connections.LOG_IN, f"The first frame is auth, with a token, within {AUTH_SECONDS:g} seconds.")
            )
        return message.token

    async def _place(self, caller: Caller, name: str) -> tuple[UUID, feed.Witness]:
        if caller.token is not None and "match:read" not in caller.token.scopes:
            raise ShownOut(Ending(connections.NOT_YOURS, "This token lacks the scope match:read."))
        try:
            return await acting(access.place)(str(caller.account.id) if caller.account else None, name)
        except (Problem, feed.NotEntitled):
            raise ShownOut(Ending(connections.NOT_YOURS, "There is no match with this id or code.")) from None

    async def _spend(self, caller: Caller) -> None:
        try:
            await acting(inbound.spend_read)(caller, self._address)
        except Problem as problem:
            raise ShownOut(Ending(connections.TOO_MANY, problem.detail)) from None

    # Telling

    async def _tell(self, watch: Watch, asked: Asked) -> None:
        member = watch.member
        if asked.after is not None and not await watch.holds(asked.after, asked.hash):
            watch.go_on_from(asked.after, lost=True)
        elif member.ending is None:
            if not member.form:
                await self._say(watch.greeting())
            if asked.after is not None:
                watch.go_on_from(asked.after)
        while True:
            async for text in watch.news():
                await self._say(text)
            if member.ending is not None:
                raise ShownOut(member.ending)
            if not await member.wait(PING_SECONDS):
                await self._say(_ping(watch))

    async def _say(self, text: str) -> None:
        """Send a frame; one that takes very long makes the reader too slow."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await self._send({"type": "websocket.send", "text": text})
        if loop.time() - begun > SLOW_SECONDS:
            raise ShownOut(connections.FALLEN_BEHIND)

    # Hearing

    async def _next(self) -> str | None:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        return message.get("text")

    async def _hear(self, watch: Watch, caller: Caller) -> None:
        faults = 0
        while True:
            text = await self._next()
            try:
                await self._answer(inbound.read(text), watch, caller)
            except Problem as problem:
                faults += 1
                await self._say(inbound.refused(problem))
            if faults > _MOST_FAULTS:
                raise ShownOut(Ending(connections.TOO_MANY, "Too many frames that can't be read."))

    async def _answer(self, message: inbound.Message, watch: Watch, caller: Caller) -> None:
        match message:
            case inbound.Command() if caller.account is None:
                raise Problem("not_authenticated", "Sign in to play; whoever isn't signed in may watch.")
            case inbound.Command():
                try:
                    answer = await acting(_carry_out)(caller, self._address, watch.hub.match_id, message)
                except SignedOut as problem:
                    await self._say(inbound.refused(problem, message.id))
                    raise ShownOut(connections.SIGNED_OUT) from None
                if answer.startswith(inbound.ACCEPTED):
                    watch.member.accepted.append(message.id)
                await self._say(answer.decode())
            case inbound.Resync(after=after):
                try:
                    await acting(_spend_read)(caller, self._address)
                except SignedOut:
                    raise ShownOut(connections.SIGNED_OUT) from None
                watch.go_on_from(after, lost=not await watch.holds(after))
                watch.member.wake()
            case inbound.Auth():
                raise Problem("malformed", "The socket has been told already who you are.")

    async def _age(self, member: Member) -> None:
        await asyncio.sleep(settings.LIVE_SECONDS * random.uniform(0.9, 1.0))  # noqa: S311  so that not all come at once
        member.end(connections.AGED)
        await asyncio.Event().wait()


def _carry_out(caller: Caller, address: str, match_id: UUID, message: inbound.Command) -> bytes:
    access.refuse_signed_out(caller)
    return inbound.carry_out(caller, address, match_id, message)


def _spend_read(caller: Caller, address: str) -> None:
    access.refuse_signed_out(caller)
    inbound.spend_read(caller, address)


def _asked(scope: Message) -> Asked:
    """What the address asks for; raises Problem."""
    try:
        given = parse_qsl(
            scope["query_string"].decode(), keep_blank_values=True, strict_parsing=bool(scope["query_string"])
        )
    except (ValueError, UnicodeDecodeError):
        raise Problem("malformed", "The query can't be read.") from None
    query = dict(given)
    if len(query) < len(given) or not query.keys() <= {"after", "hash", "form"}:
        # Above all no token: an address is written into logs.
        raise Problem("malformed", "A socket takes the parameters `after`, `hash` and `form`, each once, no others.")
    after, hash, form = query.get("after"), query.get("hash", ""), query.get("form", "")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 11):
        raise Problem("malformed", "`after` is a version, in digits.")
    if hash and not (after and _HASH.fullmatch(hash)):
        raise Problem("malformed", "`hash` is that of the event at `after`, in at least eight digits of hex.")
    if form and not renderers.known(form):
        raise Problem("malformed", "There is no such `form`.")
    name = scope["url_route"]["kwargs"]["name"]
    if "\0" in name:
        raise Problem("not_found")
    return Asked(name, None if after is None else int(after), hash, form)


def _refuse_foreign(headers: dict[str, str]) -> None:
    """Raise Problem for a page of another site, and for a cookie that no page brings."""
    if not access.host_may(headers):
        raise Problem("bad_host")
    may = access.origin_may(headers)
    if may is False:
        raise Problem("csrf_failed", "This page's origin may not open a socket here.")
    if may is None and access.session_key(headers):
        raise Problem("csrf_failed", "A socket that is opened with a cookie names its page in Origin.")


async def _refuse(send: Send, problem: Problem) -> None:
    """Refuse the handshake with an ordinary answer."""
    headers = [(b"content-type", CONTENT_TYPE.encode())]
    await send({"type": "websocket.http.response.start", "status": problem.status, "headers": headers})
    body = msgspec.json.encode(problem.document(""))
    await send({"type": "websocket.http.response.body", "body": body})


def _ping(watch: Watch) -> str:
    told = watch.group.greeting()
    return msgspec.json.encode(
        {"kind": "ping", "version": watch.member.version, "server_now": told.server_now}
    ).decode()
