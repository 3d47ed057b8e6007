"""The match page's announcements to screen readers, and its messages about lost answers."""

import pytest
from playwright.sync_api import Page, Route, expect

from matches.models import Match
from matches.storage import repository
from matches.talk import saying
from matches.web.models import Remark
from tests.table_setting import new_account, play_on
from tests.web.hands import caught_up, opened
from tests.web.match_setting import building, send
from tests.web.site import Visitors

LISTENS = """() => {
  window.told = [];
  const place = document.getElementById("announcer");
  new MutationObserver(() => { if (place.textContent) window.told.push(place.textContent); })
    .observe(place, { childList: true });
}"""
SAME_FRAME_AGAIN = """async () => {
  const { refresh } = await import(document.querySelector("link[href*='match/frame']").href);
  await refresh({ force: true });
}"""
TWO_DRAWINGS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""


def listening(page: Page, match: Match) -> Page:
    """The match's page, which remembers what it has told."""
    opened(page, match)
    page.evaluate(LISTENS)
    return page


def read_announcements(page: Page) -> str:
    """Return the announcements since the last call."""
    page.evaluate(TWO_DRAWINGS)
    return " ".join(page.evaluate("window.told.splice(0)"))


def told_by(page: Page, match: Match) -> str:
    """Return the announcements once the page shows every event."""
    caught_up(page, repository.version_of(match.id))
    return read_announcements(page)


@pytest.mark.slow
def test_screen_reader_hears_a_move_once_and_whose_turn_it_is(visitors: Visitors) -> None:
    match, one, two = building()
    mover, waiter = (listening(visitors.page(account), match) for account in (one, two))
    mover.locator("#cell-A1").click()
    expect(mover.locator("#turn-bar")).to_contain_text("Waiting for")
    mover.evaluate(SAME_FRAME_AGAIN)
    announced, line = told_by(mover, match), f"{one.username} places the brick on A1."
    assert announced.count(line) == 1
    assert announced.endswith(f"Waiting for {two.username}")
    announced = told_by(waiter, match)
    assert announced.count(line) == 1
    assert "Your turn: Place " in announced[announced.index(line) :]
    mover.evaluate(SAME_FRAME_AGAIN)
    assert read_announcements(mover) == ""


def test_screen_reader_hears_the_end_once(visitors: Visitors) -> None:
    match, one, two = building()
    pages = [listening(visitors.page(account), match) for account in (one, two, None)]
    send(match, 1, two, "resign")
    for page in pages:
        announced = told_by(page, match)
        assert announced.endswith(f"{two.username} resigns. {one.username} wins by resignation")
        assert announced.count(one.username) == 1


@pytest.mark.slow
def test_screen_reader_hears_the_latest_after_a_gap_oldest_first(visitors: Visitors) -> None:
    match, one, _ = building()
    play_on(match, 12)
    page = listening(visitors.page(one), match)
    page.evaluate("document.dispatchEvent(new CustomEvent('croupier:frame', { detail: { from: 0 } }))")
    lines = page.locator("#lines .line span").all_inner_texts()[:12]
    assert read_announcements(page).startswith(" ".join(reversed(lines)))


def answer_is_lost(route: Route) -> None:
    """The request arrives; its answer doesn't."""
    route.fetch()
    route.abort()


@pytest.mark.slow
def test_a_move_whose_answer_is_lost_is_not_said_to_be_unsent(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match)
    page.route("**/commands", answer_is_lost)
    with page.expect_request("**/frame*"):
        page.locator("#cell-A1").click()
    expect(page.locator("#refusal")).to_contain_text("No answer came back.")
    expect(page.locator("#toasts")).to_contain_text("The board shows whether your move has arrived")
    caught_up(page, repository.version_of(match.id))
    assert "A1" in repository.load(match.id).state.spaces
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")


def watching(visitors: Visitors) -> tuple[Match, Page]:
    """A match, and the page of somebody who watches it and is about to say something."""
    match, _, _ = building()
    page = opened(visitors.page(new_account()), match)
    page.locator("#talk-open").click()
    page.locator("#remark").fill("The corner is lost.")
    return match, page


@pytest.mark.slow
def test_remark_is_sent_once_however_often_enter_is_pressed(visitors: Visitors) -> None:
    match, page = watching(visitors)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#said-spectators")).to_contain_text("The corner is lost.")
    expect(page.locator("#remark")).to_have_value("")
    page.locator("#remark").fill("So is the game.")
    page.keyboard.press("Enter")
    expect(page.locator("#said-spectators")).to_contain_text("So is the game.")
    assert Remark.objects.filter(match_id=match.id).count() == 2


@pytest.mark.slow
def test_remark_without_a_connection_stays_in_its_field(visitors: Visitors) -> None:
    _, page = watching(visitors)
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.locator("#toasts")).to_contain_text("No answer came back.")
    assert page.locator("#remark").input_value() == "The corner is lost."
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.locator("#said-spectators")).to_contain_text("The corner is lost.")


@pytest.mark.slow
def test_players_see_the_spectators_talk_as_soon_as_the_match_ends(visitors: Visitors) -> None:
    match, one, two = building()
    page = opened(visitors.page(one), match)
    page.locator("#talk-open").click()
    expect(page.locator(".thread.table")).to_be_visible()
    say(match, "The corner is lost.")
    assert page.locator("#said-spectators").count() == 0
    send(match, 1, two, "resign")
    expect(page.locator("#said-spectators")).to_contain_text("The corner is lost.")


@pytest.mark.slow
def test_a_host_hides_a_remark_in_everybodys_sight_and_reads_it_still(visitors: Visitors) -> None:
    match, _, _ = building()
    say(match, "He holds the nine.")
    watching, hosting = (opened(visitors.page(new_account(is_organiser=it)), match) for it in (False, True))
    for page in (watching, hosting):
        page.locator("#talk-open").click()
        expect(page.locator("#said-spectators")).to_contain_text("He holds the nine.")
    hosting.locator(".remark .more").press("Enter")
    hosting.keyboard.type("Named a brick.")
    hosting.get_by_role("button", name="Hide this remark").click()
    expect(watching.locator("#said-spectators")).to_contain_text("Named a brick.")
    expect(watching.locator("#said-spectators")).not_to_contain_text("He holds the nine.")
    expect(watching.locator(".show-hidden")).to_be_hidden()
    hosting.locator(".show-hidden").click()
    expect(hosting.locator("#said-spectators")).to_contain_text("He holds the nine.")


def test_new_remark_in_a_closed_talk_is_shown_as_a_dot(visitors: Visitors) -> None:
    match, _, _ = building()
    page = opened(visitors.page(new_account()), match)
    dot = page.locator("#talk-open .unread")
    expect(dot).to_be_hidden()
    say(match, "Good luck.")
    expect(dot).to_be_visible()
    page.locator("#talk-open").click()
    expect(dot).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#talk")).to_be_hidden()
    expect(page.locator("#talk-open")).to_be_focused()
    expect(dot).to_be_hidden()


def say(match: Match, text: str) -> None:
    """Somebody who watches says it."""
    saying.say(about=match.id, thread="spectators", account=new_account(), text=text, at_version=1)
