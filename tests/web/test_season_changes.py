"""A season's pages hear by its own stream what happens while somebody looks at them."""

import pytest
from playwright.sync_api import expect

from tests.api.seasons import Cup
from tests.panel.seasons import account_of
from tests.web.site import Visitors

STILL = "window.setInterval = () => 0"
"""Nothing is asked for by the clock."""
OUT_OF_SIGHT = """() => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
IN_SIGHT = OUT_OF_SIGHT.replace("true", "false", 1)


@pytest.mark.parametrize("tab", ["", "/events", "/desk"])
def test_page_shows_changes_without_polling(visitors: Visitors, tab: str) -> None:
    cup = Cup(4)
    page = visitors.page(account_of(cup.players[0]))
    page.add_init_script(STILL)
    with page.expect_response("**/changes") as response:
        page.goto(f"/seasons/{cup.id}{tab}")
    assert response.value.status == 200
    cup.did("/episodes", {"title": "The first night"})
    if tab == "/desk":
        cup.did("/main-matches", {"name": "Dice", "winners": [cup.players[0].id], "candidates": [cup.players[3].id]})
        expect(page.locator("section.decision.asked")).to_have_count(1)
    else:
        expect(page.locator("#season")).to_contain_text("The first night")


def test_hidden_page_has_no_connection_and_catches_up_when_shown(visitors: Visitors) -> None:
    cup = Cup(4)
    page = visitors.page(account_of(cup.players[0]))
    page.add_init_script(STILL)
    ended: list[str] = []
    page.on("requestfailed", lambda request: ended.append(request.url))
    page.on("requestfinished", lambda request: ended.append(request.url))
    with page.expect_response("**/changes") as response:
        page.goto(f"/seasons/{cup.id}")
    assert response.value.url not in ended
    page.evaluate(OUT_OF_SIGHT)
    for _ in range(200):
        if response.value.url in ended:
            break
        page.wait_for_timeout(20)
    assert response.value.url in ended
    cup.did("/episodes", {"title": "The first night"})
    with page.expect_response("**/changes"):
        page.evaluate(IN_SIGHT)
    expect(page.locator("#season")).to_contain_text("The first night")
