"""A standby that lacks the last moves takes over under play: nobody restarts anything, and what is told is true."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest

from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD, figures
from tests.journeys.standby import Pair, pair_or_skip
from tests.journeys.web_pair import WebPair, play, say_something
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SOON = 5.0
"""Seconds within which every process tells what the database holds."""
_SIGN = """
import django; django.setup()
from events.checkpoints import signing as checkpoints
assert checkpoints.sign_if_due(after_seconds=0, after_events=1)
checkpoints.publish()
"""


class Houses(WebPair):
    """By way of a forwarder to one of a pair."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        self.pair = pair_or_skip(folder, held)
        self.prepare(DATABASE_URL=self.pair.url)
        self.open(DATABASE_URL=self.pair.url)


@pytest.fixture
def houses() -> Iterator[Houses]:
    """They stand ready, and are cleared away at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-standby-") as name, ExitStack() as held:
        # The servers' account passes through.
        Path(name).chmod(0o711)
        yield Houses(Path(name), held)


def test_web_processes_follow_a_standby_that_lacked_the_last_events(houses: Houses) -> None:
    pair, rng = houses.pair, Random(1)
    players = [Guest.new(houses.urls()[number], f"player-{number}", PASSWORD) for number in (0, 1)]
    match = players[0].open("pyramid_poker", *players, clocks=None)
    play(match, players, 6, rng)
    pids = houses.pids()
    with (
        houses.socket_of(0).watch(players[0], match) as one, houses.socket_of(1).watch(players[1], match) as two,  # type: ignore[arg-type]
    ):  # fmt: skip
        kept_moves = play(match, players, 2, rng)
        pair.part()
        left = version_of(pair, match)
        lost = play(match, players, 8, rng)
        over_the_socket = say_something(one, two, players, match, rng)
        version = version_of(pair, match)
        assert houses.run("-c", _SIGN).returncode == 0
        for watcher in (one, two):
            watcher.reach(version)

        pair.fail_over()
        begun = monotonic()
        assert version_of(pair, match) == left < version
        for watcher, keys in ((one, over_the_socket[0]), (two, over_the_socket[1])):
            frame = watcher.until(lambda frame: frame["kind"] == "resync", SOON)
            assert (frame["version"], frame["told"], frame["never_happened"]) == (left, version, keys)
            assert watcher.follow("hello")["version"] == left
        for player in players:
            wait_until(lambda player=player: answers(player, match, left), SOON)
        figures["the truth after a failover"] = monotonic() - begun
        assert monotonic() - begun < SOON

        for player, command, key, answer in kept_moves:
            response = player.ask(f"/matches/{match}/commands/{key}")
            assert (response.status_code, response.content) == (200, answer), command
        for player, command, key, _ in lost:
            response = player.ask(f"/matches/{match}/commands/{key}")
            assert (response.status_code, response.json()["code"]) == (404, "never_happened"), command
        assert players[0].ask(f"/matches/{match}/events", after=version).json()["code"] == "history_changed"
        player, command, key, _ = lost[0]
        assert player.post(f"/matches/{match}/commands", command, key).status_code == 201
        play(match, players, 6, rng)
        newest = version_of(pair, match)
        for watcher, player in ((one, players[0]), (two, players[1])):
            watcher.reach(newest)
            assert watcher.view == player.read(match)["view"]
    assert houses.pids() == pids, "Nobody was restarted."
    for player in players:
        player.leave()
    result = houses.run("manage.py", "verify", "--all", "--processes", "1")
    assert result.returncode == 1
    lines = [line for line in result.stdout.splitlines() if line.startswith("BROKEN")]
    assert len(lines) == 1 and lines[0].endswith(": it was set back"), "The copy outside tells it, and nothing else."


def answers(player: Guest, match: str, version: int) -> bool:
    """True if the player's web process returns the match at this version."""
    try:
        response = player.ask(f"/matches/{match}")
    except httpx.HTTPError:
        return False
    return response.status_code == 200 and response.json()["version"] == version


def version_of(pair: Pair, match: str) -> int:
    """Return the match's version in the database."""
    return int(pair.ask("SELECT version FROM events_head WHERE stream = %s", match))
