"""A web process that is told to end loses no request that a proxy sends by a connection it has kept."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse, RemoteDisconnected
from pathlib import Path
from time import monotonic

import pytest

from config.server.connections import DRAIN_SECONDS
from tests.live.conftest import served
from tests.live.watching import House
from tests.waiting import PATIENCE, wait_until

SOCKET = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


@pytest.fixture
def web(tmp_path: Path) -> Iterator[House]:
    """A web process to which callers from here are a proxy."""
    with served(tmp_path, FORWARDED_ALLOW_IPS="127.0.0.1") as house:
        yield house


@pytest.mark.slow
def test_request_on_a_draining_connection_is_answered_with_connection_close(web: House) -> None:
    used, idle, upgraded = (connected(web) for _ in range(3))
    assert get_response(used).getheader("Connection") is None
    assert [get_response(it).status for it in (idle, upgraded)] == [200, 200]
    began = monotonic()
    end(web)
    answer = get_response(used)
    assert (answer.status, answer.getheader("Connection")) == (200, "close")
    # A socket would be asked to come again at once.
    with pytest.raises((RemoteDisconnected, ConnectionResetError)):
        get_response(upgraded, "/ws/me", SOCKET)
    assert is_closed(used) and monotonic() - began < DRAIN_SECONDS
    assert is_closed(idle) and DRAIN_SECONDS <= monotonic() - began + 0.1 < DRAIN_SECONDS + 1
    assert '"level": "error"' not in web.log.read_text()
    for line in (used, idle, upgraded):
        line.close()


@pytest.mark.slow
def test_idle_anonymous_connection_is_closed_at_once_when_draining(tmp_path: Path) -> None:
    with served(tmp_path) as web, closing(connected(web)) as line:
        assert get_response(line).status == 200
        began = monotonic()
        os.kill(web.pid, signal.SIGTERM)
        assert is_closed(line) and monotonic() - began < DRAIN_SECONDS / 2


def connected(web: House) -> HTTPConnection:
    """A connection that is kept."""
    line = HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE)
    line.connect()
    return line


def get_response(line: HTTPConnection, path: str = "/healthz", headers: dict[str, str] | None = None) -> HTTPResponse:
    """Return the response to a request on this connection, its body read."""
    # A connection that the server has closed isn't opened again.
    line.auto_open = 0
    line.request("GET", path, headers={"Host": "localhost", **(headers or {})})
    answer = line.getresponse()
    answer.read()
    return answer


def end(web: House) -> None:
    """Tell it to end; it takes no connection any more."""
    os.kill(web.pid, signal.SIGTERM)
    wait_until(lambda: not takes_connections(web))


def takes_connections(web: House) -> bool:
    try:
        socket.create_connection(("127.0.0.1", web.port), timeout=2).close()
    except OSError:
        return False
    return True


def is_closed(line: HTTPConnection) -> bool:
    """Wait for the server; return True if it closes the connection."""
    return line.sock is None or line.sock.recv(1) == b""
