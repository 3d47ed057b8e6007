"""The pages as a browser meets them: a real web process on the stage's servers, and a real Chromium."""

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from config.runner.embedded.server import free_port
from config.runner.parts import web
from matches.models import Account
from tests.table_setting import new_account
from tests.waiting import PATIENCE

PASSWORD = "a long walk home"
WIDE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}


class Make(NamedTuple):
    """A kind of browser; `touch` is that of a phone or tablet."""

    dark: bool
    narrow: bool
    touch: bool


_IDLE: defaultdict[tuple[Browser, str, Make], list[BrowserContext]] = defaultdict(list)
"""Browsers that nobody visits with: to warm up a new one is a third of a test of a page."""


@contextmanager
def served(logs: Path) -> Iterator[str]:
    """A web process; gives its address."""
    port = free_port()
    # What a page does late must not be cut short by how slow the machine is today.
    process = web(port, os.environ | {"ALLOWED_HOSTS": "127.0.0.1"}, logs)
    process.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.request_stop()
        process.stop()


class Visitors:
    """People at their browsers. What a page does wrong behind their backs is kept in `faults`."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.site = site
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: list[tuple[BrowserContext, list[BrowserContext] | None]] = []

    def page(
        self,
        account: Account | None = None,
        *,
        dark: bool = False,
        narrow: bool = False,
        touch: bool = False,
        **more: Any,
    ) -> Page:
        """A page of a browser of its own; signed in where there is an account."""
        make = Make(dark, narrow, touch)
        idle = None if more else _IDLE[self._browser, self.site, make]
        context = idle.pop() if idle else self._new_context(make, **more)
        self._contexts.append((context, idle))
        if account is not None:
            context.add_cookies([{"name": "sessionid", "value": session_of(account), "url": self.site}])
        page = context.new_page()
        page.on("request", lambda request: self._note_request(request.url))
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        return page

    def leave(self) -> None:
        """Put every browser away: the next visitor finds nothing in it but the site's files, as read before."""
        for context, idle in self._contexts:
            if idle is None:
                context.close()
                continue
            for page in context.pages[1:]:
                page.close()
            context.set_offline(offline=False)
            context.clear_cookies()
            page = context.pages[0] if context.pages else context.new_page()
            wire = context.new_cdp_session(page)
            wire.send("Storage.clearDataForOrigin", {"origin": self.site, "storageTypes": "local_storage,indexeddb"})
            page.close()
            idle.append(context)

    def _new_context(self, make: Make, **more: Any) -> BrowserContext:
        context = self._browser.new_context(
            base_url=self.site,
            viewport=NARROW if make.narrow else WIDE,
            color_scheme="dark" if make.dark else "light",
            has_touch=make.touch,
            is_mobile=make.touch,
            reduced_motion="reduce",
            **more,
        )
        context.set_default_timeout(PATIENCE * 1000)
        return context

    def _note_request(self, url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and not same_host(url, self.site):
            self.faults.append(f"outside: {url}")

    def _note_message(self, message: ConsoleMessage) -> None:
        # Chromium and htmx report each answer above 399 as an error; refusals are answers too. htmx also reports that a
        # preview was aborted, which a newer one replaces.
        usual = ("Failed to load resource", "Response Status Error Code", "htmx:sendAbort", "htmx:afterRequest")
        if message.type == "error" and not message.text.startswith(usual):
            self.faults.append(f"console: {message.text}")


def requests_of_scripts(page: Page) -> list[str]:
    """Collect the URLs that the page's scripts fetch from now on.

    A browser also requests by itself, whenever it likes: icons, style sheets, modules, fonts. No test may count those.
    """
    urls: list[str] = []
    page.on("request", lambda request: request.resource_type in ("fetch", "xhr") and urls.append(request.url))
    return urls


def same_host(url: str, site: str) -> bool:
    """True if the address belongs to this site, over HTTP or a socket."""
    return urlsplit(url).netloc == urlsplit(site).netloc


def session_of(account: Account) -> str:
    """The cookie of a session of this account."""
    client = Client()
    client.force_login(account)
    return str(client.cookies["sessionid"].value)


def member(**rights: bool) -> Account:
    """An account that can sign in with PASSWORD."""
    return new_account(PASSWORD, **rights)


def fresh_name() -> str:
    """A name that nobody has."""
    return f"n{uuid4().hex[:16]}"


def errors_in(logs: Path) -> list[str]:
    """Return the errors in a web process's log.

    No worker signs events beside it, so after seven minutes each event waits too long for a checkpoint.
    """
    lines = (logs / "web.log").read_text().splitlines()
    return [line for line in lines if '"level": "error"' in line and '"part": "checkpoints"' not in line]
