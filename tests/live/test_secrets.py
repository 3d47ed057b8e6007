"""The delay for spectators."""

import json
from random import Random
from time import monotonic
from uuid import UUID

from matches.storage import repository
from tests.api.guests import advance, guest, started
from tests.live.watching import House as Web
from tests.waiting import wait_until

DELAY = 3


def test_spectators_are_delayed_on_every_path_and_players_are_not(web: Web) -> None:
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


def test_presence_does_not_reveal_the_end_to_delayed_spectators(web: Web) -> None:
    players, spectator = [guest(), guest()], guest()
    match = started("pyramid_poker", *players, spectator_delay=DELAY)
    with web.watch(spectator, match) as late, web.watch(players[0], match) as one, web.watch(players[1], match) as two:
        one.until(lambda frame: frame.get("seats") == [0, 1])
        assert players[0].send(match, {"type": "resign"}).status == 201
        for player in (one, two):
            player.end()
        late.until(lambda frame: frame.get("status") == "finished")
        frames_received = [json.loads(text) for text in late.raw]
        assert not [frame for frame in frames_received if frame.get("seats")]


def test_end_reveals_nothing_to_spectators_before_their_delay(web: Web) -> None:
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
