"""Every page of the panel has the policy of all pages, and reports no violation of it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.urls import get_resolver
from playwright.sync_api import Page, expect

from matches.services import appealing
from tests.api.seasons import Cup
from tests.configuration.secret_walk import patterns
from tests.panel.office import hosted_match
from tests.table_setting import new_account
from tests.web.site import Visitors

VIOLATIONS = "addEventListener('securitypolicyviolation', (it) => console.error(`policy: ${it.violatedDirective}`));"
UNVISITED = {"app_label", "digest", "uidb64", "url"}
"""Parameters of files, of links in e-mails and of the framework's own."""


def addresses(values: dict[str, Any], objects: dict[str, Any]) -> Iterator[str]:
    """The address of each route of the panel that these values fill."""
    for route, _ in patterns(get_resolver()):
        if not route.startswith("admin/"):
            continue
        filled = route
        if model := re.match(r"admin/\w+/(\w+)/<path:object_id>", route):
            filled = filled.replace("<path:object_id>", str(objects.get(model[1], "0")))
        for converter in re.findall(r"<(?:\w+:)?(\w+)>", filled):
            filled = re.sub(rf"<(?:\w+:)?{converter}>", str(values.get(converter, "?")), filled)
        if "?" not in filled and "^" not in filled:
            yield f"/{filled}"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_page_of_the_panel_reports_a_violation(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=6)
    seat = match.seats.get(number=0)
    appealing.appeal(match_id=match.id, player=seat.account.id, kind="clock", text="My clock ran on.")
    account = new_account(is_organiser=True, is_superuser=True, is_staff=True)
    season = Cup(2)
    values = {
        "code": match.code, "season_id": season.id, "account_id": seat.account.id, "stream": match.id, "version": 1,
        "number": 1,
    }  # fmt: skip
    group = Group.objects.get_or_create(name="readers")[0]
    objects = {"account": seat.account.id, "match": match.id, "seat": seat.pk, "group": group.pk}
    page = visitors.page(account)
    page.add_init_script(VIOLATIONS)
    visited = set()
    for address in addresses(values, objects):
        answer = page.request.get(address, max_redirects=0)
        if answer.status == 200 and answer.headers["content-type"].startswith("text/html"):
            policy = answer.headers["content-security-policy"]
            assert "unsafe" not in policy, address
            page.goto(address)
            page.wait_for_load_state("networkidle")
            visited.add(address)
            assert visitors.faults == [], address
    assert len(visited) > 25, sorted(visited)


def test_the_frame_of_the_panel_works_without_eval(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=1)
    page = visitors.page(new_account(is_organiser=True, is_superuser=True, is_staff=True))
    page.add_init_script(VIOLATIONS)
    page.goto("/admin/matches/match/")
    turn_dark(page)
    page.get_by_role("button", name="Menu", exact=True).first.click()
    expect(page.locator("#nav-sidebar")).to_be_hidden()
    page.reload()
    expect(page.locator("#nav-sidebar")).to_be_hidden()
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    page.goto(f"/admin/matches/match/{match.id}/change/")
    expect(page.locator("form#match_form")).to_have_attribute("action", f"/admin/matches/match/{match.id}/change/")
    page.keyboard.press("Control+k")
    search = page.get_by_placeholder("Type to search").last
    expect(search).to_be_focused()
    search.press_sequentially("Notice")
    expect(page.get_by_text("Found 1 result")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/matches/notice/")


def turn_dark(page: Page) -> None:
    page.keyboard.press("Control+e")
    page.keyboard.press("Control+e")
    if "dark" not in (page.locator("html").get_attribute("class") or ""):
        page.keyboard.press("Control+e")
    expect(page.locator("html")).to_have_class(re.compile("dark"))
