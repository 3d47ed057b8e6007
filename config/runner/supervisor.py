"""bin/up: starts Postgres, Valkey, web, worker and beat, restarts them, and stops them together."""

import argparse
import contextlib
import fcntl
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

from django.core.exceptions import ImproperlyConfigured
from rich.console import Console

from config.deployment import logins, secret_files
from config.runner import connection_budget, parts
from config.runner.embedded.postgres import Postgres
from config.runner.embedded.server import Server
from config.runner.embedded.valkey import Valkey
from config.runner.log_files import LogFiles
from config.runner.parts import ROOT, Program, SupervisedProcess
from config.runner.process import StartFailed, last_lines
from config.runner.watched_part import FIRST_WAIT, LONGEST_WAIT, QUIET, WatchedPart
from config.runner.web_ports import WebPorts

CHILD_LOGINS = ("DATABASE_URL", "DATABASE_LOGIN", "REDIS_URL", "CROUPIER_BROKER_URL")
PREPARE, SEED = ["-m", "config.database"], ["manage.py", "seed_demo"]
SEASON = ["manage", "demo_season", "--once", "--stop-at", "3"]
# A child gets only the logins that it needs.
LOGIN_VARIABLES = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_LOGIN", "REDIS_URL", "CROUPIER_BROKER_URL")


class StopRequested(BaseException):
    """A signal asked the supervisor to stop."""


