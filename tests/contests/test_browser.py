"""The host's pages of a contest in a browser: a round from a reminder to its judgement, in light and dark."""

import json

import pytest
from playwright.sync_api import Page, expect

from games.kernel import to_json
from matches.models import Account
from tests.api.guests import house
from tests.contests.table import ContestMatch
from tests.panel.office import room
from tests.web.layout import misplaced
from tests.web.site import Visitors
from tests.web.soundness import SCHEMES, refused

WIDTHS = (1920, 1280, 768, 360)


def check(page: Page) -> None:
    for scheme in SCHEMES:
        assert refused(page, scheme, ".house") == []
    # The room's line about outdated buttons is empty, and has no height.
    assert [it for it in misplaced(page, WIDTHS) if 'touches "" at' not in it] == []


def test_host_runs_a_round_from_the_room(visitors: Visitors) -> None:
    match = ContestMatch.begun(seats=7).submitted(2, 3)
    page = visitors.page(Account.objects.get(id=match.host.id))
    page.goto(room(match.row))
    expect(page.get_by_text("5 players are missing")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Remind those who are missing").click()
    expect(page.get_by_text("Reminded:")).to_be_visible()

    page.get_by_role("link", name="Give more time").click()
    check(page)
    page.get_by_label("Minutes").fill("30")
    page.get_by_label("Reason").fill("The train was late.")
    page.get_by_role("button", name="Give everybody who is missing this time").click()
    expect(page.get_by_text("More time, and in the record")).to_be_visible()

    page.get_by_role("link", name="Change later rounds").click()
    rounds = to_json(match.state.rounds)
    rounds[0]["title"], rounds[2]["title"] = "Another", "The end"
    page.locator("[name=pasted]").fill(json.dumps({"rounds": rounds}))
    page.get_by_label("Reason").fill("A slip.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("rounds.0.title")).to_be_visible()
    check(page)
    rounds[0]["title"] = match.state.rounds[0].title
    page.locator("[name=pasted]").fill(json.dumps({"rounds": rounds}))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".changes")).to_contain_text("The end")
    check(page)
    page.get_by_role("button", name="Change the contest").click()
    expect(page.get_by_text("Done, and in the record.")).to_be_visible()

    page.get_by_role("link", name="Close the round").click()
    check(page)
    page.get_by_role("button", name="Close the round").click()
    expect(page.get_by_text("Done, and in the record.")).to_be_visible()
    house(match.id)
    expect(page.get_by_text("The round is over and waits for your judgement.")).to_be_visible()
    page.get_by_role("link", name="Judge the round").click()
    page.get_by_role("button", name="Look at the submissions").click()
    expect(page.get_by_text("xylophone 2")).to_be_visible()
    page.get_by_label(f"Points of {match.players[2].name}").fill("5")
    expect(page.get_by_text("With these: 5.")).to_have_count(1)
    expect(page.get_by_text("You give 5 points in all.")).to_be_visible()
    page.get_by_label("Text for everybody").fill("The best speech of the evening.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("5 points, which make 5.")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Judge the round").click()
    expect(page.get_by_text("Done, and in the record.")).to_be_visible()
    house(match.id)
    expect(page.get_by_text("Round 2 of 3: The vote").first).to_be_visible()
    assert match.state.points == (0, 0, 5, 0, 0, 0, 0) and match.state.rounds[2].title == "The end"


@pytest.mark.slow
def test_hosts_pages_need_no_script(visitors: Visitors) -> None:
    match = ContestMatch.begun(seats=2).submitted()
    page = visitors.page(Account.objects.get(id=match.host.id), java_script_enabled=False)
    page.goto(room(match.row))
    page.get_by_role("link", name="Judge the round").click()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Judge the round").click()
    expect(page.get_by_text("Done, and in the record.")).to_be_visible()
    assert match.types().count("resolved") == 1
