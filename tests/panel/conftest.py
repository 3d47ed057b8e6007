"""The panel is looked at as other pages are: one Chromium for all its tests, and browsers for each."""

from tests.web.conftest import browser, visitors

__all__ = ["browser", "visitors"]
