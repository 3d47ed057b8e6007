"""State that a page keeps in the browser, its clock, and its updates while the match goes on."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.test import Client
from playwright.sync_api import Page, WebSocketRoute, expect

from events import store
from matches.domain.clocks import ClockTimes
from matches.models import Account, Deadline, Match
from matches.reads import feed
from matches.services import hosting, playing
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match
from tests.web.hands import opened, skip
from tests.web.match_setting import building, client_of
from tests.web.site import Visitors, session_of

CLOCKS = {"turn": ClockTimes(base=20, reserve=10)}


def told_at(client: Client, match: Match) -> float:
    """The instant that the match's page counts from, in seconds."""
    clock = re.search(r'data-now="(\d+)"', client.get(f"/m/{match.code}/").content.decode())
    assert clock
    return int(clock[1]) / 1000


def test_delayed_spectator_sees_the_clocks_with_the_delay() -> None:
    one = new_account()
    match = running_match("pyramid_poker", one, new_account(), clocks=CLOCKS, spectator_delay=40)
    before = store.clock().timestamp()
    late, prompt = told_at(client_of(), match), told_at(client_of(one), match)
    assert late + 39 < prompt and prompt >= before - 1


def test_page_older_than_the_sign_in_gets_a_csrf_refusal_with_a_remedy() -> None:
    match, one, _ = building()
    client = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    client.force_login(one)
    client.cookies["csrftoken"] = "x" * 32
    refused = client.post(f"/m/{match.code}/commands", {"text": "A1"}, headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    assert refused.json()["detail"].endswith("Reload it and try again.")


def test_socket_ended_by_a_sign_out_reconnects(visitors: Visitors) -> None:
    match, one, _ = building()
    page, tried = visitors.page(one), []

    def end_the_first(line: WebSocketRoute) -> None:
        tried.append(line)
        if len(tried) == 1:
            line.close(code=4401, reason="The session has ended.")
        else:
            line.connect_to_server()

    page.route_web_socket("**/ws/**", end_the_first)
    expect(opened(page, match).locator("#connection")).to_have_attribute("data-state", "live")
    assert len(tried) == 2


# Drafts of groups


@pytest.fixture
def assigning() -> tuple[Match, Account, Account]:
    """Higher or Lower before its first board."""
    one, two = new_account(), new_account()
    match = running_match("higher_or_lower", one, two)
    skip(match, lambda match_state: all("assign_group" in prompt.commands for prompt in match_state.due.prompts))
    return match, one, two


def lay_a_card(page: Page, group: int) -> str:
    """One card into one of a board's groups; gives the group's name."""
    chosen = page.locator("#module .group-tray").nth(group)
    chosen.locator(".group-head").click()
    page.locator("#module .suit-row:not(.refused).in-sight .fruit-card").first.click()
    expect(chosen).to_contain_text("1 of")
    return str(chosen.get_attribute("data-cell"))


def begun(page: Page) -> Callable[[str], object]:
    """Expects a group to have one card."""
    return lambda name: expect(page.locator(f'#module [data-cell="{name}"].group-tray')).to_contain_text("1 of")


@pytest.mark.slow
def test_boards_groups_and_hand_are_in_sight_at_once_on_a_phone(
    visitors: Visitors, assigning: tuple[Match, Account, Account]
) -> None:
    match, one, _ = assigning
    page = opened(visitors.page(one, narrow=True), match)
    lay_a_card(page, 1)
    for what in (".board-tab", ".group-tray .verdict", ".big .spaces", ".suit-head", ".in-sight .fruit-card", ".bar"):
        expect(page.locator(f"#module {what}").first).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.slow
def test_two_tabs_of_one_seat_keep_each_others_drafts(
    visitors: Visitors, assigning: tuple[Match, Account, Account]
) -> None:
    match, one, _ = assigning
    page = opened(visitors.page(one), match)
    other = opened(page.context.new_page(), match)
    groups = lay_a_card(page, 0), lay_a_card(other, 1)
    opened(page, match)
    for group in groups:
        begun(page)(group)


def test_drafts_of_another_account_are_not_shown(visitors: Visitors, assigning: tuple[Match, Account, Account]) -> None:
    match, one, two = assigning
    page = opened(visitors.page(one), match)
    lay_a_card(page, 0)
    page.context.clear_cookies()
    page.context.add_cookies([{"name": "sessionid", "value": session_of(two), "url": visitors.site}])
    opened(page, match)
    expect(page.locator("#module .group-tray").first).to_contain_text("0 of")
    assert page.locator("#module .group-tray.begun").count() == 0


# Clocks


@pytest.mark.slow
def test_the_lobbys_clocks_go_by_the_servers_time(visitors: Visitors) -> None:
    me = new_account()
    match = running_match("pyramid_poker", me, new_account())
    Match.objects.filter(id=match.id).update(needs=[me.id])
    falls_at = store.clock() + timedelta(minutes=10)
    Deadline.objects.update_or_create(match=match, defaults={"falls_at": falls_at})
    page = visitors.page(me)
    page.clock.install(time=datetime.now(UTC) - timedelta(minutes=5))
    page.goto("/")
    expect(page.locator(".clock").first).to_have_text(re.compile(r"(10:00|9:[0-5]\d)"))


def test_a_clock_without_reserve_ends_on_its_turn(visitors: Visitors) -> None:
    one = new_account()
    match = running_match("pyramid_poker", one, new_account(), clocks={"turn": ClockTimes(base=300)})
    playing.submit(match_id=match.id, seat=0, player=str(one.id), command=playing.Typed("first me"), key="f",
                    fingerprint=b"")  # fmt: skip
    page = opened(visitors.page(one), match)
    page.locator("#face-0").evaluate("face => { face.dataset.deadline = 1 }")
    expect(page.locator("#face-0 [data-part=turn]")).to_have_text("0:00")


# The log and the replay


@pytest.mark.slow
def test_filter_without_recent_events_says_so(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match)
    hint = page.get_by_text("None of these among the latest events")
    expect(hint).to_be_hidden()
    page.get_by_label("Rulings").check()
    expect(hint).to_be_visible()
    hosting.rule(match_id=match.id, by=match.opened_by_id, text="Speak up.")
    expect(page.locator("#lines").get_by_text("Speak up.")).to_be_visible()
    expect(hint).to_be_hidden()


@pytest.mark.slow
def test_replay_of_a_running_match_is_updated(visitors: Visitors) -> None:
    match, one, _ = building()
    newest = repository.version_of(match.id)
    page = visitors.page(one)
    page.goto(f"/m/{match.code}/replay/{newest}/?as=seat:0")
    page.locator("body[data-ready]").wait_for()
    play_on(match, 4, Random(3))
    later = feed.visible_state(match.id, 0).version
    assert later > newest
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_have_text(f"{newest + 1} / {later}")
    page.keyboard.press("End")
    expect(page.locator("#place")).to_have_text(f"{later} / {later}")
    expect(page.locator("#scrub")).to_have_attribute("max", str(later))


# A line that dies without a word


@pytest.mark.slow
def test_unanswered_socket_is_reported_and_given_up(visitors: Visitors) -> None:
    match, one, _ = building()
    page, tried = visitors.page(one), []

    def hold_the_first(line: WebSocketRoute) -> None:
        tried.append(line)
        if len(tried) > 1:
            line.close()

    page.clock.install()
    page.route_web_socket("**/ws/**", hold_the_first)
    for path in ("**/m/*/frame*", "**/m/*/commands"):
        page.route(path, lambda route: None)
    opened(page, match).locator("#board .cell.target").first.click()
    assert page.evaluate("getComputedStyle(document.body, '::after').content") == '"Sending your move"'
    page.clock.run_for(22_000)
    expect(page.locator("#toasts")).to_contain_text("No answer came back")
    page.clock.run_for(20_000)
    expect(page.locator("#offline")).to_be_visible()
