"""Names and words of scripts that run from right to left: they stay where they belong in what an English page says."""

import re
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Page

from games import catalogue
from matches.accounts import access_log
from matches.accounts.access_log import Actor, Door
from matches.domain.names import name_key
from matches.models import Account, Match
from matches.services import hosting
from tests.api.seasons import Cup
from tests.table_setting import BOT, new_account, play_on, play_to_the_end, running_match, waiting_match
from tests.web.site import Visitors

HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
FROM_RIGHT = re.compile(f"[{HEBREW}][{HEBREW}\\d]*")
BEGIN, END = "\u2068", "\u2069"
ALONE = {"h1", "h2", "h3", "td", "th", "option", "title", "legend", "textarea", "p"}
"""Elements in which a name alone is a sentence of its own."""
SPOKEN = ("aria-label", "title", "content", "alt")
VOID = {"meta", "link", "input", "br", "img", "hr"}


def hebrew(number: int) -> str:
    """A number in letters that run from right to left."""
    return HEBREW[number % 22] + (hebrew(number // 22) if number >= 22 else "")


def renamed(account: Account) -> Account:
    """The account, called by a name that runs from right to left."""
    name = hebrew(uuid4().int >> 64)
    Account.objects.filter(id=account.id).update(username=name, name_key=name_key(name))
    account.refresh_from_db()
    return account


class Loose(HTMLParser):
    """A parser that finds right-to-left text on a page that isn't isolated from the words around it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in SPOKEN and value:
                self._note(value, alone=True)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style", "pre"):
            self._note(data, alone=self.open[-1] in ALONE)

    def _note(self, words: str, *, alone: bool) -> None:
        for run in FROM_RIGHT.finditer(words):
            self.seen += 1
            before = words[: run.start()]
            apart = "bdi" in self.open or before.count(BEGIN) > before.count(END)
            if not apart and not (alone and words.strip() == run.group()):
                self.found.append(f"<{self.open[-1]}> {words.strip()[:80]}")


@pytest.fixture(scope="module")
def people() -> tuple[Account, Account]:
    return renamed(new_account()), renamed(new_account())


@pytest.fixture(scope="module")
def cup(people: tuple[Account, Account]) -> Cup:
    """A season of people with such names, through its first episode, with reasons, titles and rulings like that."""
    cup = Cup(4, bans_each=1)
    for one in (*cup.players, cup.host, cup.organiser):
        renamed(Account.objects.get(id=one.id))
    cup.did("/players", {"player": str(people[0].id)})
    cup.episode()
    cup.did("/garnets", {"to": str(people[0].id), "amount": 2, "reason": HEBREW[3:9]})
    cup.did("/rulings", {"text": HEBREW[:7]}, by=cup.host)
    cup.did("/episodes", {"title": HEBREW[5:11]})
    return cup


def overheard(path: str, reader: Account) -> Loose:
    client = Client(headers={"host": "localhost"})
    client.force_login(reader)
    answer = client.get(path, follow=True)
    assert answer.status_code == 200, path
    loose = Loose()
    loose.feed(answer.content.decode())
    return loose


def match_of(game: str, *players: Account) -> Match:
    match = running_match(game, *players)
    hosting.rule(match_id=match.id, by=match.opened_by_id, text=HEBREW[2:8])
    return match


@pytest.mark.parametrize("game", sorted(catalogue))
def test_a_match_keeps_names_apart(people: tuple[Account, Account], game: str) -> None:
    match = match_of(game, *people)
    play_on(match, 12)
    for path in ("", "words", "replay/"):
        loose = overheard(f"/m/{match.code}/{path}", people[0])
        assert loose.found == [], path
        assert loose.seen, path


@pytest.mark.slow
def test_lists_and_tables_keep_names_apart(people: tuple[Account, Account]) -> None:
    me, other = people
    running_match("pentagram", other, BOT, me, opener=other)
    play_to_the_end(running_match("pyramid_poker", me, other))
    waiting = waiting_match("pentagram", other, None, me, opener=other)
    access_log.note(me.id, "rights_changed", Actor(other.id, Door.PANEL), is_staff=False)
    lists = ("/", "/matches", f"/players/{other.username}", f"/m/{waiting.code}/seats")
    for path in (*lists, "/account", "/account/access-log"):
        loose = overheard(path, me)
        assert loose.found == [], path
        assert loose.seen, path


@pytest.mark.slow
def test_a_season_keeps_names_apart(people: tuple[Account, Account], cup: Cup) -> None:
    home = f"/seasons/{cup.id}"
    for path in ("/seasons", home, f"{home}/desk", f"{home}/episodes/1", f"{home}/players/{people[0].id}"):
        loose = overheard(path, people[0])
        assert loose.found == [], path
        assert loose.seen, path


def test_the_panel_keeps_names_apart(people: tuple[Account, Account], cup: Cup) -> None:
    match = match_of("pyramid_poker", *people)
    chief = Account.objects.get(id=cup.organiser.id)
    Account.objects.filter(id=chief.id).update(is_staff=True, is_superuser=True)
    access_log.note(people[1].id, "rights_changed", Actor(people[0].id, Door.PANEL), is_staff=False)
    log = f"/admin/matches/account/{people[1].id}/log/"
    for path in ("/admin/", log, f"/admin/matches/{match.code}/control/", f"/admin/seasons/{cup.id}/"):
        loose = overheard(path, chief)
        # Who is signed in stands alone in the frame's menu, with their first letter for a picture.
        assert [it for it in loose.found if it.split("> ")[1] not in (chief.username, chief.username[0])] == [], path
        assert loose.seen, path


def left_of(page: Page, selector: str, words: str) -> float:
    """Return the left edge of these words in pixels."""
    place: float = page.locator(selector).first.evaluate(
        """(it, words) => {
          const walk = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const at = walk.currentNode.data.indexOf(words);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(walk.currentNode, at);
            range.setEnd(walk.currentNode, at + words.length);
            return range.getBoundingClientRect().left;
          }
          return -1;
        }""",
        words,
    )
    return place


@pytest.mark.slow
def test_a_browser_shows_two_such_names_in_their_order(visitors: Visitors, people: tuple[Account, Account]) -> None:
    one, two = (person.username for person in people)
    match = running_match("pyramid_poker", *people)
    play_to_the_end(match)
    page = visitors.page(new_account())
    page.goto(f"/matches?player={two}")
    card = f".card:has(a[href='/m/{match.code}/']) .players"
    assert 0 <= left_of(page, card, one) < left_of(page, card, two)
    page.goto(f"/m/{match.code}/")
    text = page.locator("#result").text_content() or ""
    winner = next(name for name in (one, two) if name in text)
    assert 0 <= left_of(page, "#result", winner) < left_of(page, "#result", "wins, "), text
