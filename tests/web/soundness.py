"""What axe refuses of a page, in light and in dark."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# What the colours can't change is looked at once.
SCHEMES: dict[str, dict[str, object]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
# A page hears of another scheme before the next frame is drawn.
RUN = """([part, options]) => new Promise(requestAnimationFrame)
  .then(() => axe.run(part, options)).then((found) => found.violations)"""


def refused(page: Page, part: str = "html") -> list[tuple[str, str, list[str]]]:
    """The scheme, the rule, and where it is broken. The page stays as it is but for the scheme, which is dark then."""
    page.evaluate(AXE_SCRIPT)
    return [broken for scheme in SCHEMES for broken in refused_in(page, scheme, part)]


def refused_in(page: Page, scheme: str, part: str = "html") -> list[tuple[str, str, list[str]]]:
    """The same for one scheme, on a page that has axe."""
    page.emulate_media(color_scheme=scheme)
    options: dict[str, Any] = SCHEMES[scheme] | {"resultTypes": ["violations"]}
    found = page.evaluate(RUN, [part, options])
    return [(scheme, it["id"], [node["html"][:200] for node in it["nodes"][:4]]) for it in found]
