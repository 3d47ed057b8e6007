"""Who has told the browser to write larger reads larger letters here too, and nothing sticks out for it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from matches.models import Account
from tests.web.chromium import chromium
from tests.web.site import WIDE, Visitors
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


def test_twice_as_large_letters_fit_every_page(large: Browser, site: str, guests: tuple[Account, Account]) -> None:
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
