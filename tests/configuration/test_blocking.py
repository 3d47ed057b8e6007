"""Detection of calls that block the event loop: each is counted and logged with its function, and no awaiting one."""

import asyncio
import gc
import threading
from collections.abc import Coroutine, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvloop
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from config.server import blocking
from config.server.blocking import Instant, LoopWatch
from tests.waiting import PATIENCE, wait_until

BLOCKING = f"{__name__}:block"
HERE = ("tests",)


def count(work: str) -> float:
    return REGISTRY.get_sample_value("croupier_loop_blocked_seconds_count", {"work": work}) or 0.0


def total() -> float:
    return sum(
        sample.value
        for family in REGISTRY.collect()
        for sample in family.samples
        if sample.name == "croupier_loop_blocked_seconds_count"
    )


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(coroutine)


def block(event: threading.Event, seconds: float = PATIENCE) -> None:
    event.wait(seconds)


class Machine:
    """A clock that a test sets, in place of what the operating system tells of a thread."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.cpu = self.unscheduled = 0.0

    def now(self) -> Instant:
        self.cpu += 0.001
        return Instant(self.at, self.cpu, self.unscheduled)


class House:
    """An event loop in a thread of its own, at which each test looks by hand."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.release = threading.Event()
        self.is_ready, self.is_blocked, self.ends = threading.Event(), threading.Event(), asyncio.Event()

    async def main(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.watch = LoopWatch(HERE)
        self.is_ready.set()
        await self.ends.wait()

    def block(self) -> None:
        """Have the loop run a function that doesn't end yet."""

        async def handle() -> None:
            self.is_blocked.set()
            block(self.release)

        asyncio.run_coroutine_threadsafe(handle(), self.loop)
        assert self.is_blocked.wait(PATIENCE)

    def turn(self) -> None:
        """Let it end, and the loop turn."""
        self.release.set()
        turned = threading.Event()
        self.loop.call_soon_threadsafe(turned.set)
        assert turned.wait(PATIENCE)

    def look(self, after_seconds: float) -> None:
        self.machine.at += after_seconds
        self.watch.sample(lambda: 0.0)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    machine = Machine()
    monkeypatch.setattr(blocking, "Schedule", lambda: machine)
    monkeypatch.setattr(blocking, "time", SimpleNamespace(monotonic=lambda: machine.at))
    house = House(machine)
    thread = threading.Thread(target=run, args=(house.main(),))
    thread.start()
    assert house.is_ready.wait(PATIENCE)
    yield house
    house.release.set()
    house.loop.call_soon_threadsafe(house.ends.set)
    thread.join(PATIENCE)


def test_a_function_that_blocks_the_loop_is_counted_and_logged_by_name(house: House) -> None:
    before = count(BLOCKING)
    house.block()
    with capture_logs() as logs:
        house.look(0.01)
        house.look(0.01)
        house.machine.at += 0.05
        house.turn()
        house.look(0.01)
    assert count(BLOCKING) == before + 1
    (line,) = [it for it in logs if it["event"] == "loop_blocked"]
    assert (line["work"], line["ms"], line["gc_ms"]) == (BLOCKING, 60, 0)
    assert line["frames"] == [BLOCKING, f"{__name__}:House.block.<locals>.handle"]


def test_a_coroutine_that_awaits_is_not_counted(house: House) -> None:
    before = total()
    with capture_logs() as logs:
        for _ in range(5):
            house.look(0.05)
    assert (total(), logs) == (before, [])


def test_a_function_that_ends_in_time_is_not_counted(house: House) -> None:
    before = total()
    house.block()
    house.look(0.01)
    house.machine.at += 0.019
    house.turn()
    house.look(0.01)
    assert total() == before


def test_a_function_that_lets_nobody_look_is_counted_from_when_a_look_was_due(house: House) -> None:
    before = count(BLOCKING)
    house.look(0.01)
    house.block()
    house.look(0.09)
    house.turn()
    with capture_logs() as logs:
        house.look(0.01)
    assert count(BLOCKING) == before + 1 and [it["ms"] for it in logs] == [70]


def test_looks_are_rarer_while_the_loop_has_nothing_to_do(house: House) -> None:
    for _ in range(100):
        house.look(0.02)
    assert house.watch.every == blocking.IDLE_SECONDS
    house.block()
    house.look(0.05)
    assert house.watch.every == blocking.EVERY_SECONDS


def test_a_wait_for_a_processor_is_counted_as_one(house: House) -> None:
    before = count(blocking.UNSCHEDULED)
    house.block()
    house.look(0.01)
    house.machine.at += 0.05
    house.machine.unscheduled += 0.04
    house.turn()
    house.look(0.01)
    assert count(blocking.UNSCHEDULED) == before + 1


def test_a_look_that_had_no_processor_itself_counts_nothing(house: House) -> None:
    before = total()
    house.look(0.01)
    house.block()
    house.machine.at += 0.09
    house.watch.sample(lambda: 0.07)
    house.turn()
    house.look(0.01)
    assert total() == before


def test_a_collection_of_garbage_is_counted_as_one(house: House) -> None:
    before = count(blocking.GARBAGE)
    house.block()
    house.look(0.01)
    house.watch._note_collection("start", {})
    house.machine.at += 0.05
    house.watch._note_collection("stop", {})
    house.turn()
    house.look(0.01)
    assert count(blocking.GARBAGE) == before + 1


def test_no_more_names_are_counted_than_a_few_dozen(house: House) -> None:
    names = [house.watch._named(f"games.made:function_{number}") for number in range(100)]
    assert len(set(names)) < blocking.MOST_NAMES and names[-1] == blocking.OTHER
    assert house.watch._named(names[0]) == names[0]


def test_a_loop_is_watched_until_it_is_closed() -> None:
    before, callbacks = count(BLOCKING), len(gc.callbacks)

    async def main() -> None:
        watch = LoopWatch(HERE)
        watch.start()
        while count(BLOCKING) == before:
            block(threading.Event(), 0.05)
            await asyncio.sleep(0.02)

    run(main())
    wait_until(lambda: len(gc.callbacks) == callbacks)
