"""Every state of a connection has a deadline, and one that waits for its client may be closed for another."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from config.server import connections
from config.server.connections import State
from tests.live.bare import HANDSHAKE, Bare, bare_server

SHORT = 0.2
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
FRAME = b"\x81\x81\0\0\0\0a"
NO_BODY = HANDSHAKE[:-2]
UNFIT = {
    "length": NO_BODY + b"Content-Length: 5\r\n\r\nhello",
    "chunks": NO_BODY + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "endless chunks": NO_BODY + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhe",
    "method": HANDSHAKE.replace(b"GET", b"POST"),
    "no key": HANDSHAKE.replace(b"Sec-WebSocket-Key", b"X-Key"),
    "two keys": NO_BODY + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    "many headers": NO_BODY + b"".join(b"X%d: a\r\n" % number for number in range(300)) + b"\r\n",
    "two hosts": NO_BODY + b"Host: other\r\n\r\n",
}
LONG = {
    "many headers": NO_BODY + b"".join(b"X%d: a\r\n" % number for number in range(150)) + b"\r\n",
    "long path": HANDSHAKE.replace(b"GET /", b"GET /" + b"a" * 9000),
    "long header": NO_BODY + b"X: " + b"a" * 9000 + b"\r\n\r\n",
}
SILENT = {
    "nothing": b"",
    "half a head": GET,
    "half a second head": GET + b"\r\nGET /",
    "half a body": POST + b"Content-Length: 9\r\n\r\na",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\na",
    "idle": GET + b"\r\n",
    "handshake": HANDSHAKE,
    "handshake and frame": HANDSHAKE + FRAME,
    "closed by the application": HANDSHAKE.replace(b"GET /", b"GET /closing"),
}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Deadlines of a moment."""
    for name in ("UNREAD_SECONDS", "IDLE_SECONDS"):
        monkeypatch.setattr(connections, name, SHORT)
    yield


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer requests with 204, and sockets with what they say; admit those whose path is /admitted."""
    if scope["type"] == "http":
        while (message := await receive())["type"] == "http.request" and message.get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    if scope["path"] == "/admitted":
        scope["extensions"]["croupier.admitted"]["admit"]()
    if scope["path"] == "/closing":
        await send({"type": "websocket.close", "code": 4000})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


async def answer(bare: Bare, sent: bytes) -> bytes:
    """Return all that a client is sent until its connection is closed, which has to happen by itself."""
    reader, _ = await bare.connect(sent)
    async with asyncio.timeout(8):
        return await reader.read()


@pytest.mark.parametrize("sent", SILENT.values(), ids=SILENT)
def test_a_connection_is_closed_when_its_client_falls_silent(sent: bytes, short: None) -> None:
    async def live() -> None:
        async with bare_server(app) as bare:
            await answer(bare, sent)

    asyncio.run(live())


@pytest.mark.parametrize("sent", UNFIT.values(), ids=UNFIT)
def test_invalid_handshake_is_refused_at_once(sent: bytes) -> None:
    async def live() -> bytes:
        async with bare_server(app) as bare:
            return await answer(bare, sent)

    head, *more = asyncio.run(live()).split(b"HTTP/1.1 ")[1:]
    assert head[:3] in (b"400", b"431") and not more


@pytest.mark.parametrize("sent", LONG.values(), ids=LONG)
def test_a_long_handshake_within_the_limits_of_a_head_is_answered(sent: bytes) -> None:
    async def live() -> bytes:
        async with bare_server(app) as bare:
            reader, _ = await bare.connect(sent + FRAME)
            async with asyncio.timeout(8):
                received = await reader.readuntil(b"\r\n\r\n") + await reader.readexactly(3)
            return received

    handshake = asyncio.run(live())
    assert handshake.startswith(b"HTTP/1.1 101 ") and handshake.endswith(b"\x81\x01a")


def test_socket_counts_as_waiting_before_admission_and_while_closing() -> None:
    async def live() -> list[State | None]:
        states: list[State | None] = []
        async with bare_server(app) as bare:
            for path in (b"/", b"/admitted", b"/closing"):
                reader, writer = await bare.connect(HANDSHAKE.replace(b"GET /", b"GET " + path))
                await reader.readuntil(b"\r\n\r\n")
                if path == b"/closing":
                    await reader.readexactly(4)
                else:
                    writer.write(FRAME)
                    await reader.readexactly(3)
                states.append(bare.sockets[-1]._state)
        return states

    assert asyncio.run(live()) == [State.HANDSHAKE, State.OPEN, State.CLOSING]


def test_unadmitted_socket_is_replaced_by_another_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections.LIMITS, "per_address", 4)

    async def live() -> list[bool]:
        async with bare_server(app) as bare:
            for path in (b"/admitted", b"/", b"/admitted", b"/"):
                reader, _ = await bare.connect(HANDSHAKE.replace(b"GET /", b"GET " + path) + FRAME)
                await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(3)
            for _ in range(2):
                assert (await answer(bare, GET + b"Connection: close\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
            return [it.disconnected for it in bare.sockets]

    assert asyncio.run(live()) == [False, True, False, False]


def test_socket_is_refused_with_503_when_all_connections_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections.LIMITS, "in_all", 2)

    async def live() -> list[bytes]:
        async with bare_server(app) as bare:
            for _ in range(2):
                reader, _ = await bare.connect(HANDSHAKE.replace(b"GET /", b"GET /admitted") + FRAME)
                await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(3)
            return [await answer(bare, sent) for sent in (HANDSHAKE, GET + b"\r\n")]

    assert [reply[:13] for reply in asyncio.run(live())] == [b"HTTP/1.1 503 "] * 2


def test_slowly_reading_client_keeps_its_connection() -> None:
    much = 20_000_000

    async def large(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % much)]})
        await send({"type": "http.response.body", "body": b"x" * much})

    async def live() -> None:
        async with bare_server(large) as bare:
            reader, _ = await bare.connect(GET + b"\r\n")
            await reader.readuntil(b"\r\n\r\n")
            (line,) = bare.lines
            unread = line.transport.get_write_buffer_size()
            assert line._state is State.UNREAD and unread > 0
            async with asyncio.timeout(8):
                while unread - line.transport.get_write_buffer_size() < connections.LEAST_BYTES:
                    await reader.read(65536)
            line._expire(State.UNREAD)
            assert not line.transport.is_closing(), "It has read something since."
            line._expire(State.UNREAD)
            assert line.transport.is_closing(), "It has read nothing since."

    asyncio.run(live())
