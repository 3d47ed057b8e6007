"""The match page: moving by hand and by typing, two tabs, a lost connection, what surrounds the table."""

import re
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from matches.domain.clocks import ClockTimes
from matches.models import Match
from matches.reads import feed
from matches.services import hosting, opening, playing
from matches.storage import repository
from tests.cases import some_slow
from tests.table_setting import BOT, new_account, play_on, running_match
from tests.web.hands import banana_by_mouse, caught_up, opened, reach, version_shown
from tests.web.match_setting import building, send
from tests.web.site import NARROW, Visitors
from tests.web.soundness import in_both_schemes, refused

SMALL = {"width": 360, "height": 640}
"""A small phone, held upright."""
SIZES = (
    {"width": 1440, "height": 900}, {"width": 1366, "height": 768}, NARROW, {"width": 844, "height": 390},
)  # fmt: skip
"""A desk, a laptop, a phone held upright and the same on its side."""
PRESSED = "button, summary, label.check, .log-filter label, main [name=text]"
HARD_TO_TOUCH = """(pressed) => [...document.querySelectorAll(pressed)]
  .filter((it) => it.checkVisibility() && !it.closest(".unseen"))
  .filter((it) => it.offsetHeight < 44 || (it.name === "text" && parseFloat(getComputedStyle(it).fontSize) < 16))
  .map((it) => it.outerHTML)"""
"""Elements that are too low for a finger, and fields that iOS zooms in on."""


def in_box(page: Page) -> str:
    return page.locator("#command-box").input_value()


def test_a_typed_command_moves_and_a_refused_one_names_the_rule(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match)
    expect(page).to_have_title("(1) Your turn · Pyramid Poker")
    expect(page.locator("#tray-task")).to_have_text(re.compile(r"arrow keys and Enter\.$"), use_inner_text=True)
    expect(page.locator("#turn-bar")).to_contain_text("Place the ")
    page.keyboard.press("/")
    page.keyboard.type("place B1")
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_have_text("B1 needs both bricks below it: A1 and A2.")
    assert in_box(page) == "place B1"
    page.locator("#command-box").fill("a3")
    page.keyboard.press("Enter")
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")
    # The news may be there before the answer to the form.
    expect(page.locator("#command-box")).to_have_value("")
    assert "A3" in repository.load(match.id).state.spaces
    assert not page.title().startswith("(1)")


@pytest.mark.slow
def test_command_box_and_buttons_work_without_a_script(visitors: Visitors) -> None:
    match, one, two = building()
    page = visitors.page(one, java_script_enabled=False)
    page.goto(f"/m/{match.code}/")
    page.locator("#command-box").fill("B1")
    page.locator("#command-box").press("Enter")
    expect(page.locator(".notice")).to_contain_text("B1 needs both bricks below it")
    page.locator("#command-box").fill("A1")
    page.locator("#command .button").click()
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")
    play_on(match, 29)
    send(match, 0, one, next(iter(feed.legal(match.id, 0).text)))
    page.reload()
    page.locator("#choices button[value='hand 2']").click()
    expect(page.locator("#turn-bar")).to_contain_text(f"Waiting for {two.username}")
    assert len(repository.load(match.id).state.hands[0][1]) == 1


@pytest.mark.slow
def test_lost_connection_keeps_typed_text_and_catches_up(visitors: Visitors) -> None:
    match, one, two = building()
    page = opened(visitors.page(two), match, "notes")
    page.locator("#note").fill("the corner holds a nine")
    expect(page.locator("#note-state")).to_have_text("Saved")
    page.locator("#command-box").fill("place B")
    page.context.set_offline(True)
    send(match, 0, one, "A1")
    page.context.set_offline(False)
    caught_up(page, repository.version_of(match.id))
    assert in_box(page) == "place B"
    assert page.evaluate("document.activeElement.id") == "command-box"
    assert page.locator("#note").input_value() == "the corner holds a nine"
    expect(page.locator("#turn-bar")).to_contain_text("Your turn")