class Supervisor:
    """The supervisor of one installation in one data folder."""

    def __init__(self, *, port: int, data: Path, demo: bool, webs: int = 1) -> None:
        self.port, self.data, self.demo = port, data, demo
        self.web_ports = WebPorts(port, webs)
        self.logs = data / "log"
        self.running: list[SupervisedProcess] = []
        self.demo_season: Program | None = None
        self.console = Console(soft_wrap=True, highlight=False)
        self.log_files = LogFiles(self.logs, self._say)
        self._lock: IO[str] | None = None

    def run(self) -> None:
        """Start everything, then watch until stopped. Leave nothing running."""
        try:
            self._lay_out()
            self.web_ports.take()
            self._start()
            self._watch()
        finally:
            self._stop()

    def kill(self) -> None:
        for part in reversed(self.running):
            part.kill()

    def _lay_out(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        # The embedded servers' account passes through root's folder; the folders inside are closed.
        self.data.chmod(0o711 if os.geteuid() == 0 else 0o700)
        self._lock = self._take_lock()
        for name in ("log", "run", "secrets"):
            (self.data / name).mkdir(exist_ok=True)
            (self.data / name).chmod(0o700)
        self.log_files.keep_small()
        secret_files.ensure(self.data / "secrets")

    def _take_lock(self) -> IO[str]:
        lock = (self.data / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartFailed(
                f"Croupier already runs on {self.data} (process {lock.read().strip() or 'unknown'}). "
                "Stop it, or choose another folder with --data."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        return lock

    def _start(self) -> None:
        urls = {name: value for name in LOGIN_VARIABLES if (value := secret_files.given(name, os.environ))}
        if not {"DATABASE_URL", "DATABASE_OWNER_URL"} & urls.keys():
            urls["DATABASE_OWNER_URL"] = self._start_postgres()
        if "REDIS_URL" not in urls:
            valkey = Valkey(self.data / "valkey", log=self._log("valkey"))
            urls["REDIS_URL"] = self._start_server(valkey)
        secret = secret_files.read("secret_key", self.data / "secrets", os.environ)
        login = logins.read(urls, secret)
        assert login is not None  # noqa: S101  one of the two URLs is there
        self._prepare(login, urls)
        if shortage := connection_budget.shortage(login.app, self.web_ports.webs):
            self.console.print(f"{'Database':<10} {shortage}", style="yellow")
        servers = {name: urls[name] for name in ("REDIS_URL", "CROUPIER_BROKER_URL") if name in urls}
        env = self._environment(DATABASE_URL=login.app, DATABASE_LOGIN="app", **servers)
        self._write_down("services.json", json.dumps({name: env[name] for name in CHILD_LOGINS if name in env}))
        if login.owner:
            self._write_down("owner_url", login.owner)
        self._start_programs(env)
        self._print_addresses()
        self._seed(env)
        self.console.print("\nCtrl-C stops it.")

    def _start_postgres(self) -> str:
        connections = connection_budget.embedded_limit(self.web_ports.webs)
        postgres = Postgres(self.data / "postgres", log=self._log("postgres"), connections=connections)
        url = self._start_server(postgres)
        if postgres.home != postgres.folder:
            self.console.print(f"{'':<10} keeps its files in {postgres.home}, as its account cannot enter {self.data}")
        return url

    def _start_server(self, server: Server) -> str:
        with self._step(server.part):
            self.running.append(server)
            server.start()
        return server.url

    def _prepare(self, login: logins.Logins, urls: Mapping[str, str]) -> None:
        if login.owner is None:
            self.console.print("Database   taken as it is: its owner's login is not known here")
            return
        names = {"DATABASE_OWNER_URL": login.owner} | ({} if login.derived else {"DATABASE_URL": login.app})
        env = self._environment(**names, REDIS_URL=urls["REDIS_URL"])
        with self._step("Database"):
            steps = parts.output_of("Preparing the database", PREPARE, env, self._log("prepare"))
            for line in steps:
                self.console.print(f"{line}, ", end="")

    def _start_programs(self, env: Mapping[str, str]) -> None:
        webs = parts.webs(self.web_ports, env, self.logs)
        programs = [*webs, parts.worker(env, self.logs), parts.beat(self.data, env, self.logs)]
        # Launch all at once: each spends its first second importing.
        for program in programs:
            self.running.append(program)
            program.launch()
        for program in programs:
            with self._step(program.part):
                program.await_ready()

    def _print_addresses(self) -> None:
        address = f"http://127.0.0.1:{self.port}"
        self.console.print(
            f"\n[bold]Croupier is ready.[/bold]\n"
            f"  pages   {address}/\n"
            f"  API     {address}/api/v1/   described at {address}/api/docs\n"
            f"  admin   {address}/admin/\n"
            f"  data    {self.data}   logs in {self.logs}"
        )
        if own := self.web_ports.own:
            self.console.print(f"  alone   http://127.0.0.1:{own[0]}/ to :{own[-1]}/   each web process for itself")

    def _seed(self, env: Mapping[str, str]) -> None:
        if not self.demo:
            return
        try:
            self.console.print()
            for line in parts.output_of("Demo data", SEED, env, self._log("seed_demo")):
                self.console.print(line, markup=False)
        except StartFailed as failure:
            self.console.print(str(failure), markup=False, style="yellow")
            return
        if os.environ.get("CROUPIER_DEMO_SEASON", "1") == "1":
            self._play_demo_season(env)

    def _play_demo_season(self, env: Mapping[str, str]) -> None:
        """Start programs that play a demo season beside the service, once per data folder."""
        address = f"http://127.0.0.1:{self.port}"
        self.demo_season = Program("demo season", [*SEASON, "--url", address], env, self._log("demo_season"))
        self.demo_season.launch()
        self.console.print(f"A demo season comes to life at {address}/seasons within a minute.")

    def _watch(self) -> None:
        watched = [WatchedPart(part, started_at=time.monotonic()) for part in self.running]
        while True:
            for each in watched:
                if not each.part.alive():
                    self._revive(each)
                elif each.hangs(time.monotonic()):
                    self._end_hanging(each)
            self.log_files.keep_small()
            time.sleep(0.1)

    def _end_hanging(self, each: WatchedPart) -> None:
        """Kill a part that hangs: a stopped or stuck process doesn't react to other signals."""
        self._say(f"{each.part.part} has given no sign of life for {each.silent:.0f} s and is killed")
        each.forget_silence()
        each.part.kill()

    def _revive(self, each: WatchedPart) -> None:
        now = time.monotonic()
        if each.due_at is None:
            if now - each.started_at > QUIET:
                each.wait = FIRST_WAIT
            each.due_at = now + each.wait
            each.wait = min(each.wait * 2, LONGEST_WAIT)
            crash = each.part.crash_report() if isinstance(each.part, Program) else ""
            words = crash or last_lines(self._log(each.part.part), 3)
            self._say(f"{each.part.part} {each.part.ending()}; its last lines:\n{words}")
        if now < each.due_at:
            return
        each.due_at = None
        each.started_at = now
        each.forget_silence()
        try:
            each.part.start()
            self._say(f"{each.part.part} runs again")
        except (StartFailed, OSError) as failure:
            # A full disk may be temporary; the other parts go on.
            each.part.kill()
            self._say(str(failure))
        each.started_at = time.monotonic()

    def _stop(self) -> None:
        if self.running:
            self._say("stopping")
        if self._lock:
            for name in ("services.json", "owner_url"):
                (self.data / "run" / name).unlink(missing_ok=True)
        if self.demo_season:
            self.demo_season.kill()
        programs = [part for part in reversed(self.running) if isinstance(part, Program)]
        servers = [part for part in reversed(self.running) if not isinstance(part, Program)]
        # Stop the programs first, side by side, then the servers that they use.
        for program in programs:
            program.request_stop()
        for part in (*programs, *servers):
            part.stop()
        self.web_ports.release()
        if self.running:
            self._say("stopped")

    @contextlib.contextmanager
    def _step(self, name: str) -> Iterator[None]:
        """Print a line of progress: the name at the start, the rest at the end."""
        began = time.monotonic()
        self.console.print(f"{name:<10} ", end="")
        try:
            yield
        except BaseException:
            self.console.print("failed")
            raise
        self.console.print(f"ready after {time.monotonic() - began:.1f} s")

    def _say(self, text: str) -> None:
        # Output may fail. If the terminal was closed, the supervisor must still stop in order. For a closed pipe, such
        # as a `tee` that got the same Ctrl-C, the console would raise SystemExit.
        with contextlib.suppress(OSError, SystemExit):
            self.console.print(f"{time.strftime('%H:%M:%S')} {text}", markup=False)

    def _log(self, part: str) -> Path:
        return self.logs / f"{part.lower()}.log"

    def _environment(self, **logins: str) -> dict[str, str]:
        hidden = {f"{name}{end}" for name in LOGIN_VARIABLES for end in ("", "_FILE")}
        inherited = {name: value for name, value in os.environ.items() if name not in hidden}
        # If native code fails, the stacks of all threads are written to the process's log before it ends.
        own = {"CROUPIER_DATA": str(self.data), "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"}
        return {**inherited, **logins, **own}

    def _write_down(self, name: str, text: str) -> None:
        """Write the servers' URLs to a file, for manage.py and pg_dump beside a running service."""
        path = self.data / "run" / name
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(text)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bin/up", description="Run Croupier on this machine.")
    parser.add_argument("--port", type=int, default=8000, help="serve at 127.0.0.1 on this port")
    parser.add_argument("--data", type=Path, default=ROOT / "var", help="keep everything in this folder")
    parser.add_argument(
        "--webs",
        type=int,
        default=1,
        help="so many web processes share the port; each also serves at one of its own, from the next one on",
    )
    parser.add_argument("--no-demo", action="store_true", help="make no demo accounts and matches")
    chosen = parser.parse_args()
    supervisor = Supervisor(port=chosen.port, data=chosen.data.absolute(), demo=not chosen.no_demo, webs=chosen.webs)
    _handle_signals(supervisor)
    try:
        supervisor.run()
    except StopRequested:
        return
    except (StartFailed, ImproperlyConfigured) as failure:
        _exit_with(str(failure))
    except OSError as failure:
        # A closed folder or a full disk; the error names it.
        _exit_with(f"Croupier can't run here: {failure}")


def _exit_with(message: str) -> NoReturn:
    Console(stderr=True, soft_wrap=True).print(message, markup=False, highlight=False, style="red")
    sys.exit(1)


def _handle_signals(supervisor: Supervisor) -> None:
    """Stop everything in order at the first signal, kill it at the second."""
    is_stopping = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_stopping
        if is_stopping:
            supervisor.kill()
            os._exit(130)
        is_stopping = True
        raise StopRequested

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


if __name__ == "__main__":
    main()
