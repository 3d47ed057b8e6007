"""WebSocket clients with little overhead, so that a thousand of them measure the server and not themselves."""

import asyncio
import base64
import json
import os
import re
import resource
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

Take = Callable[[bytes], None]


class Line(asyncio.Protocol):
    """A socket at a match: authenticates and passes on each text frame."""

    def __init__(self, match: str, token: str, take: Take) -> None:
        self._match, self._token, self._take = match, token, take
        self._got, self._open = b"", False
        self.transport: asyncio.Transport
        self.lost = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws/matches/{self._match} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._got += data
        if not self._open:
            head, separator, rest = self._got.partition(b"\r\n\r\n")
            if not separator:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise RuntimeError(head.decode(errors="replace"))
            self._open, self._got = True, rest
            self.say(kind="auth", token=self._token)
        while (frame := self._frame()) is not None:
            opcode, payload = frame
            if opcode == 1:
                self._take(payload)
            elif opcode == 9:
                self._write(10, payload)

    def say(self, **message: Any) -> None:
        self._write(1, json.dumps(message).encode())

    def _write(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size)
        # A mask of zeros leaves the payload unchanged.
        self.transport.write(bytes([0x80 | opcode]) + length + b"\0\0\0\0" + payload)

    def _frame(self) -> tuple[int, bytes] | None:
        got = self._got
        if len(got) < 2:
            return None
        size, start = got[1] & 0x7F, 2
        if size >= 126:
            form, start = ("!H", 4) if size == 126 else ("!Q", 10)
            if len(got) < start:
                return None
            (size,) = struct.unpack(form, got[2:start])
        if len(got) < start + size:
            return None
        self._got = got[start + size :]
        return got[0] & 0x0F, got[start : start + size]


class Poster(asyncio.Protocol):
    """A connection for consecutive POST requests to a match; a subclass writes the requests."""

    def __init__(self, match: str, token: str) -> None:
        self._path, self._token = f"/api/v1/matches/{match}/commands", token
        self._got = b""
        self._answer: asyncio.Future[None] | None = None
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, separator, body = self._got.partition(b"\r\n\r\n")
        size = re.search(rb"(?i)content-length: (\d+)", head)
        if not separator or size is None or len(body) < int(size[1]) or self._answer is None:
            return
        self._got = b""
        if head.startswith(b"HTTP/1.1 201"):
            self._answer.set_result(None)
        else:
            self._answer.set_exception(RuntimeError(body.decode(errors="replace")))


async def open_line(port: int, match: str, token: str, take: Take) -> Line:
    """Open a socket."""
    _, line = await asyncio.get_running_loop().create_connection(lambda: Line(match, token, take), "127.0.0.1", port)
    return line


def allow_many_files() -> None:
    """Raise the limit of open files as far as is permitted: a thousand sockets exceed the usual limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Return the memory of a process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
