"""A Chromium for the pages of contests' hosts. It ends with its module: other tests call asynchronous views, which its
event loop would prevent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import visitors

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["visitors"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.web.chromium import browsing

    with browsing() as browser:
        yield browser
