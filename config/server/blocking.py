"""Names the functions that block the event loop: a thread samples the loop's stack and checks that the loop turns.

An idle loop does nothing for it. A sample that finds the loop at work schedules a callback, which runs once everything
that is ready now has run. If that takes long, it is counted and logged by the function of this code base that most
samples found. Only functions are named, no values.
"""

import asyncio
import gc
import inspect
import os
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from itertools import count
from types import CodeType, FrameType
from typing import Any, NamedTuple

import structlog

from events.log_throttle import LogThrottle
from matches.http import metrics

log = structlog.get_logger(__name__)

LIMIT_SECONDS = 0.02
EVERY_SECONDS, IDLE_SECONDS = 0.02, 0.05
"""The time between two samples, at work and after `_IDLE_SAMPLES` samples of an idle loop."""
_IDLE_SAMPLES = 50
_OWN_EVERY = 50
"""After so many samples the sampling thread reads its own time without a processor."""
PACKAGES = ("config", "events", "games", "matches")
GARBAGE, UNSCHEDULED, ELSEWHERE, OTHER = "gc", "unscheduled", "elsewhere", "other"
"""Names of work: a collection of garbage; the operating system had no processor for the loop; no function of these
packages; what comes after the first `MOST_NAMES`."""
MOST_NAMES = 40
_FRAMES = 6

Stack = tuple[tuple[str, CodeType], ...]
"""Functions at work with their modules, the innermost first."""


class Instant(NamedTuple):
    """An instant, the loop thread's processor time until then, and its time waiting for a processor; in seconds."""

    at: float
    cpu: float
    unscheduled: float

    def until(self, later: "Instant") -> "Instant":
        """Return the differences to a later instant."""
        return Instant(later.at - self.at, later.cpu - self.cpu, later.unscheduled - self.unscheduled)


