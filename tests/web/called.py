"""People who visit no page unasked: a call brings each of them a link, they follow it in a browser of their own, and do
on the page what it asks for. And the post that brings the calls, with its workers."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import Any, NamedTuple

from django.db import connections
from playwright.sync_api import CDPSession, Page, Worker, expect

from events import store
from matches.domain.calls import KINDS, TABLE
from matches.models import Account, Call, MailAddress, PushSubscription
from matches.notifications import call_delivery, mail_addresses, match_calls, notices, pushes, webhooks
from matches.reads import selectors
from matches.seasons import calls as season_calls
from matches.seasons import notices as season_notices
from matches.seasons import personal_notices
from matches.services import playing
from tests.api.guests import Guest
from tests.api.seasons import deliver
from tests.matches.push_service import Browser
from tests.matches.test_letters import Mailbox, words
from tests.matches.test_notices import Receiver

NOWHERE = "about:blank"
MOVES_BEFORE_GIVING_UP = 1
PROMISED = """
Object.defineProperty(PushManager.prototype, "subscribe", { value: async () => ({ toJSON: () => (%s) }) });
Object.defineProperty(Notification, "requestPermission", { value: async () => "granted" });
"""
"""A browser without a network has no push service: the page gets the subscription of the test's own."""
NOTED = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, { body, tag, data }) => {
    self.shown.push({ title, body, page: data.page, tag });
  };
}"""
"""A Chromium without a screen shows nothing and takes nobody's permission, so what is to be shown is noted."""
_SHOWN = """async () => {
  for (let turn = 0; turn < 500 && !self.shown.length; turn++) await new Promise((go) => setTimeout(go, 20));
  return self.shown.splice(0);
}"""


class Heard(NamedTuple):
    """A call as it came: its kind by its title, and the page that it leads to."""

    kind: str
    page: str


class Person:
    """A player with a browser that shows nothing until a call comes. Who `appeals` does so at their next turn."""

    def __init__(self, guest: Guest, page: Page, site: str) -> None:
        self.guest, self.page, self.site = guest, page, site
        self.heard: list[Heard] = []
        self.moves: Counter[str] = Counter()
        self.decisions = 0
        self.appeals = False

    def hears(self, title: str, text: str, link: str) -> None:
        """A call has come: follow it, where it asks for something."""
        kind = next(kind for kind, call_kind in TABLE.items() if call_kind.title == title)
        assert text == TABLE[kind].text, "a private season is named to nobody who looks on"
        self.heard.append(Heard(kind, link))
        act = {
            "your_turn": self._moves, "decision": self._decides, "appointment": self._agrees, "check_in": self._comes,
        }.get(kind)  # fmt: skip
        if act is not None:
            self.page.goto(f"{self.site}{link}")
            act()
            self.page.goto(NOWHERE)

    def count(self) -> Counter[str]:
        """Return the number of received calls of each kind."""
        return Counter(it.kind for it in self.heard)

    def _moves(self) -> None:
        page = self.page
        page.locator("body[data-ready]").wait_for()
        if self.appeals:
            self.appeals = False
            self._appeals()
            page.locator("body[data-ready]").wait_for()
        self.moves[page.url] += 1
        before = page.locator("#live").get_attribute("data-version")
        if self.moves[page.url] <= MOVES_BEFORE_GIVING_UP:
            written = page.locator("#suggestions option").first.get_attribute("value") or ""
            page.locator("#command-box").fill(written)
            page.locator("#command-box").press("Enter")
            expect(page.locator("#live")).not_to_have_attribute("data-version", before or "")
            return
        page.locator("#leave summary").click()
        page.get_by_role("button", name="Resign").click()
        page.locator("#picked").get_by_role("button", name="Resign").click()
        page.locator("#result").wait_for()

    def _appeals(self) -> None:
        page = self.page
        page.locator("input[name=beside][value=more]").check()
        page.locator("details.appeal summary").click()
        form = page.locator("details.appeal form")
        form.locator("[name=text]").fill("May I begin?")
        with page.expect_navigation():
            form.get_by_role("button").click()

    def _decides(self) -> None:
        page = self.page
        page.get_by_role("link", name="Decide now").click()
        page.wait_for_url("**/desk**")
        if not re.search(r"/desk/\w+$", page.url):
            page.locator("section.decision.asked a.button").first.click()
            page.wait_for_url(re.compile(r"/desk/\w+$"))
        page.locator("form label:has(input[name=player]:not(:disabled))").first.click()
        confirm = page.locator("#confirm button.call-button")
        expect(confirm).to_be_visible()
        with page.expect_navigation():
            confirm.click()
        expect(page.get_by_role("heading", name="Next step")).to_be_visible()
        self.decisions += 1

    def _agrees(self) -> None:
        self._presses("Play then")

    def _comes(self) -> None:
        assert self._presses("I am here")

    def _presses(self, name: str) -> bool:
        """Press a button of the desk; True if the desk had it."""
        page = self.page
        page.get_by_role("link", name="Your desk").first.click()
        page.wait_for_url("**/desk")
        button = page.get_by_role("button", name=name)
        if not button.count():
            return False
        with page.expect_navigation():
            button.first.click()
        expect(page.get_by_text("Done, and in the season's record.")).to_be_visible()
        return True


