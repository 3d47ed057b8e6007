"""One Chromium for the panel. Imports wait until the stage is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.site import Visitors


@pytest.fixture(scope="module")
def visitors(site: str) -> Iterator[Visitors]:
    """Browsers. Nothing may come from outside, break the policy, or fail in a script."""
    from tests.web.chromium import browsing
    from tests.web.site import Visitors

    with browsing() as browser:
        visitors = Visitors(browser, site)
        yield visitors
        visitors.leave()
    assert visitors.faults == []
