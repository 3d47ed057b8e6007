"""A socket that is over waits for no reader, however little is left to be told."""

import asyncio
import socket
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from config.server import connections
from config.server.connections import SocketConnection
from matches.realtime import sockets
from tests.live.test_freed import HANDSHAKE
from tests.waiting import PATIENCE


@pytest.mark.parametrize("most", [0, 8 * 1024], ids=["nothing waits", "a little waits"])
def test_a_socket_whose_last_words_nobody_takes_is_cut_off(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.3)
    made: list[SocketConnection] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while most and made[0].transport.get_write_buffer_size() <= most:
            await send({"type": "websocket.send", "text": "x" * 1024})
            await asyncio.sleep(0)
        await send({"type": "websocket.close", "code": 1000})

    async def live() -> int:
        config = uvicorn.Config(app, log_config=None)
        config.load()

        def connection() -> SocketConnection:
            it = SocketConnection(config, ServerState(), {}, asyncio.get_running_loop())
            it.close_timeout = 0.1
            made.append(it)
            return it

        server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0)
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.setblocking(False)
            await asyncio.get_running_loop().sock_connect(line, server.sockets[0].getsockname())
            await asyncio.get_running_loop().sock_sendall(line, HANDSHAKE)
            async with asyncio.timeout(PATIENCE):
                while not made or not made[0].disconnected:
                    await asyncio.sleep(0.01)
        server.close()
        return made[0].transport.get_write_buffer_size()

    assert asyncio.run(live()) == 0


def test_nothing_is_written_at_once_to_who_has_no_room_or_is_gone() -> None:
    """The bound on what a socket that reads nothing takes holds for what is written without waiting, too."""

    async def live() -> None:
        config = uvicorn.Config(lambda *_: None, log_config=None)  # type: ignore[arg-type]
        config.load()
        loop = asyncio.get_running_loop()
        made: list[SocketConnection] = []
        written, gone = loop.create_future(), loop.create_future()

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
            await gone
            assert not write("too late")

        config.loaded_app = app  # type: ignore[assignment]

        def connection() -> SocketConnection:
            made.append(SocketConnection(config, ServerState(), {}, loop))
            return made[0]

        server = await loop.create_server(connection, "127.0.0.1", 0)
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.setblocking(False)
            await loop.sock_connect(line, server.sockets[0].getsockname())
            await loop.sock_sendall(line, HANDSHAKE)
            async with asyncio.timeout(PATIENCE):
                assert await written
            assert made[0].transport.get_write_buffer_size() <= connections._LEAST_BYTES + 2 * 1024
        made[0].transport.abort()
        await asyncio.sleep(0)
        gone.set_result(None)
        await asyncio.gather(*made[0].tasks)
        server.close()

    asyncio.run(live())
