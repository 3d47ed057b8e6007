"""The demo data that bin/up makes, and the organiser's view of it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

import httpx
import pytest

from games import catalogue
from tests.journeys.guests import Guest, Told
from tests.journeys.house import House
from tests.plain_http import NOBODY
from tests.waiting import PATIENCE, wait_until


def test_demo_prints_its_accounts_and_is_made_once(house: House) -> None:
    organiser = house.demo_guest("organiser")
    match_count = len(matches_of(organiser))

    again = house.manage("seed_demo")

    assert again.returncode == 0, again.stderr
    assert re.findall(r"^  (\w+) +(\S+)   ", again.stdout, re.MULTILINE) == list(house.demo_passwords().items())
    assert set(house.demo_passwords()) == {"organiser", "mira", "tobias"}
    assert len(matches_of(organiser)) == match_count


def test_demo_matches_between_bots_end(house: House) -> None:
    organiser = house.demo_guest("organiser")
    bot_matches = [match for match in matches_of(organiser) if set(names_of(match)) == {"bot"}]
    assert sorted(match["game"] for match in bot_matches) == sorted(catalogue)
    wait_until(lambda: all(organiser.read(match["id"])["status"] == "finished" for match in bot_matches))


def test_demo_accounts_have_their_rights_and_matches(house: House) -> None:
    rights = {name: house.demo_guest(name).get("/me")["is_organiser"] for name in house.demo_passwords()}
    assert rights == {"organiser": True, "mira": False, "tobias": False}
    waiting = house.demo_guest("mira").get("/me/matches", game="pyramid_poker", needs_me="true")["results"]
    assert any(names_of(match) == ["mira", "tobias"] for match in waiting)


@pytest.fixture(scope="module")
def office(house: House) -> Iterator[httpx.Client]:
    """The organiser's browser, logged in to the admin."""
    with logged_in(house, "organiser") as browser:
        assert browser.get("/admin/").status_code == 200
        yield browser


def test_the_admin_is_the_organisers_alone(house: House, office: httpx.Client) -> None:
    with logged_in(house, "mira") as browser:
        assert "What is yours" in browser.get("/admin/").text
        assert browser.get("/admin/matches/match/").status_code == 302
    assert httpx.get(f"{house.url}/admin/log/").status_code == 302
    style = re.search(r'href="(/static/[0-9a-f]{16}/unfold/css/styles[^"]*)"', office.get("/admin/").text)
    assert style and office.get(style[1]).status_code == 200


def test_the_admin_lists_the_log_and_shows_no_secret_of_a_running_match(house: House, office: httpx.Client) -> None:
    mira, tobias = house.demo_guest("mira"), house.demo_guest("tobias")
    match = mira.open("pyramid_poker", mira, tobias)
    mira.send(match, {"text": "first me"})
    mira.send(match, {"text": "A1"})
    events = mira.get(f"/matches/{match}/events")["results"]
    secret = next(event for event in events if event["type"] == "brick_dealt" and event["seat"] == 0)
    assert re.fullmatch(r"(10|[A2-9])[SHDC]", secret["brick"]), "Mira knows it."

    pages = [office.get("/admin/log/", params={"match": match})]
    rows = re.findall(r'href="(/admin/log/[^"?]+/\d+/)"', pages[0].text)
    pages += [office.get(row) for row in dict.fromkeys(rows)]

    assert len(pages) == 1 + len(events)
    assert all(page.status_code == 200 for page in pages)
    text = "\n".join(unescape(page.text) for page in pages)
    assert "brick_dealt" in text
    assert not re.search(rf"\b{secret['brick']}\b", text)


def matches_of(guest: Guest) -> list[Told]:
    """All matches of the house, newest first."""
    matches, page = [], guest.get("/matches", limit=100)
    matches += page["results"]
    while page["next"]:
        page = guest.get("/matches", limit=100, cursor=page["next"])
        matches += page["results"]
    return matches


def names_of(match: Told) -> list[str]:
    return [seat["player"] if seat["player"] == "bot" else seat["player"]["username"] for seat in match["seats"]]


@contextmanager
def logged_in(house: House, name: str) -> Iterator[httpx.Client]:
    """A browser in which a demo account has logged in to the admin, as far as it may."""
    with httpx.Client(base_url=house.url, timeout=PATIENCE, verify=NOBODY) as browser:
        browser.get("/sign-in")
        form = {"username": name, "password": house.demo_passwords()[name], "next": "/admin/"}
        browser.post("/sign-in", data={**form, "csrfmiddlewaretoken": browser.cookies["csrftoken"]})
        yield browser
