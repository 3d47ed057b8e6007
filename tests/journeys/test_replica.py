"""A replica that has stopped replaying: every view tells what the primary holds, records are whole, rebuilds too."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import psycopg
import pytest

from tests.journeys.guests import Guest, play_to_the_end
from tests.journeys.house import PASSWORD
from tests.journeys.standby import pair_or_skip
from tests.journeys.web_pair import WebPair, play
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

_READ_THERE = """
SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_user_tables
WHERE relname = 'events_event'
"""


class Houses(WebPair):
    """Their replica is a standby of their primary."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        self.pair = pair_or_skip(folder, held)
        self.prepare(DATABASE_URL=self.pair.primary.url)
        self.pair.standby.start()
        where = f"postgresql://127.0.0.1:{self.pair.standby.port}/croupier"
        self.open(DATABASE_URL=self.pair.primary.url, DATABASE_REPLICA_URL=where, CROUPIER_REPLICA_SECONDS="3600")

    def on_the_replica(self, question: str) -> object:
        """Return the first value of a query on the standby."""
        with psycopg.connect(self.pair.standby.url, autocommit=True) as connection:
            row = connection.execute(question.encode()).fetchone()
        return row and row[0]


@pytest.fixture
def houses() -> Iterator[Houses]:
    """They stand ready, and are cleared away at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-replica-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        yield Houses(Path(name), held)


def test_views_equal_the_primary_whatever_the_replica_lacks(houses: Houses) -> None:
    rng = Random(5)
    players = [Guest.new(url, f"player-{number}", PASSWORD) for number, url in enumerate(houses.urls())]
    early, late = (players[0].open("pyramid_poker", *players, clocks=None) for _ in range(2))
    play_to_the_end(early, players, rng)
    play(late, players, 4, rng)
    place = houses.pair.ask("SELECT pg_current_wal_lsn()::text")
    wait_until(lambda: houses.pair.standby.reached(place))
    assert record_holds(houses, players[0].export(early))
    wait_until(lambda: houses.on_the_replica(_READ_THERE))

    houses.on_the_replica("SELECT pg_wal_replay_pause()")
    with houses.socket_of(0).watch(players[0], late) as one, houses.socket_of(1).watch(players[1], late) as two:  # type: ignore[arg-type]
        play(late, players, 4, rng)
        for watcher, player in ((one, players[0]), (two, players[1])):
            watcher.reach(int(houses.pair.ask("SELECT version FROM events_head WHERE stream = %s", late)))
            assert watcher.view == player.read(late)["view"]
    assert play_to_the_end(late, players, rng)["outcome"]
    newest = int(houses.pair.ask("SELECT version FROM events_head WHERE stream = %s", late))
    for player in players:
        assert player.read(late)["version"] == newest
        exported = player.export(late)
        assert record_holds(houses, exported) and json.loads(exported.splitlines()[0])["version"] == newest
    rebuilt = houses.run("manage.py", "rebuild")
    assert rebuilt.returncode == 0, rebuilt.stderr
    counted = houses.pair.ask("SELECT count(*) FROM matches_playerresult WHERE match_id = %s", late)
    assert counted == 2

    houses.pair.standby.kill()
    assert record_holds(houses, players[1].export(early)), "Without a replica the primary tells it."
    for player in players:
        player.leave()


def record_holds(houses: Houses, record: str) -> bool:
    """True if the verifier accepts the record."""
    file = Path(houses.env["CROUPIER_DATA"]) / "record.ndjson"
    file.write_text(record)
    process = houses.run("manage.py", "verify", str(file))
    assert process.returncode == 0, process.stdout + process.stderr
    return True
