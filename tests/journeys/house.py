"""Croupier as its README starts it: bin/up in a process of its own, on a free port and a folder of its own."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit, urlunsplit

import httpx

from config.runner.embedded.server import free_port
from tests.conftest import FOUND, database_of_its_own
from tests.journeys.guests import Guest
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a long walk home"
_LOGINS = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_LOGIN", "REDIS_URL", "CROUPIER_DATA", "CROUPIER_LIMITS")
_PROGRAMS = {
    "web": "config.server.serve",
    "worker": "celery -A config worker",
    "beat": "celery -A config beat",
    "Valkey": "valkey-server",
    "Postgres": "listen_addresses",
}
_TO_THE_DOOR = r"ERROR:  (The clock shows .* along\.|Stream \S+ is no longer at |duplicate key .*_(key|head)_pkey)"
figures: dict[str, float] = {}
"""Measurements of this run in seconds, printed at its end."""


class House:
    """One bin/up on one data folder; it may be started again after its end."""

    def __init__(self, folder: Path, arguments: Sequence[str], servers: Mapping[str, str]) -> None:
        self.data = folder / "data"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        # What the run was given, but for what the tests' own stage has put there since.
        variables = {name: value for name, value in FOUND.items() if name not in _LOGINS}
        # A slow start on a busy machine is no outage, or records would differ by the time that it gave back.
        alone = {"CROUPIER_DEMO_SEASON": "0", "CROUPIER_OUTAGE_SECONDS": "86400"}
        self._env = alone | variables | dict(servers)
        self._arguments = arguments
        self._output = folder / "output"
        self._process: subprocess.Popen[bytes] | None = None
        self._guests: dict[str, Guest] = {}

    def start(self) -> float:
        """Start it; gives the seconds until it says that it is ready. It then answers with every part."""
        began = monotonic()
        command = [ROOT / "bin/up", "--port", str(self.port), "--data", self.data, *self._arguments]
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(command, cwd="/", env=self._env, stdout=output, stderr=output)
        wait_until(lambda: "Ctrl-C stops it." in self.output or self._process.poll() is not None, 110)
        took = monotonic() - began
        assert self._process.poll() is None, self.output
        wait_until(self.whole)
        return took

    def stop(self, by: signal.Signals) -> None:
        """Stop it; it ends by itself, without a fault, and leaves nothing running."""
        assert self._process is not None
        self._process.send_signal(by)
        assert self._process.wait(30) == 0, self.output
        assert self.output.rstrip().endswith("stopped")
        assert self.residents() == []

    def kill(self) -> None:
        """The end that nobody can prepare for."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)

    @contextmanager
    def unattended(self) -> Iterator[None]:
        """For a while nobody starts again what has died."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def clear(self) -> None:
        """Let nothing run on, whatever has happened."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
        for guest in self._guests.values():
            guest.leave()

    @property
    def output(self) -> str:
        """Return the output since the last start."""
        return self._output.read_text()

    def errors(self) -> list[str]:
        """The lines of its parts' logs that tell of a fault; a move that had to go to the door is none."""
        lines = [line for log in (self.data / "log").iterdir() for line in log.read_text(errors="replace").splitlines()]
        errors = [line for line in lines if re.search(r'Traceback|"level": "(error|critical)"|ERROR:|PANIC:', line)]
        return [line for line in errors if not re.search(_TO_THE_DOOR, line)]

    def tracebacks(self) -> str:
        """The ends of what its web process logged of requests that failed."""
        lines = (self.data / "log/web.log").read_text(errors="replace").splitlines()
        return "\n".join(line[-1500:] for line in lines if "request failed" in line)

    def whole(self) -> bool:
        """True if every part is ready."""
        try:
            return all(httpx.get(f"{self.url}/readyz", verify=NOBODY).json()["parts"].values())
        except (httpx.HTTPError, ValueError):
            return False

    def pid(self, part: str) -> int | None:
        """The process of a part that runs now."""
        assert self._process is not None
        words = _PROGRAMS[part]
        children = (pid for pid in _pids() if _parent(pid) == self._process.pid)
        return next((pid for pid in children if words in _text(pid, "cmdline", " ")), None)

    def residents(self) -> list[int]:
        """Every process that works for this folder: by its working directory, or by its environment."""
        place, mark = str(self.data), f"CROUPIER_DATA={self.data}"
        return [
            pid for pid in _pids()
            if pid != os.getpid() and (_place(pid).startswith(place) or mark in _text(pid, "environ", "\n").split("\n"))
        ]  # fmt: skip

    def guest(self, name: str) -> Guest:
        """Somebody who has an account here; the same one each time."""
        if name not in self._guests:
            self._guests[name] = Guest.new(self.url, name, PASSWORD)
        return self._guests[name]

    def demo_guest(self, name: str) -> Guest:
        """Somebody with a demo account, by the password that bin/up printed."""
        if name not in self._guests:
            self._guests[name] = Guest.known(self.url, name, self.demo_passwords()[name])
        return self._guests[name]

    def demo_passwords(self) -> dict[str, str]:
        """The demo accounts as they were printed."""
        return dict(re.findall(r"^  (\w+) +(\S+)   (?:player|organiser, admin)$", self.output, re.MULTILINE))

    def manage(self, *arguments: object, typed: str = "") -> subprocess.CompletedProcess[str]:
        """manage.py beside the running service; `typed` is its standard input."""
        return subprocess.run(
            [sys.executable, ROOT / "manage.py", *map(str, arguments)],
            input=typed, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd="/", env=self.beside(),
        )  # fmt: skip

    def beside(self) -> dict[str, str]:
        """The environment of a command that is run beside the service."""
        return self._env | {"CROUPIER_DATA": str(self.data), "CROUPIER_URL": self.url}

    def postmaster(self) -> int:
        """The embedded Postgres, by the file that it keeps."""
        (path,) = (self.data / "postgres").glob("*/postmaster.pid")
        return int(path.read_text().split("\n", 1)[0])

    def services(self) -> dict[str, str]:
        """Return the addresses of the installation's servers."""
        services: dict[str, str] = json.loads((self.data / "run/services.json").read_text())
        return services


