"""A player's desk tells when their matches are, and lets them agree on another time and check in."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from matches.models import Account
from matches.services import timing
from tests.api.test_season_times import Dated, at
from tests.pages import as_read
from tests.web.test_season_desk import account_of, browser, decide, read, types, version


def test_two_players_agree_on_a_time_at_their_desks_each_by_their_own_clock() -> None:
    cup = Dated(at(days=1))
    Account.objects.filter(id=cup.ec.id).update(time_zone="Asia/Seoul")
    day = (timezone.now() + timedelta(days=9)).date()
    before = version(cup)
    page = " ".join(read(cup.ec, cup).split())
    assert "Propose other times" in page and "In your time zone (Asia/Seoul)" in page
    assert "Propose other times" not in read(cup.players[0], cup)
    offered = decide(cup.ec, cup, "propose-times", match=cup.match, first=f"{day}T09:30", second="", third="")
    assert offered.status_code == 302
    (time,) = cup.told()["proposals"][0]["times"]
    assert time.startswith(f"{day}T00:30")
    assert ", 00:30</time>" in read(cup.dmo, cup) and ", 09:30</time>" in read(cup.ec, cup)
    assert decide(cup.dmo, cup, "accept-time", match=cup.match, opens_at=time).status_code == 302
    assert types(cup, before) == ["times_proposed", "time_accepted", "match_time_set"]


@pytest.mark.parametrize("first", ["", "soon", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00", "\0"])
def test_invalid_or_past_time_is_refused_and_stays_in_the_form(first: str) -> None:
    cup = Dated(at(days=1))
    before = version(cup)
    answer = decide(cup.ec, cup, "propose-times", match=cup.match, first=first)
    assert answer.status_code in (400, 422), answer.status_code
    assert version(cup) == before
    assert decide(cup.ec, cup, "accept-time", match="none", opens_at="soon").status_code in (400, 404, 422)


def test_player_checks_in_once_the_check_in_is_open() -> None:
    later, now = (Dated(at(minutes=it), check_in_minutes=30) for it in (300, 20))
    assert "I am here" not in read(later.ec, later) and "Check in from" in read(later.ec, later)
    assert "I am here" in read(now.ec, now)
    assert decide(now.ec, now, "check-in", match=now.match).status_code == 302
    assert "You have checked in." in read(now.ec, now)
    assert decide(later.ec, later, "check-in", match=later.match).status_code == 409


def test_player_checks_in_at_the_desk_after_the_set_up_has_begun() -> None:
    cup = Dated(at(hours=20), clocks={}, check_in_minutes=1440)
    timing.start_scheduled(match_id=UUID(cup.match))
    page = read(cup.ec, cup)
    assert "I am here" in page and "Propose other times" not in page
    assert decide(cup.ec, cup, "check-in", match=cup.match).status_code == 302
    assert "You have checked in." in read(cup.ec, cup)
    rules = browser(account_of(cup.ec)).get(f"/seasons/{cup.id}/rules")
    assert "announced at least 10 minutes in advance" in " ".join(as_read(rules).split())


def test_desk_shows_the_deadline_of_a_decision() -> None:
    cup = Dated(at(days=1), ban_minutes=30, bans_each=1)
    cup.did(f"/matches/{cup.match}/annul", {"reason": "Another game."})
    assert "You can decide which games are struck until" in " ".join(read(cup.ec, cup).split())
    assert "You can decide" not in read(cup.players[0], cup)
