"""Requests that are sent before the ones before them are answered wait unparsed, and each has its answer, in order."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.server import connections
from config.server.http_connections import HTTPConnection
from tests.live.bare import HANDSHAKE, Bare, bare_server

FRAME = b"\x81\x81\0\0\0\0a"
PING = b"\x89\x80\0\0\0\0"


def get(path: str) -> bytes:
    return f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def post(path: str, body: bytes) -> bytes:
    return f"POST /{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def chunked(path: str, body: bytes) -> bytes:
    pieces = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (body[:3], body[3:]) if piece)
    head = f"POST /{path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    return head + pieces + b"0\r\n\r\n"


class Counting:
    """An application that answers with the path and the body, and counts the requests that it has at a time."""

    def __init__(self) -> None:
        self.now = self.most = self.answered = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        if scope["type"] == "websocket":
            await self._socket(receive, send)
        else:
            await self._request(scope, receive, send)
        self.now -= 1

    async def _request(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                break
        await asyncio.sleep(0)
        received = scope["path"].encode() + b" " + body + b"."
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(received))]}
        )
        await send({"type": "http.response.body", "body": received})
        self.answered += 1

    async def _socket(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})


async def sent_to(bare: Bare, pieces: list[bytes], until: Callable[[bytes], bool]) -> bytes:
    """Return what a client is told that sends these pieces, each by itself, up to where it is enough."""
    reader, writer = await bare.connect()
    received = b""
    for piece in pieces:
        writer.write(piece)
        await asyncio.sleep(0)
    async with asyncio.timeout(8):
        while not until(received) and (more := await reader.read(65536)):
            received += more
    return received


def bodies(received: bytes) -> list[bytes]:
    """Return the bodies of answers."""
    return [it.partition(b"\r\n\r\n")[2] for it in received.split(b"HTTP/1.1 200 OK\r\n")[1:]]


REQUESTS = st.lists(
    st.tuples(st.sampled_from([post, chunked]), st.sampled_from([b"", b"a", b"\r\n\r\n", b"\r\n\r\n\r\n", b"GET / H"]))
    | st.tuples(st.just(get), st.just(b"")),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(REQUESTS, st.lists(st.integers(1, 60), max_size=12))
def test_requests_are_answered_one_by_one_however_they_are_cut(
    requests: list[tuple[Callable[..., bytes], bytes]], sizes: list[int]
) -> None:
    whole = b"".join(
        make(str(number), *([body] if make is not get else [])) for number, (make, body) in enumerate(requests)
    )
    pieces = []
    for size in sizes:
        pieces.append(whole[:size])
        whole = whole[size:]
    expected = [b"/%d %b." % (number, body) for number, (_, body) in enumerate(requests)]

    async def live() -> list[bytes]:
        app = Counting()
        async with bare_server(app) as bare:
            received = await sent_to(bare, [*pieces, whole], lambda it: bodies(it) == expected)
            assert app.most == 1
            return bodies(received)

    assert asyncio.run(live()) == expected


def test_nothing_is_parsed_while_a_request_is_in_progress() -> None:
    many = get("first") + 5000 * get("next")

    async def live() -> None:
        requested, answered = asyncio.Event(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            requested.set()
            await answered.wait()

        async with bare_server(app) as bare:
            await bare.connect(many)
            async with asyncio.timeout(8):
                await requested.wait()
                while bare.lines[0].transport.is_reading():
                    await asyncio.sleep(0.01)
            line = bare.lines[0]
            assert line._position == len(get("first")) and not line.pipeline
            assert connections.LIMITS.bytes_held == len(line._pending) < len(many)
            answered.set()
        assert connections.LIMITS.bytes_held == 0

    asyncio.run(live())


def test_client_that_reads_nothing_has_few_requests_answered() -> None:
    async def live() -> int:
        app = Counting()
        async with bare_server(app) as bare:
            reader, writer = await bare.connect()
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            body = b"x" * 50_000
            writer.write(400 * post("large", body))
            async with asyncio.timeout(20):
                while not bare.lines or not bare.lines[0].flow.write_paused:
                    await asyncio.sleep(0.01)
            for _ in range(20):
                await asyncio.sleep(0)
            assert connections.LIMITS.bytes_held < 1024 * 1024
            del reader
        return app.answered

    assert 0 < asyncio.run(live()) < 400


def test_client_that_disconnects_in_a_pipeline_logs_no_error(caplog: pytest.LogCaptureFixture) -> None:
    async def live() -> None:
        app = Counting()
        async with bare_server(app) as bare:
            for _ in range(20):
                _, writer = await bare.connect(2000 * get("x"))
                await asyncio.sleep(0.01)
                writer.transport.abort()
            async with asyncio.timeout(8):
                while not all(it._is_lost for it in bare.lines) or app.now:
                    await asyncio.sleep(0.01)

    asyncio.run(live())
    assert not [it for it in caplog.records if it.levelname in ("ERROR", "CRITICAL")]


def test_a_request_before_an_upgrade_keeps_its_answer() -> None:
    async def live() -> bytes:
        async with bare_server(Counting()) as bare:
            return await sent_to(bare, [get("before") + HANDSHAKE + FRAME], lambda it: it.endswith(b"\x81\x01a"))

    first, second = asyncio.run(live()).split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 ") and first.endswith(b"/before .")
    assert second.startswith(b"101 ") and second.endswith(b"\x81\x01a")


def test_an_upgrade_of_http_1_0_is_an_ordinary_request() -> None:
    async def live() -> bytes:
        async with bare_server(Counting()) as bare:
            return await sent_to(bare, [HANDSHAKE.replace(b"1.1", b"1.0")], lambda it: False)

    received = asyncio.run(live())
    assert received.startswith(b"HTTP/1.1 200 OK\r\n") and b"connection: close\r\n" in received


@pytest.mark.parametrize("late", [b"zz\r\n", b"5\r\nhelloX\r\n"], ids=["size", "end"])
def test_incomplete_body_gets_no_second_response(late: bytes) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def live() -> bytes:
        async with bare_server(app) as bare:
            reader, writer = await bare.connect(chunked("x", b"abc")[: -len(b"0\r\n\r\n")])
            received = await reader.readuntil(b"begun")
            writer.write(late)
            async with asyncio.timeout(8):
                try:
                    return received + await reader.read()
                except ConnectionResetError:
                    return received

    everything_received = asyncio.run(live())
    assert everything_received.count(b"HTTP/1.1") == 1 and everything_received.endswith(b"begun")


async def flooded(bare: Bare, frame: bytes, enough: Callable[[], Awaitable[bool]]) -> None:
    reader, writer = await bare.connect(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(frame * (4_000_000 // len(frame)))
    async with asyncio.timeout(20):
        while not await enough():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("frame", [FRAME, PING], ids=["messages", "pings"])
def test_socket_that_only_sends_has_few_frames_parsed(frame: bytes) -> None:
    most = 0

    async def live() -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            nonlocal most
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] == "websocket.receive":
                most = max(most, bare.sockets[0].queue.qsize())
                await send({"type": "websocket.send", "text": "x" * 200})

        async def enough() -> bool:
            return not bare.sockets[0].writable.is_set() and not bare.sockets[0].transport.is_reading()

        async with bare_server(app) as bare:
            await flooded(bare, frame, enough)
            socket = bare.sockets[0]
            assert socket.transport.get_write_buffer_size() < 64 * 1024
            assert socket.bytes_held() < 400 * 1024
            assert most < 200

    asyncio.run(live())


@pytest.mark.parametrize(
    ("frames", "code"),
    [(b"\x01\x80\0\0\0\0" + 1000 * b"\x00\x80\0\0\0\0", 1009), (b"\x81\x81\0\0\0\0\xff", 1007)],
    ids=["fragments", "no text"],
)
def test_unreadable_message_closes_the_socket(frames: bytes, code: int, caplog: pytest.LogCaptureFixture) -> None:
    async def live() -> bytes:
        async with bare_server(Counting()) as bare:
            return await sent_to(bare, [HANDSHAKE, frames], lambda it: False)

    assert b"\x88\x02" + code.to_bytes(2, "big") in asyncio.run(live())
    assert not [it for it in caplog.records if it.levelname in ("ERROR", "CRITICAL")]


def test_a_full_body_is_read_no_further_until_it_is_taken() -> None:
    async def live() -> int:
        requested, taken = asyncio.Event(), asyncio.Event()
        size = 0

        async def app(scope: Any, receive: Any, send: Any) -> None:
            nonlocal size
            requested.set()
            await taken.wait()
            while (message := await receive())["type"] == "http.request":
                size += len(message["body"])
                if not message["more_body"]:
                    break
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})

        async with bare_server(app) as bare:
            reader, _ = await bare.connect(post("large", b"x" * 3_000_000))
            async with asyncio.timeout(8):
                await requested.wait()
                line: HTTPConnection = bare.lines[0]
                while line.transport.is_reading():
                    await asyncio.sleep(0.01)
                assert len(line.cycle.body) <= 2 * 65536 and line.bytes_held() < 700_000
                taken.set()
                await reader.readuntil(b"\r\n\r\n")
        return size

    assert asyncio.run(live()) == 3_000_000
