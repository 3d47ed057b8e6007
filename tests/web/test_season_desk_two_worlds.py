"""Non-interference of a player's desk: where only the other seat's secrets differ, every byte of it is the same."""

import re
from uuid import UUID, uuid4

import pytest
from django.test import Client

from games import catalogue
from matches.models import Account, Match
from matches.seasons import scheduling, services
from tests.api.guests import Answer
from tests.api.seasons import Cup
from tests.api.worlds import SEATS, Asked, House, World, has_secrets, richest_pair
from tests.web.test_play_two_worlds import OWN

_OWN_HEADERS = ("Set-Cookie", "Content-Length", "Expires")
FRESH = re.compile(rb'(?<=name="key" value=")[\w-]+')


@pytest.mark.parametrize("seat", range(SEATS))
@pytest.mark.parametrize("slug", sorted(slug for slug, game in catalogue.items() if has_secrets(game)))
def test_a_desk_tells_two_worlds_apart_to_neither_seat(slug: str, seat: int) -> None:
    pair, house = richest_pair(slug, seat, considered=3), House.new()
    told = []
    for truth in pair:
        world = World.lay(truth, house, house.players[seat], Asked([], [], []))
        told.append(desk_of(world, season_around(world)))
        world.clear()
    assert pair[0].log != pair[1].log
    assert b'id="live"' in told[0][2]
    assert told[0] == told[1]


def season_around(world: World) -> str:
    """A season in which the world is the death match of its two seats; gives its id."""
    Account.objects.filter(id=world.house.opener.id).update(is_organiser=True)
    cup = Cup(0, organiser=world.house.opener)
    candidate, opponent = world.house.players
    for player in (world.reader, *(it for it in world.house.players if it is not world.reader)):
        cup.did("/players", {"player": player.id})
    cup.did("/players", {"player": world.house.watcher.id})
    cup.did("/episodes", {"title": "First"})
    winners, losers = [world.house.watcher.id], [candidate.id]
    cup.did("/main-matches", {"name": "Dice", "winners": winners, "candidates": losers})
    cup.did("/opponents", {"player": opponent.id})
    asked = scheduling.MatchSettings(match=world.match, game=world.truth.game.slug, options={})
    services.act(
        season_id=UUID(cup.id),
        by=Account.objects.get(id=world.house.opener.id),
        decide=lambda season, by: scheduling.schedule_death_match(season, by, asked),
        key=str(uuid4()),
        fingerprint=b"",
    )
    Match.objects.filter(id=world.match).update(season=cup.id)
    return cup.id


def desk_of(world: World, season: str) -> tuple[int, list[tuple[str, str]], bytes]:
    """The desk of the world's reader, without ids, instants and what a page draws for itself."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(Account.objects.get(id=world.reader.id))
    response = client.get(f"/seasons/{season}/desk", headers={"X-Request-ID": "the-same-for-both"})
    body = OWN.sub(lambda it: b"0" * len(it[0]), response.content)
    body = FRESH.sub(b"0", body).replace(season.encode(), b"s" * len(season))
    status, headers, masked = world.masked(Answer(response.status_code, response.headers, body))
    return status, [header for header in headers if header[0] not in _OWN_HEADERS], masked
