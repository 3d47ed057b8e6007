"""Child processes that end with their parent, and can be found, stopped, and asked why they ended."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Account:
    """A system user for a child process."""

    name: str
    uid: int
    gid: int


class StartFailed(Exception):
    """A part did not start; the text gives its name and the reason."""


def spawn(
    command: Sequence[str | Path],
    *,
    log: Path,
    env: Mapping[str, str],
    cwd: Path,
    account: Account | None = None,
    on_parent_death: signal.Signals = signal.SIGKILL,
    output: int | None = None,
    passed: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own, so that a Ctrl-C for the parent doesn't reach it.

    Call this from the main thread: the kernel sends `on_parent_death` when the calling thread ends. The standard output
    goes to `log`, or to the descriptor `output`. The child inherits only the descriptors in `passed`.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as errors:
        return subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=errors if output is None else output,
            stderr=errors,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            pass_fds=passed,
            # It runs after the change of user, which would clear the signal again.
            preexec_fn=die_with(os.getpid(), on_parent_death),
            **run_as(account),
        )


def run_as(account: Account | None) -> dict[str, Any]:
    """Return the subprocess arguments that run a child as `account`."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def die_with(parent: int, number: signal.Signals) -> Callable[[], None]:
    """Return a function for the child to call before its program: it asks the kernel for a signal when `parent`
    ends."""

    def ask() -> None:
        if sys.platform == "linux":
            _libc.prctl(_PR_SET_PDEATHSIG, int(number))
            # The parent may have ended before this request.
            if os.getppid() != parent:
                os._exit(1)

    return ask


def finish(child: subprocess.Popen[bytes], *signals: tuple[signal.Signals, float]) -> None:
    """Send each signal in turn and wait the given seconds for the child to end."""
    for number, seconds in signals:
        if child.poll() is not None:
            return
        child.send_signal(number)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            continue


def ending(child: subprocess.Popen[bytes] | None) -> str:
    """Describe how a child ended."""
    code = child.poll() if child else None
    if code is None:
        return "is not running"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def residents(folder: Path, program: str) -> list[int]:
    """Return the running processes of `program` whose working directory is `folder`; zombies have no working
    directory."""
    return [pid for pid in _pids() if _link(pid, "cwd") == str(folder) and _program(pid) == program]


def evict(folder: Path, program: str, grace: float) -> None:
    """Wait `grace` seconds for the residents of `folder` to end, then kill the others."""
    deadline = time.monotonic() + grace
    while pids := residents(folder, program):
        if time.monotonic() >= deadline:
            for pid in pids:
                _kill(pid)
        time.sleep(0.02)


_KEPT_CHARACTERS = 300
_IMPROPERLY_CONFIGURED = "django.core.exceptions.ImproperlyConfigured: "


def last_lines(log: Path, count: int = 6, since: int = 0) -> str:
    """Return the last lines of a log, from byte `since` on; for a wrong setting, only the sentence that names it."""
    lines = [_shortened(line) for line in end_of(log, 8192, since).splitlines() if line.strip()][-count:]
    if lines and lines[-1].startswith(_IMPROPERLY_CONFIGURED):
        return lines[-1].removeprefix(_IMPROPERLY_CONFIGURED)
    return "\n".join(lines)


def end_of(log: Path, most: int, since: int = 0) -> str:
    """Return at most `most` bytes from the end of a log, none of them before byte `since`."""
    try:
        with log.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            # An overlong log is emptied while its process runs.
            stream.seek(max(since if since <= size else 0, size - most))
            return stream.read().decode(errors="replace")
    except FileNotFoundError:
        return ""


def _shortened(line: str) -> str:
    """Return the beginning and the end of a long line: a line with a traceback ends with the error."""
    return line if len(line) <= 2 * _KEPT_CHARACTERS else f"{line[:_KEPT_CHARACTERS]} ... {line[-_KEPT_CHARACTERS:]}"


def _pids() -> Iterator[int]:
    for entry in Path("/proc").glob("[0-9]*"):
        yield int(entry.name)


def _link(pid: int, name: str) -> str:
    try:
        return str(Path(f"/proc/{pid}/{name}").readlink())
    except OSError:
        return ""


def _program(pid: int) -> str:
    # If a program's file was replaced while it ran, its link reads "/path/name (deleted)".
    return Path(_link(pid, "exe").removesuffix(" (deleted)")).name


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