class PushedTo:
    """A browser with a real service worker, the push service's side of it, and what the worker shows."""

    def __init__(self, person: Person, number: int, service: Receiver) -> None:
        self.person = person
        context, page, site = person.page.context, person.page, person.site
        self.browser = Browser(f"https://1.1.1.1/send/{number}")
        context.grant_permissions(["notifications"], origin=site)
        page.add_init_script(PROMISED % json.dumps(self.browser.subscription))
        page.goto(f"{site}/account/calls")
        with page.expect_navigation():
            page.get_by_role("button", name="Notify me in this browser").click()
        registered: list[dict[str, Any]] = []
        self._wire: CDPSession = context.new_cdp_session(page)
        self._wire.on("ServiceWorker.workerRegistrationUpdated", lambda it: registered.extend(it["registrations"]))
        self._wire.send("ServiceWorker.enable")
        page.wait_for_function("navigator.serviceWorker.ready")
        self._number = next(it["registrationId"] for it in registered)
        (worker,) = context.service_workers
        self._worker: Worker = worker
        worker.evaluate(NOTED)
        page.goto(NOWHERE)
        _lead_to(person.guest.id, self.browser, f"{service.url}/{number}")

    def takes(self, body: bytes) -> bool:
        """Let the browser's worker show a push, and its reader follow it; True if the push was for this browser."""
        try:
            push = self.browser.read(body)
        except Exception:
            return False
        delivery = {"origin": self.person.site, "registrationId": self._number, "data": json.dumps(push)}
        self._wire.send("ServiceWorker.deliverPushMessage", delivery)
        (message,) = self._worker.evaluate(_SHOWN)
        assert message == push
        self.person.hears(message["title"], message["body"], message["page"])
        return True


class Post:
    """The house's workers, the services that calls go through, and whoever is called."""

    def __init__(self, service: Receiver, box: Mailbox, site: str) -> None:
        self._service, self._box, self._site = service, box, site
        self._pushed: list[PushedTo] = []
        self._mailed: dict[str, Person] = {}
        self._numbers = count()
        self._got = self._lettered = 0
        self._elsewhere = ThreadPoolExecutor(1)

    def push_to(self, person: Person) -> None:
        """Let somebody be told in their browser."""
        self._pushed.append(PushedTo(person, next(self._numbers), self._service))

    def mail_to(self, person: Person) -> None:
        """Let somebody be told all of it by letters."""
        address = f"player{next(self._numbers)}@post.example"
        MailAddress.objects.create(
            account_id=person.guest.id, sealed=webhooks.sealed(address), digest=mail_addresses.digest_of(address),
            verified_at=store.clock(),
        )  # fmt: skip
        table = {"table": {kind: {"email": True} for kind in KINDS}}
        assert person.guest.ask("PATCH", "/me/reach", json.dumps(table).encode()).status == 200
        self._mailed[address] = person

    def settle(self) -> None:
        """Work until nobody hears anything any more."""
        quiet = 0
        for _ in range(400):
            quiet = 0 if self._work() else quiet + 1
            if quiet == 2:
                return
        raise AssertionError("There is no end to it.")

    def _work(self) -> bool:
        """Do the work of a minute's workers; True if anybody received a call."""
        deliver()
        for match in selectors.matches_that_wait_for_the_house():
            playing.attend(match_id=match)
        personal_notices.queue_new_notices()
        notices.queue_new_notices()
        season_notices.queue_new_notices()
        match_calls.queue_new_calls()
        season_calls.queue_new_calls()
        season_calls.remind()
        # Chromium's event loop runs in this thread, and a POST takes one of its own.
        for act in (notices.send_pending, call_delivery.send_pending, connections.close_all):
            self._elsewhere.submit(act).result()
        pushes_, letters = self._new_pushes(), list(self._new_letters())
        Call.objects.filter(state="sent").update(done_at=store.clock() - timedelta(seconds=61))
        Call.objects.filter(state="waiting").update(due_at=store.clock())
        for body in pushes_:
            assert sum(it.takes(body) for it in self._pushed) == 1, "each push is for one browser"
        for person, title, text, page in letters:
            person.hears(title, text, page)
        return bool(pushes_ or letters)

    def _new_pushes(self) -> list[bytes]:
        fresh, self._got = self._service.got[self._got :], len(self._service.got)
        return [it.body for it in fresh]

    def _new_letters(self) -> Iterator[tuple[Person, str, str, str]]:
        fresh, self._lettered = self._box.letters[self._lettered :], len(self._box.letters)
        for (address,), letter in fresh:
            letter_text = words(letter).partition("\n-- ")[0]
            for text, page in re.findall(rf"^(.+)\n{re.escape(self._site)}(\S+)$", letter_text, re.M):
                title = next(it.title for it in TABLE.values() if it.text == text)
                yield self._mailed[address], title, text, page


def _lead_to(account: str, browser: Browser, endpoint: str) -> None:
    """Let the browser's address be the test's own service, which isn't open to the world."""
    me, keys = Account.objects.get(id=account), browser.subscription["keys"]
    PushSubscription.objects.filter(account=me).delete()
    pushes.subscribe(me, pushes.Subscription(endpoint, keys["p256dh"], keys["auth"]), "Chromium")
