"""Actors that carry out a whole season on a running house: by the panel and the players' pages, over REST, or both."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD
from tests.panel.hands import Hands, fill
from tests.panel.season_script import Clerk, HostStep, Person, Step, placed
from tests.plain_http import NOBODY
from tests.waiting import wait_until
from tests.web.site import WIDE

_SCENES = ("token", "candidate", "opponent", "ban")
"""The acts of players that have a page of their own."""
_WAIT = 200.0
"""Seconds until a deadline is over, at the latest."""


class Both:
    """Two who do the same, one after the other, act by act: what only time brings comes to both in one wait."""

    def __init__(self, *actors: Any) -> None:
        self._actors = actors

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def each(*details: Any, **more: Any) -> Any:
            answers = [getattr(actor, name)(*details, **more) for actor in self._actors]
            return answers[0]

        return each


class Rest(Clerk):
    """An organiser's client, and those of the players."""

    def __init__(self, season: str, boss: Guest, guests: Mapping[str, Guest], winners: Sequence[str]) -> None:
        players = {account: partial(posted, guest) for account, guest in guests.items()}
        super().__init__(season, winners, partial(posted, boss), boss.get, self._ended, players)
        self._boss = boss
        self._guests = guests

    def refused(self, step: Step, faults: list[str]) -> None:
        """The problem's document names them."""
        answer = self._boss.post(self._path + step.path, step.body)
        assert answer.status_code == 422 and all(it in answer.json()["detail"] for it in faults), answer.text

    def joins(self, person: Person, link: int) -> None:
        """By the address that the organiser reads."""
        address = self._boss.get(f"{self._path}/joining-links")["results"][link - 1]["url"]
        self._players[person.id](f"/seasons/joining/{urlsplit(address).path.rpartition('/')[2]}", None)

    def sees_in_calendars(self, person: Person, opens_at: str) -> None:
        """At the addresses that the player makes."""
        guest = self._guests[person.id]
        for path in (f"{self._path}/calendar", "/me/calendar"):
            assert begins(opens_at) in read_calendar(guest.put(path)["url"])

    def disputes(self, person: Person, text: str, answer: str) -> None:
        """The match's document has claim and answer; pages are printed elsewhere."""
        match = f"/matches/{self._ids()[-1]}"
        number = self._players[person.id](f"{match}/appeals", {"kind": "clock", "text": text})["number"]
        self._post(f"{match}/appeals/{number}/answer", {"decision": "rejected", "reason": answer})

    def until(self, kind: str) -> None:
        """The record is asked until it has."""
        wait_until(lambda: record_of(self._boss, self._path)[-1]["type"] == kind, _WAIT)

    def _ended(self, match: str) -> None:
        def has_ended() -> bool:
            return next(it["status"] for it in self._matches() if it["id"] == match) != "scheduled"

        wait_until(has_ended)


