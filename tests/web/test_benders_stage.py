"""Reality Benders under the hands: arrows and spells are dragged, tapped, or named by keys; what is made is drawn."""

import pytest
from playwright.sync_api import Locator, Page, expect

from games.reality_benders.pieces import DOES
from matches.models import Account, Match
from matches.reads import feed
from matches.storage import repository
from tests.table_setting import new_account, running_match
from tests.waiting import wait_until
from tests.web.hands import caught_up, opened
from tests.web.match_setting import send
from tests.web.site import Visitors

RULES = {"rules": ["C>A", "G>C"], "rules_each": 2}


def table(visitors: Visitors, finger: bool = False) -> tuple[Match, Page, tuple[Account, Account]]:
    """A match, the page of seat 0, and who sits there."""
    both = new_account(), new_account()
    match = running_match("reality_benders", *both, options=RULES)
    return match, opened(visitors.page(both[0], narrow=finger, touch=finger), match), both


def casting(visitors: Visitors, finger: bool = False) -> tuple[Match, Page, tuple[Account, Account]]:
    """Open a table whose spells are being cast."""
    match, page, both = table(visitors, finger=finger)
    for seat in (0, 1):
        send(match, seat, both[seat], next(iter(feed.legal(match.id, seat).text)))
    caught_up(page, repository.version_of(match.id))
    return match, page, both


def middle(thing: Locator) -> tuple[float, float]:
    """Return the position of a thing's centre in the window."""
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, thing: Locator, goal: Locator, *, drop: bool = True) -> None:
    """A thing is dragged onto another one by the mouse."""
    page.mouse.move(*middle(thing))
    page.mouse.down()
    page.mouse.move(*middle(goal), steps=4)
    if drop:
        page.mouse.up()


def drawn_rules(page: Page) -> list[str | None]:
    """Return the rules that are drawn as made or in progress."""
    return [arrow.get_attribute("data-rule") for arrow in page.locator("#board .makes").all()]


def node(page: Page, letter: str) -> Locator:
    """A spell's node."""
    return page.locator(f"#cell-{letter}")


def lock(page: Page, match: Match) -> None:
    """Lock in, and say yes."""
    before = repository.version_of(match.id)
    page.locator("#module [data-name=lock]").click()
    page.locator("#picked .choice").first.click()
    wait_until(lambda: repository.version_of(match.id) > before)


def locked(match: Match) -> str:
    """Return the command that seat 0 has locked in, in notation."""
    state = repository.load(match.id, 0)
    return str(state.game.notation.form(state.state.submitted[0]))


@pytest.mark.slow
def test_rules_are_bent_by_dragging_from_spell_to_spell(visitors: Visitors) -> None:
    match, page, _ = table(visitors)
    drag(page, node(page, "A"), node(page, "D"), drop=False)
    assert drawn_rules(page) == ["A>D"], "a ghost"
    page.mouse.up()
    drag(page, node(page, "C"), node(page, "A"))
    expect(page.locator("#bubble")).to_have_text("Combo to Armageddon is a rule already.")
    drag(page, node(page, "C"), node(page, "E"))
    assert drawn_rules(page) == ["A>D", "C>E"]
    lock(page, match)
    assert locked(match) == "bend A>D C>E"
    expect(page.locator("#tray-note")).to_contain_text("Armageddon to Dizzy and Combo to Explosion")


@pytest.mark.slow
def test_next_arrow_replaces_the_only_rule(visitors: Visitors) -> None:
    me = new_account()
    match = running_match("reality_benders", me, new_account())
    page = opened(visitors.page(me), match)
    drag(page, node(page, "A"), node(page, "D"))
    drag(page, node(page, "C"), node(page, "E"))
    assert drawn_rules(page) == ["C>E"]
    expect(page.locator("#module [data-name=rule0]")).to_have_text("Combo to Explosion")
    expect(page.locator("#module [data-name=rule1]")).to_have_count(0)
    lock(page, match)
    assert locked(match) == "bend C>E"


@pytest.mark.slow
def test_item_takes_the_next_dragged_arrow_and_escape_resets_it(visitors: Visitors) -> None:
    _, page, _ = table(visitors)
    page.locator("#module [data-name=break]").click()
    drag(page, node(page, "G"), node(page, "C"))
    expect(page.locator("#module [data-name=break]")).to_contain_text("Greed to Combo")
    page.keyboard.press("Escape")
    assert drawn_rules(page) == []
    expect(page.locator("#module [data-name=break]")).to_contain_text("a rule away")


@pytest.mark.slow
def test_a_spell_is_cast_by_dragging_it_onto_its_target(visitors: Visitors) -> None:
    match, page, _ = casting(visitors)
    drag(page, page.locator('[data-cell="hand D"]'), node(page, "C"))
    expect(page.locator("#module .verdict")).to_contain_text("Dizzy on Combo.")
    assert {"A>C", "C>G"} <= set(drawn_rules(page)), "the rules at Combo turn around"
    lock(page, match)
    assert locked(match) == "cast D:C"


@pytest.mark.slow
def test_spell_is_cast_by_touch_with_all_nine_in_sight(visitors: Visitors) -> None:
    match, page, _ = casting(visitors, finger=True)
    page.locator('[data-cell="hand H"]').tap()
    assert page.evaluate("(hand => hand.scrollWidth - hand.clientWidth)(document.querySelector('#module .hand'))") <= 1
    node(page, "A").tap()
    node(page, "F").tap()
    assert drawn_rules(page) == ["A>F"]
    lock_in = page.locator("#module [data-name=lock]").bounding_box()
    assert lock_in and lock_in["y"] + lock_in["height"] < 844 - 52
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [844, 390]
    page.locator("#module [data-name=lock]").tap()
    page.locator("#picked .choice").first.tap()
    wait_until(lambda: repository.load(match.id, 0).state.submitted[0] is not None)
    assert locked(match) == "cast H:A,F"


@pytest.mark.slow
def test_keys_name_a_spell_and_its_target_and_a_reveal_shows_both_cards(visitors: Visitors) -> None:
    match, page, both = casting(visitors)
    send(match, 1, both[1], "cast G")
    caught_up(page, repository.version_of(match.id))
    for key in ("e", "b", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#picked .choice").first).to_contain_text("Explosion on Build.")
    page.keyboard.press("Enter")
    expect(page.locator('#board [data-place="card 0"]')).to_contain_text("Explosion")
    expect(page.locator('#board [data-place="card 1"]')).to_contain_text("Greed")
    expect(page.locator('#board [data-place="verdict"]')).to_contain_text("duel")


@pytest.mark.slow
def test_resting_spell_says_so(visitors: Visitors) -> None:
    match, page, both = casting(visitors)
    for seat, text in enumerate(("cast F:A", "cast E:I")):
        send(match, seat, both[seat], text)
    for seat in (0, 1):
        send(match, seat, both[seat], next(iter(feed.legal(match.id, seat).text)))
    caught_up(page, repository.version_of(match.id))
    page.locator('[data-cell="hand F"]').click(force=True)
    expect(page.locator("#bubble")).to_have_text("You cast Foresight in the last round; it rests for this one.")
    assert drawn_rules(page) == []


@pytest.mark.slow
def test_focused_spell_shows_its_effect(visitors: Visitors) -> None:
    _, page, _ = table(visitors)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    letter = page.evaluate("document.activeElement.dataset.cell")
    expect(page.locator("#bubble")).to_contain_text(DOES[letter].removesuffix("."))
