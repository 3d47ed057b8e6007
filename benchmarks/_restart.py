"""A web process that is killed under many running matches whose players all reconnect as soon as they can."""

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from benchmarks._loads import run
from benchmarks._players import Play, sit_all
from benchmarks._sides import Served


@dataclass
class Restarted:
    """Seconds since the kill until the port accepts and until each match has `moved`; the latencies `took` of moves
    while others reconnected; the processor time of the reconnections; and the number of acknowledged moves that were
    lost."""

    accepts: float
    moved: list[float]
    took: list[float]
    cpu: dict[str, float]
    lost: int


def killed_under(side: Served, matches: list[Any], *, rate: float, seconds: float) -> Restarted:
    """Play at a pace, kill -9, and make a move in each match once all its seats have received the hello again.

    One client tries every 20 ms to connect to the new process; then all connect at once.
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
        killed = perf_counter()
        side.kill()
        acknowledged = [play.version for play in plays]
        for play in plays:
            play.leave()
        await _listens(side.ports[0])
        accepts = perf_counter() - killed
        for play in plays:
            play.took.clear()
        before = side.cpu()
        moved: list[float] = []
        async with asyncio.timeout(300):
            await asyncio.gather(*(_goes_on(play, side, killed, moved) for play in plays))
        after = side.cpu()
        lost = sum(play.came_back_at < version for play, version in zip(plays, acknowledged, strict=True))
        for play in plays:
            play.leave()
        return Restarted(
            accepts,
            sorted(moved),
            [took for play in plays for took in play.took],
            {part: after[part] - before[part] for part in after},
            lost,
        )

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


async def _goes_on(play: Play, side: Served, killed: float, moved: list[float]) -> None:
    await play.sit(side.ports)
    play.go_on_from(play.version)
    done = asyncio.get_running_loop().create_future()
    play.moved = lambda _: done.set_result(None)
    if not play.over:
        play.send()
        await done
    moved.append(perf_counter() - killed)


@dataclass
class Lost:
    """Moves that both seats had received before a kill, and how many of these were gone after it."""

    received: int
    moves: int


def lost_by_a_kill(side: Served, plays: list[Play], seconds: float) -> Lost:
    """Play flat out, kill -9 meanwhile, and compare the version of each match after the restart."""

    async def work() -> Lost:
        await sit_all(plays, lambda _: side.ports)
        killing = False

        def moved(play: Play) -> None:
            if not killing and not play.over:
                play.send()

        for play in plays:
            play.moved = moved
            play.send()
        await asyncio.sleep(seconds)
        killing = True
        # In this very thread, so that no frame is read between the last version received and the kill.
        side.kill()
        versions = [play.version for play in plays]
        for play in plays:
            play.leave()
        await _listens(side.ports[0])
        await sit_all(plays, lambda _: side.ports)
        lost_moves = sum(max(0, version - play.version) for version, play in zip(versions, plays, strict=True))
        for play in plays:
            play.leave()
        return Lost(sum(play.next for play in plays), lost_moves)

    return run(work)
