"""The parts that bin/up keeps running. Each starts, reports if it is alive, and stops."""

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from config.runner import crashes, liveness
from config.runner.process import StartFailed, ending, finish, last_lines, spawn
from config.runner.web_ports import WebPorts

ROOT = Path(__file__).resolve().parents[2]


class SupervisedProcess(Protocol):
    """A process that the supervisor watches."""

    @property
    def part(self) -> str: ...
    def start(self) -> None: ...
    def alive(self) -> bool: ...
    def ending(self) -> str: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...


@dataclass
class Program:
    """A process of the service, started as `python -m` with `arguments`."""

    part: str
    arguments: list[str]
    env: Mapping[str, str]
    log: Path
    # Returns True once the process is ready; called until then, or until `patience` seconds have passed.
    ready: Callable[[], bool] = lambda: True
    patience: float = 60.0
    grace: float = 5.0
    child: subprocess.Popen[bytes] | None = field(default=None, init=False)
    began: int = field(default=0, init=False)
    # Whether it has sent an alive signal since it was launched, and the pipe that receives them.
    has_spoken: bool = field(default=False, init=False)
    _signs: int | None = field(default=None, init=False)

    def start(self) -> None:
        self.launch()
        self.await_ready()

    def launch(self) -> None:
        self.began = self.log.stat().st_size if self.log.exists() else 0
        self._close_pipe()
        self._signs, theirs = os.pipe()
        os.set_blocking(self._signs, False)
        os.set_blocking(theirs, False)
        env = {**self.env, liveness.PIPE: str(theirs)}
        try:
            command = [sys.executable, "-m", *self.arguments]
            self.child = spawn(command, log=self.log, env=env, cwd=ROOT, passed=[theirs])
        finally:
            os.close(theirs)

    def read_signals(self) -> bool:
        """Return True if the process has sent an alive signal since the last call."""
        received = False
        while self._signs is not None:
            try:
                data = os.read(self._signs, 4096)
            except BlockingIOError:
                break
            if not data:
                # The process has ended.
                self._close_pipe()
            received = received or bool(data)
        self.has_spoken = self.has_spoken or received
        return received

    def _close_pipe(self) -> None:
        self.has_spoken = False
        if self._signs is not None:
            os.close(self._signs)
            self._signs = None

    def await_ready(self) -> None:
        deadline = time.monotonic() + self.patience
        while self.alive() and time.monotonic() < deadline:
            if self.ready():
                return
            time.sleep(0.05)
        silent = "it does not answer" if self.alive() else f"it {self.ending()}"
        raise StartFailed(f"{self.part} did not start, {silent}:\n{self.last_words()}")

    def last_words(self) -> str:
        return self.crash_report() or last_lines(self.log, since=self.began) or f"(nothing in {self.log})"

    def crash_report(self) -> str:
        """Return a report if the process crashed in native code; else an empty string."""
        return crashes.report(self.child.poll() if self.child else None, self.log, self.began)

    def alive(self) -> bool:
        return self.child is not None and self.child.poll() is None

    def ending(self) -> str:
        return ending(self.child)

    def request_stop(self) -> None:
        if self.child and self.alive():
            self.child.terminate()

    def stop(self) -> None:
        """Wait for the process to end after `request_stop`. A second signal would make a worker drop its task."""
        if self.child:
            try:
                self.child.wait(self.grace)
            except subprocess.TimeoutExpired:
                finish(self.child, (signal.SIGKILL, 5.0))

    def kill(self) -> None:
        if self.child and self.alive():
            self.child.kill()


def web(port: int, env: Mapping[str, str], logs: Path, *, name: str = "web", shared_port: int | None = None) -> Program:
    """Return a web process that listens on `port`, and on `shared_port` if several web processes share one."""
    shared = [] if shared_port is None else ["--shared-port", str(shared_port)]
    return Program(
        name,
        ["config.server.serve", *shared, "--port", str(port)],
        env,
        logs / f"{name}.log",
        ready=lambda: answers(port),
    )


def webs(ports: WebPorts, env: Mapping[str, str], logs: Path) -> list[Program]:
    if not ports.own:
        return [web(ports.shared, env, logs)]
    return [
        web(port, env, logs, name=f"web-{number}", shared_port=ports.shared)
        for number, port in enumerate(ports.own, start=1)
    ]


def worker(env: Mapping[str, str], logs: Path) -> Program:
    silent = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    options = ["-P", "threads", "-c", "4", *silent, "--loglevel", "INFO"]
    return Program("worker", ["celery", "-A", "config", "worker", *options], env, logs / "worker.log")


def beat(data: Path, env: Mapping[str, str], logs: Path) -> Program:
    schedule = data / "run" / "beat"
    options = ["--pidfile=", "--max-interval", "1", "--schedule", str(schedule), "--loglevel", "INFO"]
    return Program("beat", ["celery", "-A", "config", "beat", *options], env, logs / "beat.log")


def answers(port: int) -> bool:
    """Return True if the web process reports that it is healthy."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def output_of(part: str, arguments: list[str], env: Mapping[str, str], log: Path) -> Iterator[str]:
    """Run a program to its end and yield its lines as they come. Raise StartFailed if it fails."""
    began = log.stat().st_size if log.exists() else 0
    reader, writer = os.pipe()
    child = spawn([sys.executable, *arguments], log=log, env=env, cwd=ROOT, output=writer)
    os.close(writer)
    try:
        with os.fdopen(reader) as lines:
            yield from (line.rstrip("\n") for line in lines)
        code = child.wait()
    finally:
        finish(child, (signal.SIGKILL, 5.0))
    if code != 0:
        raise StartFailed(f"{part} failed:\n{last_lines(log, since=began)}")
