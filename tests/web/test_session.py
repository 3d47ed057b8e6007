"""A session that ended while somebody filled in a form, or began anew in another tab: nothing typed is lost."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from matches.models import Account, Match
from tests.panel.office import room, types_of
from tests.table_setting import running_match
from tests.web.hands import opened
from tests.web.site import PASSWORD, Visitors, member

TEXT = "The clock stood still.\nFor a minute."
IS_BACK = "You had been signed out."


@pytest.fixture
def host() -> Account:
    return member()


@pytest.fixture
def player() -> Account:
    return member()


@pytest.fixture
def rival() -> Account:
    return member()


@pytest.fixture
def match(host: Account, player: Account, rival: Account) -> Match:
    return running_match("pyramid_poker", player, rival, opener=host)


def sign_out_elsewhere(page: Page) -> None:
    """End the session behind the page's back, as by a new password or a month of waiting; no news of it comes."""
    page.route("**/session", lambda route: route.fulfill(status=204))
    [cookie] = [each for each in page.context.cookies() if each["name"] == "sessionid"]
    Session.objects.filter(session_key=cookie["value"]).delete()


def sign_in(page: Page, account: Account) -> None:
    page.get_by_label("Name").fill(account.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def appeal_written(page: Page, match: Match) -> None:
    opened(page, match, "more").locator(".appeal summary").click()
    page.locator("#appeal-kind").select_option(index=1)
    page.locator("#appeal-text").fill(TEXT)


@pytest.mark.slow
def test_text_sent_after_the_session_ended_is_in_its_form_after_sign_in(
    visitors: Visitors, match: Match, player: Account
) -> None:
    page = visitors.page(player)
    appeal_written(page, match)
    kind = page.locator("#appeal-kind").input_value()
    sign_out_elsewhere(page)
    page.get_by_role("button", name="Send the appeal").click()
    page.get_by_label("Name").fill(player.username)
    page.get_by_label("Password").fill("not it")
    page.get_by_role("button", name="Sign in").click()
    sign_in(page, player)
    expect(page.get_by_text(IS_BACK)).to_be_visible()
    expect(page.locator("#appeal-kind")).to_be_focused()
    expect(page.locator("#appeal-text")).to_have_value(TEXT)
    expect(page.locator("#appeal-kind")).to_have_value(kind)
    assert "appeal_opened" not in types_of(match.id)
    page.get_by_role("button", name="Send the appeal").click()
    expect(page.locator("#lines")).to_contain_text("The clock stood still.")
    assert types_of(match.id).count("appeal_opened") == 1
    opened(page, match)
    assert page.get_by_text(IS_BACK).count() == 0
    expect(page.locator("#appeal-text")).to_have_value("")


@pytest.mark.slow
def test_text_sent_after_the_session_ended_is_not_shown_to_another_account(
    visitors: Visitors, match: Match, player: Account, rival: Account
) -> None:
    page = visitors.page(player)
    appeal_written(page, match)
    sign_out_elsewhere(page)
    page.get_by_role("button", name="Send the appeal").click()
    sign_in(page, rival)
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#appeal-text")).to_have_value("")
    assert "The clock" not in page.evaluate("JSON.stringify(sessionStorage)")


@pytest.mark.slow
def test_form_is_accepted_after_signing_in_again_in_another_tab(
    visitors: Visitors, match: Match, player: Account
) -> None:
    page = visitors.page(player)
    appeal_written(page, match)
    sign_out_elsewhere(page)
    other = page.context.new_page()
    other.goto("/sign-in")
    sign_in(other, player)
    expect(other.locator(".chip.name")).to_have_text(player.username)
    page.get_by_role("button", name="Send the appeal").click()
    expect(page.locator("#lines")).to_contain_text("The clock stood still.")
    assert types_of(match.id).count("appeal_opened") == 1


@pytest.mark.slow
def test_ruling_sent_after_the_session_ended_is_in_its_dialog(visitors: Visitors, match: Match, host: Account) -> None:
    page = visitors.page(host)
    page.goto(room(match))
    page.get_by_role("button", name="Rule", exact=True).click()
    page.get_by_label("Ruling").fill(TEXT)
    sign_out_elsewhere(page)
    page.locator("#act-rule .strong").click()
    sign_in(page, host)
    expect(page.locator("#act-rule")).to_be_visible()
    expect(page.get_by_label("Ruling")).to_have_value(TEXT)
    page.locator("#act-rule .strong").click()
    expect(page.get_by_text("Rule: done, and in the record.")).to_be_visible()
