"""Doubled text size: pages follow the browser's setting, and nothing sticks out."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from games import catalogue
from matches.models import Account
from tests.table_setting import play_on, running_match
from tests.web.chromium import chromium
from tests.web.hands import opened
from tests.web.site import NARROW, WIDE, Visitors
from tests.web.test_looks import PAGES
from tests.web.test_looks import guests as guests

USUAL, DOUBLE = 16, 32
SHOWN = (
    "lobby", "account", "matches", "rules", "opening with cards", "seats", "waiting match", "finished match",
    "replay of everything", "season",
)  # fmt: skip


@pytest.fixture(scope="module")
def large(browser: Browser) -> Iterator[Browser]:
    """A browser whose letters are twice as large as usual."""
    arguments = ["--disable-gpu", "--no-sandbox", f"--blink-settings=defaultFontSize={DOUBLE}"]
    other = browser.browser_type.launch(executable_path=chromium(), args=arguments)
    yield other
    other.close()


@pytest.mark.slow
def test_doubled_text_fits_every_page(large: Browser, site: str, guests: tuple[Account, Account]) -> None:
    visitors = Visitors(large, site)
    page = visitors.page(guests[0])
    out = []
    for name in SHOWN:
        page.set_viewport_size(WIDE)
        page.goto(PAGES[name](*guests))
        sizes = page.evaluate("""() => [...document.querySelectorAll("main :is(p, h1, a, th, td, input, summary)")]
          .filter((it) => it.checkVisibility()).map((it) => parseFloat(getComputedStyle(it).fontSize))""")
        assert min(sizes) >= 12 * DOUBLE / USUAL * 0.94, f"{name}: {min(sizes)}"
        assert page.locator(".skip").evaluate("it => it.getBoundingClientRect().bottom") <= 0, "It waits for Tab."
        for width in (WIDE["width"], 390):
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                out.append(f"{name} is {wide} wide at {width}")
    visitors.leave()
    assert not out, "\n".join(out)
    assert visitors.faults == []


CUT = """() => {
  const seen = (it) => it?.checkVisibility() ?? false;
  const side = document.querySelector(".play-side");
  const edge = (it) => it.getBoundingClientRect();
  const found = seen(side) && side.scrollWidth > side.clientWidth + 1 ? ["what lies beside the board sticks out"] : [];
  for (const who of document.querySelectorAll(".who-sits")) {
    for (const line of who.children) {
      const hidden = edge(line).bottom - edge(who).bottom;
      if (seen(line) && hidden > 2 && hidden < edge(line).height - 4) found.push(`"${line.textContent.trim()}" is cut`);
    }
  }
  const [links, crumbs] = [".top .who > *", ".crumbs li"].map((it) => [...document.querySelectorAll(it)].filter(seen));
  for (const link of links) {
    const isCovered = crumbs.some((it) => edge(it).right > edge(link).left + 1);
    if (isCovered) found.push(`"${link.textContent.trim()}" is covered`);
  }
  const low = [...document.querySelectorAll("main :is(button, a, summary, input)")].filter(seen);
  const scrolls = (it) => it.closest(".play-side, .scene, .lines, .log, .mine, .sheet, .board, .reel");
  const high = document.documentElement.scrollHeight > innerHeight;
  for (const it of high ? [] : low) {
    if (!scrolls(it) && edge(it).bottom > innerHeight + 1) found.push(`${it.id} is out of reach`);
  }
  return found;
}"""


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug == "reality_benders" else [pytest.mark.slow]) for slug in catalogue]
)
def test_doubled_text_keeps_every_action_of_a_match_reachable(
    large: Browser, site: str, guests: tuple[Account, Account], slug: str
) -> None:
    visitors = Visitors(large, site)
    page = visitors.page(guests[0])
    match = running_match(slug, *guests)
    cut = []
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        opened(page, match)
        cut += [f"{it} at {size['width']}" for it in page.evaluate(CUT)]
        page.goto(f"/learn/{slug}/3/")
        page.locator("body[data-ready]").wait_for()
        cut += [f"in the lesson, {it} at {size['width']}" for it in page.evaluate(CUT)]
    play_on(match, 3)
    page.goto(f"/m/{match.code}/replay/")
    page.locator("body[data-ready]").wait_for()
    cut += [f"in the replay, {it}" for it in page.evaluate(CUT)]
    visitors.leave()
    assert cut == []
    assert visitors.faults == []
