"""The guide to a first main match in a browser: each step is what the guide says, up to a first round of thirteen."""

from pathlib import Path
from random import Random
from time import monotonic

from django.conf import settings
from playwright.sync_api import Locator, Page, expect

from games.contest import GAME
from matches.contests.models import Contest
from matches.models import Match
from matches.services import playing
from matches.storage import repository
from tests.api.seasons import Cup
from tests.panel.paged_season import PagedPlayer
from tests.panel.seasons import account_of
from tests.web.site import Visitors

MOST_PRESSES = 20


class Reader:
    """Somebody who reads the guide and does nothing else; its words in bold, in their order, are all that is used."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses = page, 0
        self._guide = " ".join(Path(settings.BASE_DIR / "docs/first-main-match.md").read_text(encoding="utf-8").split())
        self._at = 0

    def reads(self, words: str) -> None:
        """Go on in the guide to these words in bold."""
        place = self._guide.find(f"**{words}**", self._at)
        assert place >= 0, f"The guide doesn't say {words} after {self._guide[max(0, self._at - 200) : self._at]}"
        self._at = place

    def press(self, words: str, what: Locator) -> None:
        """Press what bears these words."""
        self.reads(words)
        expect(what).to_contain_text(words)
        self.press_own(what)

    def press_own(self, what: Locator) -> None:
        """Press what bears words of the season's own, which the guide can't say."""
        what.click()
        self.presses += 1

    def open_dialog(self, act: str, words: str) -> Locator:
        """Press the button of an act, and return its dialog."""
        self.press(words, self.page.locator(f"[data-opens=act-{act}]").first)
        return self.page.locator(f"#act-{act}")

    def send(self, dialog: Locator, words: str) -> None:
        """Press the button of a dialog once its preview is shown."""
        if dialog.locator(".foretold").count():
            expect(dialog.locator(".foretold [name=expected]")).to_have_count(1)
        with self.page.expect_navigation():
            self.press(words, dialog.locator("button.strong"))

    def fill(self, words: str, what: Locator, value: str) -> None:
        """Type into a field, or choose one of its options."""
        self.reads(words)
        if what.evaluate("it => it.tagName") == "SELECT":
            what.select_option(value)
        else:
            what.fill(value)


def submit_first_round(match: Match, players: list[PagedPlayer]) -> None:
    """Each player fills in the form of the first round as the game's bot does."""
    rng, seats = Random(1), repository.load(match.id).lifecycle.players
    for seat, account in enumerate(seats):
        view = repository.load(match.id, seat).state
        command = {"type": "submit", "round": 1, "values": GAME.bot(view, seat, rng).values}
        next(it for it in players if it.id == account).send(str(match.id), command)
        playing.attend(match_id=match.id)


def test_guide_leads_from_nothing_to_the_first_round_of_thirteen(visitors: Visitors) -> None:
    cup, players = Cup(0), [PagedPlayer() for _ in range(13)]
    for player in players:
        cup.did("/players", {"player": player.id})
    me = account_of(cup.organiser)
    page = visitors.page(me)
    page.goto("/")
    began, guide = monotonic(), Reader(page)
    guide.press("Contests", page.get_by_role("link", name="Contests").first)
    guide.press("Copy", page.get_by_role("button", name="Copy The Emptied House"))
    page.locator("#content-title").fill("The Attic Sale")
    guide.fill("At the start", page.locator("#content-balances-0-start"), "60")
    guide.fill("Rules", page.locator("#content-rules"), "You have 60 crowns for the whole evening.")
    lot = "Lot 1: a clock that runs backwards"
    guide.press(lot, page.locator("#content-rounds-0 > summary"))
    guide.fill("Title", page.locator("#content-rounds-0-title"), "Lot 1: a clock with one hand")
    guide.fill("Text", page.locator("#content-rounds-0-text"), "Worth 40 points, and heavy.")
    expect(page.locator("#content-rounds-0-preview")).to_contain_text("Worth 40 points, and heavy.")
    guide.fill("Time to submit", page.locator("#content-rounds-0-seconds"), "1")
    page.get_by_label("Unit of Time to submit").first.select_option("hours")
    last = "Lot 8: the key of the house"
    guide.press(last, page.locator("#content-rounds-7 > summary"))
    guide.press("Remove", page.get_by_role("button", name="Remove Round 8"))
    expect(page.locator("#content-rounds-7")).to_have_count(0)
    expect(page.locator("#faults .success")).to_be_visible()
    guide.fill("Bots", page.locator("#seats"), "13")
    guide.press("Play one contest", page.locator("button[name=do][value=play]"))
    expect(page.locator(".course")).to_contain_text("Player 13")
    guide.press("1,000 runs", page.locator("button[name=do][value=try]"))
    expect(page.locator("#trial progress")).to_be_visible()
    guide.press("Save", page.locator(".maker-head button[value=save]"))
    guide.press("Version 2: play it, versions, files", page.locator(".maker-head .states a"))
    guide.press("Publish version 2", page.locator("form[action$='/publish'] button"))
    expect(page.locator(".states .running")).to_be_visible()
    (contest,) = Contest.objects.filter(author=me)
    data = contest.versions.get(number=contest.published).data
    assert (data["title"], data["balances"][0]["start"], len(data["rounds"])) == ("The Attic Sale", 60, 7)
    assert data["rounds"][0]["seconds"] == 3600

    guide.press("Rehearse", page.locator("form[action$='/rehearse'] button"))
    expect(page.locator("#live")).to_be_visible()
    guide.press("Croupier", page.locator(".brand"))
    guide.press_own(page.locator(f"section[aria-labelledby=run] a[href$='{cup.id}/']"))
    dialog = guide.open_dialog("open-episode", "Open the episode")
    dialog.locator("[name=title]").fill("The Attic")
    guide.send(dialog, "Open the episode")
    dialog = guide.open_dialog("table", "Set a table")
    guide.fill("Game", dialog.locator("[name=game]"), "contest")
    dialog.locator(f"[name=contest][value='{contest.id}@2']").check()
    guide.reads("Players")
    for player in players:
        dialog.locator(f"[name=players][value='{player.id}']").check()
    guide.fill("Last places that lose", dialog.locator("[name=worst]"), "2")
    guide.send(dialog, "Set a table")
    match = Match.objects.get(season_id=cup.id)
    guide.press_own(page.locator(f"a[href$='/{match.code}/control/']").first)
    dialog = guide.open_dialog("start", "Start")
    guide.fill("Reason", dialog.locator("[name=reason]"), "The first main match")
    guide.send(dialog, "Start")
    playing.attend(match_id=match.id)
    expect(page.locator("#contest-round")).to_contain_text("Lot 1: a clock with one hand")
    submit_first_round(match, players)
    expect(page.locator("#contest-round")).to_contain_text("Lot 2")
    print(f"{guide.presses} presses, {monotonic() - began:.0f} seconds of a script, from nothing to the second round")
    assert guide.presses <= MOST_PRESSES
