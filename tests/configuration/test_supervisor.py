"""A house whose terminal is gone, or that finds no room."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, cast

import pytest
from rich.console import Console

from config.runner import log_files
from config.runner.parts import ROOT, Program
from config.runner.supervisor import StopRequested, Supervisor, WatchedPart


class Gone:
    """A terminal that has been closed, or the end of a pipe."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, _: str) -> int:
        """Nobody reads it."""
        raise OSError(self.number, os.strerror(self.number))

    def flush(self) -> None:
        """Nor this."""
        raise OSError(self.number, os.strerror(self.number))


class Part:
    """A part of the installation."""

    part = "Valkey"

    def __init__(self) -> None:
        self.ended: list[str] = []

    def stop(self) -> None:
        """In order."""
        self.ended.append("stopped")

    def kill(self) -> None:
        """Not in order."""
        self.ended.append("killed")


@pytest.mark.parametrize("number", [errno.EIO, errno.EPIPE])
def test_supervisor_stops_in_order_without_a_console(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    supervisor, part = Supervisor(port=1, data=tmp_path, demo=False), Part()
    supervisor._lay_out()
    supervisor.console = Console(file=cast(IO[str], Gone(number)))
    supervisor._write_down("owner_url", "postgresql://owner:secret@localhost/house")
    supervisor.running.append(part)  # type: ignore[arg-type]
    supervisor._stop()
    assert part.ended == ["stopped"]
    assert not (tmp_path / "run" / "owner_url").exists()
    assert supervisor._lock is not None
    supervisor._lock.close()


class Full(Part):
    """A part whose start finds no room."""

    def start(self) -> None:
        raise OSError(28, "No space left on device", "/data/valkey/valkey.conf.part")

    def alive(self) -> bool:
        return False

    def ending(self) -> str:
        return "was ended by SIGKILL"


def test_a_part_that_finds_no_room_to_start_takes_nobody_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor, part = Supervisor(port=1, data=tmp_path, demo=False), Full()
    watched = WatchedPart(part, due_at=0.0)
    supervisor._revive(watched)
    assert "No space left on device" in capsys.readouterr().out
    assert watched.due_at is None, "It is tried again."


def test_a_folder_that_can_not_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    command = [sys.executable, "-m", "config.runner.supervisor", "--data", tmp_path / "file/data"]
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    message = f"Croupier can't run here: [Errno 20] Not a directory: '{tmp_path}/file/data'\n"
    assert (refused.returncode, refused.stderr) == (1, message)


def test_log_that_cannot_be_rotated_is_kept_and_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_files, "LIMIT", 10)
    monkeypatch.setattr(log_files, "LOOK", 0.0)
    messages: list[str] = []
    files, log = log_files.LogFiles(tmp_path, messages.append), tmp_path / "web.log"
    log.write_text("a line of many")
    (tmp_path / "web.log.1").mkdir()
    files.keep_small()
    files.keep_small()
    assert log.read_text() == "a line of many"
    assert len(messages) == 1 and messages[0].startswith(f"{log} could not be set aside: ")


def test_a_log_that_grows_is_set_aside_while_its_part_writes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_files, "LIMIT", 10)
    monkeypatch.setattr(log_files, "LOOK", 0.0)
    supervisor, log = Supervisor(port=1, data=tmp_path, demo=False), tmp_path / "log/web.log"
    log.parent.mkdir()

    def later(_seconds: float) -> None:
        stream.write(b"on it goes")
        stream.flush()
        raise StopRequested

    monkeypatch.setattr(time, "sleep", later)
    with log.open("ab") as stream:
        stream.write(b"a line of many")
        stream.flush()
        with pytest.raises(StopRequested):
            supervisor._watch()
    assert (tmp_path / "log/web.log.1").read_bytes() == b"a line of many"
    assert log.read_bytes() == b"on it goes"


def test_crashed_program_leaves_its_python_stack_in_its_log(tmp_path: Path) -> None:
    env = Supervisor(port=1, data=tmp_path, demo=False)._environment()
    crash = ["timeit", "-n1", "-r1", "import ctypes; ctypes.string_at(0)"]
    program = Program("crashing", crash, env, tmp_path / "crashing.log")
    program.launch()
    assert program.child is not None
    assert program.child.wait(30) == -signal.SIGSEGV
    log = program.log.read_text(encoding="utf-8")
    assert "Fatal Python error: Segmentation fault" in log
    assert "timeit.py" in log
