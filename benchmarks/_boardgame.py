"""boardgame.io as a side of a comparison: its server with a game of our own, and clients that speak its protocol.

The protocol is Socket.IO 4 over a WebSocket: text frames that begin with digits for their kind, `42/GAME,` is an event.
"""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx

from benchmarks._players import Ear, OnVersion, Play, Poster, framed
from benchmarks._sides import Served
from config.runner.embedded.server import free_port

_HERE = Path(__file__).resolve().parent / "peers"
_INSTALLED = Path(__file__).resolve().parents[1] / "var/peers"
_GAME = "pyramid"
_EVENT = f"42/{_GAME},".encode()
_VERSION = re.compile(rb'"_stateID":(\d+)')
MOVES = 90


def missing() -> str | None:
    """Install it as the lock file says; return the reason if it cannot be measured here, else None."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "there is no node or no npm here"
    lock, fetched = _HERE / "package-lock.json", _INSTALLED / "fetched"
    if fetched.exists() and fetched.read_bytes() == lock.read_bytes():
        return None
    _INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(_HERE / name, _INSTALLED / name)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=_INSTALLED, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"npm could not fetch it: {done.stderr.strip()[-300:]}"
    shutil.copyfile(lock, fetched)
    return None


@dataclass
class Boardgame(Served):
    """The boardgame.io server, a node process; `database` is the address of a Postgres, empty for its own memory."""

    database: str = ""
    postmaster: int = 0
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.ports = self.ports or [free_port()]
        command = ["node", str(_HERE / "server.js"), str(self.ports[0]), *([self.database] if self.database else [])]
        env = {"PATH": os.environ["PATH"], "NODE_PATH": str(_INSTALLED / "node_modules"), "NODE_ENV": "production"}
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
        self.pids = {"web-1": self.process.pid} | ({"postgres": self.postmaster} if self.database else {})
        until = monotonic() + 30
        while True:
            try:
                httpx.get(f"{self._url}/games").raise_for_status()
            except httpx.HTTPError:
                if monotonic() > until or self.process.poll() is not None:
                    raise
                sleep(0.05)
            else:
                return

    def kill(self) -> None:
        """Kill it at once and start a new one."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        self.start()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)

    def plays(self, count: int) -> list[Play]:
        """Return matches that both seats have joined."""
        with httpx.Client(base_url=self._url) as lobby:
            return [_Play(_opened(lobby)) for _ in range(count)]

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self.ports[0]}"


@contextmanager
def served(name: str, database: str = "", postmaster: int = 0) -> Iterator[Boardgame]:
    """A server that is stopped with the measurement."""
    peer = Boardgame(name, database=database, postmaster=postmaster)
    try:
        peer.start()
        yield peer
    finally:
        peer.stop()


def _opened(lobby: httpx.Client) -> dict[str, Any]:
    match = lobby.post(f"/games/{_GAME}/create", json={"numPlayers": 2}).raise_for_status().json()["matchID"]
    tokens = []
    for seat in ("0", "1"):
        joined = lobby.post(f"/games/{_GAME}/{match}/join", json={"playerID": seat, "playerName": f"player {seat}"})
        tokens.append(joined.raise_for_status().json()["playerCredentials"])
    moves = [[number % 2, number, number, number + 1] for number in range(MOVES)]
    return {"id": match, "tokens": tokens, "version": 0, "moves": moves}


class _Play(Play):
    """A match of boardgame.io: seats place cards in turn."""

    def line(self, seat: int) -> Ear | Poster:
        return PeerEar(self.id, self.tokens[seat], self.receiver_of(seat), str(seat))

    def _frame(self, number: int, seat: int, command: Any, since: int) -> bytes:
        payload = {"type": "place", "args": [command], "playerID": str(seat), "credentials": self.tokens[seat]}
        message = ["update", {"type": "MAKE_MOVE", "payload": payload}, since, self.id, str(seat)]
        return framed(1, _EVENT + json.dumps(message).encode())


class PeerEar(Ear):
    """A socket at a match, of a seat or, without one, of a spectator."""

    def __init__(self, match: str, token: str | None, on_version: OnVersion, seat: str | None = None) -> None:
        super().__init__(match, token or "", on_version)
        self._seat = seat

    def _address(self) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def _opened(self) -> None:
        """Do nothing: the server sends first."""

    def _hear(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if data.startswith(_EVENT, start):
            if version := _VERSION.search(data, start, end):
                self._on_version(self, int(version[1]))
        elif data.startswith(b"0{", start):
            self.transport.write(framed(1, f"40/{_GAME},".encode()))
        elif data.startswith(b"40/", start):
            message = ["sync", self._match, self._seat, self._token or None, 2]
            self.transport.write(framed(1, _EVENT + json.dumps(message).encode()))
        elif data[start:end] == b"2":
            self.transport.write(framed(1, b"3"))
