"""A PgBouncer before a Postgres: the one that CROUPIER_PGBOUNCER names, or the system's."""

import re
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from config.runner.embedded.server import Server, write_private
from config.runner.process import finish
from tests.conftest import FOUND

CARRIES_PREPARED_STATEMENTS = (1, 21)


class PgBouncer(Server):
    """It lets in one login of the server at `target`, to at most `sessions` of it."""

    part = "PgBouncer"
    program = "pgbouncer"

    def __init__(self, folder: Path, target: str, login: tuple[str, str], **settings: str | int) -> None:
        super().__init__(folder)
        self._target, self._login = urlsplit(target), login
        self._settings = {"pool_mode": "transaction", "default_pool_size": 12, "server_login_retry": 1, **settings}

    @property
    def url(self) -> str:
        name, password = self._login
        return f"postgresql://{name}:{password}@127.0.0.1:{self.port}{self._target.path}"

    def stop(self, *, at_once: bool = False) -> None:
        if self._child:
            finish(self._child, (signal.SIGTERM, 0.2 if at_once else 5.0), (signal.SIGKILL, 5.0))
        self.release()

    def _find(self) -> Path:
        return program_or_skip()

    def _lay_out(self) -> None:
        name, password = self._login
        write_private(self.home / "users.txt", f'"{name}" "{password}"\n', self.account)

    def _command(self) -> list[str | Path]:
        settings = {
            "listen_addr": "127.0.0.1", "listen_port": self.port, "unix_socket_dir": "", "auth_type": "scram-sha-256",
            "auth_file": self.home / "users.txt", "max_client_conn": 500, **self._settings,
        }  # fmt: skip
        lines = ["[databases]", f"* = host=127.0.0.1 port={self._target.port}", "[pgbouncer]"]
        lines += [f"{name} = {value}" for name, value in settings.items()]
        write_private(self.home / "pgbouncer.ini", "\n".join(lines) + "\n", self.account)
        return [self.binary, self.home / "pgbouncer.ini"]

    def _accepts(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


def program_or_skip() -> Path:
    """The program."""
    program = FOUND.get("CROUPIER_PGBOUNCER") or shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        pytest.skip("There is no PgBouncer: apt-get install pgbouncer brings one, CROUPIER_PGBOUNCER names another.")
    return Path(program)


def version() -> tuple[int, int]:
    """Of the program."""
    output = subprocess.run([program_or_skip(), "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"PgBouncer (\d+)\.(\d+)", output)
    assert match, output
    return int(match[1]), int(match[2])
