"""A socket that is over waits for no reader, however little is left to be told."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from config.server import connections
from matches.realtime import sockets
from tests.live.bare import HANDSHAKE, Bare, bare_server
from tests.waiting import PATIENCE


@asynccontextmanager
async def unread_socket(app: Callable[..., Any]) -> AsyncIterator[Bare]:
    """A socket whose client has sent a handshake and reads nothing."""
    async with bare_server(app) as bare:
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.setblocking(False)
            await asyncio.get_running_loop().sock_connect(line, bare.address)
            await asyncio.get_running_loop().sock_sendall(line, HANDSHAKE)
            yield bare


@pytest.mark.parametrize("most", [0, 8 * 1024], ids=["nothing waits", "a little waits"])
def test_socket_with_unread_closing_frames_is_disconnected(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.3)
    closing = asyncio.Event()

    async def live() -> int:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            while most and bare.sockets[0].transport.get_write_buffer_size() <= most:
                await send({"type": "websocket.send", "text": "x" * 1024})
                await asyncio.sleep(0)
            await send({"type": "websocket.close", "code": 1000})
            closing.set()

        async with unread_socket(app) as bare, asyncio.timeout(PATIENCE):
            await closing.wait()
            while not bare.sockets[0].disconnected:
                await asyncio.sleep(0.01)
            return bare.sockets[0].transport.get_write_buffer_size()

    assert asyncio.run(live()) == 0


def test_immediate_write_fails_without_room_or_client() -> None:
    """The bound on what a socket that reads nothing takes holds for what is written without waiting, too."""

    async def live() -> None:
        written, client_gone, over = (asyncio.get_running_loop().create_future() for _ in range(3))

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            write = scope["extensions"][sockets.AT_ONCE]["write"]
            assert not write("too early"), "No frame goes before the answer to the handshake."
            await send({"type": "websocket.accept"})
            texts = 0
            while write("x" * 1024):
                texts += 1
                await asyncio.sleep(0)
            written.set_result(texts)
            await client_gone
            over.set_result(write("too late"))

        async with unread_socket(app) as bare:
            async with asyncio.timeout(PATIENCE):
                assert await written
            transport = bare.sockets[0].transport
            assert transport.get_write_buffer_size() <= connections.LEAST_BYTES + 2 * 1024
            transport.abort()
            await asyncio.sleep(0)
            client_gone.set_result(None)
            assert await over is False

    asyncio.run(live())
