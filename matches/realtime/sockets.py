"""A WebSocket of a match: the handshake, the frames sent, the messages received, and the close."""

import asyncio
import random
import re
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec
import structlog
from django.conf import settings

from events import arrivals
from matches.http import limits, metrics, renderers
from matches.http.addresses import network
from matches.http.asgi import Message, Receive, Send
from matches.http.authentication import SignedOut
from matches.http.commands import DEALER_DUE
from matches.http.database_threads import acting
from matches.http.open_connections import LivePlace
from matches.http.overload import Overloaded, refuse_beyond_capacity
from matches.http.page_owner import owner_tag
from matches.http.problems import CONTENT_TYPE, Problem, problem_of
from matches.http.scopes import reaches
from matches.reads import entitlements
from matches.realtime import access, connections, dealer_waits, inbound
from matches.realtime.access import Identity
from matches.realtime.arrivals import ConnectRequest, ConnectResult
from matches.realtime.connections import CloseReason, Connection
from matches.realtime.hub_registry import HubRegistry, hubs
from matches.realtime.talk_hub import Listener
from matches.realtime.together import until_one_ends
from matches.realtime.watching import Watch

log = structlog.get_logger(__name__)

AUTH_SECONDS = 5.0
PING_SECONDS = 15.0
SLOW_SECONDS = 10.0
"""A client that takes longer to read a frame is too slow; the server closes sockets whose client reads nothing."""
_MAX_FAULTS = 20
_HASH = re.compile(r"[0-9a-f]{8,64}")
_CLOSE_SECONDS = 2.0
AT_ONCE = "croupier.at_once"
"""ASGI extension of a server that can write a text without waiting, if there is room for it."""
ADMITTED = "croupier.admitted"
"""ASGI extension of a server that closes sockets of unauthenticated clients first."""


class SocketQuery(NamedTuple):
    """The parameters of the address. With `talk` the socket also sends the match's talk."""

    name: str
    after: int | None
    hash: str
    form: str
    talk: bool


class CloseConnection(Exception):
    """Raised to close the connection."""

    def __init__(self, close_reason: CloseReason) -> None:
        super().__init__(close_reason.reason)
        self.close_reason = close_reason


class ClientDisconnected(Exception):
    """The client has disconnected."""


async def at_match(scope: Message, receive: Receive, send: Send) -> None:
    """The ASGI application for /ws/matches/{id or code}."""
    await receive()
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    try:
        query = _query_of(scope)
        _refuse_foreign(headers)
    except Problem as problem:
        await _refuse(send, problem)
        return
    await send({"type": "websocket.accept"})
    address = network((scope.get("client") or ("",))[0])
    extensions = scope.get("extensions", {})
    write, admit = extensions.get(AT_ONCE, {}).get("write"), extensions.get(ADMITTED, {}).get("admit")
    socket = Socket(receive, send, address, write, admit)
    try:
        with metrics.CONNECTIONS.labels("socket").track_inprogress(), ExitStack() as held:
            await socket.live(query, headers, held)
    except CloseConnection as out:
        await socket.close(out.close_reason)
    except (ClientDisconnected, OSError):
        pass
    except Exception as error:
        if problem_of(error) is None:
            log.error("socket failed", exc_info=error)
        await socket.close(connections.AWAY)


async def nowhere(scope: Message, receive: Receive, send: Send) -> None:
    """The ASGI application for every other address."""
    await receive()
    await _refuse(send, Problem("not_found"))


