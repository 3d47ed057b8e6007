"""The service behind PgBouncer: play by sessions and by transactions, or a start that names what is missing."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import psycopg
import pytest

from config.deployment.logins import role_password
from config.runner.embedded.postgres import Postgres
from tests.journeys.guests import Guest, play_to_the_end
from tests.journeys.house import PASSWORD
from tests.journeys.pgbouncer import CARRIES_PREPARED_STATEMENTS, PgBouncer, version
from tests.journeys.web_pair import WebPair, play, play_on, say_something

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROLE = "croupier_app"
SESSIONS = {"session": 60, "transaction": 8}
"""Two webs and a worker ask for up to 26: eight a process, and a web process one for its beat."""
_SERVED_BY = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"


class Pooled(WebPair):
    """They reach their database by a PgBouncer; preparing goes past it."""

    def __init__(self, folder: Path, held: ExitStack, **settings: str | int) -> None:
        super().__init__(folder, held)
        self.postgres = Postgres(folder / "postgres")
        held.callback(self.postgres.remove)
        self.postgres.start()
        self.prepare(DATABASE_OWNER_URL=self.postgres.url)
        password = role_password((folder / "data/secrets/secret_key").read_text(), ROLE)
        self.bouncer = PgBouncer(folder / "bouncer", self.postgres.url, (ROLE, password), **settings)
        held.callback(self.bouncer.remove)
        self.bouncer.start()
        self.env |= {"DATABASE_URL": self.bouncer.url, "DATABASE_LOGIN": "app"}

    def served_by(self) -> int:
        """Return the number of Postgres sessions that serve the processes."""
        with psycopg.connect(self.postgres.url) as connection:
            ((count,),) = connection.execute(_SERVED_BY, [ROLE]).fetchall()
        return int(count)

    def patience(self) -> set[str]:
        """Return the lock timeouts of all sessions in the pool."""
        with ExitStack() as held:
            several = [held.enter_context(psycopg.connect(self.bouncer.url)) for _ in range(SESSIONS["transaction"])]
            return {str(connection.execute("SHOW lock_timeout").fetchone()[0]) for connection in several}  # type: ignore[index]


@pytest.fixture
def held() -> Iterator[tuple[Path, ExitStack]]:
    """A folder that the servers' account may pass through, and what is cleared away at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-pooled-") as name, ExitStack() as stack:
        Path(name).chmod(0o711)
        yield Path(name), stack


@pytest.mark.parametrize("mode", SESSIONS)
def test_a_match_is_played_to_its_end_through_a_pooler(held: tuple[Path, ExitStack], mode: str) -> None:
    carries = version() >= CARRIES_PREPARED_STATEMENTS
    if mode == "transaction" and not carries:
        pytest.skip(
            f"PgBouncer {'.'.join(map(str, version()))} carries no prepared statements over: "
            "CROUPIER_PGBOUNCER names one that does."
        )
    carrying = {"max_prepared_statements": 200} if carries else {}
    houses = Pooled(*held, pool_mode=mode, default_pool_size=SESSIONS[mode], **carrying)
    houses.open()
    rng = Random(3)
    players = [Guest.new(url, f"player-{number}", PASSWORD) for number, url in enumerate(houses.urls())]
    match = players[0].open("pyramid_poker", *players)
    sent = play(match, players, 6, rng)

    # Its sessions end under play, as in a restart of Postgres.
    with psycopg.connect(houses.postgres.url) as owner:
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [ROLE])
    sent += play_on(match, players, 6, rng)
    for player, command, key, answer in sent:
        response = player.ask(f"/matches/{match}/commands/{key}")
        assert (response.status_code, response.content) == (200, answer), command
    with houses.socket_of(0).watch(players[0], match) as one, houses.socket_of(1).watch(players[1], match) as two:  # type: ignore[arg-type]
        play(match, players, 2, rng)
        for watcher, player in ((one, players[0]), (two, players[1])):
            watcher.reach(players[0].read(match)["version"])
            assert watcher.view == player.read(match)["view"]
    # At one web process, as a proxy leads a match: then what is sent over sockets is stored by its writer.
    with houses.socket_of(0).watch(players[0], match) as one, houses.socket_of(0).watch(players[1], match) as two:  # type: ignore[arg-type]
        for number in range(6):
            say_something(one, two, players, match, rng, f"socket-{number}")
    assert play_to_the_end(match, players, rng)["outcome"]
    assert houses.patience() == {"5s"}, "What one of them sets for itself isn't left to the next one in its session."
    assert houses.served_by() <= SESSIONS[mode]
    exported = houses.run("manage.py", "export_archive", str(held[0] / "all.zip"))
    assert exported.returncode == 0, exported.stderr
    verified = houses.run("manage.py", "verify", "--all", "--processes", "2")
    assert verified.returncode == 0, verified.stdout
    for player in players:
        player.leave()


def test_pooler_without_prepared_statements_is_refused_at_the_start(held: tuple[Path, ExitStack]) -> None:
    keeping_nothing = {"max_prepared_statements": 0} if version() >= CARRIES_PREPARED_STATEMENTS else {}
    houses = Pooled(*held, **keeping_nothing)
    for part in (["config.server.serve", "--port", "0"], ["celery", "-A", "config", "worker", "-P", "solo"]):
        ended = houses.run("-m", *part)
        assert ended.returncode == 1
        assert "Croupier doesn't start. Between it and Postgres stands a pooler" in ended.stderr, ended.stderr
        assert "max_prepared_statements = 200" in ended.stderr and "Traceback" not in ended.stderr
