"""Every page in light and dark, wide and narrow: nothing that axe refuses, nothing that sticks out or touches."""

from collections.abc import Callable, Iterator
from functools import cache
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from matches.accounts import access_log
from matches.accounts.access_log import Actor, Door
from matches.domain.clocks import ClockTimes
from matches.domain.names import name_key
from matches.models import Account, Match
from matches.services import hosting, opening
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.table_setting import BOT, new_account, new_token, play_to_the_end, running_match, waiting_match
from tests.web.layout import misplaced
from tests.web.site import WIDE, Visitors
from tests.web.soundness import SCHEMES, in_both_schemes, refused

LONG = "Wolfeschlegelsteinhausenbergerdorff"
PAGES: dict[str, Callable[[Account, Account], str]] = {
    "lobby": lambda me, other: following(other),
    "account": lambda me, other: "/account",
    "portrait": lambda me, other: "/account/portrait",
    "notices": lambda me, other: "/account/notices",
    "access log": lambda me, other: changed(me, other),
    "matches": lambda me, other: "/matches",
    "no matches": lambda me, other: f"/matches?mine=1&status=void&player={other.username}",
    "player": lambda me, other: f"/players/{other.username}",
    "games": lambda me, other: "/games",
    "rules": lambda me, other: f"/games/higher_or_lower?match={running_match('higher_or_lower', me, other).code}",
    "lesson": lambda me, other: "/learn/pyramid_poker/6/",
    "end of a lesson": lambda me, other: "/learn/pyramid_poker/14/",
    "opening with cards": lambda me, other: "/open/peeling_the_banana",
    "opening with boards": lambda me, other: "/open/higher_or_lower",
    "opening with choices": lambda me, other: "/open/pentagram",
    "seats": lambda me, other: f"/m/{waiting_match('pentagram', other, None, BOT, opener=me).code}/seats",
    "invitation": lambda me, other: invited(other),
    "waiting match": lambda me, other: f"/m/{waiting_match('pentagram', other, None, BOT, opener=me).code}/",
    "paused match": lambda me, other: f"/m/{paused(me, other).code}/",
    "finished match": lambda me, other: f"/m/{finished(me, other).code}/",
    "replay of everything": lambda me, other: f"/m/{finished(me, other).code}/replay/9/?as=host",
    "look": lambda me, other: f"/m/{running_match('pyramid_poker', other, BOT, opener=me).code}/replay/?as=host",
    "newcomer": lambda me, other: f"/players/{new_account().username}",
    "problem": lambda me, other: "/players/nobody",
    "seasons": lambda me, other: "/seasons",
    "joining link": lambda me, other: joining(),
    "application": lambda me, other: applied(me),
    "season": lambda me, other: f"/seasons/{a_season(other).id}",
    "matches of a season": lambda me, other: f"/seasons/{a_season(other).id}/matches",
    "episodes of a season": lambda me, other: f"/seasons/{a_season(other).id}/episodes",
    "past season": lambda me, other: f"/seasons/{a_season(other).id}?at=9",
    "empty season": lambda me, other: f"/seasons/{Cup(0).id}",
    "episode": lambda me, other: f"/seasons/{a_season(other).id}/episodes/1",
    "champion": lambda me, other: f"/seasons/{a_champion().id}/champion",
    "player of a season": lambda me, other: f"/seasons/{a_season(other).id}/players/{other.id}",
}

ALWAYS = (
    "lobby", "account", "rules", "opening with cards", "finished match", "replay of everything", "problem", "season",
    "application",
)  # fmt: skip
"""One page of each making; the others are made of the same parts, or show less."""


def changed(me: Account, other: Account) -> str:
    """Let another change the account, which every page reports from now on, and return the page of the report."""
    access_log.note(me.id, "rights_changed", Actor(other.id, Door.PANEL), is_staff=False)
    return "/account/access-log"


def following(player: Account) -> str:
    """The lobby with a season to follow."""
    a_season(player)
    return "/"


def joining() -> str:
    """The page of a link by which one asks to play in a season."""
    cup = Cup(1)
    cup.did("/joining-links", {})
    return urlsplit(cup.read("/joining-links")["results"][-1]["url"]).path


def applied(player: Account) -> str:
    """Return the joining page's address after the player has applied."""
    address, applicant = joining(), Guest(new_token(player), player)
    answer = applicant.post(f"/seasons/joining/{address.rpartition('/')[2]}", {}, Idempotency_Key="asks")
    assert answer.status == 201, answer.body
    return address


def invited(opener: Account) -> str:
    """The way to an open seat of a match with clocks."""
    seats = [opening.SeatRequest(opener.id), opening.SeatRequest()]
    clocks = {"turn": ClockTimes(60, 300, 1)}
    opened = opening.open_match(opener=opener.id, game="pentagram", options={}, seats=seats, clocks=clocks)
    return f"/j/{opened.code}/{opened.invitations[1]}"


