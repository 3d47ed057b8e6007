"""Peeling the Banana under the hands: a piece is dragged, by mouse and by finger, and the shop asks at its row."""

import pytest
from playwright.sync_api import Page, expect

from games.peeling_the_banana.commands import PlayCard
from games.peeling_the_banana.pieces import SHAPES, space_name, turned
from matches.models import Account, Match
from matches.services import playing
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match
from tests.web.hands import Point, carry_by_mouse, caught_up, drag_by_finger, middle, opened, reach
from tests.web.match_setting import send
from tests.web.site import Visitors

SIZES = ((1440, 900), (1366, 768), (390, 844), (844, 390))


def begun() -> tuple[Match, Account]:
    """Seat 0 is to play a card, there is a piece among its choices, and the last choice passes over others."""
    match = running_match("peeling_the_banana", one := new_account(), new_account())
    playing.attend(match_id=match.id)
    send(match, 0, one, "first 0")
    while not _pieces(match):
        play_on(match, 1)
    return match, one


def _pieces(match: Match) -> list[PlayCard]:
    state = repository.load(match.id, 0)
    plays = state.game.legal(state.state, 0) if state.due.commands_of(0) else ()
    return [
        c for c in plays if isinstance(c, PlayCard) and c.placement and not (c.placement.rotation or c.placement.flip)
    ]


def goal_of(page: Page, play: PlayCard) -> tuple[Point, set[str]]:
    """Return the position for the centre of the piece, and the spaces that it then covers."""
    assert play.placement
    offsets = turned(SHAPES[play.card.split("#")[0]], 0, False)
    names = [space_name(play.placement.row + down, play.placement.col + right) for down, right in offsets]
    box = page.locator(f"#cell-{names[0]}").bounding_box()
    assert box
    side = box["width"]
    tall, wide = (1 + max(offset[axis] for offset in offsets) for axis in (0, 1))
    down, right = offsets[0]
    return (box["x"] + (wide / 2 - right) * side, box["y"] + (tall / 2 - down) * side), set(names)


def filled(match: Match) -> set[str]:
    board = repository.load(match.id).state.boards[0]
    return {space_name(r, c) for r, line in enumerate(board, 1) for c, mark in enumerate(line, 1) if mark == "o"}


def card_of(name: str) -> str:
    return f'.part [data-cell="{name}"]'


@pytest.mark.slow
def test_dragged_piece_is_previewed_and_placed_when_dropped(visitors: Visitors) -> None:
    match, one = begun()
    page = opened(visitors.page(one), match)
    play = _pieces(match)[0]
    goal, names = goal_of(page, play)
    carry_by_mouse(page, middle(page, card_of(play.card)), goal)
    expect(page.locator("#turn-bar .held")).to_contain_text("Let go: ")
    expect(page.locator("#turn-bar .held")).to_contain_text(f"fills {len(names)}")
    assert set(page.locator("#board .ghost-new").evaluate_all("them => them.map((it) => it.dataset.cell)")) == names
    expect(page.locator("#ghost .new text")).to_have_text(["+1"] * len(names))
    before = filled(match)
    page.mouse.up()
    caught_up(page, repository.version_of(match.id))
    expect(page.locator("#choices [value=end]")).to_be_visible()
    assert filled(match) == before | names


@pytest.mark.slow
def test_a_piece_is_dragged_by_a_finger(visitors: Visitors) -> None:
    match, one = begun()
    page = opened(visitors.page(one, narrow=True, touch=True), match)
    play = _pieces(match)[-1]
    goal, names = goal_of(page, play)
    before = filled(match)
    drag_by_finger(page, middle(page, card_of(play.card)), goal)
    expect(page.locator("#choices [value=end]")).to_be_visible()
    assert filled(match) == before | names


