"""The seating board under hands: cards go to tables by drag, by tap and by keys, and sit in the order they stand in."""

import pytest
from playwright.sync_api import expect

from tests.panel.seasons import enrolled
from tests.table_setting import new_account
from tests.web.site import Visitors


@pytest.mark.slow
def test_cards_are_dragged_tapped_and_chosen_to_tables(visitors: Visitors) -> None:
    organiser = new_account(is_organiser=True)
    office, people = enrolled(organiser, 6)
    office.did("open-episode", title="First")
    page = visitors.page(organiser)
    page.goto(office.address)
    page.get_by_role("button", name="Seat the tables").first.click()
    dialog = page.locator("#act-tables")
    cards = [dialog.locator(f'[data-player="{it.id}"]') for it in people]
    first, second = (dialog.locator(f'[data-table="{number}"]') for number in (1, 2))
    for card in cards[:2]:
        card.drag_to(first)
    cards[2].locator("bdi").click()
    cards[0].locator("bdi").click()
    cards[3].locator("bdi").click()
    second.locator("h3").click()
    for card in cards[4:]:
        card.locator("select").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
    expect(first.locator("[data-player]")).to_have_count(3)
    expect(second.locator("[data-player]")).to_have_count(3)
    expect(second.locator("[data-count]")).to_have_text("3")
    dialog.locator("[name=game]").select_option("pentagram")
    dialog.locator("[name=clocks]").select_option("none")
    expect(dialog.locator(".foretold .kind")).to_have_text(["main_match_scheduled"] * 2)
    dialog.get_by_role("button", name="Seat the tables").click()
    expect(page.get_by_text("Seat the tables: done")).to_be_visible()
    ids = [str(it.id) for it in people]
    tables = [it.players for it in office.season.matches.values()]
    assert tables == [(ids[2], ids[0], ids[1]), tuple(ids[3:])]
