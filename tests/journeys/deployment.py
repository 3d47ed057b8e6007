"""The service with servers of its own, as several web processes, workers and beats: what docs/scaling.md describes."""

import subprocess
from contextlib import ExitStack
from pathlib import Path

import httpx

from config.deployment import secret_files
from config.runner import embedded, parts
from tests.conftest import FOUND
from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD
from tests.journeys.releases import HERE, Release, ReleasedProgram
from tests.waiting import PATIENCE, wait_until

STAGE = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_LOGIN", "REDIS_URL", "CROUPIER_DATA", "CROUPIER_LIMITS")
"""Variables of the run that belong to another service; the deployment replaces them."""
AS_BY_TLS = {"X-Forwarded-Proto": "https"}
"""Headers that a proxy adds; tests that ask a web process directly send them too."""


class Deployment:
    """Several web processes, workers and beats on one Postgres and one broker; each can be killed and started again."""

    def __init__(
        self,
        folder: Path,
        held: ExitStack,
        *,
        count: int = 2,
        beats: int = 2,
        release: Release = HERE,
        **variables: str,
    ) -> None:
        self.folder, self.release = folder, release
        self.postgres = embedded.Postgres(folder / "postgres")
        held.callback(self.postgres.remove)
        self.postgres.start()
        if "REDIS_URL" not in variables:
            valkey = embedded.Valkey(folder / "valkey")
            held.callback(valkey.remove)
            valkey.start()
            variables["REDIS_URL"] = valkey.url
        secret_files.ensure(folder / "data" / "secrets")
        self.env = {name: value for name, value in FOUND.items() if name not in STAGE} | {
            "DATABASE_URL": self.postgres.url, "CROUPIER_DATA": str(folder / "data"), "CROUPIER_LIMITS": "0",
            "CROUPIER_OUTAGE_SECONDS": "86400", "CROUPIER_BOT_REST": "0", "CROUPIER_SHOW_REST": "0",
            "DJANGO_SETTINGS_MODULE": "config.settings", "FORWARDED_ALLOW_IPS": "127.0.0.1", "CROUPIER_HTTPS": "1",
        } | variables  # fmt: skip
        prepared = self.run("-m", "config.database")
        assert prepared.returncode == 0, prepared.stderr
        self.webs = [self._web(n) for n in range(count)]
        self.workers = [self._worker(n) for n in range(count)]
        self.beats = [self._beat(n) for n in range(beats)]
        for program in self.programs:
            held.callback(program.stop)
            held.callback(program.ask_to_stop)
            program.start()

    @property
    def programs(self) -> list[ReleasedProgram]:
        """All of its processes, workers first, as an upgrade replaces them."""
        return [*self.workers, *self.beats, *self.webs]

    @property
    def ports(self) -> list[int]:
        """Return the ports of the web processes."""
        return [int(program.arguments[-1]) for program in self.webs]

    @property
    def urls(self) -> list[str]:
        """Return the addresses of the web processes."""
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A program of the deployment's release beside the running service."""
        return subprocess.run(
            self.release.command(*arguments),
            env=self.env, cwd=self.release.tree, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip

    def account(self, name: str, transport: httpx.BaseTransport | None = None) -> Guest:
        """Somebody new, whose requests go by this transport."""
        api, body = f"{self.urls[0]}/api/v1", {"username": name, "password": PASSWORD}
        for path in ("accounts", "tokens"):
            answer = httpx.post(f"{api}/{path}", json=body, headers=AS_BY_TLS)
            assert answer.status_code == 201, answer.text
        return Guest(self.urls[0], name, answer.json()["token"], transport)

    def whole(self) -> bool:
        """True if every web process reports every part as ready."""
        try:
            readiness = [httpx.get(f"{url}/readyz").json()["parts"] for url in self.urls]
        except (httpx.HTTPError, ValueError):
            return False
        return all(all(parts.values()) for parts in readiness)

    def kill(self, program: ReleasedProgram) -> None:
        """The end that nobody can prepare for; it is started again by `program.start`."""
        program.kill()
        wait_until(lambda: not program.alive())

    def restart(self, program: ReleasedProgram) -> None:
        """End it as an upgrade does, and start it anew, by the deployment's release."""
        program.ask_to_stop()
        program.stop()
        program.release = self.release
        program.start()

    def errors(self) -> str:
        """Lines of its logs that tell of a fault. Beat may be stopped in the middle of a tick, and says so."""
        lines = [line for log in self.folder.glob("logs/w*/*.log") for line in log.read_text().splitlines()]
        return "\n".join(line[:1500] for line in lines if "request failed" in line or "Traceback" in line)

    def _web(self, number: int) -> ReleasedProgram:
        web = parts.web(embedded.free_port(), self.env, self._logs(f"web{number}"))
        return ReleasedProgram.of(self.release, web)

    def _worker(self, number: int) -> ReleasedProgram:
        worker = parts.worker(self.env, self._logs(f"worker{number}"))
        worker.arguments.extend(["--hostname", f"worker{number}@%h"])
        return ReleasedProgram.of(self.release, worker, " ready.")

    def _beat(self, number: int) -> ReleasedProgram:
        beat = parts.beat(self.folder / f"beat{number}", self.env, self._logs(f"beat{number}"))
        return ReleasedProgram.of(self.release, beat, "maxinterval")

    def _logs(self, name: str) -> Path:
        path = self.folder / "logs" / name
        path.mkdir(parents=True)
        (self.folder / name / "run").mkdir(parents=True, exist_ok=True)
        return path
