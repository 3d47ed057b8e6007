"""Calendars: what programs read, by whom, and until when."""

from datetime import datetime, timedelta
from uuid import UUID

import icalendar
import pytest
from django.test import Client
from django.utils import timezone

from matches.accounts import erasure
from matches.models import Account
from matches.seasons import calendars
from matches.seasons.models import CalendarLink
from matches.seasons.reads.beginnings import early
from tests.api.guests import guest
from tests.api.test_season_times import Dated, at
from tests.table_setting import new_account
from tests.web.match_setting import client_of


def read(address: str, client: Client | None = None) -> bytes | None:
    """Return the calendar at an address, or None if there is none."""
    answer = (client or Client(headers={"host": "localhost"})).get(address.removeprefix("http://localhost"))
    assert answer.status_code in (200, 404)
    if answer.status_code == 404:
        return None
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return answer.content


def events(calendar: bytes | None) -> list[icalendar.Event]:
    assert calendar is not None
    return list(icalendar.Calendar.from_ical(calendar).walk("VEVENT"))


def public(cup: Dated) -> bytes | None:
    return read(f"/seasons/{cup.id}/calendar.ics")


def test_calendar_follows_rfc_5545_and_a_new_time_updates_the_same_event() -> None:
    cup = Dated(at(days=1))
    first, later = public(cup), at(days=5)
    assert first is not None and b"\n" not in first.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in first.split(b"\r\n"))
    cup.did(f"/matches/{cup.match}/time", {"opens_at": later, "reason": "The hall."})
    (before,), (after,) = events(first), events(public(cup))
    assert before["UID"] == after["UID"] == f"{cup.match}@croupier"
    assert (before["SEQUENCE"], after["SEQUENCE"]) == (0, 1)
    assert after["DTSTART"].dt == datetime.fromisoformat(later).replace(microsecond=0)
    assert b"DTSTART:" in first and first.split(b"DTSTART:")[1][:16].endswith(b"Z"), "in UTC"
    assert after["STATUS"] == "CONFIRMED" and "Death match" in after["SUMMARY"]
    cup.did(f"/matches/{cup.match}/annul", {"reason": "A power cut."})
    (cancelled,) = events(public(cup))
    assert (cancelled["STATUS"], cancelled["SEQUENCE"]) == ("CANCELLED", 2)


def test_match_started_early_has_its_real_start_in_calendars_and_on_pages() -> None:
    cup = Dated(at(days=3))
    reader = client_of(Account.objects.get(id=cup.players[0].id))
    set_for, version = cup.told()["opens_at"][:10], cup.read()["version"]

    def page(query: str = "") -> str:
        return reader.get(f"/seasons/{cup.id}/matches{query}").content.decode()

    def starts() -> timedelta:
        (event,) = events(public(cup))
        return event["DTSTART"].dt - timezone.now()

    assert set_for in page() and starts() > timedelta(days=2)
    assert cup.host.post(f"/matches/{cup.match}/start").status == 200
    assert set_for not in page() and starts() < timedelta()
    assert events(public(cup))[0]["SEQUENCE"] == 1
    cup.loses(cup.match, cup.ec)
    assert set_for not in page() and starts() < timedelta()
    assert set_for in page(f"?at={version}"), "as the season stood then"


def test_delayed_spectator_learns_late_of_an_early_start() -> None:
    cup = Dated(at(days=3), spectator_delay=300)
    assert cup.host.post(f"/matches/{cup.match}/start").status == 200
    opens_at = {UUID(cup.match): datetime.fromisoformat(cup.told()["opens_at"])}
    assert early(opens_at, None) == {} == early(opens_at, UUID(cup.players[0].id))
    assert set(early(opens_at, UUID(cup.ec.id))) == set(opens_at)


def test_a_match_without_a_time_is_in_no_calendar() -> None:
    cup = Dated(at(days=1))
    cup.did(f"/matches/{cup.match}/time", {"opens_at": None, "reason": "We will see."})
    assert events(public(cup)) == []


def test_players_calendar_has_their_own_matches_at_a_revocable_address() -> None:
    cup = Dated(at(days=1), public=False)
    assert public(cup) is None
    assert cup.ec.get("/me/calendar").refusal == (404, "no_calendar")
    mine, idle = cup.ec.ask("PUT", "/me/calendar").json["url"], cup.players[0].ask("PUT", "/me/calendar").json["url"]
    assert [it["UID"] for it in events(read(mine))] == [f"{cup.match}@croupier"]
    assert events(read(idle)) == []
    assert mine.rpartition("/")[2].removesuffix(".ics") not in str(CalendarLink.objects.values_list("digest"))
    again = cup.ec.ask("PUT", "/me/calendar").json["url"]
    assert again != mine and read(mine) is None and read(again)
    assert cup.ec.ask("DELETE", "/me/calendar").status == 204
    assert read(again) is None
    assert cup.ec.ask("DELETE", "/me/calendar").refusal == (404, "no_calendar")


def test_calendar_of_a_private_season_ends_with_the_right_to_see_it() -> None:
    cup = Dated(at(days=1), public=False)
    assert guest().ask("PUT", f"{cup.path}/calendar").refusal == (404, "not_found")
    address = cup.auditor.ask("PUT", f"{cup.path}/calendar").json["url"]
    assert len(events(read(address))) == 1
    cup.did(f"/staff/{cup.auditor.id}/dismiss", {"reason": "The job is done."})
    assert read(address) is None


@pytest.mark.parametrize(
    "deactivate", [erasure.erase, lambda it: Account.objects.filter(id=it).update(is_active=False)]
)
def test_inactive_or_erased_account_has_no_calendar(deactivate: object) -> None:
    account = new_account()
    secret = calendars.make(account, None)
    assert read(f"/calendars/{secret}.ics")
    deactivate(account.id)  # type: ignore[operator]
    assert read(f"/calendars/{secret}.ics") is None


@pytest.mark.parametrize("secret", ["", "x", "%00", "a" * 400])
def test_unknown_calendar_address_is_not_found(secret: str) -> None:
    assert read(f"/calendars/{secret}.ics") is None


def test_page_makes_a_calendar_address_shows_it_once_and_revokes_it() -> None:
    cup = Dated(at(days=1))
    client = Client(headers={"host": "localhost"})
    client.force_login(Account.objects.get(id=cup.ec.id))
    page = client.post("/account/calendars/make", {"season": cup.id}).content.decode()
    address = page.partition('readonly value="')[2].partition('"')[0]
    assert len(events(read(address))) == 1
    assert address not in client.get("/account/calendars").content.decode()
    assert client.post("/account/calendars/revoke", {"season": cup.id}).status_code == 302
    assert read(address) is None
    assert client.post("/account/calendars/make", {"season": "none"}).status_code == 404
