"""A season's page hears that the season has moved: only who may see it, without a word on what has, and a hint that is
lost is made up for."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import httpx
import pytest

from matches.models import Account
from matches.realtime import connections
from matches.realtime.access import Credential
from matches.realtime.connections import Connection
from matches.realtime.season_changes import SeasonChanges
from matches.seasons.models import Member
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup
from tests.live.watching import House
from tests.plain_http import NOBODY
from tests.table_setting import then_closed
from tests.waiting import PATIENCE
from tests.web.site import session_of

CHANGED = 'event: changed\ndata: {"kind":"changed"}\n\n'


@contextmanager
def following(web: House, season: str, who: Guest | None = None) -> Iterator[httpx.Response]:
    cookies = {"sessionid": session_of(Account.objects.get(id=who.id))} if who else None
    with (
        httpx.Client(timeout=PATIENCE, verify=NOBODY, cookies=cookies) as client,
        client.stream(
            "GET", f"http://127.0.0.1:{web.port}/seasons/{season}/changes", headers={"Accept": "text/event-stream"}
        ) as response,
    ):
        yield response


def read_text(response: httpx.Response, until: str = CHANGED) -> str:
    """Return the text of an event stream up to the text `until`, without keep-alive comments."""
    said = ""
    for text in response.iter_text():
        said += text.replace(":\n\n", "")
        if said.endswith(until):
            break
    return said


@pytest.mark.parametrize("who", ["player", "stranger"])
def test_follower_of_a_season_gets_only_a_change_notice_per_act(web: House, who: str) -> None:
    cup = Cup(4, public=who == "stranger")
    with following(web, cup.id, cup.players[0] if who == "player" else None) as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        texts = response.iter_text()
        for text in ("Be kind.", "Be brief."):
            cup.did("/rulings", {"text": text})
            said = ""
            while not said:
                said = next(texts).replace(":\n\n", "")
            assert said == CHANGED


@pytest.mark.parametrize("who", [None, "outsider"])
def test_stream_of_a_private_season_gets_404_for_others(web: House, who: str | None) -> None:
    cup = Cup(4, public=False)
    with following(web, cup.id, guest() if who else None) as response:
        assert response.status_code == 404


def test_stream_of_a_season_ends_when_its_follower_loses_access(web: House) -> None:
    cup = Cup(4, public=False)
    with following(web, cup.id, cup.auditor) as response:
        Member.objects.filter(season_id=cup.id, account_id=cup.auditor.id).delete()
        assert read_text(response, "nothing") == "", "it ends by itself"


def test_change_without_a_hint_is_found_by_the_next_check() -> None:
    cup = Cup(3)
    season, follower = UUID(cup.id), Account.objects.get(id=cup.players[0].id)

    version = cup.read()["version"]

    async def follow() -> list[bool]:
        changes, connection = SeasonChanges(), Connection(follower.id, Credential())
        connection.version = version
        changes.join(connection, season)
        heard = []
        for happens in (False, False, True, False):
            if happens:
                await asyncio.to_thread(then_closed(cup.did), "/rulings", {"text": "Be kind."})
            await changes.refresh()
            heard.append(await connection.wait(0.01))
        assert connection.close_reason is None and changes.remove(connection, season)
        return heard

    assert asyncio.run(follow()) == [False, False, True, False]


def test_stream_of_a_private_season_ends_at_the_check_after_losing_access() -> None:
    cup, connection = Cup(3, public=False), Connection(None, Credential())

    async def follow() -> None:
        changes = SeasonChanges()
        changes.join(connection, UUID(cup.id))
        await changes.refresh()

    asyncio.run(follow())
    assert connection.close_reason == connections.UNSEEN