@pytest.mark.slow
def test_invalid_drop_is_shown_and_returns_the_piece(visitors: Visitors) -> None:
    match, one = begun()
    page = opened(visitors.page(one), match)
    version, card = repository.version_of(match.id), _pieces(match)[0].card
    carry_by_mouse(page, middle(page, card_of(card)), middle(page, "#cell-k1"))
    x, y = middle(page, "#cell-k1")
    page.mouse.move(x - 90, y)
    expect(page.locator("#ghost.out")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#bubble")).to_contain_text("sticks out of the banana")
    expect(page.locator("#module [data-name=place]")).to_be_disabled()
    page.keyboard.press("Escape")
    carry_by_mouse(page, middle(page, card_of(card)), (5, 5))
    page.mouse.up()
    expect(page.locator("#ghost, .part .chosen, #turn-bar .held")).to_have_count(0)
    assert repository.version_of(match.id) == version


@pytest.mark.slow
def test_skipped_cards_are_listed_and_marked_before_they_are_discarded(visitors: Visitors) -> None:
    match, one = begun()
    page = opened(visitors.page(one), match)
    cards = reach(page)
    page.locator(card_of(cards[-1])).click()
    expect(page.locator("#module .passes")).to_contain_text("Passing over ")
    marked = page.locator(".part .passed").evaluate_all("them => them.map((it) => it.dataset.cell)")
    assert set(cards[:-1]) <= set(marked)


@pytest.mark.slow
def test_shop_asks_at_its_row_and_a_row_can_be_dragged_off(visitors: Visitors) -> None:
    match = running_match("peeling_the_banana", one := new_account(), new_account(), options={"deck": {"coins4": 20}})
    playing.attend(match_id=match.id)
    send(match, 0, one, "first 0")
    send(match, 0, one, "1")
    page = opened(visitors.page(one), match)
    page.locator("#cell-domino").click()
    sheet, row = page.locator("#picked"), page.locator("#cell-domino").bounding_box()
    expect(sheet).to_contain_text("Buy Pair for 2")
    box = sheet.bounding_box()
    assert row and box and abs(box["y"] - row["y"] - row["height"]) < 12
    page.keyboard.press("Escape")
    start = middle(page, "#cell-corner3")
    carry_by_mouse(page, start, (start[0] - 200, start[1] + 100))
    page.mouse.up()
    expect(sheet).to_contain_text("Buy Corner for 3")
    sheet.get_by_role("button", name="Buy").click()
    expect(page.locator('.part [data-cell="corner3#1"]')).to_be_visible()
    page.locator("#cell-tee4").click()
    expect(page.locator("#bubble")).to_have_text("Tee costs 5, and you have 2 coins.")


@pytest.mark.slow
def test_all_controls_of_a_turn_are_in_sight_at_every_size(visitors: Visitors) -> None:
    match, one = begun()
    page = opened(visitors.page(one), match)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight") == height
        for name in reach(page):
            expect(page.locator(card_of(name))).to_be_in_viewport(ratio=0.98)
        expect(page.locator("#module [data-name=place]")).to_be_in_viewport(ratio=1)
        expect(page.locator("#board > svg")).to_be_in_viewport(ratio=1)


PHONES = ((390, 844), (844, 390))
OUT_OF_DOCK = """() => {
  const dock = document.getElementById("play-side").getBoundingClientRect();
  return [...document.querySelectorAll("#play-side :is([data-cell], .choice, #command-box)")].filter((it) => {
    const box = it.getBoundingClientRect();
    return box.width && !it.closest(".leave") && (box.top < dock.top - 1 || box.bottom > dock.bottom + 1);
  }).map((it) => it.dataset.cell ?? it.dataset.name ?? it.id);
}"""


@pytest.mark.slow
def test_on_a_phone_reach_deck_and_shop_are_each_in_sight_whole(visitors: Visitors) -> None:
    match, one = begun()
    page = opened(visitors.page(one, touch=True), match)
    for stage in ("play", "shop"):
        for wide, high in PHONES:
            page.set_viewport_size({"width": wide, "height": high})
            for tab, part in (("play", stage.replace("play", "reach")), ("play deck", "deck"), ("play shop", "shop")):
                page.locator(f"#tabs [value='{tab}']").check()
                expect(page.locator(f"#part-{part}")).to_be_visible()
                assert page.evaluate(OUT_OF_DOCK) == [], (stage, wide, tab)
        if stage == "play":
            page.locator("#tabs [value=play]").check()
            state = repository.load(match.id, 0)
            send(match, 0, one, state.game.notation.form(_pieces(match)[0]))
            caught_up(page, repository.version_of(match.id))


def test_spectator_reads_whose_coins_they_are_by_the_name_above(visitors: Visitors) -> None:
    match, _ = begun()
    words = opened(visitors.page(), match).locator("#board svg").text_content() or ""
    assert "their coins" not in words and "your coins" not in words
    assert words.count("coins") >= 2
