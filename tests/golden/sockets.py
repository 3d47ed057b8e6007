"""Sockets and streams at the ASGI application, in this process: an event loop of its own, in a thread of its own."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from events import estimated_clock, store
from matches.realtime import hub_registry
from matches.services import fast_way
from matches.storage import outages
from tests.api.guests import Guest
from tests.golden.transcript import Transcript
from tests.waiting import PATIENCE, wait_until

_ANSWERS = ("accepted", "refused")
_SIGNS = ("presence", "ping")
"""Frames that come whenever they like."""


TALK = "talk=1"
"""The query of a socket that hears what is said."""
THREADS = ("table", "spectators")


class Line:
    """Somebody at a match over a socket, or over a stream of events. What they are told is kept as text."""

    def __init__(self, loop: asyncio.AbstractEventLoop, label: str, scope: dict[str, Any]) -> None:
        from config.asgi import application

        self.label = label
        self.expected = 0
        self.told: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self.status: list[dict[str, Any]] = []
        self._loop = loop
        self._says: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._task = asyncio.run_coroutine_threadsafe(application(scope, self._says.get, self._hear), loop)

    def say(self, **frame: Any) -> None:
        """Send a frame."""
        self.put({"type": "websocket.receive", "text": json.dumps(frame)})

    def put(self, message: dict[str, Any]) -> None:
        """Let the application receive this."""
        self._loop.call_soon_threadsafe(self._says.put_nowait, message)

    async def _hear(self, message: Any) -> None:
        text = message.get("text") or message.get("body", b"").decode()
        if text:
            self.told.append(text)
            self.frames += frames_of(text)
        else:
            self.status.append(message)

    @property
    def version(self) -> int:
        """The version up to which it has been told."""
        return max((frame.get("to", frame.get("version", 0)) for frame in self.frames if _moves(frame)), default=0)

    def reach(self, version: int) -> None:
        """Wait until this version has been told."""
        wait_until(lambda: self.version >= version or self._task.done(), PATIENCE)

    def follow(self, kind: str) -> None:
        """Wait until a frame of this kind has been told."""
        wait_until(lambda: any(frame["kind"] == kind for frame in self.frames), PATIENCE)

    def answers(self) -> int:
        """Return the number of answered commands."""
        return sum(frame["kind"] in _ANSWERS for frame in self.frames)

    @property
    def lines(self) -> list[str]:
        """Return the lines that a stream has sent."""
        return "".join(self.told).split("\n")

    @property
    def beginning(self) -> dict[str, Any]:
        """Status and headers of a stream."""
        start = self.status[0]
        headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return {
            "status": start["status"],
            "headers": {it: headers[it] for it in sorted(headers) if it != "x-request-id"},
        }

    def end(self) -> None:
        """Wait until the application ends it."""
        self._task.result(PATIENCE)

    def leave(self, kind: str) -> None:
        """Hang up, and wait for the end."""
        self.put({"type": f"{kind}.disconnect"})
        self._task.result(PATIENCE)


def frames_of(text: str) -> Iterator[dict[str, Any]]:
    """The frames in what was sent at once, but signs of life."""
    for line in text.splitlines():
        if (
            line.startswith(("{", "data: "))
            and (frame := json.loads(line.removeprefix("data: ")))["kind"] not in _SIGNS
        ):
            yield frame


def _moves(frame: dict[str, Any]) -> bool:
    return frame["kind"] in ("hello", "events", "resync")


@contextmanager
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop that runs meanwhile, as a web process's does."""
    outages.load_silence()
    estimated_clock.record_reading(store.clock())
    runs = asyncio.new_event_loop()
    thread = Thread(target=runs.run_forever, name="sockets", daemon=True)
    thread.start()
    try:
        yield runs
    finally:
        asyncio.run_coroutine_threadsafe(_end(), runs).result(PATIENCE)
        runs.call_soon_threadsafe(runs.stop)
        thread.join(PATIENCE)
        runs.close()


async def _end() -> None:
    here = asyncio.get_running_loop()
    if writer := fast_way._writers.pop(here, None):
        await writer.close()
    if registry := hub_registry._registries.pop(here, None):
        fast_way.listeners.remove(registry._publish)
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


class Hall:
    """All who are told of a match while it goes on."""

    def __init__(self, transcript: Transcript, runs: asyncio.AbstractEventLoop) -> None:
        self.transcript = transcript
        self.lines: dict[str, Line] = {}
        self._runs = runs
        self._noted: dict[str, int] = {}

    def socket(self, label: str, who: Guest, match: str, query: str = "") -> Line:
        """Open a socket and be greeted."""
        scope = {"type": "websocket", "subprotocols": [], **_address(f"/ws/matches/{match}", query)}
        line = self.lines[label] = Line(self._runs, label, scope)
        line.put({"type": "websocket.connect"})
        line.say(kind="auth", token=who.token)
        line.reach(1)
        if query == TALK:
            wait_until(lambda: sum(frame["kind"] == "talk" for frame in line.frames) == len(THREADS), PATIENCE)
        return line

    def stream(self, label: str, who: Guest, path: str, accept: str) -> Line:
        """Open a stream and read its beginning."""
        address, _, query = path.partition("?")
        headers = [(b"authorization", f"Bearer {who.token}".encode()), (b"accept", accept.encode())]
        scope = {
            "type": "http", "method": "GET", "http_version": "1.1", "scheme": "http", "server": ("localhost", 80),
            **_address(f"/api/v1{address}", query, *headers),
        }  # fmt: skip
        line = self.lines[label] = Line(self._runs, label, scope)
        line.put({"type": "http.request", "body": b"", "more_body": False})
        line.reach(1)
        return line

    def answered(self, label: str) -> None:
        """Wait until the command that was said last has been answered."""
        line = self.lines[label]
        line.expected += 1
        wait_until(lambda: line.answers() >= line.expected, PATIENCE)

    def note(self, version: int) -> None:
        """Once all have been told of this version: what each was told since, answers first."""
        for label, line in self.lines.items():
            line.reach(version)
            new = line.frames[self._noted.get(label, 0) :]
            self._noted[label] = self._noted.get(label, 0) + len(new)
            if new:
                self.transcript.note(f"{label} is told", joined(new))


def joined(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The frames with answers first, events in one frame and talk last: how they are divided and mingled is chance."""
    answers = [it for it in frames if it["kind"] in _ANSWERS]
    talk = [it for it in frames if it["kind"] == "talk"]
    rest: list[dict[str, Any]] = []
    for frame in (it for it in frames if it["kind"] not in (*_ANSWERS, "talk")):
        if rest and frame["kind"] == rest[-1]["kind"] == "events":
            before = rest.pop()
            frame = {**frame, "from": before["from"], "events": [*before["events"], *frame["events"]]}
        rest.append(frame)
    return [*answers, *rest, *talk]


def _address(path: str, query: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {
        "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(b"host", b"localhost"), *headers], "client": ("127.0.0.1", 1),
    }  # fmt: skip
