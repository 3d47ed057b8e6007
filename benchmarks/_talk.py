"""The cost of many listeners and of many remarks for the frames of a match."""

import asyncio
import json
import re
from collections import defaultdict
from time import perf_counter

from benchmarks._lines import Line, Poster, cpu_seconds, open_line
from benchmarks._tables import Table
from benchmarks.report import Row

_VERSION = re.compile(rb'^\{"kind":"(?:events"|hello")[^\[{]*?"(?:to|version)":(\d+)')
_SAID = re.compile(rb'"text":"remark (\d+)"')


class Speaker(Poster):
    """A connection over which somebody makes remarks, one after the other."""

    def __init__(self, match: str, token: str) -> None:
        super().__init__(match, token)
        self._path = f"/api/v1/matches/{match}/remarks"

    async def say(self, text: str) -> None:
        """Send a remark; raise RuntimeError if it is refused."""
        body = json.dumps({"text": text}).encode()
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(
            f"POST {self._path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        await self._answer


class Room:
    """A match with its listeners and speakers."""

    def __init__(self, port: int, pid: int, table: Table, tokens: list[str]) -> None:
        self.port, self.pid, self.table, self.tokens = port, pid, table, tokens
        self.reached: dict[int, list[float]] = defaultdict(list)
        self.said: dict[int, float] = {}
        self.heard: list[float] = []
        self.lines: list[Line] = []

    async def fill(self, many: int) -> None:
        """Connect so many listeners, one of which records when it receives each remark."""
        await self.table.sit()
        for first in range(0, many, 50):
            for number in range(first, min(first + 50, many)):
                take = self._probe if number == 0 else self._take
                token = self.tokens[number % len(self.tokens)]
                self.lines.append(await open_line(self.port, f"{self.table.match}?talk=1", token, take))
            version = self.table.seats[0].version
            await _until(lambda: len(self.reached[version]) >= len(self.lines))  # noqa: B023

    async def moves(self, many: int, seconds: float) -> tuple[list[float], list[float], float]:
        """Make moves at a steady pace; return the times from each to the first and to the last listener's frame, and
        the processor time per second."""
        firsts, lasts, begun, cpu = [], [], perf_counter(), cpu_seconds(self.pid)
        for number in range(many):
            await asyncio.sleep(max(0.0, begun + number * seconds / many - perf_counter()))
            sent, _ = await self.table.move()
            version = self.table.seats[0].version
            await _until(lambda: len(self.reached[version]) >= len(self.lines))  # noqa: B023
            firsts.append(1000 * (min(self.reached[version]) - sent))
            lasts.append(1000 * (max(self.reached[version]) - sent))
        return firsts, lasts, (cpu_seconds(self.pid) - cpu) / (perf_counter() - begun)

    async def talk(self, rate: float) -> None:
        """Make so many remarks per second, by all speakers in turn, until cancelled."""
        loop, begun = asyncio.get_running_loop(), perf_counter()

        async def speak(place: int, token: str) -> None:
            match, port = self.table.match, self.port
            _, speaker = await loop.create_connection(lambda: Speaker(match, token), "127.0.0.1", port)
            number = place
            try:
                while True:
                    await asyncio.sleep(max(0.0, begun + number / rate - perf_counter()))
                    self.said[number] = perf_counter()
                    await speaker.say(f"remark {number}")
                    number += len(self.tokens)
            finally:
                speaker.transport.abort()

        await asyncio.gather(*(speak(place, token) for place, token in enumerate(self.tokens)))

    def leave(self) -> None:
        """Close all connections."""
        for line in self.lines:
            line.transport.abort()
        self.table.leave()

    def _take(self, text: bytes) -> None:
        if version := _VERSION.match(text):
            self.reached[int(version[1])].append(perf_counter())

    def _probe(self, text: bytes) -> None:
        self._take(text)
        at = perf_counter()
        self.heard += [1000 * (at - self.said[int(it)]) for it in _SAID.findall(text) if int(it) in self.said]


async def talked(
    port: int, pid: int, table: Table, tokens: list[str], *, many: int, rate: float, moves: int, seconds: float
) -> list[Row]:
    """Return rows for moves of the same match, first without remarks, then with this rate of remarks, in one run."""
    room = Room(port, pid, table, tokens)
    await room.fill(many)
    quiet = await room.moves(moves, seconds)
    talking = asyncio.create_task(room.talk(rate))
    await asyncio.sleep(2)
    count_before = len(room.said)
    begun = perf_counter()
    busy = await room.moves(moves, seconds)
    a_second = (len(room.said) - count_before) / (perf_counter() - begun)
    if talking.done():
        talking.result()
    talking.cancel()
    await asyncio.gather(talking, return_exceptions=True)
    room.leave()
    what = f"{many} listen"
    return [
        Row(f"{what}, nobody speaks: move to the first", "ms", tuple(quiet[0])),
        Row(f"{what}, nobody speaks: move to the last", "ms", tuple(quiet[1])),
        Row(f"{what}, nobody speaks: server CPU", "s/s", (quiet[2],)),
        Row(f"{what}: remarks a second", "1/s", (a_second,)),
        Row(f"{what}, {rate:g} remarks/s: move to the first", "ms", tuple(busy[0])),
        Row(f"{what}, {rate:g} remarks/s: move to the last", "ms", tuple(busy[1])),
        Row(f"{what}, {rate:g} remarks/s: server CPU", "s/s", (busy[2],)),
        Row(f"{what}, {rate:g} remarks/s: remark to a listener", "ms", tuple(room.heard)),
    ]


async def _until(holds: object) -> None:
    async with asyncio.timeout(120):
        while not holds():  # type: ignore[operator]
            await asyncio.sleep(0.002)
