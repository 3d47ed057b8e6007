"""The pages of a season's rooms: for those who know them, with who reads each, live, and usable without scripts."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import expect

from matches.models import Account
from matches.models.talk import Mute, Remark
from tests.api.guests import Guest
from tests.api.rooms import House, say, texts
from tests.api.seasons import Cup
from tests.table_setting import new_account
from tests.web.match_setting import client_of
from tests.web.site import Visitors


def browser_of(who: Guest) -> Client:
    """Return a browser in which the account is signed in."""
    return client_of(Account.objects.get(id=who.id))


def html(who: Guest, path: str) -> str:
    """Return a page as the account gets it, with its white space joined."""
    answer = browser_of(who).get(path)
    assert answer.status_code == 200, answer.content
    return " ".join(answer.content.decode().split())


def test_private_room_is_opened_by_the_form_and_leads_to_its_page() -> None:
    house = House(hosts_read_rooms=True, rooms_at_end="nobody")
    path = f"/seasons/{house.id}/rooms"
    form = html(house.first, path)
    assert "No rooms yet." in form and house.second.name in form and house.host.name in form
    readers = "Its members read this room. Hosts may read it too; each look is on record and listed here."
    assert readers in form and "Once the season is over, nobody reads it." in form
    sent = {"kind": "private", "title": "Us", "members": [house.second.id], "key": "k"}
    browser = browser_of(house.first)
    opened = [browser.post(path, sent) for _ in range(2)]
    assert opened[0].status_code == 302 and opened[0]["Location"] == opened[1]["Location"]
    page = html(house.second, opened[0]["Location"])
    assert readers in page and "Nobody has said anything yet." in page
    assert "Us" in html(house.second, path)


def test_refused_opening_says_why_and_keeps_what_was_filled_in() -> None:
    house = House(room_size=2)
    members = [house.second.id, house.third.id]
    sent = {"kind": "private", "title": "All of us", "members": members, "key": "k"}
    answer = browser_of(house.first).post(f"/seasons/{house.id}/rooms", sent)
    page = answer.content.decode()
    assert answer.status_code == 422 and "A private room has 2 to 2 members" in page
    assert 'value="All of us"' in page and len(re.findall(r"\schecked\b", page)) == 2


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "sauna"}, {"members": ["x"]}, {"title": "a" * 81}, {"title": "a\x07b"}, {"key": "k" * 201},
        {"key": "\x00"},
    ],
)  # fmt: skip
def test_form_that_no_page_sends_opens_no_room(fault: dict[str, Any]) -> None:
    house = House()
    sent = {"kind": "private", "title": "Us", "members": [house.second.id], "key": "k"} | fault
    assert browser_of(house.first).post(f"/seasons/{house.id}/rooms", sent).status_code == 422
    assert house.first.get(f"{house.path}/rooms").json["results"] == []


@pytest.mark.parametrize("key", ["k" * 201, "\x00"])
def test_remark_under_a_key_that_no_page_sends_is_refused(key: str) -> None:
    house = House()
    for path in (house.opens(house.first, members=[house.second]), f"{house.path}/board"):
        answer = browser_of(house.first).post(path, {"text": "Hello.", "key": key}, follow=True)
        assert answer.status_code == 200 and "The form is out of date" in answer.content.decode()
    assert not Remark.objects.filter(account=house.first.id).exists()


def test_staff_opens_a_players_confessional_and_the_lounge() -> None:
    house = House()
    path = f"/seasons/{house.id}/rooms"
    browser = browser_of(house.host)
    for sent in ({"kind": "confessional", "members": [house.first.id]}, {"kind": "lounge"}, {"kind": "staff"}):
        assert browser.post(path, sent).status_code == 302
    assert f"Confessional of {house.first.name}" in html(house.first, path)
    page = html(house.host, path)
    assert "Open the lounge" not in page and "Open the confessional" in page
    assert "Lounge" in html(house.spectator, path) and "Confessional of" not in html(house.spectator, path)


def test_page_of_an_unknown_room_is_the_page_of_no_room() -> None:
    house = House()
    path = house.alliance()
    for who in (house.third, house.host, house.spectator):
        browser = browser_of(who)
        for suffix, send in (("", browser.get), ("", browser.post), ("/act", browser.post)):
            answers = [send(f"{it}{suffix}", {"act": "look"}) for it in (path, f"{house.path}/rooms/{uuid4()}")]
            assert [it.status_code for it in answers] == [404, 404]
            assert "There is no room with this id." in answers[0].content.decode()
        assert "Us" not in browser.get(f"{house.path}/rooms").content.decode()


def test_season_links_to_its_rooms_for_those_who_have_or_may_open_one() -> None:
    house = House()
    address = f"/seasons/{house.id}/rooms"
    assert address in html(house.first, house.path) and address not in html(house.spectator, house.path)
    house.opens(house.host, "lounge")
    assert address in html(house.spectator, house.path)


def test_rules_of_a_season_say_who_reads_private_rooms() -> None:
    house = House(hosts_read_rooms=True, rooms_at_end="nobody")
    rules = html(house.spectator, f"{house.path}/rules")
    assert "may open private rooms of at most 8 members. Hosts may read them; each look is on record" in rules
    assert "nobody reads its private rooms and confessionals any more" in rules
    assert "private rooms" not in html(house.spectator, f"{Cup(1).path}/rules")


def test_room_shows_looks_and_offers_one_to_hosts_of_such_a_season() -> None:
    house = House(hosts_read_rooms=True)
    path = house.alliance()
    page = html(house.host, path)
    assert "Look into this room" in page and "We vote for the third." not in page
    assert browser_of(house.host).post(f"{path}/act", {"act": "look"}).status_code == 302
    assert "We vote for the third." in html(house.host, path)
    assert f"{house.host.name} has looked into this room" in re.sub(r"[\u2066-\u2069]", "", html(house.second, path))


def test_room_is_read_closed_and_left_by_forms() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second, house.third])
    say(house.first, path, "Hello.")
    assert "1 new" in html(house.second, f"{house.path}/rooms")
    browser_of(house.second).post(f"{path}/act", {"act": "read", "number": "1"})
    assert "1 new" not in html(house.second, f"{house.path}/rooms")
    assert "Close this room" not in html(house.second, path)
    browser_of(house.first).post(f"{path}/act", {"act": "close"})
    assert "This room is closed." in html(house.second, path)
    assert browser_of(house.second).post(f"{path}/act", {"act": "leave"})["Location"] == f"{house.path}/rooms"
    assert browser_of(house.second).get(path).status_code == 404


def test_remark_is_reported_and_answered_on_pages() -> None:
    house = House()
    path = house.alliance()
    assert "Report this remark" in html(house.second, path)
    report = {"act": "report", "number": "1", "reason": "Unfair."}
    assert browser_of(house.second).post(f"{path}/act", report).status_code == 302
    reports = f"{house.path}/reports"
    assert browser_of(house.first).get(reports).status_code == 403
    page = html(house.host, reports)
    assert "We vote for the third." in page and "Unfair." in page
    address = re.findall(rf'action="({reports}/[\w-]+)"', page)[0]
    browser_of(house.host).post(address, {"reason": "", "act": "hide"})
    assert texts(house.second, path) == ["We vote for the third."]
    browser_of(house.host).post(address, {"reason": "No plots.", "act": "hide"})
    assert texts(house.second, path) == [""] and "No plots." in html(house.host, reports)


def test_form_at_a_match_reports_no_remark() -> None:
    house = House()
    match = house.plays(house.first, house.second)
    assert house.spectator.post(f"/matches/{match}/remarks", {"text": "She can't win."}).status == 201
    report = {"act": "report", "thread": "spectators", "number": "1", "reason": "Unfair."}
    browser_of(house.auditor).post(f"/m/{match}/talk/moderate", report)
    assert house.host.get(f"{house.path}/reports").json["results"] == []


def test_mute_by_the_page_of_a_room_is_one_of_the_season() -> None:
    house = House()
    path = house.opens(house.first, "confessional")
    say(house.first, path, "Nonsense.")
    mute = {"act": "mute_ten_minutes", "account": house.first.id, "reason": "Calm down."}
    browser_of(house.host).post(f"{path}/act", mute)
    assert str(Mute.objects.get(account=house.first.id).about) == house.id
    assert "has muted you" in html(house.first, path)


def test_stranger_is_led_to_the_sign_in_and_private_seasons_have_no_page() -> None:
    house = House(public=False)
    assert "/sign-in" in Client(headers={"host": "localhost"}).get(f"{house.path}/rooms")["Location"]
    outsider = client_of(new_account())
    for path in ("rooms", f"rooms/{uuid4()}", "reports"):
        assert outsider.get(f"{house.path}/{path}").status_code == 404


def test_new_remark_is_shown_in_an_open_room_and_marked_as_read(visitors: Visitors) -> None:
    house = House()
    path = house.opens(house.first, members=[house.second])
    page = visitors.page(Account.objects.get(id=house.second.id))
    page.goto(path)
    expect(page.locator(".nothing")).to_be_visible()
    with page.expect_response(lambda response: response.url.endswith("/act")):
        assert say(house.first, path, "Is anybody there?").status == 201
        expect(page.locator("#board-remarks")).to_contain_text("Is anybody there?")
    page.locator("#remark").fill("I am.")
    page.keyboard.press("Enter")
    expect(page.locator("#board-remarks")).to_contain_text("I am.")
    page.goto(f"{house.path}/rooms")
    expect(page.locator(".rooms")).to_be_visible()
    expect(page.locator(".unread-count")).to_have_count(0)
