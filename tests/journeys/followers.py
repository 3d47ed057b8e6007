"""Those who follow a match by a proxy, each by a transport of its own, and come again whenever they are cut off."""

import json
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from threading import Event, Thread
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.journeys.proxies import Front
from tests.plain_http import NOBODY

_PATIENCE_SECONDS = 12.0
"""Longer than a stream or socket is ever silent."""
_LAST = "seed_revealed"
"""The event with which a match ends."""
_AWAY = (httpx.HTTPError, OSError, EOFError, WebSocketException)


class Follower(Thread):
    """Keeps the hash of each version in the order in which they were told; a gap or a double ends it with a fault."""

    def __init__(self, transport: str, front: Front, token: str, match: str) -> None:
        super().__init__(name=f"{transport} of {match}", daemon=True)
        self.transport, self.match, self.front, self.token = transport, match, front, token
        self.told: list[str] = []
        self.returns = -1
        self.fault: Exception | None = None
        self._enough = Event()
        self._follow: Callable[[], Generator[dict[str, Any], None, None]] = getattr(self, f"_by_{transport}")

    def run(self) -> None:
        try:
            while not self._enough.is_set():
                self.returns += 1
                with suppress(*_AWAY), closing(self._follow()) as events:
                    for event in events:
                        assert event["version"] == len(self.told) + 1, f"{event['version']} after {len(self.told)}"
                        self.told.append(event["hash"])
                        if event["type"] == _LAST:
                            self._enough.set()
                        if self._enough.is_set():
                            break
                self._enough.wait(0.1)
        except Exception as fault:  # the test raises it again
            self.fault = fault

    def ask_to_stop(self) -> None:
        """It goes with the next thing that it is told, a ping if nothing else; up to ten seconds later."""
        self._enough.set()

    def stop(self) -> None:
        """Let it go; raises what it found wrong."""
        self.ask_to_stop()
        self.join(2 * _PATIENCE_SECONDS)
        if self.fault:
            raise AssertionError(f"{self.name}: {self.fault}") from self.fault

    @property
    def _address(self) -> str:
        return f"{self.front.url}/api/v1/matches/{self.match}/events"

    def _headers(self, accept: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Accept": accept}

    def _by_socket(self) -> Generator[dict[str, Any], None, None]:
        address = f"{self.front.url}/ws/matches/{self.match}?after={len(self.told)}".replace("http", "ws", 1)
        with connect(address, ssl=self.front.socket_trust, proxy=None, open_timeout=5, close_timeout=1) as line:
            line.send(json.dumps({"kind": "auth", "token": self.token}))
            while not self._enough.is_set():
                frame = json.loads(line.recv(timeout=_PATIENCE_SECONDS))
                yield from frame["events"] if frame["kind"] == "events" else ()

    def _by_lines(self) -> Generator[dict[str, Any], None, None]:
        for line in self._lines("application/x-ndjson", after=len(self.told)):
            frame = json.loads(line) if line else {"kind": ""}
            yield from frame["events"] if frame["kind"] == "events" else ()

    def _by_events(self) -> Generator[dict[str, Any], None, None]:
        for line in self._lines("text/event-stream", last=str(len(self.told))):
            frame = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            yield from frame.get("events", ())

    def _by_polls(self) -> Generator[dict[str, Any], None, None]:
        with httpx.Client(verify=self.front.trust or NOBODY, timeout=_PATIENCE_SECONDS) as client:
            while not self._enough.is_set():
                query = {"after": len(self.told), "wait": 5}
                answer = client.get(self._address, params=query, headers=self._headers("application/json"))
                if answer.status_code >= 500:
                    return
                yield from answer.raise_for_status().json()["results"]

    def _lines(self, accept: str, after: int | None = None, last: str | None = None) -> Generator[str, None, None]:
        headers = self._headers(accept) | ({"Last-Event-ID": last} if last else {})
        query = {} if after is None else {"after": after}
        with (
            httpx.Client(verify=self.front.trust or NOBODY, timeout=_PATIENCE_SECONDS) as client,
            client.stream("GET", self._address, params=query, headers=headers) as answer,
        ):
            if answer.status_code == 200:
                for line in answer.iter_lines():
                    yield line
                    if self._enough.is_set():
                        return


TRANSPORTS = ("socket", "lines", "events", "polls")
