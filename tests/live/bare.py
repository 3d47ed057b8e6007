"""An ASGI application of a test's own behind the connections of the service, in the test's event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from config.server.http_connections import HTTPConnection
from config.server.socket_connections import SocketConnection

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@dataclass
class Bare:
    """The address of the server, and the connections that it has made."""

    address: tuple[str, int] = ("", 0)
    lines: list[HTTPConnection] = field(default_factory=list)
    sockets: list[SocketConnection] = field(default_factory=list)
    clients: list[asyncio.StreamWriter] = field(default_factory=list)

    async def connect(self, sent: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect a client, which is closed at the end, and send something."""
        reader, writer = await asyncio.open_connection(*self.address, limit=1024)
        self.clients.append(writer)
        writer.write(sent)
        return reader, writer


@asynccontextmanager
async def bare_server(app: Callable[..., Any]) -> AsyncIterator[Bare]:
    """Serve it as long as the block lasts."""
    bare, state, loop = Bare(), ServerState(), asyncio.get_running_loop()

    def socket(*details: Any) -> SocketConnection:
        bare.sockets.append(SocketConnection(*details))
        return bare.sockets[-1]

    config = uvicorn.Config(app, log_config=None, ws=socket, ws_per_message_deflate=False, ws_max_size=16 * 1024)  # type: ignore[arg-type]
    config.load()

    def line() -> HTTPConnection:
        bare.lines.append(HTTPConnection(config, state, {}, loop))
        return bare.lines[-1]

    server = await loop.create_server(line, "127.0.0.1", 0)
    bare.address = server.sockets[0].getsockname()
    try:
        yield bare
    finally:
        server.close()
        for client in bare.clients:
            client.transport.abort()
        for connection in (*bare.lines, *bare.sockets):
            if not connection._is_lost:
                connection.transport.abort()
        while state.tasks:
            await asyncio.wait(state.tasks)
        # Closing takes a turn of the loop.
        await asyncio.sleep(0)
