"""A whole season on a running house by the panel alone, and the same one over REST: the record tells no difference."""

from typing import Any

import pytest

from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD, House
from tests.panel import season_script as script
from tests.panel.hands import Hands
from tests.panel.season_script import Actor, Clerk, Person, told
from tests.waiting import wait_until
from tests.web.chromium import browsing
from tests.web.site import WIDE


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_season_by_the_panel_alone_is_the_season_that_rest_alone_would_have_made(
    house: House, request: pytest.FixtureRequest
) -> None:
    made = house.manage("add_account", "season boss", "--password", PASSWORD, "--organiser")
    assert made.returncode == 0, made.stderr
    guests = [house.guest(f"season player {letter}") for letter in "abcd"]
    people = [Person(guest.id, guest.name) for guest in guests]
    boss = Guest.known(house.url, "season boss", PASSWORD)
    request.addfinalizer(boss.leave)
    with browsing() as browser:
        page = browser.new_context(base_url=house.url, viewport=WIDE).new_page()
        page.goto("/sign-in?next=/admin/seasons/")
        page.locator("[name=username]").fill("season boss")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("main button").first.click()
        # Somebody else has given the account its rights, which its owner is told of before anything else.
        page.wait_for_url("**/account/access-log?*")
        page.locator("main button").first.click()
        page.wait_for_url("**/admin/seasons/")
        hands = Hands(page, people)
        by_panel = hands.open_season("The season")
        play(hands, people)
        page.goto(hands.room)
        assert hands.due() == ""
        assert "Champion" in page.locator(".step.done").last.inner_text()

    by_rest = posted(boss, "/seasons", {"title": "The season"})["season"]

    def settle(match: str) -> None:
        wait_until(lambda: status_of(boss, by_rest, match) == "finished", 30)

    play(Clerk(by_rest, hands.winners, lambda path, body: posted(boss, path, body), boss.get, settle), people)

    names = {boss.id: "organiser", **{it.id: it.name for it in people}}
    panels, rests = (told(boss.get(f"/seasons/{it}/events", limit=500)["results"], names) for it in (by_panel, by_rest))
    assert panels[-1]["type"] == "season_finished"
    assert panels == rests


def play(actor: Actor, people: list[Person]) -> None:
    """The whole script."""
    script.enrolment(actor, people)
    left = script.second_episode(actor, script.first_episode(actor, people))
    assert len(left) == 2
    script.final(actor)


def posted(guest: Guest, path: str, body: Any) -> Any:
    """What an accepted act answers."""
    answer = guest.post(path, body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def status_of(guest: Guest, season: str, match: str) -> str:
    """How the season sees a match of its own."""
    matches = guest.get(f"/seasons/{season}/schedule")["results"]
    found: str = next(it["status"] for it in matches if it["id"] == match)
    return found
