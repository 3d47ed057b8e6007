"""Players whose house is killed while they play: they reconnect, retry with the same keys, and check it against what it
sent before."""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from benchmarks._lines import Line, open_line

_PATIENCE_SECONDS = 15.0
_REST_SECONDS = 0.05


class Gone(Exception):
    """A lost connection, or a house that cannot respond right now."""


class Broken(Exception):
    """A contradiction to what the house sent before; the text describes it."""


class Survivor:
    """A match with both seats played over sockets at any of some ports, however often these are lost.

    `newest` is the newest version that any seat received or had a move acknowledged at; `answers` are the bytes that
    each move was acknowledged with.
    """

    def __init__(self, match: Any, ports: list[int], rng: Random) -> None:
        self.id, self._tokens, self.moves = match["id"], match["tokens"], match["moves"]
        self._ports, self._rng = ports, rng
        self.next, self.newest = 0, match["version"]
        self.answers: dict[int, tuple[int, bytes]] = {}
        self.asked_again = 0
        self.broken = ""
        self._lines: list[Line] = []

    @property
    def over(self) -> bool:
        """True if all its moves have been made, or it has proved broken."""
        return self.next >= len(self.moves) or bool(self.broken)

    async def play(self) -> None:
        """Make all moves."""
        while not self.over:
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    await self._sit()
                    await self._ask_again()
                while not self.over:
                    async with asyncio.timeout(_PATIENCE_SECONDS):
                        await self._move()
            except Broken as broken:
                self.broken = f"{self.id}: {broken}"
            except (OSError, TimeoutError, Gone):
                await asyncio.sleep(_REST_SECONDS)
            finally:
                for line in self._lines:
                    line.transport.abort()

    async def _sit(self) -> None:
        """Connect both seats and wait for the whole match; raise Broken if a version that was sent is gone."""
        self._lines, self._told = [], dict[int, int]()
        self._heard: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        for seat, token in enumerate(self._tokens):
            line = await open_line(self._rng.choice(self._ports), self.id, token, self._taking(seat, self._heard))
            line.lost.add_done_callback(self._losing(seat, self._heard))
            self._lines.append(line)
        while len(self._told) < len(self._tokens):
            await self._hear()

    @staticmethod
    def _taking(seat: int, heard: "asyncio.Queue[tuple[int, bytes]]") -> Callable[[bytes], None]:
        return lambda text: heard.put_nowait((seat, text))

    @staticmethod
    def _losing(seat: int, heard: "asyncio.Queue[tuple[int, bytes]]") -> Callable[[object], None]:
        return lambda _: heard.put_nowait((seat, b""))

    async def _ask_again(self) -> None:
        """Send the last acknowledged move again; raise Broken if the response differs."""
        if self.answers:
            number = max(self.answers)
            again = await self._answer_to(number)
            self.asked_again += 1
            if again != self.answers[number]:
                raise Broken(f"move {number} was answered {self.answers[number]!r}, and then {again!r}")

    async def _move(self) -> None:
        """Make the next move, and wait until both seats have received it."""
        number = self.next
        self.answers[number] = await self._answer_to(number)
        until = self.moves[number][3]
        self.newest = max(self.newest, self.answers[number][0])
        while min(self._told.values()) < until:
            await self._hear()
        self.next += 1

    async def _answer_to(self, number: int) -> tuple[int, bytes]:
        seat, command, since, _ = self.moves[number]
        key = f"{self.id[:8]}-{number}"
        self._lines[seat].say(kind="command", id=key, command=command, expected=since)
        while True:
            frame, answer = await self._hear()
            if frame["kind"] == "accepted" and frame["id"] == key:
                return frame["version"], answer

    async def _hear(self) -> tuple[Any, bytes]:
        """Return the next frame and the answer in it; raise Gone or Broken."""
        seat, text = await self._heard.get()
        if not text:
            raise Gone
        frame = json.loads(text)
        match frame["kind"]:
            case "hello":
                if frame["version"] < self.newest:
                    raise Broken(f"version {self.newest} was told, and then the match stands at {frame['version']}")
                self._told[seat] = frame["version"]
            case "events":
                if frame["from"] != self._told[seat] + 1:
                    raise Broken(f"after version {self._told[seat]} seat {seat} was told from {frame['from']}")
                self._told[seat] = frame["to"]
                self.newest = max(self.newest, frame["to"])
            case "resync":
                raise Broken("a version that was told is no longer held")
            case "refused" if frame["problem"]["status"] < 500:
                raise Broken(f"refused at move {self.next}: {frame['problem']['code']}")
            case "refused":
                raise Gone
        return frame, text.partition(b'"answer":')[2]


class Crowd:
    """Matches of which a fixed number is played at once, the next one as soon as one is over."""

    def __init__(self, matches: list[Survivor], at_once: int) -> None:
        self.matches, self._waiting = matches, deque(matches)
        self._at_once = at_once
        self._stopped = False

    @property
    def moves(self) -> int:
        """The number of moves made so far."""
        return sum(it.next for it in self.matches)

    @property
    def is_busy(self) -> bool:
        """True if the full number of matches is still being played."""
        return len(self._waiting) > 0

    def stop(self) -> None:
        """Begin no other match, and cancel those that are being played."""
        self._stopped = True

    def run(self) -> None:
        """Play, in a thread of its own, until `stop`."""
        asyncio.run(self._run())

    async def _run(self) -> None:
        # Errors of sockets while the house restarts are no faults of these clients.
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        playing = [asyncio.create_task(self._play()) for _ in range(self._at_once)]
        while not self._stopped and not all(task.done() for task in playing):
            await asyncio.sleep(0.05)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def _play(self) -> None:
        while self._waiting and not self._stopped:
            await self._waiting.popleft().play()