@pytest.mark.slow
def test_two_tabs_of_one_seat_show_the_same_and_move_once(visitors: Visitors) -> None:
    match, one, _ = building()
    left = opened(visitors.page(one), match)
    right = left.context.new_page()
    opened(right, match)
    left.locator("#cell-A1").click()
    caught_up(right, version_shown(left))
    expect(right.locator("#turn-bar")).to_contain_text("Waiting for")
    placed = repository.version_of(match.id)
    right.locator("#command-box").fill("A2")
    right.locator("#command-box").press("Enter")
    expect(right.locator("#refusal")).not_to_be_empty()
    assert repository.version_of(match.id) == placed


@pytest.mark.slow
def test_touched_card_stays_when_a_frame_offers_the_same(visitors: Visitors) -> None:
    player = new_account()
    match = running_match("peeling_the_banana", player, new_account())
    page = opened(visitors.page(player, touch=True), match)
    while not reach(page, "piece"):
        play_on(match, 1)
        playing.attend(match_id=match.id)
        caught_up(page, repository.version_of(match.id))
    same_again = "document.dispatchEvent(new CustomEvent('croupier:frame', { detail: {} }))"
    page.locator(f'.part [data-cell="{reach(page, "piece")[0]}"]').hover()
    page.mouse.down()
    page.evaluate(same_again)
    page.mouse.up()
    page.locator("#module [data-name=place]:not([aria-disabled])").wait_for()
    where = page.locator("#board .ghost-new, #board .ghost-over, #board .ghost-out")
    before = where.count()
    page.evaluate(same_again)
    assert where.count() == before > 0
    verdict = page.locator("#module .verdict")
    lay = verdict.inner_text()
    page.locator("#board [data-cell=g8]").tap()
    expect(verdict).not_to_have_text(lay)


@pytest.mark.slow
def test_question_of_a_game_stays_until_it_changes(visitors: Visitors) -> None:
    player = new_account()
    match = running_match("peeling_the_banana", player, new_account())
    page = opened(visitors.page(player), match)
    page.evaluate("localStorage.setItem('croupier.confirm', 'always')")
    while not reach(page):
        play_on(match, 1)
        playing.attend(match_id=match.id)
        caught_up(page, repository.version_of(match.id))
    banana_by_mouse(page, repository.load(match.id, 0), 0)
    sheet = page.locator("#picked .choice").first
    sheet.wait_for()
    page.evaluate("document.dispatchEvent(new CustomEvent('croupier:frame', { detail: {} }))")
    assert sheet.is_visible()
    play_on(match, 1)
    caught_up(page, repository.version_of(match.id))
    expect(page.locator("#picked")).to_be_hidden()


@pytest.mark.slow
def test_draw_is_confirmed_because_it_reveals(visitors: Visitors) -> None:
    match, one, _ = building()
    play_on(match, 30)
    page = opened(visitors.page(one), match)
    page.set_viewport_size(SMALL)
    version = version_shown(page)
    page.locator(":is(#board, .part) .cell.target").first.click()
    expect(page.locator("#picked")).to_contain_text("Everybody will see its value.")
    for part in ("#picked", ".cell.asked"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    page.keyboard.press("Escape")
    expect(page.locator("#picked")).to_be_hidden()
    assert repository.version_of(match.id) == version
    page.locator("#tabs [value=more]").check()
    page.get_by_label("Never").check()
    page.locator("#tabs [value=play]").check()
    page.locator(":is(#board, .part) .cell.target").first.click()
    expect(page.locator("#turn-bar")).to_contain_text("Choose a hand")


@pytest.mark.slow
def test_a_finger_finds_everything_large_enough_and_reloads_nothing(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one, narrow=True, touch=True), match)
    expect(page.locator("#tray-task")).to_have_text("Drag, or tap a marked place.", use_inner_text=True)
    for tab in ("play", "log", "notes", "more"):
        page.locator(f"#tabs [value={tab}]").tap()
        if tab == "more":
            page.locator(".appeal summary").tap()
        assert page.evaluate(HARD_TO_TOUCH, PRESSED) == []
    assert page.evaluate("getComputedStyle(document.documentElement).overscrollBehaviorY") == "contain"


