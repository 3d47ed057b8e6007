"""What others hide changes no byte of what is told live; and what spectators may know late, they know late."""

from random import Random
from time import monotonic
from uuid import UUID

import pytest

from games import catalogue
from games.kernel import SPECTATOR, Witness
from matches.publishing import publisher
from matches.storage import repository
from tests.api.guests import advance, guest, started
from tests.api.worlds import SEATS, House, Truth, World, commands, has_secrets, richest_pair
from tests.live.watching import House as Web
from tests.lost import Backup, backup, restore
from tests.waiting import wait_until

DELAY = 3


def told(web: Web, pair: tuple[Truth, Truth], witness: Witness) -> list[list[str]]:
    """All that a witness of each world is told over a socket that it asks for everything, plays on, and is told that
    the database has lost what it played."""
    house, asked, both = House.new(), commands(*pair, witness), []
    reader = house.players[witness] if isinstance(witness, int) else house.watcher
    for truth in pair:
        world = World.lay(truth, house, reader, asked)
        with web.watch(reader, world.match) as watcher:
            watcher.say(kind="resync", after=0)
            watcher.version = 0
            watcher.reach(world.version)
            kept = backup(UUID(world.match))
            for number, command in enumerate((*asked.refused, "sing", *asked.quiet)):
                answer = watcher.command(command, f"k{number}")
                if answer["kind"] == "accepted":
                    watcher.reach(answer["version"])
            if watcher.version > world.version:
                lose(world.match, kept)
                loss = watcher.follow("resync")
                assert (loss["version"], len(loss["never_happened"])) == (world.version, len(asked.quiet))
                watcher.follow("hello")
        # Whether an answer comes before or after the events that it brought is chance.
        texts = sorted(text for text in watcher.raw if '"kind":"presence"' not in text)
        both.append([world._mask(text.replace(_request_id(text), "r")) for text in texts])
        world.clear()
    return both


def lose(match: str, kept: Backup) -> None:
    """Set the match back in the database, and hint that it has moved."""
    restore(UUID(match), kept)
    publisher.publish(publisher.match_group(UUID(match)), {"type": "moved", "match": match, "version": 0})


def _request_id(text: str) -> str:
    _, found, rest = text.partition('"request_id":"')
    return rest[:36] if found else "no request"


@pytest.mark.parametrize(
    ("slug", "witness"), [(slug, (0, SPECTATOR, 1)[place % 3]) for place, slug in enumerate(catalogue)]
)
def test_what_others_hide_changes_no_byte_of_any_frame(web: Web, slug: str, witness: Witness) -> None:
    assert SEATS == 2
    pair = richest_pair(slug, witness)
    assert (pair[0].log != pair[1].log) == has_secrets(catalogue[slug])
    here, there = told(web, pair, witness)
    assert len(here) >= 2
    assert here == there


def test_spectators_are_told_late_by_every_door_and_players_at_once(web: Web) -> None:
    players, spectator = [guest(), guest()], guest()
    match = started("pyramid_poker", *players, spectator_delay=DELAY)
    assert spectator.get(f"/matches/{match}").json["version"] == 1
    with web.watch(spectator, match) as late, web.watch(players[0], match) as one:
        assert (late.hello["version"], late.hello["status"]) == (1, "waiting")
        advance(match, players, 2, Random(1))
        newest, at = repository.version_of(UUID(match)), monotonic()
        one.reach(newest)
        assert monotonic() - at < DELAY - 1
        assert spectator.get(f"/matches/{match}").json["version"] < newest
        assert spectator.get(f"/matches/{match}/events").json["version"] < newest
        assert spectator.get(f"/matches/{match}/view", {"at": newest}).json["version"] < newest
        assert len(spectator.get(f"/matches/{match}/export").lines) <= newest
        late.reach(newest)
        assert monotonic() - at > DELAY - 1.5
        assert late.view == spectator.get(f"/matches/{match}").json["view"]
        assert [event["version"] for event in late.events] == list(range(2, newest + 1))


def test_the_end_opens_nothing_to_spectators_before_they_know_of_it(web: Web) -> None:
    players, spectator = [guest(), guest()], guest()
    match = started("pyramid_poker", *players, spectator_delay=DELAY)
    advance(match, players, 2, Random(1))
    at = monotonic()
    assert players[0].send(match, {"type": "resign"}).status == 201
    assert players[0].get(f"/matches/{match}/view", {"as": "seat:1"}).status == 200
    for path in ("view?as=seat:1", "view?as=host", "events?as=seat:0"):
        assert spectator.get(f"/matches/{match}/{path}").status == 404
    assert '"finished":false' in spectator.get(f"/matches/{match}/export").lines[0]
    assert spectator.get(f"/matches/{match}/audit").json["seed"] is None
    with web.watch(spectator, match) as late:
        assert late.end()[0] == 4410
    assert monotonic() - at > DELAY - 0.5
    assert wait_until(lambda: spectator.get(f"/matches/{match}/view", {"as": "host"}).status == 200)
    assert spectator.get(f"/matches/{match}/audit").json["seed"] is not None
