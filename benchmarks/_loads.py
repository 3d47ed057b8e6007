"""Loads: players flat out, at a pace, idle matches, spectators, and a web process that is killed."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from statistics import quantiles
from time import perf_counter
from typing import Any, TypeVar

import uvloop

from benchmarks._lines import memory
from benchmarks._players import Ear, OnVersion, Play, sit_all
from benchmarks._sides import Served

T = TypeVar("T")


@dataclass
class Measured:
    """Moves, the seconds in which they were made, the latency of each until all seats had received it, and the
    processor time of all parts."""

    moves: int
    seconds: float
    cpu: dict[str, float]
    took: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    def us(self, part: str) -> float:
        """Return the microseconds of processor time per move."""
        return 1e6 * self.cpu[part] / max(1, self.moves)


def percentile(values: list[float], percent: int) -> float:
    """Return a percentile in milliseconds."""
    seconds = quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]
    return 1000 * seconds


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run clients on a loop of their own; raise the error that stops any of them."""

    async def guarded() -> T:
        loop, errors = asyncio.get_running_loop(), list[BaseException]()
        task = loop.create_task(work())

        def broke(_loop: Any, context: dict[str, Any]) -> None:
            errors.append(context.get("exception") or RuntimeError(context["message"]))
            task.cancel()

        loop.set_exception_handler(broke)
        try:
            return await task
        except asyncio.CancelledError:
            raise (errors or [KeyboardInterrupt()])[0] from None

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(guarded())


def together(side: Served) -> Callable[[int], list[int]]:
    """Place all seats of a match at one web process, and spread the matches over all processes."""
    return lambda number: [side.ports[number % len(side.ports)]]


def split(side: Served) -> Callable[[int], list[int]]:
    """Place the seats of each match at different web processes."""
    return lambda _: side.ports


def flat_out(side: Served, plays: list[Play], *, ports: Callable[[int], list[int]] | None = None) -> Measured:
    """Make every match's next move as soon as all seats have received the last, until one match has no further move."""

    async def work() -> Measured:
        await sit_all(plays, ports or together(side))
        done = asyncio.get_running_loop().create_future()

        def moved(play: Play) -> None:
            if play.over and not done.done():
                done.set_result(None)
            elif not done.done():
                play.send()

        for play in plays:
            play.moved = moved
        measured = await _measured(side, plays, _started(plays, done))
        for play in plays:
            play.leave()
        return measured

    return run(work)


async def _started(plays: list[Play], done: "asyncio.Future[None]") -> None:
    for play in plays:
        play.send()
    async with asyncio.timeout(300):
        await done


def paced(
    side: Served,
    plays: list[Play],
    *,
    rate: float,
    seconds: float,
    ports: Callable[[int], list[int]] | None = None,
    idle: float = 0.0,
) -> tuple[Measured, Measured]:
    """Make so many moves per second over all matches; the time of each runs from when it was due.

    Before that, nothing happens for `idle` seconds; the second result measures those.
    """

    async def work() -> tuple[Measured, Measured]:
        await sit_all(plays, ports or together(side))
        rested = await _measured(side, [], asyncio.sleep(idle))
        measured = await _measured(side, plays, _at_pace(plays, rate, seconds))
        for play in plays:
            play.leave()
        return measured, rested

    return run(work)


async def _at_pace(plays: list[Play], rate: float, seconds: float) -> None:
    overdue: dict[int, float] = {}

    def send_if_overdue(play: Play) -> None:
        if (due := overdue.pop(id(play), None)) is not None and not play.over:
            play.send(due)

    for play in plays:
        play.moved = send_if_overdue
    begun = perf_counter()
    for number in range(round(rate * seconds)):
        due, play = begun + number / rate, plays[number % len(plays)]
        if (early := due - perf_counter()) > 0:
            await asyncio.sleep(early)
        if play.over:
            continue
        if play.waits:
            play.send(due)
        else:
            overdue.setdefault(id(play), due)
    async with asyncio.timeout(60):
        while not all(play.waits for play in plays):
            await asyncio.sleep(0.005)


async def _measured(side: Served, plays: list[Play], work: Awaitable[Any]) -> Measured:
    before, begun = side.cpu(), perf_counter()
    await work
    seconds, after = perf_counter() - begun, side.cpu()
    took = [seconds for play in plays for seconds in play.took]
    firsts = [play.took[0] for play in plays if play.took]
    return Measured(len(took), seconds, {part: after[part] - before[part] for part in after}, took, firsts)


@dataclass
class Watched:
    """Measurements of spectators of one match."""

    greeting: float
    """Processor seconds of the web process to greet one spectator."""
    connecting: float
    memory: float
    firsts: list[float]
    lasts: list[float]
    cpu: dict[str, float]


def spectators(side: Served, play: Play, spectator: Callable[[OnVersion], Ear], many: int, moves: int) -> Watched:
    """Measure many spectators of one match, with sockets that `spectator` makes: a move is made once all have received
    the last."""
    pid = side.pids["web-1"]

    async def work() -> Watched:
        loop = asyncio.get_running_loop()
        await play.sit(side.ports)
        times: list[float] = []
        wanted, all_received = play.version, loop.create_future()

        def take(_: Ear, version: int) -> None:
            if version >= wanted:
                times.append(perf_counter())
                if len(times) == expected and not all_received.done():
                    all_received.set_result(None)

        held, before, begun, ears, expected = memory(pid), side.cpu(), perf_counter(), [], 0
        for first in range(0, many, 50):
            expected, all_received = min(many, first + 50), loop.create_future()
            for _ in range(expected - first):
                make = loop.create_connection(lambda: spectator(take), "127.0.0.1", side.ports[0])
                ears.append((await make)[1])
            async with asyncio.timeout(120):
                await all_received
        greeting = (side.cpu()["web"] - before["web"]) / many
        connecting, grown = perf_counter() - begun, (memory(pid) - held) / many
        before, firsts, lasts = side.cpu(), [], []
        for _ in range(moves):
            times.clear()
            wanted, expected, all_received = play.version + 1, many, loop.create_future()
            sat = loop.create_future()
            play.moved = lambda _, sat=sat: sat.set_result(None)  # type: ignore[misc]
            begun = perf_counter()
            play.send()
            async with asyncio.timeout(120):
                await all_received
                await sat
            firsts.append(min(times) - begun)
            lasts.append(max(times) - begun)
        after = side.cpu()
        play.leave()
        for ear in ears:
            ear.transport.abort()
        used = {part: after[part] - before[part] for part in after}
        return Watched(greeting, connecting, grown, firsts, lasts, used)

    return run(work)