class Socket:
    """One open connection."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        address: str,
        write: Callable[[str], bool] | None = None,
        admit: Callable[[], None] | None = None,
    ) -> None:
        self._receive = receive
        self._send = send
        self._address = address
        self._write = write
        self._admit = admit

    async def live(self, query: SocketQuery, headers: dict[str, str], held: ExitStack) -> None:
        """Serve the connection from the greeting to the end; raises CloseConnection or ClientDisconnected."""
        registry = hubs()
        _hold(registry.slots.hold, "address", self._address, held)
        _hold(registry.slots.refuse_early, self._address)
        request = await self._connect_request(headers, query)
        # All clients may reconnect at once, and moves must still be played meanwhile.
        async with registry.arrivals.at_once:
            identity, match_id, witness = await self._resolve(registry, request)
            account = identity.account.id if identity.account else None
            connection = Connection(account, identity.credential, form=query.form)
            if account:
                _hold(registry.slots.hold, "account", str(account), held)
            group, end = "accounts" if account else "strangers", partial(connection.end, connections.GIVEN_AWAY)
            _hold(registry.slots.hold_place, LivePlace(group, self._address, end), held)
            connection.write = self._write
            if self._admit is not None:
                self._admit()
            watch = held.enter_context(registry.watching(connection, match_id, witness))
            await watch.hub.refreshed()
        listener = _listener(connection, identity, query)
        if listener is not None:
            held.enter_context(registry.listening(listener, match_id))
        await until_one_ends(
            self._send_updates(watch, query, listener),
            self._receive_messages(watch, identity),
            self._expire(connection),
        )

    async def close(self, close_reason: CloseReason) -> None:
        """Close with code and reason, if the client is still connected."""
        with suppress(Exception):
            message = {"type": "websocket.close", "code": close_reason.code, "reason": close_reason.reason}
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._send(message)

    async def _connect_request(self, headers: dict[str, str], query: SocketQuery) -> ConnectRequest:
        """Return what the client has sent; waits for its token if the headers have no credential."""
        if key := access.session_key(headers):
            return ConnectRequest(self._address, query.name, session=key)
        if query.form and access.origin_may(headers):
            return ConnectRequest(self._address, query.name)
        return ConnectRequest(self._address, query.name, token=await self._token())

    async def _resolve(self, registry: HubRegistry, request: ConnectRequest) -> ConnectResult:
        try:
            return await registry.arrivals.resolve(request)
        except SignedOut:
            raise CloseConnection(connections.SIGNED_OUT) from None
        except (Problem, entitlements.NotEntitled) as error:
            raise CloseConnection(_close_reason_of(error)) from None

    async def _token(self) -> str:
        """Return the token of the first frame."""
        try:
            async with asyncio.timeout(AUTH_SECONDS):
                message = inbound.read(await self._next())
        except (TimeoutError, Problem):
            message = None
        if not isinstance(message, inbound.Auth):
            raise CloseConnection(
                CloseReason(
                    connections.NOT_SIGNED_IN,
                    f"The first frame is auth, with a token, within {AUTH_SECONDS:g} seconds.",
                )
            )
        return message.token

    # Sending

    async def _send_updates(self, watch: Watch, query: SocketQuery, listener: Listener | None) -> None:
        connection = watch.connection
        if connection.form:
            await self._send_text(
                msgspec.json.encode({"kind": "owner", "owner": owner_tag(connection.account)}).decode()
            )
        if query.after is not None and not await watch.holds(query.after, query.hash):
            watch.continue_from(query.after, lost=True)
        elif connection.close_reason is None:
            if not connection.form:
                await self._send_text(watch.greeting())
            if query.after is not None:
                watch.continue_from(query.after)
        while True:
            async for text in watch.news():
                await self._send_text(text)
            for text in listener.take() if listener is not None else ():
                await self._send_text(text)
            if connection.close_reason is not None:
                raise CloseConnection(connection.close_reason)
            if not await connection.wait(PING_SECONDS):
                await self._send_text(_ping(watch))

    async def _send_text(self, text: str) -> None:
        """Send a frame; a client that takes too long to read it is too slow."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await self._send({"type": "websocket.send", "text": text})
        if loop.time() - begun > SLOW_SECONDS:
            raise CloseConnection(connections.FALLEN_BEHIND)

    # Receiving

    async def _next(self) -> str | None:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise ClientDisconnected
        return message.get("text")

    async def _receive_messages(self, watch: Watch, identity: Identity) -> None:
        faults = 0
        while True:
            text = await self._next()
            try:
                await self._answer(inbound.read(text), watch, identity)
            except Problem as problem:
                faults += 1
                await self._send_text(inbound.refused(problem))
            if faults > _MAX_FAULTS:
                raise CloseConnection(CloseReason(connections.TOO_MANY, "Too many frames that can't be read."))

    async def _answer(self, message: inbound.Message, watch: Watch, identity: Identity) -> None:
        match message:
            case inbound.CommandMessage() if identity.account is None:
                raise Problem("not_authenticated", "Sign in to play; whoever isn't signed in may watch.")
            case inbound.CommandMessage():
                try:
                    answer = await self._admitted(message, watch, identity)
                except SignedOut as problem:
                    await self._send_text(inbound.refused(problem, message.id))
                    raise CloseConnection(connections.SIGNED_OUT) from None
                if not answer.code:
                    watch.connection.accepted.append(message.id)
                await self._send_text(answer.frame.decode())
            case inbound.Resync(after=after):
                try:
                    await acting(_spend_read)(identity, self._address)
                except SignedOut:
                    raise CloseConnection(connections.SIGNED_OUT) from None
                watch.continue_from(after, lost=not await watch.holds(after))
                watch.connection.wake()
            case inbound.Auth():
                raise Problem("malformed", "The socket has been told already who you are.")

    async def _admitted(self, message: inbound.CommandMessage, watch: Watch, identity: Identity) -> inbound.Answer:
        """Play a command as of its arrival; refuse it before any work if it would wait too long."""
        with arrivals.awaited() as arrival:
            arrival.stamp()
            try:
                refuse_beyond_capacity(watch.hub.match_id)
            except Overloaded as problem:
                return inbound.Answer(inbound.refused(problem, message.id).encode(), problem.code)
            return await self._carry_out(message, watch, identity)

    async def _carry_out(self, message: inbound.CommandMessage, watch: Watch, identity: Identity) -> inbound.Answer:
        """Play a command, from memory if possible. If the dealer must act first, retry for a moment, as over REST,
        without holding a thread. Later messages of the client wait and are read in order."""
        match_id, account = watch.hub.match_id, identity.account
        counted = account is not None and (
            await limits.spend_at_once("commands", account.id, self._address) is not None
        )
        if counted and (answer := await inbound.carry_out_at_once(identity, watch.group.witness, match_id, message)):
            return answer
        until = time.monotonic() + dealer_waits.PATIENCE_SECONDS
        answer = await acting(inbound.carry_out)(identity, self._address, match_id, message, counted)
        while answer.code == DEALER_DUE and await dealer_waits.has_dealt(match_id, until):
            answer = await acting(inbound.carry_out)(identity, self._address, match_id, message, counted=True)
        return answer

    async def _expire(self, connection: Connection) -> None:
        await asyncio.sleep(settings.LIVE_SECONDS * random.uniform(0.9, 1.0))  # noqa: S311  spreads reconnects
        connection.end(connections.AGED)
        await asyncio.Event().wait()