class Schedule:
    """The scheduling times of the thread that made it."""

    def __init__(self) -> None:
        self._cpu_clock = time.pthread_getcpuclockid(threading.get_ident())
        try:
            self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)
        except OSError:
            # Not on every system.
            self._file = -1

    @property
    def cpu(self) -> float:
        """Its processor time in seconds."""
        return time.clock_gettime(self._cpu_clock)

    @property
    def unscheduled(self) -> float:
        """The seconds in which it could have run but had no processor."""
        return int(os.pread(self._file, 100, 0).split()[1]) / 1e9 if self._file >= 0 else 0.0

    def now(self) -> Instant:
        """Return the current instant."""
        return Instant(time.monotonic(), self.cpu, self.unscheduled)

    def close(self) -> None:
        """Close the file of the kernel's statistics."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class LoopWatch:
    """Watches one event loop. Made on that loop, by a coroutine that its runner has called."""

    def __init__(self, packages: tuple[str, ...] = PACKAGES) -> None:
        self._loop = asyncio.get_running_loop()
        self._packages = packages
        self._thread = threading.get_ident()
        self._schedule = Schedule()
        self._runner = _runner_of(sys._getframe())
        self._idle_cpu: float | None = None
        self._sampled_at = self._schedule.now()
        self._idle_samples = 0
        self._began: Instant | None = None
        self._turned: Instant | None = None
        self._stacks = Counter[Stack]()
        self._collections = deque[tuple[float, float]](maxlen=100)
        self._collecting_since = 0.0
        self._names = {GARBAGE, UNSCHEDULED, ELSEWHERE, OTHER}
        self._throttle = LogThrottle(seconds=1)

    def start(self) -> None:
        """Sample until the loop is closed."""
        gc.callbacks.append(self._note_collection)
        threading.Thread(target=self._keep_sampling, name="loop-watch", daemon=True).start()

    @property
    def every(self) -> float:
        """The seconds until the next sample."""
        return IDLE_SECONDS if self._idle_samples >= _IDLE_SAMPLES else EVERY_SECONDS

    def sample(self, unscheduled: Callable[[], float]) -> None:
        """Sample the loop's stack, and count a block that has ended. `unscheduled` returns for how many seconds the
        caller had no processor lately. Raises RuntimeError once the loop is closed."""
        before, cpu = self._sampled_at, self._schedule.cpu
        if self._began is not None and self._turned is not None:
            self._report(self._began, self._turned)
            self._began = None
        if self._began is None and cpu == self._idle_cpu:
            self._sampled_at = before._replace(at=time.monotonic())
            self._idle_samples += 1
            return
        every, self._sampled_at = self.every, (now := self._schedule.now())
        stack = self._stack()
        self._idle_cpu = None if stack else cpu
        self._idle_samples = 0 if stack else self._idle_samples + 1
        if stack:
            self._stacks[stack] += 1
        if self._began is None and stack:
            self._stacks, self._turned = Counter([stack]), None
            # A function that holds the interpreter's lock delays the sample too.
            late = now.at - before.at - every
            is_held = late > LIMIT_SECONDS and (late := late - unscheduled()) > LIMIT_SECONDS
            self._began = before._replace(at=now.at - late) if is_held else now
            self._loop.call_soon_threadsafe(self._note_turn)

    def _keep_sampling(self) -> None:
        own, since = Schedule(), 0.0

        def unscheduled() -> float:
            return own.unscheduled - since

        try:
            for number in count():
                if number % _OWN_EVERY == 0:
                    since = own.unscheduled
                time.sleep(self.every)
                self.sample(unscheduled)
        except RuntimeError:
            gc.callbacks.remove(self._note_collection)
            own.close()
            self._schedule.close()

    def _note_turn(self) -> None:
        self._turned = self._schedule.now()

    def _note_collection(self, phase: str, _: dict[str, Any]) -> None:
        # It runs wherever objects are created, perhaps under a lock of the metrics or the log, so it only stores times.
        if phase == "start":
            self._collecting_since = time.monotonic()
        else:
            self._collections.append((self._collecting_since, time.monotonic()))

    def _stack(self) -> Stack:
        """Return the functions that the loop runs; empty while it waits for work."""
        frame: FrameType | None = sys._current_frames().get(self._thread)
        stack = []
        while frame is not None and frame is not self._runner:
            stack.append((frame.f_globals.get("__name__", ""), frame.f_code))
            frame = frame.f_back
        return tuple(stack)

    def _report(self, began: Instant, turned: Instant) -> None:
        passed = began.until(turned)
        if passed.at < LIMIT_SECONDS:
            return
        ((stack, _),) = self._stacks.most_common(1)
        own = [_name(*it) for it in stack if it[0].partition(".")[0] in self._packages]
        collecting = sum(max(0.0, min(end, turned.at) - max(start, began.at)) for start, end in list(self._collections))
        if passed.unscheduled > passed.at / 2:
            work = UNSCHEDULED
        elif collecting > passed.at / 2:
            work = GARBAGE
        else:
            work = self._named(own[0] if own else ELSEWHERE)
        metrics.LOOP_BLOCKED_SECONDS.labels(work).observe(passed.at)
        if self._throttle.is_due(work):
            log.warning(
                "loop_blocked",
                work=work,
                ms=round(1000 * passed.at),
                cpu_ms=round(1000 * passed.cpu),
                unscheduled_ms=round(1000 * passed.unscheduled),
                gc_ms=round(1000 * collecting),
                at=_name(*stack[0]),
                frames=own[:_FRAMES],
            )

    def _named(self, work: str) -> str:
        if len(self._names) < MOST_NAMES:
            self._names.add(work)
        return work if work in self._names else OTHER


def _name(module: str, code: CodeType) -> str:
    return f"{module}:{code.co_qualname}"


def _runner_of(frame: FrameType) -> FrameType | None:
    """Return the frame that runs the loop: the innermost one on the stack of an idle loop."""
    caller: FrameType | None = frame.f_back
    while caller is not None and caller.f_code.co_flags & inspect.CO_COROUTINE:
        caller = caller.f_back
    return caller
