"""The two ways a guest's requests go: to Django in this process, or to a web process, which answers usual ones at once.

With `--served` commands, views and events go the second way.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import httpx
from django.test import Client

from config.runner.embedded.server import free_port
from config.runner.parts import web
from tests.plain_http import NOBODY


class Response(NamedTuple):
    """A response: status, headers and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Door(Protocol):
    """A way to ask."""

    def ask(self, method: str, path: str, data: bytes, headers: Mapping[str, str]) -> Response:
        """The answer to a request."""
        ...


class InProcess:
    """Django's views, without a server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def ask(self, method: str, path: str, data: bytes, headers: Mapping[str, str]) -> Response:
        """The answer to a request."""
        sent_headers = dict(headers)
        kind = sent_headers.pop("Content-Type")
        response: Any = self._client.generic(method, path, data, content_type=kind, headers=sent_headers)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        return Response(response.status_code, response.headers, body)


class Served:
    """A web process."""

    def __init__(self, address: str) -> None:
        self._address = address
        # A whole client would keep cookies, and send headers that no test has asked for.
        self._transport = httpx.HTTPTransport(verify=NOBODY)

    def close(self) -> None:
        """Close its connection."""
        self._transport.close()

    def ask(self, method: str, path: str, data: bytes, headers: Mapping[str, str]) -> Response:
        """The answer to a request."""
        sent_headers = {"Host": "localhost", **headers}
        if not data:
            del sent_headers["Content-Type"]
        encoded = [(name.encode(), value.encode()) for name, value in sent_headers.items()]
        request = httpx.Request(method, self._address + path, headers=encoded, content=data)
        response = self._transport.handle_request(request)
        return Response(response.status_code, response.headers, response.read())


_USUAL = re.compile(r"/api/v1/matches/[^/]+/(commands|view|events)(\?.*)?")
_served: Served | None = None


def for_request(path: str, headers: Mapping[str, str]) -> Served | None:
    """The web process, for what one may answer at once; None where this process is to be asked."""
    is_usual = _USUAL.fullmatch(path) is not None and "Accept" not in headers
    return _served if is_usual else None


def use(door: Served | None) -> None:
    """Send guests' usual requests this way from now on; None for this process alone."""
    global _served
    _served = door


@contextmanager
def closed() -> Iterator[None]:
    """Meanwhile guests ask this process alone."""
    before = _served
    use(None)
    yield
    use(before)


@contextmanager
def served(logs: Path, **env: str) -> Iterator[Served]:
    """A web process on the stage's servers, with the settings of the tests."""
    process = web(free_port(), os.environ | env, logs)
    process.start()
    try:
        with closing(Served(f"http://127.0.0.1:{process.arguments[-1]}")) as door:
            yield door
    finally:
        process.request_stop()
        process.stop()
