"""The service on a Citus cluster: play on both nodes, one of them killed and come back, a shard moved under play."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep

import pytest

from config.deployment.logins import role_password
from config.runner import parts
from config.runner.process import last_lines
from tests.journeys.citus import BINARIES, Cluster, Node, binaries
from tests.journeys.guests import Guest, Told
from tests.journeys.house import PASSWORD
from tests.journeys.stubborn import Player, Stubborn, assert_all_is_kept, record_of
from tests.journeys.tables import CLOCKS, lateness
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
AWAY_SECONDS = 8.0
LATE_SECONDS = 2.0
"""Maximum seconds that a match on a running node waits for a move or a flag, including the players' choice."""
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


class Thinker(Stubborn):
    """Takes its time over each move, so that a match outlasts what is done to its node."""

    def choose(self, match: str, seat: int, rng: Random) -> Told:
        sleep(0.3)
        return super().choose(match, seat, rng)


class Party:
    """Two people who play one match, each at a web process of their own."""

    def __init__(self, spread: Spread, guests: list[Guest], enough: Event, node: Node) -> None:
        self.match = opened_at(spread, node, guests, clocks=None)
        self.players = [Player(Thinker(guest), self.match, seat, enough) for seat, guest in enumerate(guests)]
        for player in self.players:
            player.daemon = True
            player.start()

    @property
    def moves(self) -> list[float]:
        """Return the times at which the moves were acknowledged."""
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


def test_moves_on_every_node_are_stored_once_while_a_shard_is_moved(spread: Spread) -> None:
    with at_play(spread) as parties:
        go_on(parties)
        spread.move(parties[0].match)
        go_on(parties)


def test_killed_node_stops_only_its_matches_which_get_their_time_back(spread: Spread) -> None:
    killed, other = spread.cluster.workers
    with at_play(spread) as parties:
        hosts = [player.client.guest for player in parties[0].players]
        ticking = {node: opened_at(spread, node, hosts, clocks=CLOCKS) for node in (killed, other)}
        go_on(parties)
        began = monotonic()
        spread.cluster.kill(killed)
        sleep(AWAY_SECONDS)
        back = monotonic()
        killed.start()
        go_on(parties)
        wait_until(lambda: flags_after(ticking[killed], hosts[0]) >= 2)
        late = {node: lateness(hosts[0], match) for node, match in ticking.items()}
        credit = {node: credited(hosts[0], match) for node, match in ticking.items()}
    stood = parties[1].longest_wait(began, back)
    print(f"away {back - began:.1f} s; the other node's match stood for {stood:.2f} s at most, its flags fell")
    print(f"{max(late[other]):.2f} s late at most; given back: {credit[killed]} s there, {credit[other]} s here")
    assert [at for at in parties[0].moves if began + 1 < at < back] == [], "Its node doesn't have them."
    assert stood < LATE_SECONDS
    assert max(late[other]) < LATE_SECONDS and credit[other] == 0
    assert AWAY_SECONDS - 1 <= credit[killed] < AWAY_SECONDS + 10


def flags_after(match: str, guest: Guest) -> int:
    """Return the number of flags that have fallen since time was credited."""
    types = [event["type"] for event in record_of(match, guest)]
    return types[types.index("time_credited") :].count("flag_fallen") if "time_credited" in types else 0


def credited(guest: Guest, match: str) -> int:
    """Return the seconds that a match was credited."""
    events = [event for event in record_of(match, guest) if event["type"] == "time_credited"]
    return sum(int(event["public"]["seconds"]) for event in events)
