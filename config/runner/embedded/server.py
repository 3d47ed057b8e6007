"""The common parts of bin/up's servers: a folder, a port, a child process, a lock."""

import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from config.runner import server_paths
from config.runner.process import Account, StartFailed, ending, last_lines, spawn

PATIENCE = 120.0
"""The seconds that a server has to accept connections."""


class Server(ABC):
    """A server with a folder of its own, on a free port of 127.0.0.1.

    `folder` holds all its files; `log` defaults to a file beside it. A server object may be started again after
    `stop()` or a crash. It keeps its port, so its `url` stays valid. `part` is its name in messages, `package` the
    Python package that may contain its `program`, and `patience` the seconds that a start may take.
    """

    part: str
    package: str
    program: str
    kill_signal = signal.SIGKILL
    patience = PATIENCE

    def __init__(self, folder: Path, *, log: Path | None = None) -> None:
        self.folder = Path(folder).absolute()
        self.log = log or self.folder.with_name(f"{self.folder.name}.log")
        self.port = 0
        self._child: subprocess.Popen[bytes] | None = None
        self._lock: IO[str] | None = None
        self._settled = False

    @property
    @abstractmethod
    def url(self) -> str:
        """The URL with the login."""

    @abstractmethod
    def _lay_out(self) -> None:
        """Prepare the folder's contents for a start."""

    @abstractmethod
    def _command(self) -> list[str | Path]:
        """Return the command that runs the server in the foreground."""

    @abstractmethod
    def _accepts(self) -> bool:
        """Return True if a connection with the service's login succeeds."""

    @abstractmethod
    def stop(self, *, at_once: bool = False) -> None:
        """End the server and release the folder."""

    def start(self) -> None:
        """Start the server and return when it accepts connections. Raise StartFailed with the reason."""
        if self.alive():
            return
        self._settle()
        self._lay_out()
        attempts = 1 if self.port else 3
        for attempt in range(attempts):
            fixed_port, self.port = self.port, self.port or free_port()
            log_start = self.log.stat().st_size if self.log.exists() else 0
            self._child = self._spawn()
            if self._await():
                return
            reason = last_lines(self.log, since=log_start)
            self.port = fixed_port
            if "already in use" not in reason or attempt == attempts - 1:
                self.release()
                raise StartFailed(f"{self.part} did not start:\n{reason or f'(nothing in {self.log})'}")

    def alive(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def ending(self) -> str:
        return ending(self._child)

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    @property
    def data(self) -> Path:
        return self.home / "data"

    def kill(self) -> None:
        """End the server at once, without waiting; committed data is kept."""
        if self._child and self.alive():
            self._child.send_signal(self.kill_signal)

    def release(self) -> None:
        """Release the lock, so that another process can use the folder. The child must have ended."""
        self._child = None
        if self._lock:
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """Stop the server and delete all its files."""
        self.stop(at_once=True)
        server_paths.vacate(self.folder)
        self.log.unlink(missing_ok=True)

    def _settle(self) -> None:
        if not self._settled:
            self.account = server_paths.server_account()
            self.home = server_paths.settle(self.folder, self.account)
            self.binary = self._find()
            self._settled = True
        if self._lock is None:
            self._take_lock()

    def _take_lock(self) -> None:
        lock = (self.home / "lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise StartFailed(f"{self.part}: {self.folder} is in use by another process.") from None
        self._lock = lock

    def _find(self) -> Path:
        packaged = server_paths.packaged(self.package, self.program)
        if packaged:
            return server_paths.reachable(self.package, packaged, self.home, self.account)
        program = shutil.which(self.program) or next(iter(self._installed()), None)
        if not program:
            raise StartFailed(f"{self.part}: no program `{self.program}` was found.")
        return Path(program)

    def _installed(self) -> Iterator[Path]:
        """Yield places beyond PATH where the system installs the program."""
        return iter(())

    def _spawn(self) -> subprocess.Popen[bytes]:
        return spawn(
            self._command(),
            log=self.log,
            env=environment(),
            cwd=self.home,
            account=self.account,
            # Both servers handle this signal with a clean shutdown.
            on_parent_death=signal.SIGINT,
        )

    def _await(self) -> bool:
        deadline = time.monotonic() + self.patience
        while self.alive():
            if self._accepts():
                return True
            if time.monotonic() > deadline:
                self.stop(at_once=True)
                return False
            time.sleep(0.02)
        return False

    def _password(self) -> str:
        """Return the generated password, stored where only the server's account and root can read it."""
        path = self.home / "password"
        if not path.exists():
            write_private(path, secrets.token_urlsafe(24), self.account)
        return path.read_text()


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment() -> dict[str, str]:
    """Return an environment without the caller's variables: PGDATA, PGPORT, a locale or a time zone would change the
    server."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def write_private(path: Path, text: str, account: Account | None) -> None:
    """Write a file atomically, readable only by the account."""
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    server_paths.own(unfinished, account)
    unfinished.rename(path)
