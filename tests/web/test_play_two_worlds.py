"""Non-interference of the pages: where only others' secrets differ, every byte of page, frame and replay is the same.

Ids, instants, hashes, and what a page draws for itself (its cross-site token, its key, its clock) are blanked out.
"""

import re
from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import Client

from games import catalogue
from games.kernel import SPECTATOR, Witness
from matches.models import Account
from tests.api.guests import Answer
from tests.api.worlds import SEATS, Asked, House, World, has_secrets, richest_pair
from tests.cases import some_slow

NOTHING = Asked([], [], [])
OWN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=name="key" value=")[\w-]+|(?<=data-now=")\d+')


SECRETIVE = [slug for slug, game in catalogue.items() if has_secrets(game)]
SEATED = [(slug, place % SEATS) for place, slug in enumerate(SECRETIVE)]
ALL = [(slug, witness) for slug in SECRETIVE for witness in (*range(SEATS), SPECTATOR)]


@pytest.mark.parametrize(("slug", "witness"), some_slow(ALL, always=[*SEATED, ("pyramid_poker", SPECTATOR)]))
def test_pages_tell_two_worlds_apart_to_nobody(slug: str, witness: Witness) -> None:
    pair = richest_pair(slug, witness, considered=4)
    house = House.new()
    reader = house.players[witness] if isinstance(witness, int) else house.watcher
    told = []
    for truth in pair:
        world = World.lay(truth, house, reader, NOTHING)
        told.append([_masked(world, answer) for answer in _pages(world)])
        world.clear()
    assert pair[0].log != pair[1].log
    assert told[0] == told[1]


def _pages(world: World) -> Iterator[Answer]:
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    client.force_login(Account.objects.get(id=UUID(world.reader.id)))
    table = f"/m/{world.code}"
    yield _get(client, f"{table}/")
    yield _get(client, f"{table}/frame")
    yield _get(client, f"{table}/words")
    for at in sorted({*range(1, world.version, 1 + world.version // 5), world.version}):
        yield _get(client, f"{table}/replay/{at}/")
    for asked in ("seat:0", "seat:1", "host", "spectator"):
        yield _get(client, f"{table}/replay/{world.version}/?as={asked}")


def _get(client: Client, path: str) -> Answer:
    response = client.get(path, headers={"X-Request-ID": "the-same-for-both"})
    return Answer(response.status_code, response.headers, OWN.sub(lambda it: b"0" * len(it[0]), response.content))


def _masked(world: World, answer: Answer) -> tuple[int, list[tuple[str, str]], bytes]:
    status, headers, body = world.masked(answer)
    return status, [header for header in headers if header[0] != "Set-Cookie"], body
