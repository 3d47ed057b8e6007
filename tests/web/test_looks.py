"""Every page in light and dark, wide and narrow: nothing that axe refuses, nothing that sticks out."""

import json
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from matches.accounts import name_key
from matches.models import Account
from tests.table_setting import BOT, new_account, new_token, play_to_the_end, running_match, waiting_match
from tests.web.site import Visitors

LONG = "Wolfeschlegelsteinhausenbergerdorff"
PAGES: dict[str, Callable[[Account, Account], str]] = {
    "lobby": lambda me, other: "/",
    "account": lambda me, other: "/account",
    "matches": lambda me, other: "/matches",
    "no matches": lambda me, other: f"/matches?mine=1&status=void&player={other.username}",
    "player": lambda me, other: f"/players/{other.username}",
    "games": lambda me, other: "/games",
    "rules": lambda me, other: f"/games/higher_or_lower?match={running_match('higher_or_lower', me, other).code}",
    "opening with cards": lambda me, other: "/open/peeling_the_banana",
    "opening with boards": lambda me, other: "/open/higher_or_lower",
    "opening with choices": lambda me, other: "/open/pentagram",
    "seats": lambda me, other: f"/m/{waiting_match('pentagram', other, None, BOT, opener=me).code}/seats",
    "invitation": lambda me, other: f"/j/{waiting_match('pentagram', other, None, opener=other).code}/x",
    "problem": lambda me, other: "/players/nobody",
}
# What the colours can't change is looked at once.
SCHEMES: dict[str, dict[str, object]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
AXE = Axe()
TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place);
}"""
OPEN_PAGES = ["/", "/sign-in", "/sign-up", "/problems/", "/problems/forbidden", "/nowhere"]


@pytest.fixture(scope="module")
def guests() -> tuple[Account, Account]:
    """Two who have played, one of them with a long name and tokens."""
    me, other = new_account(), new_account()
    name = f"{LONG}{other.username[:5]}"
    Account.objects.filter(id=other.id).update(username=name, name_key=name_key(name))
    other.refresh_from_db()
    new_token(me)
    running_match("pyramid_poker", me, other)
    running_match("pentagram", other, BOT, BOT, BOT, me)
    play_to_the_end(running_match("pyramid_poker", me, other))
    return me, other


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound(visitors: Visitors, guests: tuple[Account, Account], name: str) -> None:
    me, other = guests
    _is_sound(visitors.page(me), PAGES[name](me, other))


@pytest.mark.parametrize("path", OPEN_PAGES)
def test_an_open_page_is_sound(visitors: Visitors, path: str) -> None:
    _is_sound(visitors.page(), path)


def _is_sound(page: Page, path: str) -> None:
    page.goto(path)
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        found = AXE.run(page, options=rules | {"resultTypes": ["violations"]}).response["violations"]
        told = [(it["id"], [node["html"][:200] for node in it["nodes"][:4]]) for it in found]
        assert not told, json.dumps([scheme, told], indent=1)
    assert page.evaluate(TWICE) == [], "An id stands for one thing."
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path} sticks out at {width}"
