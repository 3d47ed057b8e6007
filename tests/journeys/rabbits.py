"""A cluster of three nodes of RabbitMQ, each a process that may be killed."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from secrets import token_urlsafe

from config.runner.embedded.server import free_port
from config.runner.process import finish, last_lines, spawn
from tests.journeys.proxies import Certificate
from tests.waiting import PATIENCE, wait_until

PROGRAMS = Path("/usr/lib/rabbitmq/bin")
"""Folder in which Debian installs the programs; those on the path run under their own account."""
_WORD = token_urlsafe()


def lacking() -> str:
    """Return the reason why RabbitMQ can't be started, or an empty string."""
    is_installed = (PROGRAMS / "rabbitmq-server").exists() and shutil.which("epmd")
    return "" if is_installed else "RabbitMQ isn't installed: apt-get install rabbitmq-server brings it."


class Rabbits:
    """Three nodes that find each other by an epmd of their own."""

    def __init__(
        self, folder: Path, held: ExitStack, names: Sequence[str] = ("one", "two", "three"),
        certificate: Certificate | None = None,
    ) -> None:  # fmt: skip
        """With a certificate they speak TLS alone."""
        self.folder, self._names, self._certificate = folder, names, certificate
        folder.mkdir()
        self.ports = {name: free_port() for name in names}
        self._between = {name: free_port() for name in names}
        self._epmd_port = free_port()
        self._nodes: dict[str, subprocess.Popen[bytes]] = {}
        cookie = folder / ".erlang.cookie"
        cookie.write_text(token_urlsafe().replace("-", ""))
        cookie.chmod(0o400)
        command = ["epmd", "-address", "127.0.0.1", "-port", str(self._epmd_port)]
        self._epmd = spawn(command, log=folder / "epmd.log", env=self._env("one"), cwd=folder)
        held.callback(self._end)
        for name in names:
            self.start(name)
        for name in names:
            wait_until(lambda name=name: self._answers(name), 90)
        wait_until(lambda: self.ctl("list_queues").returncode == 0)

    @property
    def url(self) -> str:
        """Return the value of CROUPIER_BROKER_URL."""
        hosts = ",".join(f"localhost:{port}" for port in self.ports.values())
        return f"{'amqps' if self._certificate else 'amqp'}://croupier:{_WORD}@{hosts}/"

    def start(self, name: str) -> None:
        """One of the nodes; it joins the others."""
        nodes = "".join(
            f"cluster_formation.classic_config.nodes.{place} = {other}@localhost\n"
            for place, other in enumerate(self._names, 1)
        )
        door = f"listeners.tcp.local = 127.0.0.1:{self.ports[name]}"
        if self._certificate:
            files = {"cacertfile": "certificate", "certfile": "certificate", "keyfile": "key"}
            lines = (f"ssl_options.{word} = {getattr(self._certificate, kind)}" for word, kind in files.items())
            door = "\n".join(["listeners.tcp = none", f"listeners.ssl.local = 127.0.0.1:{self.ports[name]}", *lines])
        (self.folder / f"{name}.conf").write_text(
            f"{door}\ndefault_user = croupier\ndefault_pass = {_WORD}\n"
            f"cluster_formation.peer_discovery_backend = classic_config\n{nodes}disk_free_limit.absolute = 10MB\n"
        )
        command = [PROGRAMS / "rabbitmq-server"]
        self._nodes[name] = spawn(command, log=self._log(name), env=self._env(name), cwd=self.folder)
        wait_until(lambda: self._answers(name) or self._nodes[name].poll() is not None, 90)
        assert self._nodes[name].poll() is None, last_lines(self._log(name))

    def kill(self, name: str) -> None:
        """The end of a node that nobody can prepare for."""
        with suppress(ProcessLookupError):
            os.killpg(self._nodes[name].pid, signal.SIGKILL)
        self._nodes[name].wait(10)
        wait_until(lambda: not self._answers(name))

    def kinds(self) -> dict[str, str]:
        """The queues, and of which kind each is."""
        result = self.ctl("list_queues", "name", "type", "--no-table-headers", "--silent")
        return dict(line.split("\t") for line in result.stdout.splitlines() if "\t" in line)

    def used(self) -> set[str]:
        """The nodes to which somebody is connected."""
        result = self.ctl("list_connections", "pid", "port", "--no-table-headers", "--silent", node="two")
        return {name for name, port in self.ports.items() if str(port) in result.stdout}

    def ctl(self, *arguments: str, node: str = "one") -> subprocess.CompletedProcess[str]:
        """A question to the cluster."""
        command = [PROGRAMS / "rabbitmqctl", "--node", f"{node}@localhost", *arguments]
        return subprocess.run(
            command, env=self._env(node), cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    def _answers(self, name: str) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.ports[name]), 1).close()
        except OSError:
            return False
        return True

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _env(self, name: str) -> Mapping[str, str]:
        empty = self.folder / "empty"
        empty.touch()
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "ERL_EPMD_PORT": str(self._epmd_port), "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"{name}@localhost", "RABBITMQ_DIST_PORT": str(self._between[name]),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "data"), "RABBITMQ_LOG_BASE": str(self.folder / "log"),
            "RABBITMQ_PID_FILE": str(self.folder / f"{name}.pid"), "RABBITMQ_LOGS": "-",
            "RABBITMQ_CONFIG_FILE": str(self.folder / f"{name}.conf"), "RABBITMQ_CONF_ENV_FILE": str(empty),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(empty),
            # Three of them on one machine needn't wait for work in circles.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }  # fmt: skip

    def _end(self) -> None:
        for child in self._nodes.values():
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            finish(child, (signal.SIGKILL, 5.0))
        finish(self._epmd, (signal.SIGKILL, 5.0))
