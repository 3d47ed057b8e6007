"""bench ways: the functions that a move calls, from its request to its rows, recorded by Python's profiler.

One brick of Pyramid Poker by REST and one over a socket, handed to the ASGI application in a process that has seen the
match, like most. Prints the stack of own functions when the rows are sent to Postgres, or to the writer that sends
them together with others.
Comprehensions, uvicorn, Django and asgiref are omitted; functions that had returned by then are only counted.
"""

import asyncio
import json
import sys
import threading
from types import FrameType
from typing import Any
from uuid import UUID

from benchmarks import stage

OWN = ("config", "events", "games", "matches")
_ROWS = ("events.appending:commit", "events.writer:Writer.put")
_ANOTHER_THREAD = "asgiref.sync:SyncToAsync.__call__"
_TURNS = 6


class Way:
    """Records the calls of the profiler between the sending of a move and its rows; of threads, only those that start
    after it."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.called: set[str] = set()
        self.listens = False
        self._before: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not self.listens:
            return
        name = _name(frame)
        if name == _ANOTHER_THREAD and (own := _own(frame)):
            self._before = own
        elif _is_own(name):
            self.called.add(name)
            if name in _ROWS:
                self.waiting, self.listens = self._before + _own(frame), False


def main(argv: list[str]) -> int:
    """Print both paths."""
    with stage.service():
        for door in ("REST", "socket"):
            way = followed(door)
            print(f"{door}: {len(way.waiting)} functions, {len(way.called)} with those that had returned")
            print("\n".join(f"  {name}" for name in way.waiting))
    return 0


def followed(door: str) -> Way:
    """Return the path of a brick through this entry point."""
    from matches.storage import outages
    from tests.table_setting import new_account, new_token, play_on, running_match

    players = new_account(), new_account()
    match = running_match("pyramid_poker", *players)
    play_on(match, _TURNS)
    tokens = [new_token(player) for player in players]
    # As a web process does once a second.
    outages.load_silence()
    way = Way()
    threading.setprofile(way)
    sys.setprofile(way)
    try:
        asyncio.run(_play(door, match.id, tokens, way))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return way


async def _play(door: str, match_id: UUID, tokens: list[str], way: Way) -> None:
    """Make one move of the player who is to move."""
    import httpx
    from asgiref.testing import ApplicationCommunicator

    from config.asgi import application

    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api/v1") as client:
        document = (await client.get(f"/matches/{match_id}", headers={"Authorization": f"Bearer {tokens[0]}"})).json()
        token = tokens[document["due"]["prompts"][0]["seat"]]
        headers = {"Authorization": f"Bearer {token}"}
        command = (await client.get(f"/matches/{match_id}/legal", headers=headers)).json()["legal"][0]
        if door == "REST":
            way.listens = True
            more_headers = {"Idempotency-Key": "a-brick", "If-Match": f'"v{document["version"]}"'}
            answer = await client.post(f"/matches/{match_id}/commands", json=command, headers=headers | more_headers)
            assert answer.status_code == 201, answer.text
            return
    path = f"/ws/matches/{match_id}"
    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": [(b"host", b"localhost")]}
    socket = ApplicationCommunicator(application, scope)
    await socket.send_input({"type": "websocket.connect"})
    await _send(socket, kind="auth", token=token)
    await _await_frame(socket, "hello")
    way.listens = True
    await _send(socket, kind="command", id="a-brick", expected=document["version"], command=command)
    await _await_frame(socket, "accepted")
    await socket.send_input({"type": "websocket.disconnect"})
    await socket.wait(10)


async def _send(socket: Any, **frame: Any) -> None:
    await socket.send_input({"type": "websocket.receive", "text": json.dumps(frame)})


async def _await_frame(socket: Any, kind: str) -> None:
    """Wait for a frame of this kind."""
    while json.loads((await socket.receive_output(10)).get("text", "{}")).get("kind") != kind:
        pass


def _name(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}:{frame.f_code.co_qualname}"


def _is_own(name: str) -> bool:
    return name.partition(":")[0].partition(".")[0] in OWN and not name.endswith(">")


def _own(frame: FrameType | None) -> list[str]:
    """Return the house's own functions on this stack, outermost first."""
    names = []
    while frame is not None:
        names.append(_name(frame))
        frame = frame.f_back
    return [name for name in reversed(names) if _is_own(name)]
