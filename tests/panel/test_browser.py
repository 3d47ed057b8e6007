"""The control room in a browser: under its policy, in light and dark, by hand and by keyboard."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from matches.clocks import ClockTimes
from tests.panel.office import hosted_match, room, types_of, version_of
from tests.table_setting import new_account, play_on
from tests.web.site import Visitors

CLOCK = {"turn": ClockTimes(base=600, reserve=60, increment=10)}


def axe_faults(page: Page) -> list[str]:
    """What axe finds in the panel's own part of a page."""
    found = Axe().run(page, context=".house").response["violations"]
    return [f"{it['id']}: {node['target']} {node['failureSummary'][:300]}" for it in found for node in it["nodes"]]


@pytest.mark.parametrize("dark", [False, True])
def test_a_host_runs_a_match_from_the_room(visitors: Visitors, dark: bool) -> None:
    match, host = hosted_match(moves=6, clocks=CLOCK)
    page, before = visitors.page(host, dark=dark), version_of(match)
    page.goto(room(match))
    expect(page.locator(".board svg")).to_be_visible()
    expect(page.locator(".face .clock").first).to_have_text("10:00")
    assert axe_faults(page) == []

    page.get_by_role("button", name="Rule", exact=True).click()
    page.get_by_label("Ruling").fill("A tie goes to the seat with priority.")
    page.locator("#act-rule .strong").click()
    expect(page.get_by_text("Rule: done, and in the record.")).to_be_visible()
    expect(page.locator(".timeline li").first).to_contain_text("A tie goes to the seat with priority.")

    play_on(match, 1)
    expect(page.locator("#room")).to_have_attribute("data-version", str(version_of(match)))

    page.get_by_role("button", name="Look at everything").click()
    expect(page.get_by_text("when you looked")).to_be_visible()
    page.goto(room(match, "rewind/"))
    assert axe_faults(page) == []
    kinds = types_of(match.id, before)
    assert kinds[0] == "ruling_posted" and kinds[-1] == "truth_viewed"


def test_an_organiser_finds_what_waits_on_the_dashboard(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=3, clocks={"turn": ClockTimes(base=40, reserve=0, increment=1)})
    page = visitors.page(new_account(is_organiser=True))
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Low clocks")).to_be_visible()
    assert axe_faults(page) == []
    late, _ = hosted_match(moves=1)
    expect(page.get_by_role("link", name=late.code)).to_be_visible(timeout=20_000)
    page.get_by_role("link", name=match.code).first.click()
    expect(page.locator(".board svg")).to_be_visible()
    for address in (
        "/admin/matches/match/",
        f"/admin/matches/match/{match.id}/change/",
        "/admin/events/loggedevent/",
        "/admin/access-log/",
        f"/admin/matches/account/{match.opened_by_id}/change/",
        f"/admin/matches/account/{match.opened_by_id}/reset/",
        "/admin/hosting/",
    ):
        page.goto(address)
        expect(page.locator("#nav-sidebar")).to_contain_text("Access log")
