"""A real Chromium, for whoever looks at pages with it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.waiting import PATIENCE

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of browsers in the order of bin/browser; the first doesn't draw the windows of a desktop."""


def chromium() -> str:
    """Return the path of Chromium; a run without it fails with the command that installs it."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.fail("These tests need Chromium. On Debian or Ubuntu: apt-get install chromium", pytrace=False)
    return browser


@contextmanager
def browsing() -> Iterator[Browser]:
    """A Chromium. While it lives its event loop runs in this thread, so Django must let the tests use the database."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        # Nobody looks at a screen here, and to imitate a graphics card takes a tenth of all its time.
        arguments = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        try:
            yield browser
        finally:
            os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")
            if before is not None:
                os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before
            browser.close()
