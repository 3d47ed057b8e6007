"""One web process and one Chromium for the panel. Imports wait until the stage is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.site import Visitors


@pytest.fixture(scope="module")
def visitors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    """Browsers. Nothing may come from outside, break the policy, or fail in a script."""
    from tests.web.site import Visitors, browsing, complaints, served

    logs = tmp_path_factory.mktemp("site")
    with served(logs) as address, browsing() as browser:
        visitors = Visitors(browser, address)
        yield visitors
        visitors.leave()
    assert visitors.faults == []
    assert complaints(logs) == []