def paused(me: Account, other: Account) -> Match:
    """A match that its host has paused."""
    match = running_match("pyramid_poker", me, other)
    hosting.pause(match_id=match.id, by=match.opened_by_id, reason="Dinner is ready.")
    return match


def finished(me: Account, other: Account) -> Match:
    """A whole match."""
    match = running_match("pyramid_poker", me, other)
    play_to_the_end(match)
    return match


TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place);
}"""
DOCS = "/api/docs"
FEWER = """() => {
  const seen = new Set();
  document.querySelectorAll(".opblock").forEach((it, place) => {
    if (place % 10 && seen.has(it.className)) it.remove();
    seen.add(it.className);
  });
}"""
OPEN_PAGES = ["/", "/sign-in", "/sign-up", "/problems/", "/problems/forbidden", "/nowhere"]


@cache
def a_season(player: Account) -> Cup:
    """A season in its second episode, with somebody of a long name in it, a table, a ruling and a gift; it has more
    players than a tile has faces."""
    cup = Cup(8, bans_each=1)
    cup.did("/players", {"player": str(player.id)})
    cup.episode()
    cup.did("/garnets", {"to": str(player.id), "amount": 2, "reason": "Well played."})
    cup.did("/rulings", {"text": "A pass is a move."}, by=cup.host)
    cup.did("/episodes", {"title": "Another one"})
    return cup


def a_champion() -> Cup:
    """A season that is over."""
    cup = Cup(3, best_of=1)
    cup.episode()
    cup.did("/final")
    match = cup.set("/final/matches", "pyramid_poker")
    cup.loses(match, cup.living()[0])
    cup.did(f"/matches/{match}/approve")
    return cup


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


@pytest.fixture(scope="module")
def walls(browser: Browser, site: str, guests: tuple[Account, Account]) -> Iterator[tuple[Visitors, Page, Page]]:
    """Browsers, with a page of somebody who has played and a page of nobody, which show one address after the other."""
    visitors = Visitors(browser, site)
    yield visitors, visitors.page(guests[0]), visitors.page()
    visitors.leave()


@pytest.fixture
def visitors(walls: tuple[Visitors, Page, Page]) -> Iterator[Visitors]:
    """The browsers of all these tests; nothing has gone wrong behind their backs."""
    visitors = walls[0]
    yield visitors
    faults = visitors.faults.copy()
    visitors.faults.clear()
    assert faults == []


@pytest.mark.parametrize(("name", "scheme"), in_both_schemes(PAGES, always=ALWAYS))
def test_a_page_is_sound(
    visitors: Visitors, walls: tuple[Visitors, Page, Page], guests: tuple[Account, Account], name: str, scheme: str
) -> None:
    _is_sound(walls[1], PAGES[name](*guests), scheme)


@pytest.mark.slow
def test_the_lobby_of_a_newcomer_is_sound(visitors: Visitors) -> None:
    _is_sound(visitors.page(new_account()), "/", "dark")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_for_visitors_and_guests_are_accessible(visitors: Visitors, scheme: str) -> None:
    way, page = invited(new_account()), visitors.page()
    _is_sound(page, way, scheme)
    page.get_by_role("button", name="Play as a guest").click()
    for path in ("/account", "/sign-in", "/sign-up"):
        _is_sound(page, path, scheme)


@pytest.mark.parametrize(
    ("path", "scheme"), in_both_schemes(OPEN_PAGES, always=("/sign-in", "/sign-up", "/problems/forbidden"))
)
def test_an_open_page_is_sound(visitors: Visitors, walls: tuple[Visitors, Page, Page], path: str, scheme: str) -> None:
    _is_sound(walls[2], path, scheme)


@pytest.mark.slow
def test_the_docs_of_the_api_are_sound(visitors: Visitors, walls: tuple[Visitors, Page, Page]) -> None:
    walls[2].set_viewport_size(WIDE)
    walls[2].goto(DOCS)
    walls[2].locator("main .opblock").first.wait_for()
    # A hundred operations of one making: every tenth shows what there is to see, of each method one at least.
    walls[2].evaluate(FEWER)
    for scheme in SCHEMES:
        _holds(walls[2], DOCS, scheme)


def _is_sound(page: Page, path: str, scheme: str) -> None:
    page.set_viewport_size(WIDE)
    page.goto(path)
    _holds(page, path, scheme)


def _holds(page: Page, path: str, scheme: str) -> None:
    assert refused(page, scheme) == []
    assert page.evaluate(TWICE) == [], "An id stands for one thing."
    assert misplaced(page, (1280, 390, 320)) == [], path
