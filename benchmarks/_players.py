"""Players without computation: each move's bytes are made beforehand, and only the version is read from each frame.

A move costs such a client some 40 us, so that the clients on the same machine do not distort the measurement.
"""

import asyncio
import base64
import json
import os
import re
import struct
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

_VERSION = re.compile(rb'\{"kind":"(?:events|hello)"[^\[{]*?"(?:to|version)":(\d+)')
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")


OnVersion = Callable[["Ear", int], None]
"""Called with each version that a socket receives."""


Refused = Callable[[dict[str, Any]], None]
"""Called with the problem of a refused command."""


def _break(problem: dict[str, Any]) -> None:
    raise RuntimeError(json.dumps(problem))


def framed(opcode: int, payload: bytes) -> bytes:
    """Return a client's frame; a mask of zeros leaves the payload unchanged."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size)
    return bytes([0x80 | opcode]) + length + b"\0\0\0\0" + payload


class Ear(asyncio.Protocol):
    """A socket at a match that reports each version that it receives."""

    def __init__(self, match: str, token: str, on_version: OnVersion) -> None:
        self._match, self._token, self._on_version = match, token, on_version
        self._rest, self._open = b"", False
        self.lost: Callable[[Ear], None] | None = None
        self.refused: Refused = _break
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._address()} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if self.lost is not None:
            self.lost(self)

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        place, end = 0, len(data)
        if not self._open:
            place = self._greeted(data)
        while self._open and end - place >= 2:
            size, start = data[place + 1], place + 2
            if size > 125:
                start += 2 if size == 126 else 8
                size = int.from_bytes(data[place + 2 : start])
            if start + size > end or start > end:
                break
            self._hear(data[place], data, start, start + size)
            place = start + size
        self._rest = data[place:]

    def _greeted(self, data: bytes) -> int:
        """Return the offset of the first frame once the handshake is done."""
        head = data.find(b"\r\n\r\n")
        if head < 0:
            return 0
        if not data.startswith(b"HTTP/1.1 101"):
            raise RuntimeError(data.decode(errors="replace"))
        self._open = True
        self._opened()
        return head + 4

    def _address(self) -> str:
        return f"/ws/matches/{self._match}"

    def _opened(self) -> None:
        self.transport.write(framed(1, json.dumps({"kind": "auth", "token": self._token}).encode()))

    def _hear(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if opcode == 0x81:
            if version := _VERSION.match(data, start, min(end, start + 400)):
                self._on_version(self, int(version[1]))
            elif data.startswith(b'{"kind":"refused"', start):
                self.refused(json.loads(data[start:end])["problem"])
        elif opcode == 0x89:
            self.transport.write(framed(10, data[start:end]))


class Poster(asyncio.Protocol):
    """A connection for the commands of a seat over REST; reports each response."""

    def __init__(self, answered: Callable[[], None]) -> None:
        self._answered = answered
        self._got = b""
        self.refused: Refused = _break
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        head = self._got.find(b"\r\n\r\n")
        size = _LENGTH.search(self._got, 0, head) if head > 0 else None
        if size is None or len(self._got) < head + 4 + int(size[1]):
            return
        response, self._got = self._got, b""
        if response.startswith(b"HTTP/1.1 201"):
            self._answered()
        else:
            self.refused(json.loads(response[head + 4 :]))


class Play:
    """A match whose moves are prepared: the next move, the seats that have not received the last one, and the
    latencies."""

    def __init__(self, match: Any, rest: bool = False) -> None:
        self.id, self.tokens, self.rest = match["id"], match["tokens"], rest
        self.version = match["version"]
        self._due_at = self._sent_at = self._latest = 0.0
        self.mover = 0
        self._waited_for: set[int] = set()
        self._before = {since: number for number, (_, _, since, _) in enumerate(match["moves"])}
        make = self._request if rest else self._frame
        moves = match["moves"]
        self._moves = [(seat, make(number, seat, what, since)) for number, (seat, what, since, _) in enumerate(moves)]
        # The dealer may act after a move: the next one is sent once the version after that has been received.
        self._until = [since for _, _, since, _ in moves[1:]] + [to for *_, to in moves[-1:]]
        self.next = self.came_back_at = 0
        self.took: list[float] = []
        self.answered: list[float] = []
        """Latencies from when each was sent, without waiting before: the time of the service itself."""
        self.moved: Callable[[Play], None] = lambda _: None
        self.lines: list[Ear | Poster] = []

    async def sit(self, ports: list[int]) -> None:
        """Connect each seat, to the ports in turn; sockets wait for the hello."""
        self.greeted = asyncio.get_running_loop().create_future()
        self._waited_for = set(range(len(self.tokens)))
        for seat in range(len(self.tokens)):
            self.lines.append(await self.connect(seat, ports[seat % len(ports)]))
        if self.rest:
            self._waited_for.clear()
            self.greeted.set_result(None)
        await self.greeted

    async def connect(self, seat: int, port: int) -> "Ear | Poster":
        """Open a connection for this seat."""
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(lambda: self.line(seat), "127.0.0.1", port))[1]

    def line(self, seat: int) -> "Ear | Poster":
        """Return the protocol of a new connection."""
        return Poster(self._answered) if self.rest else Ear(self.id, self.tokens[seat], self.receiver_of(seat))

    @property
    def over(self) -> bool:
        """True if all its moves have been made."""
        return self.next >= len(self._moves)

    @property
    def waits(self) -> bool:
        """True if all seats have received its last move."""
        return not self._waited_for

    def send(self, since: float | None = None) -> None:
        """Make the next move; `since` is when it was due."""
        seat, text = self._moves[self.next]
        self.mover = seat
        self._waited_for = set(range(len(self.tokens)))
        self._sent_at = perf_counter()
        self._due_at = since or self._sent_at
        self.lines[seat].transport.write(text)

    def send_again(self) -> None:
        """Send the refused move again with the same key; its latency counts from when it was due."""
        seat, text = self._moves[self.next]
        self.lines[seat].transport.write(text)

    def go_on_from(self, version: int) -> None:
        """Continue after a lost connection: the last move may or may not have been stored."""
        self.version = self.came_back_at = version
        self.next = self._before.get(version, len(self._moves))

    def leave(self) -> None:
        """Close all connections."""
        for line in self.lines:
            if isinstance(line, Ear):
                line.lost = None
            line.transport.abort()
        self.lines = []

    def receiver_of(self, seat: int) -> OnVersion:
        def receive(_: Ear, version: int) -> None:
            if not self.greeted.done():
                self._waited_for.discard(seat)
                self.version = version
                if not self._waited_for:
                    self.greeted.set_result(None)
            elif seat in self._waited_for and version >= self._until[self.next]:
                self._waited_for.discard(seat)
                if seat != self.mover:
                    self._latest = perf_counter()
                if not self._waited_for:
                    self._done(self._latest)

        return receive

    def _answered(self) -> None:
        self._waited_for.clear()
        self._done(perf_counter())

    def _done(self, at: float) -> None:
        self.took.append(at - self._due_at)
        self.answered.append(at - self._sent_at)
        self.version = self._until[self.next]
        self.next += 1
        self.moved(self)

    def _frame(self, number: int, _seat: int, command: Any, since: int) -> bytes:
        message = {"kind": "command", "id": f"{self.id[:8]}-{number}", "command": command, "expected": since}
        return framed(1, json.dumps(message).encode())

    def _request(self, number: int, seat: int, command: Any, since: int) -> bytes:
        body = json.dumps(command).encode()
        return (
            f"POST /api/v1/matches/{self.id}/commands HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {self.tokens[seat]}\r\nContent-Type: application/json\r\n"
            f'Idempotency-Key: {self.id[:8]}-{number}\r\nIf-Match: "v{since}"\r\nContent-Length: {len(body)}\r\n\r\n'
        ).encode() + body


async def sit_all(plays: Iterable[Play], ports_of: Callable[[int], list[int]], at_once: int = 25) -> None:
    """Connect all seats, a few matches at a time."""
    waiting = list(enumerate(plays))
    for first in range(0, len(waiting), at_once):
        async with asyncio.timeout(120):
            await asyncio.gather(*(play.sit(ports_of(number)) for number, play in waiting[first : first + at_once]))
