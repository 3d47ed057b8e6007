"""A match with an appointed time tells it wherever it is shown, in the reader's own time."""

from datetime import UTC, timedelta

import pytest

from events import store
from matches.domain.clocks import ClockTimes
from matches.models import Account, Match
from matches.services import opening
from tests.pages import as_read
from tests.table_setting import new_account
from tests.web.match_setting import client_of

CLOCKS = {"choice": ClockTimes(base=3600), "turn": ClockTimes(base=60)}


@pytest.fixture
def players() -> tuple[Account, Account]:
    """The first one lives in Tokyo, nine hours ahead all the year."""
    one, two = new_account(), new_account()
    Account.objects.filter(id=one.id).update(time_zone="Asia/Tokyo")
    one.refresh_from_db()
    return one, two


def appointed(*players: Account) -> Match:
    """All seats are taken; play opens at noon, UTC, in nine days."""
    opens_at = (store.clock() + timedelta(days=9)).astimezone(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    opened = opening.open_match(
        opener=new_account().id, game="pyramid_poker", options={}, clocks=CLOCKS, opens_at=opens_at,
        seats=[opening.SeatRequest(player.id) for player in players],
    )  # fmt: skip
    return Match.objects.get(id=opened.match_id)


def test_seats_page_shows_the_beginning_of_set_up_and_play(players: tuple[Account, Account]) -> None:
    match = appointed(*players)
    page = as_read(client_of(players[0]).get(f"/m/{match.code}/seats"))
    assert match.starts_at and match.opens_at and match.starts_at < match.opens_at
    assert f">{match.opens_at.day} {match.opens_at:%b %Y}, 21:00</time>" in page
    assert f'datetime="{match.starts_at.isoformat()}"' in page
    assert "Waiting for the appointed time." in page and "for the host to start" not in page


def test_card_shows_the_scheduled_start(players: tuple[Account, Account]) -> None:
    match = appointed(*players)
    page = as_read(client_of(players[0]).get("/"))
    assert match.starts_at and "Starts <time" in page
    assert f'datetime="{match.starts_at.isoformat()}"' in page


def test_spectators_see_the_scheduled_start_in_utc(players: tuple[Account, Account]) -> None:
    match = appointed(*players)
    page = as_read(client_of(new_account()).get(f"/m/{match.code}/"))
    assert match.opens_at
    assert f"Waiting for the start; play opens {match.opens_at.day} {match.opens_at:%b %Y, %H:%M} UTC" in page
