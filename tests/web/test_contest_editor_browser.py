"""The contest editor at a real browser: live checks, and its looks."""

import re

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

WIDTHS = (360, 390, 768, 1280)


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
    page.get_by_label("Options", exact=True).fill("left\nright\nnowhere")
    expect(preview.get_by_role("radio", name="nowhere")).to_be_visible()
    page.get_by_label("Time to submit", exact=True).fill("soon")
    expect(page.locator("#content-rounds-0-seconds-fault")).to_have_text("It is a text. Write a whole number instead.")
    page.get_by_role("link", name="Round 1, Time to submit").click()
    expect(page.get_by_label("Time to submit", exact=True)).to_have_value("soon")
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


def test_value_that_does_not_matter_is_hidden_until_it_does(visitors: Visitors) -> None:
    page, _ = editor(visitors, new_account())
    order = page.get_by_label("Order of the turns")
    expect(order).to_be_hidden()
    page.get_by_label("Who is asked").select_option(label="All, one after the other")
    expect(order).to_be_visible()
    page.locator("#content-rounds-0-scheme-kind").select_option(label="Number closest to a target or to the mean")
    share = page.get_by_label("Share of the mean, in percent")
    expect(share).to_be_visible()
    page.get_by_label("Target").fill("4")
    page.get_by_label("Target").press("Tab")
    expect(share).to_be_hidden()
    page.locator("#content-rounds-0-scheme-kind").select_option(label="The host judges")
    expect(page.get_by_label("Winners gain")).to_have_count(0)
    expect(order).to_be_visible()


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
    page.get_by_role("button", name="Use this kind of Evaluation").first.click()
    expect(page.locator("#content-rounds-0-scheme-tie")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("Version 2 is saved.")).to_be_visible()
    assert contest.versions.get(number=2).data["title"] == "No scripts"


def test_guide_is_linked_from_the_editor(visitors: Visitors) -> None:
    page, _ = editor(visitors, new_account())
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="Your first main match in half an hour")).to_be_visible()


def test_keyboard_goes_through_the_editor_in_the_order_of_the_page(visitors: Visitors) -> None:
    page, _ = editor(visitors, new_account())
    page.get_by_label("Title").first.focus()
    places: list[int] = []
    name = ""
    while name != "content.host_seconds" and len(places) < 200:
        page.keyboard.press("Tab")
        name, place = page.evaluate("""() => {
            const it = document.activeElement;
            return [it.name ?? "", [...document.querySelectorAll("*")].indexOf(it)];
        }""")
        places.append(place)
    assert name == "content.host_seconds" and places == sorted(places)


def test_rehearsal_begins_with_one_press(visitors: Visitors) -> None:
    me = new_account()
    contest = new_contest(me)
    page = visitors.page(me)
    page.goto(f"/contests/{contest.id}")
    page.get_by_role("link", name="Play it", exact=True).click()
    page.get_by_label("Players", exact=True).fill("3")
    page.get_by_role("button", name="Rehearse").click()
    expect(page).to_have_url(re.compile("/m/"))
    expect(page.get_by_text("The Fork").first).to_be_visible()


def test_pages_of_contests_are_sound(visitors: Visitors) -> None:
    me = new_account()
    contest = new_contest(me, **to_json(load("emptied_house")))
    new_contest(me, title="")
    trials.start(account=me, draft=trials_draft(contest), seats=5, runs=5)
    while trials.play_slice(60):
        pass
    page = visitors.page(me)
    faults = []
    opening = f"/open/contest?contest={contest.id}"
    pages = ("/contests", "/contests/guide", f"/contests/{contest.id}", f"/contests/{contest.id}/edit", opening)
    for address in pages:
        page.goto(address)
        expect(page.get_by_role("main")).to_have_count(1)
        for fold in page.locator("main details").all()[:3]:
            fold.evaluate("(it) => { it.open = true; }")
        faults += [(address, it) for it in misplaced(page, WIDTHS)]
        faults += [(address, it) for scheme in SCHEMES for it in refused(page, scheme)]
    assert faults == []


def trials_draft(contest: Contest) -> Draft:

    return read_draft(contest.versions.get().data)
