"""Two web processes and a worker on databases that fail over, and how the journeys play at them."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx

from config.deployment import secret_files
from config.runner import parts
from config.runner.embedded.server import free_port
from config.runner.embedded.valkey import Valkey
from games import catalogue
from games.kernel import to_json
from tests.conftest import FOUND
from tests.journeys.guests import Guest
from tests.journeys.house import ROOT
from tests.live.watching import House, Watcher
from tests.waiting import PATIENCE, wait_until

Sent = tuple[Guest, Any, str, bytes]
"""The player, the command, its key, and the answer."""
_STAGE = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_LOGIN", "REDIS_URL", "CROUPIER_DATA", "CROUPIER_LIMITS")


class WebPair:
    """Two web processes and a worker that reach their database as the environment says that they are opened with."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self._folder, self._held = folder, held
        valkey = Valkey(folder / "valkey")
        held.callback(valkey.remove)
        valkey.start()
        secret_files.ensure(folder / "data" / "secrets")
        self.env = {name: value for name, value in FOUND.items() if name not in _STAGE} | {
            "REDIS_URL": valkey.url, "CROUPIER_DATA": str(folder / "data"), "CROUPIER_LIMITS": "0",
            "CROUPIER_OUTAGE_SECONDS": "86400", "DJANGO_SETTINGS_MODULE": "config.settings",
        }  # fmt: skip
        self.webs: list[parts.Program] = []

    def prepare(self, **env: str) -> None:
        """The database by its owner's login."""
        prepared = self.run("-m", "config.database", **env)
        assert prepared.returncode == 0, prepared.stderr

    def open(self, **env: str) -> None:
        """Start them all."""
        self.env |= env
        self.webs = [parts.web(free_port(), self.env, _made(self._folder / name)) for name in ("one", "two")]
        for program in (*self.webs, parts.worker(self.env, self._folder)):
            self._held.callback(program.stop)
            self._held.callback(program.request_stop)
            program.start()

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """A program beside the running service."""
        return subprocess.run(
            [sys.executable, *arguments],
            env=self.env | env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip

    def urls(self) -> list[str]:
        """Return the addresses of the two web processes."""
        return [f"http://127.0.0.1:{program.arguments[-1]}" for program in self.webs]

    def socket_of(self, number: int) -> House:
        """One of the two, to open sockets at."""
        program = self.webs[number]
        assert program.child is not None
        return House(int(program.arguments[-1]), program.child.pid, program.log)

    def pids(self) -> list[int]:
        """The processes; they stay the same."""
        return [program.child.pid for program in self.webs if program.child and program.alive()]


def play(match: str, players: list[Guest], moves: int, rng: Random) -> list[Sent]:
    """Make a number of moves by whoever is prompted."""
    sent = []
    for _ in range(moves):
        document = wait_until(lambda: match_awaiting_seat(players[0].read(match)))
        seat = document["due"]["prompts"][0]["seat"]
        own_view = players[seat].turn(match, seat)
        command, key = players[seat].choose(own_view, seat, rng), f"move-{len(sent)}-{rng.random()}"
        answer = players[seat].post(f"/matches/{match}/commands", command, key)
        assert answer.status_code == 201, answer.text
        sent.append((players[seat], command, key, answer.content))
    return sent


def say_something(
    one: Watcher, two: Watcher, players: list[Guest], match: str, rng: Random, key: str = "over-the-socket"
) -> tuple[list[str], list[str]]:
    """A move over a seat's socket, as programs write one; gives the keys that each of the two has sent so."""
    document = wait_until(lambda: match_awaiting_seat(players[0].read(match)))
    seat = document["due"]["prompts"][0]["seat"]
    own_view = players[seat].turn(match, seat)
    game = catalogue[own_view["game"]]
    command = to_json(game.bot(game.read_state(own_view["view"]), seat, rng))
    assert (one, two)[seat].command(command, key, expected=own_view["version"])["kind"] == "accepted"
    wait_until(lambda: match_awaiting_seat(players[0].read(match)))
    return ([key], []) if seat == 0 else ([], [key])


def match_awaiting_seat(document: Any) -> Any:
    """Return the match if it waits for a seat, else None."""
    return document if document["due"]["prompts"] and not document["due"]["dealer"] else None


def _made(path: Path) -> Path:
    path.mkdir()
    return path


def insist(act: Callable[[], httpx.Response], seconds: float = 40) -> httpx.Response:
    """The answer of a house that may be without its database for a while: one that isn't there, or is 503, is asked
    for again."""
    return wait_until(lambda: _answer(act), seconds)  # type: ignore[no-any-return]


def play_on(match: str, players: list[Guest], moves: int, rng: Random) -> list[Sent]:
    """Make a number of moves; each is sent again under the same key until it is answered."""
    sent = []
    for _ in range(moves):
        document = wait_until(lambda: match_awaiting_seat(insist(lambda: players[0].ask(f"/matches/{match}")).json()))
        seat, key = document["due"]["prompts"][0]["seat"], f"insisted-{rng.random()}"
        player = players[seat]
        own_view = insist(lambda player=player: player.ask(f"/matches/{match}")).json()
        game = catalogue[own_view["game"]]
        command = to_json(game.bot(game.read_state(own_view["view"]), seat, rng))
        answer = insist(
            lambda player=player, command=command, key=key: player.post(f"/matches/{match}/commands", command, key)
        )
        assert answer.status_code == 201, answer.text
        sent.append((player, command, key, answer.content))
    return sent


def _answer(act: Callable[[], httpx.Response]) -> httpx.Response | None:
    try:
        answer = act()
    except httpx.HTTPError:
        return None
    return None if answer.status_code == 503 else answer
