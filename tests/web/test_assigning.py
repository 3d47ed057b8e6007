"""The assignment of Higher or Lower at its page: cards dragged, tapped and typed into groups, and the rest made up."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from matches.models import Account, Match
from matches.storage import repository
from tests.table_setting import new_account, running_match
from tests.waiting import wait_until
from tests.web.hands import caught_up, group_by_keys, group_by_mouse, opened, skip
from tests.web.match_setting import client_of
from tests.web.site import Visitors


@pytest.fixture
def assigning() -> tuple[Match, Account, Account]:
    """Before the first board; the seats of both accounts."""
    one, two = new_account(), new_account()
    match = running_match("higher_or_lower", one, two)
    skip(match, lambda match_state: all("assign_group" in prompt.commands for prompt in match_state.due.prompts))
    return match, one, two


def groups_of(match: Match, seat: int = 0) -> dict[str, tuple[str, ...]]:
    """Return the stored cards of a seat's groups."""
    return {f"{group.board} {group.shape}": group.cards for group in repository.load(match.id).state.groups[seat]}


def filled(match: Match, account: Account, *drafts: str) -> Any:
    """Return the server's completion of the drafts."""
    address = f"/m/{match.code}/completion"
    return client_of(account).post(address, {"text": list(drafts)}, headers={"accept": "application/json"})


def drag(page: Page, card: str, goal: str) -> None:
    """A card, from where it lies to a group."""
    start = page.locator(f'#module [data-cell="{card}"]').bounding_box()
    end = page.locator(f'#module .group-tray[data-cell="{goal}"]').bounding_box()
    assert start and end
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 60, end["y"] + 40, steps=4)
    page.mouse.up()


def test_completion_adds_to_the_drafts_and_sends_nothing(assigning: tuple[Match, Account, Account]) -> None:
    match, one, _ = assigning
    version = repository.version_of(match.id)
    group = str(filled(match, one).json()["groups"][0]["name"])
    suit = {"A": "A", "B": "A", "C": "B", "D": "C", "E": "A"}[group[0]]
    groups = filled(match, one, f"assign {group} {suit}7").json()["groups"]
    assert len(groups) == 15
    assert f"{suit}7" in next(it["cards"] for it in groups if it["name"] == group)
    assert repository.version_of(match.id) == version


@pytest.mark.parametrize(
    "drafts", [["nonsense"], ["lock"], ["assign A circle A1"] * 51, ["assign A circle " + "A1 " * 200]]
)
def test_invalid_drafts_are_refused(assigning: tuple[Match, Account, Account], drafts: list[str]) -> None:
    match, one, _ = assigning
    answer = filled(match, one, *drafts)
    assert (answer.json()["code"], answer.status_code) == ("malformed", 400)


def test_completion_is_refused_to_others_games_and_phases(assigning: tuple[Match, Account, Account]) -> None:
    match, one, _ = assigning
    assert filled(match, new_account()).json()["code"] == "forbidden"
    other = running_match("pyramid_poker", one, new_account())
    assert filled(other, one).json()["code"] == "not_found"
    fresh = running_match("higher_or_lower", one, new_account())
    assert filled(fresh, one).json()["code"] == "not_your_turn"


@pytest.mark.slow
def test_a_card_is_dragged_into_a_group_and_out_again(
    visitors: Visitors, assigning: tuple[Match, Account, Account]
) -> None:
    match, one, _ = assigning
    page = opened(visitors.page(one), match)
    tray = page.locator("#module .group-tray").first
    goal = str(tray.get_attribute("data-cell"))
    card = str(page.locator("#module .suit-row:not(.refused) .fruit-card").first.get_attribute("data-cell"))
    drag(page, card, goal)
    expect(tray).to_contain_text("1 of")
    expect(page.locator(f'#module [data-name="{card}"]')).to_have_class("gone")
    start = tray.locator(".fruit-card").bounding_box()
    hand = page.locator("#module .hand").bounding_box()
    assert start and hand
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(hand["x"] + 30, hand["y"] + 30, steps=4)
    page.mouse.up()
    expect(tray).to_contain_text("0 of")
    refused = str(page.locator("#module .suit-row.refused .fruit-card").first.get_attribute("data-cell"))
    drag(page, refused, goal)
    expect(page.locator("#bubble")).to_contain_text("takes no")
    expect(tray).to_contain_text("0 of")
    assert groups_of(match) == {}


@pytest.mark.slow
def test_complete_group_is_sent_and_withdrawn_when_a_card_is_removed(
    visitors: Visitors, assigning: tuple[Match, Account, Account]
) -> None:
    match, one, _ = assigning
    page = opened(visitors.page(one), match)
    group_by_mouse(page, repository.load(match.id, 0), 0)
    ((name, cards),) = wait_until(lambda: groups_of(match).items())
    tray = page.locator(f'#module .group-tray[data-cell="{name}"]')
    expect(tray).to_have_class("group-tray kept")
    tray.locator(".fruit-card").first.click()
    wait_until(lambda: not groups_of(match))
    expect(tray).to_contain_text(f"{len(cards) - 1} of {len(cards)}")
    page.locator("#module .suit-cards .fruit-card[aria-pressed=false]").first.wait_for()


@pytest.mark.slow
def test_a_group_is_assigned_by_keys_alone(visitors: Visitors, assigning: tuple[Match, Account, Account]) -> None:
    match, _, two = assigning
    page = opened(visitors.page(two), match)
    group_by_keys(page, repository.load(match.id, 1), 1)
    wait_until(lambda: groups_of(match, 1))


@pytest.mark.slow
def test_tapped_card_is_put_into_the_group_on_the_button(
    visitors: Visitors, assigning: tuple[Match, Account, Account]
) -> None:
    match, one, _ = assigning
    page = opened(visitors.page(one, narrow=True), match)
    page.locator("#module .in-sight .fruit-card").first.click()
    put = page.locator("#module [data-name^='put ']").first
    expect(put).to_contain_text("Put ")
    group = str(put.get_attribute("data-name")).removeprefix("put ")
    put.click()
    expect(page.locator(f'#module .group-tray[data-cell="{group}"]')).to_contain_text("1 of")


@pytest.mark.slow
def test_groups_are_completed_changed_and_locked_in(
    visitors: Visitors, assigning: tuple[Match, Account, Account]
) -> None:
    match, one, _ = assigning
    page = opened(visitors.page(one), match)
    expect(page.locator("#module [data-name=lock]")).to_be_disabled()
    page.locator("#module [data-name=fill]").click()
    expect(page.locator("#module .progress")).to_contain_text("15 of 15 groups")
    assert groups_of(match) == {}
    page.locator("#module .group-tray .fruit-card").first.click()
    expect(page.locator("#module .progress")).to_contain_text("14 of 15 groups")
    page.locator("#module [data-name=keep]").click()
    wait_until(lambda: len(groups_of(match)) == 14)
    caught_up(page, repository.version_of(match.id))
    page.locator("#module [data-name=fill]").click()
    page.locator("#module [data-name=lock]:not([disabled])").click()
    page.locator("#picked .choice").first.click()
    wait_until(lambda: repository.load(match.id).state.locked == (0,))
