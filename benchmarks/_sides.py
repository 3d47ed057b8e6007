"""The sides of a comparison as seen by the clients: requests to each, and the processor time of its processes."""

import json
import os
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks._lines import cpu_seconds

_ROOT = Path(__file__).resolve().parents[1]
_PARTS = {"web": "web", "postgres": "Postgres", "worker": "worker", "valkey": "Valkey"}


@dataclass
class Served(ABC):
    """Measured processes: their ports and ids."""

    name: str
    ports: list[int] = field(default_factory=list, kw_only=True)
    pids: dict[str, int] = field(default_factory=dict, kw_only=True)

    @abstractmethod
    def kill(self) -> None:
        """Kill the process at the first port; it is restarted."""

    def cpu(self) -> dict[str, float]:
        """Return the processor time of each kind of its processes, and of this one."""
        used = dict.fromkeys([*_PARTS.values(), "client"], 0.0)
        for name, pid in self.pids.items():
            kind = next((shown for start, shown in _PARTS.items() if name.startswith(start)), None)
            if kind is not None:
                used[kind] += _with_children(pid) if kind == "Postgres" else cpu_seconds(pid)
        return used | {"client": process_time()}


@dataclass
class Side(Served):
    """A measured checkout."""

    process: subprocess.Popen[str]

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send a request and return the response; raise RuntimeError if the side has ended."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"The side `{self.name}` has ended.")
        return json.loads(answer)

    def serve(
        self, *, webs: int = 1, worker: bool = False, apart: bool = False, env: dict[str, str] | None = None
    ) -> None:
        """Start new web processes."""
        response = self.ask("serve", webs=webs, worker=worker, apart=apart, env=env or {})
        self.ports, self.pids = response["ports"], response["pids"]

    def kill(self) -> None:
        """Kill the first web process; it is restarted."""
        self.pids = self.ask("kill")["pids"]

    def matches(
        self,
        count: int,
        *,
        game: str = "pyramid_poker",
        moves: int = 1000,
        events: int = 0,
        seconds: int = 0,
        **more: Any,
    ) -> list[Any]:
        """Return running matches and their prepared moves; with `seconds` every turn has that time limit. `more` are
        the seats and the options, which older checkouts lack."""
        answer: list[Any] = self.ask(
            "matches", count=count, game=game, moves=moves, events=events, seconds=seconds, **more
        )
        return answer


@contextmanager
def sides(against: Path | None) -> Iterator[list[Side]]:
    """This checkout, preceded by the one it is compared with if there is one."""
    with ExitStack() as after:
        folders = [("base", against.resolve())] if against else []
        yield [after.enter_context(_side(name, folder)) for name, folder in [*folders, ("new", _ROOT)]]


@contextmanager
def _side(name: str, folder: Path) -> Iterator[Side]:
    own = folder / ".venv/bin/python"
    python = own if own.exists() else Path(sys.executable)
    env = dict(os.environ) | {"PYTHONPATH": str(folder), "PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [python, "-P", _ROOT / "benchmarks/_side.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=folder,
            env=env,
            # Ctrl-C is for the clients; this process ends the sides.
            start_new_session=True,
        )
        try:
            yield Side(name, process)
        except Exception:
            log.seek(0)
            sys.stderr.write(f"The side `{name}` wrote:\n{log.read()[-4000:]}\n")
            raise
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(60)


def _with_children(pid: int) -> float:
    """Return the processor time of a Postgres: the postmaster and its processes, including those that have ended."""
    words = _words(pid)
    used = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").glob("[0-9]*"):
        child = _words(int(entry.name))
        if child and int(child[1]) == pid:
            used += (int(child[11]) + int(child[12])) / os.sysconf("SC_CLK_TCK")
    return used


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
