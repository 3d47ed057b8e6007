"""A web process killed under many running matches, whose players all come back as soon as they can."""

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from benchmarks._loads import run
from benchmarks._players import Play, sit_all
from benchmarks._sides import Side


@dataclass
class Restarted:
    """Seconds since the kill, and how many moves that were acknowledged were gone."""

    accepts: float
    moved: list[float]
    lost: int


def killed_under(side: Side, matches: list[Any], *, rate: float, seconds: float) -> Restarted:
    """Play at a pace, kill -9, and have each match make a move once all its seats have been greeted again.

    One client asks every 20 ms whether the new process listens; then all come at once.
    """
    plays = [Play(match) for match in matches]

    async def work() -> Restarted:
        await sit_all(plays, lambda _: side.ports)
        begun = perf_counter()
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0.0, begun + number / rate - perf_counter()))
            play = plays[number % len(plays)]
            if play.waits and not play.over:
                play.send()
        for play in plays:
            # What the clients were told before is what they hold the house to.
            for line in play.lines:
                line.transport.pause_reading()
        killed = perf_counter()
        await asyncio.get_running_loop().run_in_executor(None, side.kill)
        acknowledged = [play.version for play in plays]
        for play in plays:
            play.leave()
        await _listens(side.ports[0])
        accepts = perf_counter() - killed
        moved: list[float] = []
        async with asyncio.timeout(300):
            await asyncio.gather(*(_goes_on(play, side, killed, moved) for play in plays))
        lost = sum(play.came_back_at < told for play, told in zip(plays, acknowledged, strict=True))
        for play in plays:
            play.leave()
        return Restarted(accepts, sorted(moved), lost)

    return run(work)


async def _listens(port: int) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, "127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                transport.abort()
                return


async def _goes_on(play: Play, side: Side, killed: float, moved: list[float]) -> None:
    await play.sit(side.ports)
    play.go_on_from(play.version)
    done = asyncio.get_running_loop().create_future()
    play.moved = lambda _: done.set_result(None)
    if not play.over:
        play.send()
        await done
    moved.append(perf_counter() - killed)
