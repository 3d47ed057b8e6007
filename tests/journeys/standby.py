"""Two Postgres servers, one the other's standby, and a forwarder before them whose address never changes."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg
import pytest

from config.runner.embedded.postgres import Postgres
from config.runner.embedded.server import environment
from config.runner.process import die_with, run_as
from tests.waiting import wait_until

_BYTES = 65536


class Standby(Postgres):
    """A server that begins as a copy of another and follows it, until it is promoted."""

    def __init__(self, folder: Path, primary: Postgres, name: str = "s1") -> None:
        super().__init__(folder)
        self.primary, self.name = primary, name

    def promote(self) -> None:
        """From now on it takes writes; what it hasn't got by now is lost."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")

    def reached(self, place: str) -> bool:
        """True if the standby has replayed the log up to a position of the primary."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [place]).fetchone()
        return bool(row and row[0])

    def _password(self) -> str:
        return self.primary._password()

    def _initdb(self) -> None:
        source = f"{self.primary.url}?application_name={self.name}"
        copy = [self.binary.with_name("pg_basebackup"), "-D", self.data, "-d", source, "-R", "-c", "fast"]
        subprocess.run(
            copy, check=True, capture_output=True, cwd=self.home, env=environment(),
            preexec_fn=die_with(os.getpid(), signal.SIGKILL), **run_as(self.account),
        )  # fmt: skip


def pair_or_skip(folder: Path, held: ExitStack) -> "Pair":
    """A pair of servers, where the server's program comes with the one that copies a running server."""
    pair = Pair(folder, held)
    if not pair.primary.binary.with_name("pg_basebackup").exists():
        pytest.skip("pg_basebackup isn't beside this Postgres: apt-get install postgresql brings one that has it.")
    return pair


class Forwarder:
    """Takes connections at one port of 127.0.0.1 and carries them to another one, which may change."""

    def __init__(self, target: int) -> None:
        self._target: int | None = target
        self._open: set[socket.socket] = set()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        Thread(target=self._take, name="forwarder", daemon=True).start()

    def lead_to(self, target: int | None) -> None:
        """Cut every connection; the next ones go there, or nowhere."""
        self._target = target
        for end in list(self._open):
            _cut(end)

    def close(self) -> None:
        """Take nobody any more."""
        _cut(self._door)
        self.lead_to(None)

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._door.accept()
                try:
                    if self._target is None:
                        raise ConnectionRefusedError
                    server = socket.create_connection(("127.0.0.1", self._target), 5)
                except OSError:
                    caller.close()
                    continue
                server.settimeout(None)
                self._open |= {caller, server}
                for ends in ((caller, server), (server, caller)):
                    Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, to: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_BYTES):
                to.sendall(data)
        for end in (source, to):
            _cut(end)
            self._open.discard(end)


def _cut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


class Pair:
    """A primary, a standby that follows it asynchronously, and the forwarder that leads to the first."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.primary = Postgres(folder / "primary")
        held.callback(self.primary.remove)
        self.primary.start()
        self.standby = Standby(folder / "standby", self.primary)
        held.callback(self.standby.remove)
        self.forwarder = Forwarder(self.primary.port)
        held.callback(self.forwarder.close)

    @property
    def url(self) -> str:
        """The owner's login by way of the forwarder."""
        return self.primary.url.replace(f":{self.primary.port}/", f":{self.forwarder.port}/")

    def ask(self, question: str, *values: Any) -> Any:
        """Return the first value of a query on the server that the service uses."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(question, values or None).fetchone()
        return row and row[0]

    @property
    def both(self) -> str:
        """The owner's login at either, without a forwarder."""
        hosts = f"@127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}/"
        return self.primary.url.replace(f"@127.0.0.1:{self.primary.port}/", hosts)

    def be_synchronous(self) -> None:
        """From now on nothing is acknowledged that the standby hasn't on its disk."""
        self.standby.start()
        with psycopg.connect(self.primary.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 ({self.standby.name})'")
            connection.execute("SELECT pg_reload_conf()")
        wait_until(lambda: self.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'"))

    @contextmanager
    def frozen_standby(self) -> Iterator[None]:
        """The standby takes nothing more, and its connections stay."""
        stopped = with_children(self.standby.pid)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)

    def lose_primary(self) -> None:
        """The primary dies with its disk."""
        self.forwarder.lead_to(None)
        self.primary.kill()
        self.primary.stop(at_once=True)
        shutil.rmtree(self.primary.data, ignore_errors=True)

    def part(self) -> None:
        """The standby has all that there is now, and gets nothing of what follows."""
        self.standby.start()
        place = self.ask("SELECT pg_current_wal_lsn()::text")
        while not self.standby.reached(place):
            pass
        self.standby.stop()

    def fail_over(self) -> None:
        """The primary dies with its disk; the standby takes over as it is."""
        self.lose_primary()
        self.standby.start()
        self.standby.promote()
        self.forwarder.lead_to(self.standby.port)


def with_children(pid: int | None) -> list[int]:
    """A server's processes, its own first."""
    assert pid is not None
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]
