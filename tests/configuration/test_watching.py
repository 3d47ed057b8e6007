"""A part that hangs is told from one that starts, and from one that nobody has listened to."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from uuid import uuid4

import pytest

from config.celery import send_alive_signal_of_worker
from config.runner import liveness
from config.runner.liveness import AliveSignal, Threads
from config.runner.parts import Program
from config.runner.supervisor import StopRequested, Supervisor
from config.runner.watched_part import SILENT, STEP, WatchedPart
from matches import tasks
from matches.domain.fair_queue import Work
from matches.workers.worker_threads import WorkerThreads
from tests.waiting import wait_until

LOOK = 0.1


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """A part that never gives a sign by itself."""
    program = Program("worker", ["json.tool"], os.environ, tmp_path / "log/worker.log")
    yield program
    program.kill()
    program.stop()


def spoken(program: Program) -> AliveSignal:
    """A pipe to the program's supervisor, and a first sign through it."""
    program._signs, theirs = os.pipe()
    os.set_blocking(program._signs, False)
    os.set_blocking(theirs, False)
    sign = AliveSignal({liveness.PIPE: str(theirs)})
    sign.give()
    return sign


def silent_for(watched: WatchedPart, seconds: float, now: float) -> tuple[bool, float]:
    """Return whether it hangs after a number of seconds of checks, and the time then."""
    for _ in range(round(seconds / LOOK)):
        now += LOOK
        if watched.hangs(now):
            return True, now
    return False, now


def test_a_part_that_falls_silent_hangs_and_one_that_speaks_again_does_not(program: Program) -> None:
    watched, sign = WatchedPart(program), spoken(program)
    hangs, now = silent_for(watched, SILENT - 0.5, 100.0)
    assert not hangs
    sign.give()
    hangs, now = silent_for(watched, SILENT - 0.5, now)
    assert not hangs, "It has spoken meanwhile."
    hangs, _ = silent_for(watched, 1.0, now)
    assert hangs


def test_a_watcher_that_was_stopped_itself_kills_nobody(program: Program) -> None:
    """Or the machine slept: what no part could say, or nobody could hear, is no silence of theirs."""
    watched, _ = WatchedPart(program), spoken(program)
    _, now = silent_for(watched, 1.0, 100.0)
    assert not watched.hangs(now + 3600)
    assert not silent_for(watched, SILENT - STEP - 1.5, now + 3600)[0]


def test_a_part_that_starts_has_all_the_time_of_a_start(program: Program) -> None:
    assert not silent_for(WatchedPart(program), program.patience - 1, 100.0)[0]
    assert silent_for(WatchedPart(program), program.patience + 1, 100.0)[0]


def test_a_sign_waits_for_no_supervisor(program: Program) -> None:
    """One that is stopped reads nothing, and the pipe runs full."""
    sign = spoken(program)
    for _ in range(100_000):
        sign.give()
    assert program.read_signals() and not program.read_signals()
    AliveSignal({}).give()


def test_a_part_that_is_stopped_is_killed_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A real process and the supervisor's own loop."""
    (tmp_path / "speaker.py").write_text(
        "import threading\nfrom config.runner import liveness as alive\nalive.EVERY_SECONDS = 0.05\n"
        "alive.alive_signal.keep_giving()\nthreading.Event().wait(60)\n"
    )
    env = dict(os.environ) | {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"}
    program = Program("worker", ["speaker"], env, tmp_path / "log/worker.log")
    supervisor = Supervisor(port=1, data=tmp_path, demo=False)
    supervisor.running.append(program)
    monkeypatch.setattr("config.runner.watched_part.SILENT", 1.0)
    program.launch()
    assert program.child is not None
    first, sleep, until, stopped = program.child.pid, time.sleep, time.monotonic() + 30, []

    def look(seconds: float) -> None:
        assert time.monotonic() < until
        if program.has_spoken and not stopped:
            os.kill(first, signal.SIGSTOP)
            stopped.append(first)
        elif program.has_spoken and program.child and program.child.pid != first:
            raise StopRequested
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", look)
    try:
        with pytest.raises(StopRequested):
            supervisor._watch()
    finally:
        monkeypatch.undo()
        program.kill()
        program.stop()
    output = capsys.readouterr().out
    assert "worker has given no sign of life for 1 s and is killed" in output
    assert "worker was ended by SIGKILL" in output and "worker runs again" in output


def test_a_worker_none_of_whose_threads_ends_its_task_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = Threads(2)
    threads.begin("a")
    monkeypatch.setattr(liveness, "STUCK_SECONDS", 0.0)
    assert threads.move(), "One is free."
    threads.begin("b")
    assert not threads.move()
    threads.end("a")
    assert threads.move()
    monkeypatch.setattr(liveness, "STUCK_SECONDS", 60.0)
    threads.begin("c")
    assert threads.move(), "It has only begun."


def test_a_worker_tells_its_threads_tasks_from_its_start_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from celery.signals import task_postrun, task_prerun

    given_tasks = []
    monkeypatch.setattr(liveness.AliveSignal, "keep_giving", lambda _, lives: given_tasks.append(lives))
    send_alive_signal_of_worker(SimpleNamespace(concurrency=1))
    (moves,) = given_tasks
    monkeypatch.setattr(liveness, "STUCK_SECONDS", 0.0)
    task_prerun.send(sender=None, task_id="one")
    assert not moves()
    task_postrun.send(sender=None, task_id="one")
    assert moves()


def test_a_worker_whose_attendants_are_all_at_one_match_for_too_long_falls_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given_tasks = []
    monkeypatch.setattr(liveness.AliveSignal, "keep_giving", lambda _, lives: given_tasks.append(lives))
    end, served = Event(), []
    worker_threads = WorkerThreads(lambda match_id: served.append(match_id) or (None if end.wait(20) else 0), threads=1)
    monkeypatch.setattr(tasks, "worker_threads", worker_threads)
    send_alive_signal_of_worker(SimpleNamespace(concurrency=1))
    (moves,) = given_tasks
    assert moves()
    worker_threads.attend_to([Work(uuid4(), uuid4(), alone=False)])
    wait_until(lambda: bool(served))
    assert moves(), "It has only begun."
    monkeypatch.setattr(liveness, "STUCK_SECONDS", 0.0)
    assert not moves()
    end.set()
    wait_until(moves)
    worker_threads.stop()


def test_ended_program_sends_no_more_signals(program: Program) -> None:
    program.arguments[:] = ["this"]
    program.launch()
    wait_until(lambda: not program.alive())
    assert not program.read_signals()