def _hold(take: Callable[..., None], *place: Any) -> None:
    """Take a place with a method of ConnectionSlots; raises CloseConnection if there is none."""
    try:
        take(*place)
    except Problem as problem:
        raise CloseConnection(CloseReason(connections.TOO_MANY, problem.detail)) from None


def _listener(connection: Connection, identity: Identity, query: SocketQuery) -> Listener | None:
    """Return the listener for the talk, if requested and allowed; None without an account."""
    if not query.talk or identity.account is None:
        return None
    if identity.token is not None and not reaches(identity.token, "chat:read"):
        raise CloseConnection(CloseReason(connections.NOT_YOURS, "This token lacks the scope chat:read."))
    return Listener(connection)


def _close_reason_of(error: Problem | entitlements.NotEntitled) -> CloseReason:
    """Return the reason for closing a connection whose match could not be resolved."""
    if isinstance(error, Problem) and error.code == "too_many_requests":
        return CloseReason(connections.TOO_MANY, error.detail)
    if isinstance(error, Problem) and error.code == "missing_scope":
        return CloseReason(connections.NOT_YOURS, "This token lacks the scope match:read.")
    return CloseReason(connections.NOT_YOURS, "There is no match with this id or code.")


def _spend_read(identity: Identity, address: str) -> None:
    access.refuse_signed_out(identity)
    inbound.spend_read(identity, address)


def _query_of(scope: Message) -> SocketQuery:
    """Return the parameters of the address; raises Problem."""
    try:
        pairs = parse_qsl(
            scope["query_string"].decode(), keep_blank_values=True, strict_parsing=bool(scope["query_string"])
        )
    except (ValueError, UnicodeDecodeError):
        raise Problem("malformed", "The query can't be read.") from None
    query = dict(pairs)
    if len(query) < len(pairs) or not query.keys() <= {"after", "hash", "form", "talk"}:
        # In particular no token, because addresses are logged.
        detail = "A socket takes the parameters `after`, `hash`, `form` and `talk`, each once, no others."
        raise Problem("malformed", detail)
    after, hash, form = query.get("after"), query.get("hash", ""), query.get("form", "")
    if query.get("talk", "1") != "1":
        raise Problem("malformed", "`talk` is 1, where what is said at the match is to be told, too.")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 11):
        raise Problem("malformed", "`after` is a version, in digits.")
    if hash and not (after and _HASH.fullmatch(hash)):
        raise Problem("malformed", "`hash` is that of the event at `after`, in at least eight digits of hex.")
    if form and not renderers.known(form):
        raise Problem("malformed", "There is no such `form`.")
    name = scope["url_route"]["kwargs"]["name"]
    if "\0" in name:
        raise Problem("not_found")
    return SocketQuery(name, None if after is None else int(after), hash, form, "talk" in query)


def _refuse_foreign(headers: dict[str, str]) -> None:
    """Raise Problem for a page of another site, and for a cookie without an Origin."""
    if not access.host_may(headers):
        raise Problem("bad_host")
    may = access.origin_may(headers)
    if may is False:
        raise Problem("csrf_failed", "This page's origin may not open a socket here.")
    if may is None and access.session_key(headers):
        raise Problem("csrf_failed", "A socket that is opened with a cookie names its page in Origin.")


async def _refuse(send: Send, problem: Problem) -> None:
    """Refuse the handshake with an ordinary response."""
    headers = [(b"content-type", CONTENT_TYPE.encode())]
    await send({"type": "websocket.http.response.start", "status": problem.status, "headers": headers})
    body = msgspec.json.encode(problem.document(""))
    await send({"type": "websocket.http.response.body", "body": body})


def _ping(watch: Watch) -> str:
    greeting = watch.group.greeting()
    return msgspec.json.encode(
        {"kind": "ping", "version": watch.connection.version, "server_now": greeting.server_now}
    ).decode()
