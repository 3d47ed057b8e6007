"""The contest editor at a real browser: live checks, the guide's steps, and its looks."""

import re

import pytest
from playwright.sync_api import Page, expect

from games.contest.presets import load
from games.kernel import to_json
from matches.contests.domain.drafts import Draft, read_draft
from matches.contests.models import Contest
from matches.contests.services import trials
from matches.models import Account
from tests.contests.contents import new_contest
from tests.table_setting import new_account
from tests.web.layout import misplaced
from tests.web.site import Visitors
from tests.web.soundness import SCHEMES, refused

WIDTHS = (360, 768, 1280)


def editor(visitors: Visitors, me: Account, **parts: object) -> tuple[Page, Contest]:
    contest = new_contest(me, **parts)
    page = visitors.page(me)
    page.goto(f"/contests/{contest.id}/edit")
    return page, contest


def test_faults_and_form_follow_what_is_typed(visitors: Visitors) -> None:
    page, _ = editor(visitors, new_account())
    expect(page.get_by_text("It has no faults")).to_be_visible()
    preview = page.get_by_role("complementary", name="Round 1 as a player sees it")
    expect(preview.get_by_role("radio")).to_have_count(2)
    page.get_by_label("Options").fill("left\nright\nnowhere")
    expect(preview.get_by_role("radio", name="nowhere")).to_be_visible()
    page.get_by_label("Seconds", exact=True).fill("soon")
    expect(page.locator("#content-rounds-0-seconds-fault")).to_have_text("It is a whole number, not a text.")
    page.get_by_role("link", name="Round 1, Seconds").click()
    expect(page.get_by_label("Seconds", exact=True)).to_have_value("soon")
    expect(page.locator("#unsaved")).to_be_visible()


def test_buttons_of_blocks_keep_what_was_typed(visitors: Visitors) -> None:
    page, contest = editor(visitors, new_account())
    page.get_by_label("Title").first.fill("Typed")
    page.get_by_role("button", name="Add a round").click()
    expect(page.get_by_role("heading", name="Round 2 round_1")).to_be_visible()
    expect(page.locator("#content-rounds-1-name")).to_be_focused()
    page.get_by_role("button", name="Move Round 2 up").click()
    expect(page.get_by_role("heading", name="Round 1 round_1")).to_be_visible()
    page.locator("#content-rounds-1-scheme-kind").select_option("plurality")
    expect(page.locator("#content-rounds-1-scheme-tie")).to_be_visible()
    expect(page.get_by_label("Title").first).to_have_value("Typed")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("Version 2 is saved.")).to_be_visible()
    data = contest.versions.get(number=2).data
    assert data["title"] == "Typed" and data["rounds"][1]["scheme"]["kind"] == "plurality"


def test_page_with_unsaved_changes_asks_before_it_is_left(visitors: Visitors) -> None:
    page, _ = editor(visitors, new_account())
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.get_by_label("Title").first.fill("Typed")
    page.get_by_role("link", name="Contests").first.click()
    expect(page.get_by_role("heading", name="Contests", level=1)).to_be_visible()
    assert asked == ["beforeunload"]


def test_editor_works_without_scripts(visitors: Visitors) -> None:
    me = new_account()
    contest = new_contest(me)
    page = visitors.page(me, java_script_enabled=False)
    page.goto(f"/contests/{contest.id}/edit")
    page.get_by_label("Title").first.fill("No scripts")
    page.get_by_role("button", name="Add a round").click()
    page.locator("#content-rounds-0-scheme-kind").select_option("plurality")
    page.get_by_role("button", name="Use this kind of Scheme").first.click()
    expect(page.locator("#content-rounds-0-scheme-tie")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("Version 2 is saved.")).to_be_visible()
    assert contest.versions.get(number=2).data["title"] == "No scripts"


class Presses:
    """Presses of buttons and links, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()
        self.count += 1


def test_guide_leads_to_a_published_contest(visitors: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    me = new_account()
    page = visitors.page(me)
    page.goto("/")
    press = Presses(page)
    press("link", "Contests")
    press("button", "Copy The Emptied House")
    page.get_by_label("Title").first.fill("The Attic Sale")
    page.locator("#content-balances-0-start").fill("60")
    page.locator("#content-rules").fill("You have 60 crowns for the whole evening.")
    press("heading", "Round 1 Lot 1: a clock that runs backwards")
    page.locator("#content-rounds-0-text").fill("Worth 40 points, and heavy.")
    expect(page.locator("#content-rounds-0-preview")).to_contain_text("Worth 40 points, and heavy.")
    page.locator("#content-rounds-0-seconds").fill("3600")
    press("heading", "Round 8 Lot 8: the key of the house")
    press("button", "Remove Round 8")
    expect(page.get_by_role("heading", name="Round 8")).to_have_count(0)
    expect(page.get_by_text("It has no faults: 5 to 13 players, 7 rounds")).to_be_visible()
    page.get_by_label("Bots").fill("13")
    press("button", "Play one contest")
    expect(page.get_by_role("list", name="The course of one contest")).to_contain_text("Player 13")
    press("button", "1,000 runs")
    expect(
        page.locator("#trial").get_by_text(re.compile(r"Contests with 13 bots: \d+ of 1000 are played"))
    ).to_be_visible()
    press("button", "Cancel")
    press("button", "Save")
    expect(page.get_by_text("Version 2 is saved.")).to_be_visible()
    press("link", "Version 2: look, versions, files")
    press("button", "Publish version 2")
    expect(page.get_by_text("It is published")).to_be_visible()
    (contest,) = Contest.objects.filter(author=me)
    data = contest.versions.get(number=contest.published).data
    assert (data["title"], data["balances"][0]["start"], len(data["rounds"])) == ("The Attic Sale", 60, 7)
    assert data["rounds"][0]["seconds"] == 3600 and press.count == 11


def test_guide_is_linked_from_the_editor(visitors: Visitors) -> None:
    page, _ = editor(visitors, new_account())
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="Your first main match in twenty minutes")).to_be_visible()


def test_pages_of_contests_are_sound(visitors: Visitors) -> None:
    me = new_account()
    contest = new_contest(me, **to_json(load("emptied_house")))
    new_contest(me, title="")
    trials.start(account=me, draft=trials_draft(contest), seats=5, runs=5)
    while trials.play_slice(60):
        pass
    page = visitors.page(me)
    faults = []
    for address in ("/contests", f"/contests/{contest.id}", f"/contests/{contest.id}/edit"):
        page.goto(address)
        for fold in page.locator("main details").all()[:3]:
            fold.evaluate("(it) => { it.open = true; }")
        faults += [(address, it) for it in misplaced(page, WIDTHS)]
        faults += [(address, it) for scheme in SCHEMES for it in refused(page, scheme)]
    assert faults == []


def trials_draft(contest: Contest) -> Draft:

    return read_draft(contest.versions.get().data)