class Pages(Hands):
    """An organiser at the panel, and players at their own pages, each in a browser of their own."""

    def __init__(self, browser: Browser, site: str, boss: str, people: list[Person]) -> None:
        self._browser, self._site = browser, site
        self._players: dict[str, Page] = {}
        super().__init__(self._signed_in(boss), people)
        self.season = ""

    def open_season(self, title: str, **options: Any) -> str:
        """Keep its id for the players' pages."""
        self.season = super().open_season(title, **options)
        return self.season

    def act(self, step: Step) -> None:
        """An organiser's in the season's room, a player's at their desk."""
        if step.by is None:
            super().act(step)
            return
        page = self._page_of(step.by)
        if step.act in _SCENES:
            self._decides(page, step)
            return
        page.goto(f"/seasons/{self.season}/desk")
        form = page.locator(f"form[action$='/desk/{step.act}']")
        closed = page.locator("details:not([open])", has=form)
        if closed.count():
            closed.locator("summary").click()
        fields = placed(step.fields, self._matches())
        if step.act == "accept-time":
            form = form.filter(has=page.locator(f"input[name=opens_at][value='{fields.pop('opens_at')}']"))
        for name, value in fields.items():
            chosen = form.locator(f"input[type=radio][name={name}][value='{value}']")
            chosen.check() if chosen.count() else fill(form, name, value)
        with page.expect_navigation():
            form.get_by_role("button").click()
        expect(page.get_by_text("Done, and in the season's record.")).to_be_visible()
        self.page.goto(self.room)

    def refused(self, step: Step, faults: list[str]) -> None:
        """The preview names them, and so does the dialog that comes back."""
        self.enter()
        dialog = self.opened(step.act, step.fields)
        for fault in faults:
            expect(dialog.locator(".foretold")).to_contain_text(fault)
        with self.page.expect_navigation():
            dialog.locator("button.strong").click()
        for fault in faults:
            expect(dialog).to_contain_text(fault)
        self.page.goto(self.room)

    def joins(self, person: Person, link: int) -> None:
        """By the address that stands in the season's room."""
        self.page.goto(self.room)
        page = self._page_of(person)
        page.goto(self.page.locator(f"#link-{link}").input_value())
        page.locator("form[data-once] button.primary").click()
        expect(page.get_by_text(re.compile("You are enrolled|You have applied to play"))).to_be_visible()
        self.page.goto(self.room)

    def sees_in_calendars(self, person: Person, opens_at: str) -> None:
        """At the season's address for everybody, and at the one that the player makes."""
        page = self._page_of(person)
        assert begins(opens_at) in read_calendar(f"{self._site}/seasons/{self.season}/calendar.ics")
        page.goto("/account/calendars")
        page.locator("form[action$='/calendars/make']").first.get_by_role("button").click()
        assert begins(opens_at) in read_calendar(page.locator("#new-calendar").input_value())

    def disputes(self, person: Person, text: str, answer: str) -> None:
        """Asked on the match's page, answered in its control room, read on paper."""
        code = self.control().rstrip("/").split("/")[-2]
        page = self._page_of(person)
        page.goto(f"/m/{code}/")
        page.locator("input[name=beside][value=more]").check()
        page.locator("details.appeal summary").click()
        form = page.locator("details.appeal form")
        form.locator("[name=kind]").select_option("clock")
        form.locator("[name=text]").fill(text)
        with page.expect_navigation():
            form.get_by_role("button").click()
        fields = {"number": "1", "decision": "rejected", "reason": answer}
        self.host(HostStep("answer", fields, "", {}))
        self.page.goto("/admin/disputes/")
        self.page.get_by_role("link", name=f"{code}, 1").click()
        self.page.emulate_media(media="print")
        for told_there in (text, answer):
            expect(self.page.locator("body")).to_contain_text(told_there)
        expect(self.page.get_by_role("link", name="All disputes")).to_be_hidden()
        assert self.page.pdf().startswith(b"%PDF")
        self.page.emulate_media(media="screen")

    def until(self, kind: str) -> None:
        """The room tells what has happened, the newest first."""

        def happened() -> bool:
            self.page.goto(self.room)
            return self.page.locator(".timeline li .mono").first.inner_text().endswith(f" {kind}")

        wait_until(happened, _WAIT)

    def _matches(self) -> list[str]:
        self.enter()
        return self.ids()

    def _decides(self, page: Page, step: Step) -> None:
        """In the scene that the decision has: choose, see what follows, confirm."""
        page.goto(f"/seasons/{self.season}/desk/{step.act}")
        (chosen,) = step.fields.values()
        page.locator(f"#decide-{step.act} label", has=page.locator(f"input[value='{chosen}']")).click()
        confirm = page.locator("#confirm button.call-button")
        expect(confirm).to_be_visible()
        with page.expect_navigation():
            confirm.click()
        expect(page.get_by_role("heading", name="Next step")).to_be_visible()
        self.page.goto(self.room)

    def _page_of(self, person: Person) -> Page:
        if person.id not in self._players:
            self._players[person.id] = self._signed_in(person.name)
        return self._players[person.id]

    def _signed_in(self, name: str) -> Page:
        page = self._browser.new_context(base_url=self._site, viewport=WIDE, reduced_motion="reduce").new_page()
        page.goto("/sign-in?next=/account")
        page.locator("[name=username]").fill(name)
        page.locator("[name=password]").fill(PASSWORD)
        with page.expect_navigation():
            page.locator("main button").first.click()
        if "/account/access-log" in page.url:
            # Somebody else has given the account its rights, which its owner is told of before anything else.
            with page.expect_navigation():
                page.locator("main button").first.click()
        return page


def posted(guest: Guest, path: str, body: Any) -> Any:
    """Send an accepted act, and return the body of its answer."""
    answer = guest.post(path, body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def record_of(guest: Guest, path: str) -> list[dict[str, Any]]:
    """All events of the season at this path."""
    events: list[dict[str, Any]] = guest.get(f"{path}/events", limit=500)["results"]
    return events


def begins(opens_at: str) -> str:
    """The line of a calendar by which something begins at an instant."""
    return f"DTSTART:{re.sub(r'[-:]', '', opens_at.partition('.')[0])}Z"


def read_calendar(address: str) -> str:
    """Return a calendar, requested without credentials as a calendar program does."""
    answer = httpx.get(address, verify=NOBODY)
    assert answer.status_code == 200, answer.text
    return answer.text
