"""One Chromium for the pages of contests' hosts, as for other pages."""

from tests.web.conftest import browser, visitors

__all__ = ["browser", "visitors"]