@contextmanager
def open_house(name: str, *arguments: str, stopped_by: signal.Signals) -> Iterator[House]:
    """A house that stands ready, and is stopped and cleared away at the end."""
    with ExitStack() as after:
        folder = Path(tempfile.mkdtemp(prefix="croupier-house-"))
        after.callback(shutil.rmtree, folder, ignore_errors=True)
        # The embedded servers' account passes through; what lies below is closed.
        folder.chmod(0o711)
        house = House(folder, arguments, _servers(name, after))
        after.callback(house.clear)
        figures[f"first start, {name}"] = house.start()
        yield house
        house.stop(stopped_by)


def embedded_servers() -> bool:
    """True if each house runs its own servers."""
    return not (FOUND.get("DATABASE_URL") or FOUND.get("REDIS_URL"))


def _servers(name: str, after: ExitStack) -> dict[str, str]:
    """The servers that the run was given, a database of this house's own on each."""
    urls = {}
    if database := FOUND.get("DATABASE_URL"):
        urls["DATABASE_URL"] = after.enter_context(database_of_its_own(database, name))
    if broker := FOUND.get("REDIS_URL"):
        number = 8 + sum(name.encode()) % 8
        urls["REDIS_URL"] = urlunsplit(urlsplit(broker)._replace(path=f"/{number}"))
    return urls


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


def _text(pid: int, name: str, between: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace").replace("\0", between)
    except OSError:
        return ""


def _parent(pid: int) -> int:
    # The name before it stands in brackets and may hold anything.
    words = _text(pid, "stat", "").rpartition(")")[2].split()
    return int(words[1]) if words and words[0] != "Z" else 0


def _place(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except OSError:
        return ""
