"""Violations that axe finds on a page, in the light or dark scheme."""

from collections.abc import Container, Iterable
from itertools import cycle
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SCHEMES = ("light", "dark")
# Else axe first fetches all sheets anew, for its one rule that none holds a page upright or sideways. None does.
OPTIONS: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
# A page hears of another scheme before the next frame is drawn.
RUN = """([part, options]) => new Promise(requestAnimationFrame)
  .then(() => axe.run(part, options)).then((found) => found.violations)"""


def in_both_schemes(names: Iterable[str], *, always: Container[str]) -> list[Any]:
    """Cases of a name and a scheme. Each run takes those of `always`, in light and dark by turns; the rest is slow."""
    turns = cycle(SCHEMES)
    every_run = {name: next(turns) for name in names if name in always}
    return [
        pytest.param(name, scheme, marks=[] if every_run.get(name) == scheme else [pytest.mark.slow])
        for name in names
        for scheme in SCHEMES
    ]


def refused(page: Page, scheme: str, part: str = "html") -> list[tuple[str, list[str]]]:
    """The rule, and where it is broken. The page stays as it is, in this scheme."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(RUN, [part, OPTIONS])
    return [(it["id"], [node["html"][:200] for node in it["nodes"][:4]]) for it in violations]
