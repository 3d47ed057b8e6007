"""The database was set back under open pages: they show what is left, and say which of their moves never happened."""

import pytest
from playwright.sync_api import Page, expect

from matches.storage import repository
from tests.lost import backup, restore
from tests.table_setting import play_on, wait_until
from tests.web.hands import caught_up, opened, version_shown
from tests.web.match_setting import building, client_of
from tests.web.site import Visitors

SOON_MS = 6000
LOST = "The house has lost the last moves of this match, with the server that held them: it stands at event {} again."


def shows(page: Page, version: int) -> None:
    """The page shows this very version."""
    wait_until(lambda: version_shown(page) == version, SOON_MS / 1000)


@pytest.mark.slow
def test_page_reports_a_lost_move_and_repeats_it(visitors: Visitors) -> None:
    match, one, two = building()
    left, saved = repository.version_of(match.id), backup(match.id)
    mover, waiter = (opened(visitors.page(account), match) for account in (one, two))
    mover.locator("#cell-A1").click()
    expect(mover.locator("#turn-bar")).to_contain_text("Waiting for")
    caught_up(waiter, repository.version_of(match.id))
    restore(match.id, saved)
    for page, rest in (
        (mover, ' Your move "place A1" never happened; play it again if you still want to.'),
        (waiter, " The board shows what is left; play goes on from here."),
    ):
        expect(page.locator("#lost")).to_have_text(LOST.format(left) + rest, timeout=SOON_MS)
        shows(page, left)
    mover.locator("#cell-A1").click()
    expect(mover.locator("#turn-bar")).to_contain_text("Waiting for")
    caught_up(waiter, repository.version_of(match.id))
    assert repository.version_of(match.id) > left


@pytest.mark.slow
def test_page_without_a_socket_learns_of_a_loss_by_polling(visitors: Visitors) -> None:
    match, one, _ = building()
    left, saved = repository.version_of(match.id), backup(match.id)
    page = visitors.page(one)
    page.route_web_socket("**/ws/**", lambda line: line.close())
    opened(page, match)
    page.locator("#cell-A1").click()
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")
    restore(match.id, saved)
    expect(page.locator("#lost")).to_contain_text('Your move "place A1" never happened', timeout=SOON_MS)
    shows(page, left)


def test_frame_says_whether_the_page_has_the_current_history() -> None:
    match, one, _ = building()
    saved, left = backup(match.id), repository.end_of(match.id)
    play_on(match, 1)
    lost = repository.end_of(match.id)
    client, address = client_of(one), f"/m/{match.code}/frame"
    held = {"after": lost.version, "hash": lost.hash.hex()}
    assert client.get(address, held).status_code == 204
    assert "resync" not in client.get(address, {"after": left.version, "hash": left.hash.hex()}).json()
    restore(match.id, saved)
    for query in (held, {"after": lost.version}, {"after": left.version, "hash": lost.hash.hex()}):
        frame = client.get(address, query).json()
        assert frame["resync"] == {"version": left.version, "told": query["after"]}
        assert frame["version"] == left.version
    for query in ({"after": left.version}, {"after": left.version, "hash": left.hash.hex()}):
        assert client.get(address, query).status_code == 204
    for key, status in (("", 428), ("a b", 428), ("a\0b", 428), ("unknown", 200)):
        assert client.get(f"/m/{match.code}/sent", {"key": key}).status_code == status
