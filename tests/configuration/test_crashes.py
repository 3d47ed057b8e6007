"""A process that native code has ended says where: in its log, on the terminal, and by the documented command."""

import io
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from config.runner import crashes
from config.runner.parts import ROOT, Program
from config.runner.supervisor import Supervisor
from config.runner.watched_part import WatchedPart

SETUP = "import threading; [threading.Thread(target=threading.Event().wait, daemon=True).start() for _ in range(20)]"
CRASH = "import ctypes; ctypes.string_at(0)"
"""In the thread whose stack is written last."""
OTHER_LINE = "an earlier life ended well\n"


@pytest.fixture
def house(tmp_path: Path) -> Supervisor:
    supervisor = Supervisor(port=1, data=tmp_path / "var", demo=False)
    supervisor.console = Console(file=io.StringIO(), soft_wrap=True)
    return supervisor


@pytest.fixture
def crashed(house: Supervisor) -> Iterator[Program]:
    """A program of many threads, one of which has crashed."""
    house.logs.mkdir(parents=True)
    log = house.logs / "worker.log"
    log.write_text(OTHER_LINE)
    program = Program("worker", ["timeit", "-n1", "-r1", "-s", SETUP, CRASH], house._environment(), log)
    program.launch()
    assert program.child is not None
    assert program.child.wait(30) == -signal.SIGSEGV
    yield program
    program.kill()


def test_supervisor_shows_the_stack_of_the_thread_that_crashed(house: Supervisor, crashed: Program) -> None:
    house._revive(WatchedPart(crashed, started_at=time.monotonic()))
    assert isinstance(house.console.file, io.StringIO)
    output = house.console.file.getvalue()
    assert "worker was ended by SIGSEGV" in output
    assert "Fatal Python error: Segmentation fault\nCurrent thread " in output
    assert "in string_at" in output
    assert str(crashed.log) in output
    assert "in wait" not in output


def test_failed_start_shows_the_stack_of_the_thread_that_crashed(crashed: Program) -> None:
    assert "in string_at" in crashed.last_words()


def test_documented_command_shows_the_thread_that_crashed(house: Supervisor, crashed: Program) -> None:
    guide = (ROOT / "docs/debugging.md").read_text(encoding="utf-8")
    section = guide.split("## A process crashed\n")[1]
    command = section.split("```sh\n")[1].split("```")[0]
    shown_text = subprocess.run(
        ["/bin/sh", "-c", command], cwd=house.data.parent, capture_output=True, text=True, check=True
    ).stdout
    assert shown_text.startswith("Fatal Python error")
    assert "Current thread " in shown_text
    assert "in string_at" in shown_text
    assert OTHER_LINE not in shown_text


STACK = 'Fatal Python error: Bus error\n\nCurrent thread 0x1 (most recent call first):\n  File "a.py", line 1 in f\n\n'


def test_crash_report_passes_over_the_crash_of_an_earlier_life(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    log.write_text(STACK + "ready\n")
    assert crashes.report(-signal.SIGSEGV, log, since=len(STACK)).startswith("ready\nIt left no Python stack.")


def test_crash_report_reads_a_log_that_was_emptied_since(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    log.write_text(STACK)
    assert "line 1 in f\nThe stacks of all its threads are in " in crashes.report(-signal.SIGBUS, log, since=10**6)


@pytest.mark.parametrize("code", [None, 0, 1, -signal.SIGTERM, -signal.SIGKILL])
def test_crash_report_is_empty_for_other_endings(tmp_path: Path, code: int | None) -> None:
    log = tmp_path / "worker.log"
    log.write_text(STACK)
    assert crashes.report(code, log, since=0) == ""
