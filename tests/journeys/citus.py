"""A Citus cluster of three nodes on this machine: a coordinator and two workers."""

import os
import signal
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from config.deployment import distributing
from config.deployment.logins import Logins
from config.runner.embedded.postgres import Postgres
from config.runner.embedded.server import write_private
from tests.journeys.standby import with_children
from tests.waiting import wait_until

BINARIES = "CROUPIER_CITUS"

_SETTINGS = {
    "shared_preload_libraries": "citus",
    "max_prepared_transactions": 200,
    # Between servers of one machine, which have no certificates.
    "citus.node_conninfo": "sslmode=disable",
    "citus.recover_2pc_interval": "1s",
    "citus.shard_count": 4,
    # Shards are moved by logical replication.
    "wal_level": "logical",
}


class Node(Postgres):
    """A server of the cluster. All have one owner with one password, by which they let each other in."""

    def __init__(self, folder: Path, binaries: Path, first: "Node | None" = None) -> None:
        super().__init__(folder, connections=300)
        self._binaries, self._first = binaries, first

    def _find(self) -> Path:
        return self._binaries / self.program

    def _password(self) -> str:
        return self._first._password() if self._first else super()._password()

    def _initdb(self) -> None:
        # The program that makes a data folder reads a file of the node's own.
        if self._first:
            self._write_password()
        super()._initdb()

    def _write_password(self) -> None:
        write_private(self.home / "password", self._password(), self.account)

    def _command(self) -> list[str | Path]:
        return [*super()._command(), *(word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}"))]


class Cluster:
    """The coordinator and its workers, with the extension installed and nothing distributed."""

    def __init__(self, folder: Path, binaries: Path, held: ExitStack, ports: tuple[int, ...] = (0, 0, 0)) -> None:
        self.coordinator = Node(folder / "coordinator", binaries)
        self.workers = [Node(folder / f"worker-{number}", binaries, self.coordinator) for number in (1, 2)]
        for node, port in zip(self.nodes, ports, strict=True):
            node.port = port
            held.callback(node.remove)
            node.start()
            self.run(node, "CREATE EXTENSION citus")
        self.let_in("croupier", self.coordinator._password())
        self.run(self.coordinator, "SELECT citus_set_coordinator_host('127.0.0.1', %s)", self.coordinator.port)
        for worker in self.workers:
            self.run(self.coordinator, "SELECT citus_add_node('127.0.0.1', %s)", worker.port)

    @property
    def nodes(self) -> list[Node]:
        return [self.coordinator, *self.workers]

    def let_in(self, role: str, password: str) -> None:
        """Each node gives this password where it asks another one as this role."""
        for node in self.nodes:
            self.run(node, "INSERT INTO pg_dist_authinfo VALUES (0, %s, %s)", role, f"password={password}")

    def run(self, node: Node, statement: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
        """Execute a statement on a node as its owner, and return the rows."""
        with psycopg.connect(node.url, autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def kill(self, node: Node) -> None:
        """The end that nobody can prepare for, of a node with all its sessions; `node.start` brings it back."""
        for pid in with_children(node.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not node.alive())

    @property
    def url(self) -> str:
        """The owner's login."""
        return self.coordinator.url

    def distribute(self, login: Logins) -> None:
        """Spread the prepared database over the nodes."""
        self.let_in(login.role, login.password)
        with psycopg.connect(self.url, autocommit=True) as owner:
            distributing.distribute(owner, login.role, lambda _step: None)


def binaries() -> Path:
    """Return the folder of the programs of a Postgres with Citus; raises FileNotFoundError without one."""
    path = Path(os.environ.get(BINARIES) or "/nonexistent")
    if not (path / "postgres").exists():
        raise FileNotFoundError(f"{BINARIES} names no folder with the programs of a Postgres that has Citus.")
    return path