def test_anonymous_spectator_has_no_controls(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(), match)
    assert page.locator("#command, #tray .choice, #notes, #talk").count() == 0
    send(match, 0, one, "A1")
    caught_up(page, repository.version_of(match.id))
    expect(page.locator("#lines .line").nth(1)).to_contain_text("places the brick on A1")


@pytest.mark.parametrize(
    ("slug", "scheme"), in_both_schemes(sorted(catalogue), always=("peeling_the_banana", "pyramid_poker"))
)
def test_every_game_is_sound_for_all_eyes_and_fits_a_phone(visitors: Visitors, slug: str, scheme: str) -> None:
    one, two = new_account(), new_account()
    match = running_match(slug, one, two)
    playing.attend(match_id=match.id)
    play_on(match, 5, Random(4))
    prompts = repository.load(match.id).due.prompts
    page = opened(visitors.page((one, two)[prompts[0].seat]), match)
    assert refused(page, scheme) == []
    for size in SIZES:
        page.set_viewport_size(size)
        # All that a move needs is in sight: nothing of the page lies beyond the window.
        whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(whole) == [size["width"], size["height"]], size
        for part in ("#turn-bar", ":is(#stage, .laying):visible", "#play-side"):
            expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    stage, beside = (page.locator(part).bounding_box() for part in ("#stage", "#play-side"))
    # While groups are laid, what surrounds the board takes its place.
    assert beside and (stage["x"] + stage["width"] <= beside["x"] if stage else slug == "higher_or_lower")


def test_the_start_opens_when_the_last_seat_is_taken(visitors: Visitors) -> None:
    host, guest = new_account(), new_account()
    seats = [opening.SeatRequest(host.id), opening.SeatRequest(None)]
    told = opening.open_match(opener=host.id, game="pyramid_poker", options={}, seats=seats)
    match = Match.objects.get(id=told.match_id)
    page = opened(visitors.page(host), match)
    expect(page.locator("#start")).to_be_disabled()
    expect(page.locator("#why")).to_be_visible()
    opening.join(match_id=match.id, player=guest.id, invitation=told.invitations[1])
    expect(page.locator("#start")).to_be_enabled()
    expect(page.locator("#why")).to_be_hidden()
    opening.start(match_id=match.id, by=host.id, reason="A test.")
    expect(page.locator("#host")).to_be_hidden()


@pytest.mark.slow
def test_seats_show_presence_and_the_page_the_number_of_watchers(visitors: Visitors) -> None:
    match, one, two = building()
    page = opened(visitors.page(one), match)
    expect(page.locator("#presence-0")).to_have_text("connected")
    expect(page.locator("#presence-1")).to_have_text("away")
    other = opened(visitors.page(two), match)
    expect(page.locator("#presence-1")).to_have_text("connected")
    watchers = [opened(visitors.page(account), match) for account in (new_account(), None)]
    expect(page.locator("#watchers")).to_have_text("2 watching")
    send(match, 0, one, "A1")
    caught_up(page, repository.version_of(match.id))
    assert page.locator("#presence-1").inner_text() == "connected"
    expect(watchers[1].locator("#presence-0")).to_have_text("connected")
    other.close()
    expect(page.locator("#presence-1")).to_have_text("away")


@pytest.mark.slow
def test_strip_shows_everybody_the_time_left(visitors: Visitors) -> None:
    one, two = new_account(), new_account()
    match = running_match("pyramid_poker", one, two, clocks={"turn": ClockTimes(base=90, reserve=60, increment=30)})
    send(match, 0, one, "first me")
    for account in (one, two, None):
        page = opened(visitors.page(account), match)
        expect(page.locator("#face-0 [data-part=turn]")).to_have_text(re.compile("1:[0-3][0-9]"))
        expect(page.locator("#face-0 .blocks i:not(.gone)")).to_have_count(2)


