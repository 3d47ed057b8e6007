"""A season's times in the panel: typed by the organiser's clock, previewed, and in the record in UTC."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from events import store
from matches.domain.clocks import instant
from matches.models import Account, Match
from matches.seasons import timekeeping
from matches.seasons.models import Season
from tests.api.test_season_times import Dated, at
from tests.panel.seasons import bureau, faults_in

WHY = "It was agreed."


def test_an_organiser_types_times_by_their_own_clock() -> None:
    cup = Dated(at(days=1))
    Account.objects.filter(id=cup.organiser.id).update(time_zone="Asia/Seoul")
    office = bureau(cup)
    page = office.page()
    assert "Opens at (Asia/Seoul)" in page and "Set a match's time" in page
    day = (timezone.now() + timedelta(days=9)).date()
    fields = {"match": cup.match, "opens_at": f"{day}T09:30", "reason": WHY}
    assert f"opens on {day} 00:30 UTC" in office.foresees("set-time", **fields)
    assert office.did("set-time", **fields) == ["match_time_set"]
    assert office.last_event()["opens_at"] == instant(datetime(day.year, day.month, day.day, 0, 30, tzinfo=UTC))
    assert Match.objects.get(id=cup.match).opens_at == datetime(day.year, day.month, day.day, 0, 30, tzinfo=UTC)
    assert office.did("set-time", **(fields | {"opens_at": ""})) == ["match_time_set"]
    assert office.last_event()["opens_at"] is None


def test_hour_skipped_by_a_time_zone_is_refused() -> None:
    cup = Dated(at(days=1))
    Account.objects.filter(id=cup.organiser.id).update(time_zone="Europe/Berlin")
    office = bureau(cup)
    year = timezone.now().year + 1
    spring = max(datetime(year, 3, day) for day in range(25, 32) if datetime(year, 3, day).weekday() == 6)  # noqa: DTZ001
    answer = office.send("set-time", match=cup.match, opens_at=f"{spring:%Y-%m-%d}T02:30", reason=WHY)
    assert answer.status_code == 422 and "Europe/Berlin" in str(faults_in(answer))


def test_times_are_proposed_and_a_player_is_checked_in() -> None:
    cup = Dated(at(minutes=10), check_in_minutes=30, least_notice_minutes=5)
    office = bureau(cup, cup.host)
    day = (timezone.now() + timedelta(days=9)).date()
    assert office.did("propose-times", match=cup.match, first=f"{day}T18:00", second=f"{day}T20:00", third="") == [
        "times_proposed"
    ]
    assert len(office.last_event()["times"]) == 2
    assert office.did("check-in", seat=f"{cup.match} {cup.ec.id}") == ["player_checked_in"]
    assert "Decide an absence" not in bureau(cup).page(), "nobody is missed yet"


def test_planned_time_is_not_shown_once_the_match_has_begun() -> None:
    cup = Dated(opens_at := at(days=40))
    office = bureau(cup, cup.host)
    day = datetime.fromisoformat(opens_at)
    planned = f"{day.day} {day:%b %Y}, "
    assert planned in office.page().partition("<h2>Events</h2>")[0]
    cup.host.post(f"/matches/{cup.match}/start")
    assert planned not in office.page().partition("<h2>Events</h2>")[0]


def test_match_that_has_begun_offers_no_new_time() -> None:
    cup = Dated(at(days=1))
    office = bureau(cup, cup.host)
    assert 'id="act-set-time"' in office.page() and 'id="act-propose-times"' in office.page()
    cup.host.post(f"/matches/{cup.match}/start")
    page = office.page()
    assert 'id="act-annul"' in page
    assert 'id="act-set-time"' not in page and 'id="act-propose-times"' not in page


def test_deadline_is_shown_and_extended() -> None:
    cup = Dated(at(days=1), ban_minutes=30, bans_each=1, opponent_minutes=30)
    cup.did(f"/matches/{cup.match}/annul", {"reason": "Another game."})
    office = bureau(cup)
    assert "There is time to decide which games are struck until" in " ".join(office.page().split())
    until = f"{timezone.now() + timedelta(days=2):%Y-%m-%dT%H:%M}"
    assert office.did("extend-decision", until=until, reason=WHY) == ["decision_extended"]
    assert Season.objects.get(id=cup.id).wakes_at is not None


def test_absence_is_decided_once_the_check_in_has_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Dated(at(minutes=10), check_in_minutes=30, least_notice_minutes=5)
    cup.did(f"/matches/{cup.match}/check-in", {"player": cup.ec.id}, by=cup.ec)
    then = store.clock() + timedelta(minutes=11)
    monkeypatch.setattr(store, "clock", lambda: then)
    assert timekeeping.keep_time(UUID(cup.id))
    office = bureau(cup)
    assert "Decide an absence" in office.page()
    fields = {"match": cup.match, "ruling": "loss", "loser": "", "reason": WHY}
    assert "has lost the match by not coming" in office.foresees("absence", **fields)
    assert office.did("absence", **fields) == ["absence_decided", "death_match_finished"]
    assert office.season.matches[cup.match].loser == cup.dmo.id
    assert Match.objects.get(id=cup.match).status == "void"
    assert cup.ask(f"/matches/{cup.match}/absence", {"ruling": "play", "reason": WHY}).refusal == (409, "not_scheduled")
