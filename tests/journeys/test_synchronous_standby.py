"""A synchronous standby takes over under play: nothing that was acknowledged is lost, and clocks get the gap back."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic
from typing import Any

import httpx
import pytest

from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD, figures
from tests.journeys.standby import Pair, pair_or_skip
from tests.journeys.web_pair import Sent, WebPair, play, play_on, say_something
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

OUTAGE = 3
AWAY = 5.0


class Houses(WebPair):
    """They know both servers by one address, and have promised a standby."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        self.pair = pair_or_skip(folder, held)
        self.pair.be_synchronous()
        self.prepare(DATABASE_URL=self.pair.both)
        self.open(DATABASE_URL=self.pair.both, CROUPIER_DURABILITY="standby", CROUPIER_OUTAGE_SECONDS=str(OUTAGE))

    def ready(self) -> tuple[int, dict[str, bool]]:
        """Return the status and the parts of the first web process's /readyz."""
        response = httpx.get(f"{self.urls()[0]}/readyz", timeout=PATIENCE)
        return response.status_code, response.json()["parts"]

    def lacks(self, part: str) -> bool:
        """True if the first web process isn't ready because of this part."""
        status, parts = self.ready()
        return (status, parts[part]) == (503, False)


@pytest.fixture
def houses() -> Iterator[Houses]:
    """They stand ready, and are cleared away at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-standby-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        yield Houses(Path(name), held)


def test_acknowledged_events_survive_a_failover_and_clocks_get_the_gap_back(houses: Houses) -> None:
    pair, rng = houses.pair, Random(2)
    assert {name: houses.ready()[1][name] for name in ("commits", "durability")} == {
        "commits": True, "durability": True,
    }  # fmt: skip
    players = [Guest.new(houses.urls()[number], f"player-{number}", PASSWORD) for number in (0, 1)]
    match = players[0].open("pyramid_poker", *players)
    pids, sent = houses.pids(), play(match, players, 4, rng)

    with pair.frozen_standby():
        waiting = Sender(match, players, rng)
        wait_until(lambda: houses.lacks("commits"))
        assert waiting.is_alive(), "Nothing is acknowledged that the standby hasn't."
        assert players[0].ask(f"/matches/{match}").status_code == 200, "What is read is answered."
    waiting.join(30)
    sent += waiting.sent
    wait_until(lambda: houses.ready()[1]["commits"])
    sent += play(match, players, 2, rng)

    keys: list[tuple[int, str]] = []
    # At one process, where its writer stores what is sent over sockets.
    with houses.socket_of(0).watch(players[0], match) as one, houses.socket_of(0).watch(players[1], match) as two:  # type: ignore[arg-type]
        for number in range(4):
            theirs = say_something(one, two, players, match, rng, f"socket-{number}")
            keys += [(seat, key) for seat, those in enumerate(theirs) for key in those]

    version = players[0].read(match)["version"]
    failing = Thread(target=fail_over, args=[pair])
    begun = monotonic()
    failing.start()
    sent += play_on(match, players, 6, rng)
    failing.join()
    figures["a failover to a synchronous standby"] = monotonic() - begun
    assert len(waiting.sent) == 1 and len(sent) == 13
    for player, command, key, answer in sent:
        response = player.ask(f"/matches/{match}/commands/{key}")
        assert (response.status_code, response.content) == (200, answer), command
    assert len(keys) == 4
    for seat, key in keys:
        assert players[seat].ask(f"/matches/{match}/commands/{key}").status_code == 200, key
    news = players[0].get(f"/matches/{match}/events", after=version)["results"]
    credited = [event["seconds"] for event in news if event["type"] == "time_credited"]
    assert credited and sum(credited) >= AWAY - 1.5, news
    assert houses.pids() == pids, "Nobody was restarted."

    assert houses.lacks("durability"), "The new primary has no standby, and that was promised."
    verified = houses.run("manage.py", "verify", "--all", "--processes", "1")
    assert verified.returncode == 0, verified.stdout
    for player in players:
        player.leave()


class Sender(Thread):
    """Somebody who sends a move and waits for its answer."""

    def __init__(self, match: str, players: list[Guest], rng: Random) -> None:
        super().__init__(daemon=True)
        self.sent: list[Sent] = []
        self._asked: Any = (match, players, 1, rng)
        self.start()

    def run(self) -> None:
        """Until it is answered."""
        self.sent = play_on(*self._asked)


def fail_over(pair: Pair) -> None:
    """The primary dies; for a while there is none; then the standby takes over."""
    pair.lose_primary()
    begun = monotonic()
    wait_until(lambda: monotonic() - begun > AWAY)
    pair.standby.promote()
