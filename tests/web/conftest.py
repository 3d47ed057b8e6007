"""One Chromium for all tests of pages. Imports wait until the stage is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.web.site import Visitors


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A Chromium. It ends with the tests of pages: its event loop would be in the way of others."""
    from tests.web.chromium import browsing

    with browsing() as browser:
        yield browser


@pytest.fixture
def visitors(browser: Browser, site: str) -> Iterator[Visitors]:
    """Browsers for a test. Nothing may come from outside, break the policy, or fail in a script."""
    from tests.web.site import Visitors

    visitors = Visitors(browser, site)
    yield visitors
    visitors.leave()
    assert visitors.faults == []
