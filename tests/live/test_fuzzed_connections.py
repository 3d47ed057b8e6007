"""Whatever is sent on a connection, in whatever pieces, it is answered in order or closed and leaves nothing behind."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
import uvloop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.server import connections
from tests.live.bare import HANDSHAKE, Bare, bare_server
from tests.live.test_deadlines import LONG, SILENT, UNFIT

pytestmark = pytest.mark.slow

SHORT = 0.2
HOST = b"Host: localhost\r\n"
BODIES = st.binary(max_size=40) | st.sampled_from(
    [b"", b"a", b"\r\n\r\n", b"0\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"x" * 70_000]
)
PLACES = st.integers(0, 9).map(lambda number: b"/%d" % number)
FRAMES = st.sampled_from([
    b"\x81\x81\0\0\0\0a", b"\x82\x81\0\0\0\0a", b"\x01\x81\0\0\0\0a", b"\x00\x81\0\0\0\0a", b"\x80\x80\0\0\0\0",
    b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x88\x80\0\0\0\0", b"\x88\x82\0\0\0\0\x03\xe8", b"\x81\x81\0\0\0\0\xff",
    b"\x81\x01a", b"\xf1\x80\0\0\0\0", b"\x81\xfe\xff\xff\0\0\0\0", b"\x81\xff" + b"\xff" * 12, b"\x89\xfe\0\x80",
])  # fmt: skip


def _post(place: bytes, body: bytes) -> bytes:
    return b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (place, HOST, len(body), body)


def _chunked(place: bytes, body: bytes) -> bytes:
    pieces = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
    return b"POST %b HTTP/1.1\r\n%bTransfer-Encoding: chunked\r\n\r\n%b0\r\n\r\n" % (place, HOST, pieces)


def _get(place: bytes, more: bytes) -> bytes:
    return b"GET %b HTTP/1.1\r\n%b%b\r\n" % (place, HOST, more)


HEADERS = st.sampled_from([
    b"", b"Connection: close\r\n", b"Expect: 100-continue\r\n", b"Upgrade: h2c\r\nConnection: Upgrade\r\n", b"X\r\n",
    b"Content-Length: 3\r\n", b"Content-Length: x\r\n", b"Transfer-Encoding: chunked\r\n", HOST,
])  # fmt: skip
WHOLE = st.builds(_get, PLACES, st.just(b"")) | st.builds(_post, PLACES, BODIES) | st.builds(_chunked, PLACES, BODIES)
ODD = (
    st.builds(_get, PLACES, HEADERS)
    | st.sampled_from([*UNFIT.values(), *LONG.values(), *SILENT.values(), HANDSHAKE.replace(b"1.1", b"1.0")])
    | st.binary(max_size=30)
    | st.sampled_from([b"\r\n", b"\r\n\r\n", b"HEAD / HTTP/1.1\r\n" + HOST + b"\r\n", b"GET / HTTP/1.0\r\n\r\n"])
)
SOCKET = st.lists(FRAMES, max_size=8).map(lambda frames: HANDSHAKE + b"".join(frames))


class Client(NamedTuple):
    """The acts of a client: it sends texts in pieces, reads or not, and ends by one of three ways."""

    texts: list[bytes]
    sizes: list[int]
    reads: bool
    end: str


CLIENTS = st.builds(
    Client,
    st.lists(
        WHOLE | ODD | SOCKET | SOCKET.map(lambda text: text.replace(b"GET /", b"GET /closing")), min_size=1, max_size=5
    ),
    st.lists(st.integers(1, 300), max_size=10),
    st.booleans(),
    st.sampled_from(["half-close", "abort", "wait"]),
)


class Application:
    """An application that answers each request with its path, and reads a body or not."""

    def __init__(self) -> None:
        self.now = 0
        self.in_order: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.now += 1
        assert self.now == 1, "A connection has one request in progress."
        try:
            await (self._request if scope["type"] == "http" else self._socket)(scope, receive, send)
        finally:
            self.now -= 1

    async def _request(self, scope: Any, receive: Any, send: Any) -> None:
        if int.from_bytes(scope["raw_path"][-1:]) % 3:
            while (message := await receive())["type"] == "http.request" and message["more_body"]:
                pass
        path = scope["raw_path"][:9]
        self.in_order.append(path)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(path))]})
        await send({"type": "http.response.body", "body": path})

    async def _socket(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        if scope["path"] == "/closing":
            await send({"type": "websocket.close", "code": 4000})
        else:
            scope["extensions"]["croupier.admitted"]["admit"]()
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message.get("text") or ""})


async def run_client(bare: Bare, client: Client) -> bytes:
    """Send a client's texts; return the bytes that it receives."""
    text, received = b"".join(client.texts), b""
    reader, writer = await bare.connect()
    # uvloop has a RuntimeError for what is written on a closed connection, and an OSError for its half-close.
    with suppress(OSError, RuntimeError):
        for size in client.sizes:
            writer.write(text[:size])
            text = text[size:]
            await asyncio.sleep(0)
        writer.write(text)
        if client.end == "abort":
            writer.transport.abort()
        elif client.end == "half-close":
            writer.write_eof()
        while client.reads and client.end != "abort" and (more := await reader.read(65536)):
            received += more
    return received


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines of a moment."""
    for name in ("UNREAD_SECONDS", "IDLE_SECONDS"):
        monkeypatch.setattr(connections, name, SHORT)


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(CLIENTS)
def test_a_connection_ends_in_time_and_leaves_nothing(
    new_loop: Callable[[], asyncio.AbstractEventLoop], short: None, caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    caplog.clear()
    app = Application()

    async def live() -> bytes:
        async with bare_server(app) as bare, asyncio.timeout(20):
            asking = asyncio.create_task(run_client(bare, client))
            await asyncio.sleep(0)
            while not bare.lines or not all(it._is_lost for it in (*bare.lines, *bare.sockets)) or app.now:
                # An open socket has no deadline but for pings, which come later than this.
                if any(it._state is connections.State.OPEN for it in bare.sockets):
                    bare.clients[0].transport.abort()
                await asyncio.sleep(0.01)
            return await asking

    with asyncio.Runner(loop_factory=new_loop) as runner:
        answers = runner.run(live())
    faults = [it.getMessage() for it in caplog.records if it.levelname in ("ERROR", "CRITICAL")]
    assert not faults
    limits = connections.LIMITS
    assert not (limits._address_of or limits._count or limits._waiting or limits._bytes or limits.bytes_held)
    bodies = re.findall(rb"HTTP/1.1 200 OK\r\n(?:[^\r]+\r\n)*\r\n(/\d)", answers)
    assert bodies == [path for path in app.in_order if re.fullmatch(rb"/\d", path)][: len(bodies)]
