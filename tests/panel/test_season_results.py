"""A main match's results as a table in the room: typed or pasted, with each cell's fault, and entered as a whole."""

import pytest
from playwright.sync_api import expect

from tests.panel.seasons import enrolled, faults_in
from tests.table_setting import new_account
from tests.web.site import Visitors


def test_cells_are_typed_and_their_faults_named_before_anything_is_recorded() -> None:
    office, people = enrolled(new_account(is_organiser=True), 5)
    office.did("open-episode", title="First")
    cells = {f"cell-{it.id}-place": str(place) for place, it in enumerate(people, start=1)}
    faulty = cells | {f"cell-{people[2].id}-garnets": "two"}
    foreseen = office.foresees("enter-results", name="Dice", **faulty)
    assert "Line 3, garnets:" in foreseen and "two" in foreseen
    before = office.version
    refused = office.send("enter-results", name="Dice", **faulty)
    assert refused.status_code == 422 and "Line 3, garnets:" in faults_in(refused) and office.version == before
    assert 'value="two"' in refused.content.decode(), "What was typed is there to be put right."
    assert office.did("enter-results", name="Dice", **cells)[:2] == ["main_match_recorded", "token_granted"]


def test_a_pasted_table_counts_instead_of_the_cells() -> None:
    office, people = enrolled(new_account(is_organiser=True), 5)
    office.did("open-episode", title="First")
    lines = [f"{it.username};{points};{points}" for points, it in enumerate(people)]
    text = "\n".join(["player;points;garnets", *lines])
    office.did("enter-results", name="Dice", text=text, **{f"cell-{people[0].id}-place": "nonsense"})
    episode = office.season.episodes[0]
    assert (episode.winners, episode.candidates) == ((str(people[4].id),), (str(people[0].id),))
    assert [it.points for it in episode.places] == [4, 3, 2, 1, 0]


def test_the_preview_names_living_players_without_a_line() -> None:
    office, people = enrolled(new_account(is_organiser=True), 5)
    office.did("open-episode", title="First")
    cells = {f"cell-{it.id}-place": str(place) for place, it in enumerate(people[:4], start=1)}
    assert f"{people[4].username} has no line" in office.foresees("enter-results", name="Dice", **cells)


def test_the_dialog_shows_every_column_at_1280_pixels(visitors: Visitors) -> None:
    organiser = new_account(is_organiser=True)
    office, _ = enrolled(organiser, 4)
    office.did("open-episode", title="First")
    page = visitors.page(organiser)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(office.address)
    page.get_by_role("button", name="Enter all results").first.click()
    table = page.locator("#act-enter-results .cell-table")
    expect(table.get_by_role("columnheader", name="Garnets")).to_be_in_viewport(ratio=1)
    assert table.evaluate("(it) => it.scrollWidth <= it.clientWidth")


@pytest.mark.slow
def test_keys_go_from_cell_to_cell_and_a_copied_block_fills_them(visitors: Visitors) -> None:
    organiser = new_account(is_organiser=True)
    office, people = enrolled(organiser, 4)
    office.did("open-episode", title="First")
    page = visitors.page(organiser)
    page.goto(office.address)
    page.get_by_role("button", name="Enter all results").first.click()
    dialog = page.locator("#act-enter-results")
    dialog.get_by_label("Name of the main match").fill("Dice")
    first, second = (dialog.locator(f'[name="cell-{it.id}-place"]') for it in people[:2])
    first.focus()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(second).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(first).to_be_focused()
    dialog.locator(f'[name="cell-{people[0].id}-match"]').evaluate(
        """(cell) => {
            const copied = new DataTransfer();
            copied.setData("text/plain", "Hall\\t1\\nHall\\t2\\nHall\\t3\\nHall\\t4\\n");
            cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: copied, bubbles: true, cancelable: true }));
        }"""
    )
    expect(second).to_have_value("2")
    expect(dialog.locator(".foretold .kind").first).to_have_text("main_match_recorded")
    dialog.get_by_role("button", name="Enter all results").click()
    expect(page.get_by_text("Enter all results: done")).to_be_visible()
    assert [it.match for it in office.season.episodes[0].places] == ["Hall"] * 4
