"""The service on a Citus cluster: play on both nodes, one of them killed and come back, a shard moved under play."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest

from config.deployment.database import role_password
from config.runner import parts
from config.runner.process import last_lines
from tests.journeys.citus import BINARIES, Cluster, Node, binaries
from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD
from tests.journeys.stubborn import Player, Stubborn, assert_all_is_kept
from tests.journeys.web_pair import WebPair
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        not (Path(os.environ.get(BINARIES) or "/nonexistent") / "postgres").exists(),
        reason=f"Citus isn't in Debian: {BINARIES} names the programs of a Postgres that has it (docs/citus.md).",
    ),
]

ROLE = "croupier_app"
AWAY_SECONDS = 6.0
_PLACE = """
SELECT nodeport FROM pg_dist_shard_placement
WHERE shardid = get_shard_id_for_distribution_column('matches_match', %s::uuid)
"""
_SHARD = "SELECT get_shard_id_for_distribution_column('events_head', %s::uuid)"
_MOVE = "SELECT citus_move_shard_placement(%s, '127.0.0.1', %s, '127.0.0.1', %s, 'force_logical')"


class Spread(WebPair):
    """Two web processes, a worker and a beat on a distributed database."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        self.cluster = Cluster(folder / "cluster", binaries(), held)
        self.env |= {"DATABASE_URL": self.cluster.url, "CROUPIER_OUTAGE_SECONDS": "5"}
        self.prepare()
        self.cluster.let_in(ROLE, role_password((folder / "data/secrets/secret_key").read_text(), ROLE))
        done = self.run("-m", "config.distribute")
        assert done.returncode == 0, done.stderr
        again = self.run("-m", "config.distribute")
        assert again.stdout == "The database is distributed already; nothing was changed.\n", again.stderr
        self.open()
        _made(folder / "beat/run")
        beat = parts.beat(folder / "beat", self.env, _made(folder / "beat-log"))
        beat.ready = lambda: "maxinterval" in last_lines(beat.log, 1000, beat.began)
        held.callback(beat.stop)
        beat.start()

    def node_of(self, match: str) -> Node:
        """The worker on which a match lies."""
        ((port,),) = self.cluster.run(self.cluster.coordinator, _PLACE, match)
        return next(node for node in self.cluster.workers if node.port == port)

    def move(self, match: str) -> None:
        """Move the shard of a match to the other worker, while it is written to."""
        here = self.node_of(match)
        (there,) = (node for node in self.cluster.workers if node is not here)
        ((shard,),) = self.cluster.run(self.cluster.coordinator, _SHARD, match)
        self.cluster.run(self.cluster.coordinator, _MOVE, shard, here.port, there.port)
        assert self.node_of(match) is there


def _made(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


@pytest.fixture(scope="module")
def spread() -> Iterator[Spread]:
    """It stands ready, and is cleared away at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-citus-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        yield Spread(Path(name), held)


class Party:
    """Two people who play one match, each at a web process of their own."""

    def __init__(self, spread: Spread, guests: list[Guest], enough: Event, node: Node) -> None:
        self.match = opened_at(spread, node, guests, clocks=None)
        self.players = [Player(Stubborn(guest), self.match, seat, enough) for seat, guest in enumerate(guests)]
        for player in self.players:
            player.daemon = True
            player.start()

    @property
    def moves(self) -> list[float]:
        """When each was acknowledged."""
        return sorted(it.at for player in self.players for it in player.client.acknowledged)

    def longest_wait(self, since: float, until: float) -> float:
        """The longest time without an acknowledgement in between."""
        at = [since, *(it for it in self.moves if since < it < until), until]
        return max(after - before for before, after in pairwise(at))


def opened_at(spread: Spread, node: Node, guests: list[Guest], **more: object) -> str:
    """A match that lies on this node."""
    while True:
        match = guests[0].open("pentagram", *guests, **more)
        if spread.node_of(match) is node:
            return match


@contextmanager
def at_play(spread: Spread) -> Iterator[list[Party]]:
    """A party on each node; in the end every acknowledged move is found once, and a retry gives its answer again."""
    enough = Event()
    guests = [Guest.new(spread.urls()[number], f"guest-{os.urandom(6).hex()}", PASSWORD) for number in (0, 1)]
    parties = [Party(spread, guests, enough, node) for node in spread.cluster.workers]
    players = [player for party in parties for player in party.players]
    try:
        yield parties
    finally:
        enough.set()
        for player in players:
            player.join(30)
    faults = [player.fault for player in players if player.fault]
    assert not faults, faults
    assert_all_is_kept(players)
    print(f"{sum(len(party.moves) for party in parties)} moves, each kept once")
    for guest in guests:
        guest.leave()


def go_on(parties: list[Party], moves: int = 4) -> None:
    """Wait until each party has made so many moves more, or played to the end."""
    goals = [len(party.moves) + moves for party in parties]
    wait_until(
        lambda: all(
            len(party.moves) >= goal or not any(player.is_alive() for player in party.players)
            for party, goal in zip(parties, goals, strict=True)
        ),
        40,
    )


def test_moves_on_every_node_are_kept_once_while_a_shard_is_moved(spread: Spread) -> None:
    with at_play(spread) as parties:
        go_on(parties)
        spread.move(parties[0].match)
        go_on(parties)
