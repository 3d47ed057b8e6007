"""A crowd that shuts doors: one address opens connections, says little on them, and opens others for those it loses."""

import http.client
import socket
from collections.abc import Mapping, Sequence
from threading import Event, Thread
from time import monotonic
from typing import Any

from tests.waiting import PATIENCE

UNFINISHED = (
    b"",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
)
"""Nothing, half a head, half a body; and a whole request, after whose answer the connection stays idle."""


class Crowd:
    """Slow requests from one address, or from several in turn, until the block ends."""

    def __init__(
        self,
        port: int,
        size: int,
        address: str | Sequence[str] = "127.0.0.1",
        sent: Sequence[bytes] = UNFINISHED,
        pace: int | None = None,
    ) -> None:
        self.port, self.size, self.sent = port, size, sent
        self.addresses = [address] if isinstance(address, str) else address
        self.pace = size if pace is None else pace
        """Maximum number of connections opened per second."""
        self.opened = 0
        self.failures = 0
        self._over = Event()
        self.complete = Event()
        """Every one of them has been opened once."""
        self._lines: list[socket.socket] = []
        self._thread = Thread(target=self._crowd)

    def __enter__(self) -> "Crowd":
        self._thread.start()
        # A crowd that comes at a pace is watched as it comes.
        assert self.pace < self.size or self.complete.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        for line in self._lines:
            line.close()

    def _crowd(self) -> None:
        while not self._over.is_set():
            self._lines = [line for line in self._lines if _is_open(line)]
            for _ in range(min(self.pace, self.size - len(self._lines))):
                self._open()
            if self.opened >= self.size:
                self.complete.set()
            self._over.wait(1)

    def _open(self) -> None:
        line = socket.socket()
        try:
            line.settimeout(5)
            line.bind((self.addresses[self.opened % len(self.addresses)], 0))
            line.connect(("127.0.0.1", self.port))
            line.sendall(self.sent[self.opened % len(self.sent)])
            line.setblocking(False)
        except OSError:
            self.failures += 1
            line.close()
        else:
            self._lines.append(line)
        self.opened += 1


def _is_open(line: socket.socket) -> bool:
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass
    line.close()
    return False


class Elsewhere:
    """A client of another address, in the place of Django's own; each request goes over a connection of its own."""

    def __init__(self, port: int, address: str = "127.0.0.2") -> None:
        self.port, self.address = port, address
        self.seconds: list[float] = []

    def generic(self, method: str, path: str, data: bytes, content_type: str, headers: Mapping[str, str]) -> "Told":
        """The answer to one request."""
        begun = monotonic()
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(self.address, 0))
        try:
            line.request(method, path, data, {"Host": "localhost", "Content-Type": content_type, **headers})
            answer = line.getresponse()
            return Told(answer.status, answer.headers, answer.read())
        finally:
            line.close()
            self.seconds.append(monotonic() - begun)


class Told:
    """An answer as Django's client gives it."""

    streaming = False

    def __init__(self, status_code: int, headers: Any, content: bytes) -> None:
        self.status_code, self.headers, self.content = status_code, headers, content