def stand_one_below_the_other(page: Page, *parts: str) -> None:
    """No part covers the one before."""
    boxes = [page.locator(part).bounding_box() for part in parts]
    for above, below in pairwise(boxes):
        assert above and below and above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.slow
def test_a_notice_covers_nothing(visitors: Visitors, narrow: bool) -> None:
    match, one, _ = building()
    page = visitors.page(one, narrow=narrow, java_script_enabled=False)
    page.goto(f"/m/{match.code}/")
    page.locator("#command-box").fill("B1")
    page.locator("#command-box").press("Enter")
    expect(page.locator(".notice")).to_be_visible()
    stand_one_below_the_other(page, ".top", "#seats", ".notice", "#stage")


def test_a_bot_is_neither_connected_nor_away(visitors: Visitors) -> None:
    one = new_account()
    page = opened(visitors.page(one), running_match("pyramid_poker", one, BOT))
    expect(page.locator("#presence-0")).to_have_text("connected")
    assert page.locator("#presence-1").count() == 0


def test_anonymous_spectator_is_updated_over_a_socket(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(), match)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.route("**/frame*", lambda route: route.abort())
    send(match, 0, one, "A1")
    caught_up(page, repository.version_of(match.id))


def test_bar_says_that_moves_are_not_sent_after_a_lost_connection(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.route("**/frame*", lambda route: route.abort())
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible(timeout=9_000)
    expect(page.locator("#offline")).to_contain_text("Moves aren't sent")
    stand_one_below_the_other(page, "#seats", "#offline", "#stage")
    with page.expect_event("requestfailed"):
        page.context.set_offline(False)
    page.unroute("**/frame*")
    # The first answer after the line is back may be lost too; the next is asked for soon, not at the house's next sign.
    expect(page.locator("#offline")).to_be_hidden()


@pytest.mark.slow
def test_a_finger_hits_the_number_of_a_line_of_the_log(visitors: Visitors) -> None:
    player = new_account()
    match = running_match("pyramid_poker", player, new_account())
    page = opened(visitors.page(player, narrow=True, touch=True), match)
    for address, tab in (("", "log"), ("replay/", "story")):
        page.goto(f"/m/{match.code}/{address}")
        page.locator(f"#tabs [value={tab}]").tap()
        box = page.locator("#lines .line a").first.bounding_box()
        assert box and box["width"] >= 44 and box["height"] >= 44, address


@pytest.mark.parametrize("game", some_slow(sorted(catalogue), always=("peeling_the_banana", "pyramid_poker")))
@pytest.mark.slow
def test_a_small_screen_shows_a_larger_board_by_finger_and_by_keys(visitors: Visitors, game: str) -> None:
    player = new_account()
    match = running_match(game, player, new_account())
    # The assignment of Higher or Lower has no board of its own.
    play_on(match, 40 if game == "higher_or_lower" else 4)
    page = opened(visitors.page(player, narrow=True, touch=True), match)
    smallest = """() => Math.min(...[...document.querySelectorAll("#board svg text")]
      .map((it) => parseFloat(getComputedStyle(it).fontSize) * it.getScreenCTM().a))"""
    page.set_viewport_size({"width": 360, "height": 740})
    before = page.evaluate(smallest)
    page.locator("#tabs [value=more]").tap()
    larger = page.get_by_label("Larger board")
    larger.tap()
    page.locator("#tabs [value=play]").tap()
    assert page.evaluate(smallest) >= max(9, 1.9 * before)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    hosting.rule(match_id=match.id, by=match.opened_by_id, text="It stays large.")
    caught_up(page, repository.version_of(match.id))
    assert larger.is_checked()
    page.locator("#tabs [value=more]").tap()
    larger.focus()
    page.keyboard.press("Space")
    page.locator("#tabs [value=play]").tap()
    assert page.evaluate(smallest) == pytest.approx(before)
