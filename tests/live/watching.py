"""Those who watch over real sockets and streams."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.waiting import PATIENCE

if TYPE_CHECKING:
    # The stage isn't set yet when this is first imported.
    from tests.api.guests import Guest


@dataclass
class House:
    """A web process."""

    port: int
    pid: int
    log: Path

    @property
    def origin(self) -> str:
        """Return the Origin header of its pages."""
        return f"http://127.0.0.1:{self.port}"

    def address(self, match: str, query: str = "") -> str:
        """Return the address of a match's socket."""
        return f"ws://127.0.0.1:{self.port}/ws/matches/{match}{query}"

    def connections(self) -> int:
        """Return the number of open connections."""
        return len(self.queues())

    def queues(self) -> list[tuple[int, int]]:
        """For each open connection the bytes that the client hasn't taken, and those that the house hasn't read."""
        port = f":{self.port:04X}"
        lines = map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
        queues = [line[4].split(":") for line in lines if line[1].endswith(port) and line[3] == "01"]
        return [(int(sent, 16), int(received, 16)) for sent, received in queues]

    def memory(self) -> int:
        """Return the resident memory in bytes."""
        words = Path(f"/proc/{self.pid}/statm").read_text().split()
        return int(words[1]) * resource.getpagesize()

    @contextmanager
    def socket(self, match: str, query: str = "", **options: Any) -> Iterator[ClientConnection]:
        """A bare socket that hasn't said who it is."""
        arguments = {"open_timeout": PATIENCE, "proxy": None, "compression": None, **options}
        with connect(self.address(match, query), **arguments) as line:
            yield line

    @contextmanager
    def watch(self, guest: "Guest", match: str, query: str = "", **options: Any) -> Iterator["Watcher"]:
        """A guest with a token who has been greeted."""
        with self.socket(match, query, **options) as line:
            watcher = Watcher(line)
            watcher.say(kind="auth", token=guest.token)
            watcher.follow("hello")
            yield watcher


@dataclass
class Watcher:
    """The frames that a socket has received; events are checked to come in order, each once."""

    line: ClientConnection
    hello: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    frames: list[dict[str, Any]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    version: int = 0
    view: Any = None

    def say(self, **frame: Any) -> None:
        """Send a frame."""
        self.line.send(json.dumps(frame))

    def command(self, command: Any, id: str = "", **more: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        id = id or str(uuid4())
        body = {"text": command} if isinstance(command, str) else command
        self.say(kind="command", id=id, command=body, **more)
        return self.until(lambda frame: frame["kind"] in ("accepted", "refused"))

    def next(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next frame, taken in."""
        text = self.line.recv(timeout=seconds)
        frame: dict[str, Any] = json.loads(text)
        self.raw.append(str(text))
        self.frames.append(frame)
        if frame["kind"] == "hello":
            self.hello, self.version, self.view = frame, frame["version"], frame["view"]
        if frame["kind"] == "events":
            self._take(frame)
        return frame

    def _take(self, frame: dict[str, Any]) -> None:
        versions = [event["version"] for event in frame["events"]]
        assert versions == list(range(frame["from"], frame["to"] + 1))
        self.events += frame["events"]
        self.version, self.view = frame["to"], frame.get("view", self.view)

    def until(self, holds: Any, seconds: float = PATIENCE) -> dict[str, Any]:
        """Read on to the first frame for which it holds."""
        deadline = monotonic() + seconds
        while not holds(frame := self.next(max(0.01, deadline - monotonic()))):
            pass
        return frame

    def follow(self, kind: str) -> dict[str, Any]:
        """Read on to a frame of this kind."""
        return self.until(lambda frame: frame["kind"] == kind)

    def reach(self, version: int, seconds: float = PATIENCE) -> "Watcher":
        """Read on until this version has been told."""
        deadline = monotonic() + seconds
        while self.version < version:
            self.next(max(0.01, deadline - monotonic()))
        return self

    def end(self, seconds: float = PATIENCE) -> tuple[int, str]:
        """Read to the end; its code and reason."""
        deadline = monotonic() + seconds
        try:
            while True:
                self.next(max(0.01, deadline - monotonic()))
        except ConnectionClosed as closed:
            assert closed.rcvd is not None, closed
            return closed.rcvd.code, closed.rcvd.reason
