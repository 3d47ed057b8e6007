"""A lesson under the hands: done by mouse, by keys, left and taken up again, at every size."""

import re

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from games.kernel import LessonStep
from tests.web.site import Visitors
from tests.web.test_lessons import steps_of

SIZES = ((1440, 900), (1366, 768), (390, 844), (844, 390))


def begin(page: Page, address: str) -> None:
    """The page of a lesson, its scripts at work."""
    page.goto(address)
    page.locator("body[data-ready]").wait_for()


def at_step(page: Page, number: int) -> None:
    """Wait until the page shows this step."""
    expect(page.locator(f"#live[data-step='{number}']")).to_be_attached()


def by_mouse(page: Page, step: LessonStep) -> None:
    """Do the step's task on the board, at the first place that the step points at."""
    if not step.does:
        page.locator("#onward").click()
        return
    page.locator(f':is(#board, .part) [data-cell="{step.points[0]}"]').click()
    sheet = page.locator("#picked .choice").first
    if sheet.is_visible():
        sheet.click()


def by_keys(page: Page, step: LessonStep) -> None:
    """Do the step's task by the keys that the tutor names."""
    if step.does:
        page.keyboard.press("/")
        page.keyboard.type(step.does)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_a_lesson_is_done_by_mouse_to_its_end(visitors: Visitors) -> None:
    page, steps = visitors.page(), steps_of("pyramid_poker")
    begin(page, "/learn/pyramid_poker")
    for number, step in enumerate(steps[:-1], 1):
        at_step(page, number)
        by_mouse(page, step)
    at_step(page, len(steps))
    expect(page).to_have_url(re.compile(rf"/learn/pyramid_poker/{len(steps)}/$"))
    expect(page.get_by_role("button", name="Play the bot")).to_be_visible()


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug == "pentagram" else [pytest.mark.slow]) for slug in catalogue]
)
@pytest.mark.slow
def test_a_lesson_is_done_by_keys_to_its_end(visitors: Visitors, slug: str) -> None:
    page, steps = visitors.page(), steps_of(slug)
    begin(page, f"/learn/{slug}")
    for number, step in enumerate(steps[:-1], 1):
        at_step(page, number)
        by_keys(page, step)
    at_step(page, len(steps))


OUT_OF_SIGHT = """(places) => places.filter((name) => {
  const one = document.querySelector(name.startsWith("part ") ? `[data-part="${CSS.escape(name.slice(5))}"]` :
    `:is(#board, .part) :is([data-cell="${CSS.escape(name)}"], [data-place="${CSS.escape(name)}"])`);
  const box = one?.getBoundingClientRect();
  return !box?.width || !box.height || box.bottom <= 0 || box.right <= 0 || box.left >= innerWidth;
})"""
HANDS = "#board svg, #module > *, #choices .choice"


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug == "higher_or_lower" else [pytest.mark.slow]) for slug in catalogue]
)
@pytest.mark.slow
def test_subject_and_control_of_each_step_are_in_sight(visitors: Visitors, slug: str) -> None:
    page, hidden = visitors.page(), []
    for number, step in enumerate(steps_of(slug), 1):
        if slug == "higher_or_lower" and not step.does:
            continue
        begin(page, f"/learn/{slug}/{number}/")
        for width, height in SIZES[::2]:
            page.set_viewport_size({"width": width, "height": height})
            hidden += [(number, width, place) for place in page.evaluate(OUT_OF_SIGHT, list(step.points))]
            if not page.locator(HANDS).filter(visible=True).count():
                hidden.append((number, width, "everything"))
    assert hidden == []


def test_other_move_shows_a_bubble_and_keeps_the_step(visitors: Visitors) -> None:
    page = visitors.page()
    begin(page, "/learn/pyramid_poker/3/")
    page.locator('#board [data-cell="A7"]').click()
    expect(page.locator("#bubble")).to_have_text("First place the 5 of spades on A3.")
    expect(page.locator("#announcer")).to_contain_text("First place the 5 of spades on A3.")
    at_step(page, 3)


@pytest.mark.slow
def test_interrupted_lesson_is_offered_where_it_was_left(visitors: Visitors) -> None:
    page = visitors.page()
    begin(page, "/learn/pyramid_poker/4/")
    page.get_by_role("link", name="Next").click()
    at_step(page, 5)
    page.get_by_role("link", name="Leave").click()
    page.wait_for_url("**/games/pyramid_poker")
    page.get_by_role("link", name="Learn it by playing").click()
    page.get_by_role("link", name="Go on at step 5").click()
    at_step(page, 5)
    page.go_back()
    at_step(page, 1)


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug == "pyramid_poker" else [pytest.mark.slow]) for slug in catalogue]
)
@pytest.mark.slow
def test_no_step_scrolls_at_any_size(visitors: Visitors, slug: str) -> None:
    page, steps = visitors.page(), steps_of(slug)
    spread = []
    for number in range(1, len(steps) + 1, 1 if slug != "pyramid_poker" else 5):
        begin(page, f"/learn/{slug}/{number}/")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            high, wide = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
            if high > height or wide > width:
                spread.append((number, width, height, high, wide))
    assert spread == []
