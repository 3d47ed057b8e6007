"""An official at a browser before the panel, who uses nothing but what stands on its pages."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.panel.season_script import REASON, HostStep, Person, Step, deciding, placed, starting
from tests.waiting import wait_until

_UNDER_WAY = ("Scheduled", "Running", "Paused", "Over")


class Hands:
    """Runs a season by the panel alone; an actor of the script."""

    def __init__(self, page: Page, people: list[Person], seconds: float = 60) -> None:
        self.page = page
        self._people = {it.name: it for it in people}
        self._seconds = seconds
        self.room = ""
        self.winners: list[str] = []

    def open_season(self, title: str, **options: Any) -> str:
        """From the list, with the usual options but for these; gives its id."""
        self.page.goto("/admin/seasons/")
        self.page.get_by_role("link", name="Open a season").click()
        self.page.wait_for_load_state()
        for name, value in {"title": title, **options}.items():
            self.page.locator(f"#id_{name}").fill(str(value))
        expect(self.page.locator("#verdict")).to_contain_text("season_opened")
        self.page.get_by_role("button", name="Open the season").click()
        expect(self.page.get_by_text("The season is open.")).to_be_visible()
        self.room = re.sub(r"^https?://[^/]+", "", self.page.url)
        return self.room.rstrip("/").rpartition("/")[2]

    def act(self, step: Step) -> None:
        """The step's dialog: filled in, its preview read, sent."""
        self.enter()
        dialog = self.opened(step.act, placed(step.fields, self.ids()))
        expect(dialog.locator(".foretold .kind")).to_have_text(step.brings)
        self.send(dialog)

    def host(self, step: HostStep) -> None:
        """The step's dialog in the match's control room."""
        self.control(step.place)
        self._do(step.act, step.fields)

    def settled(self, place: int = -1) -> None:
        """Look at the season's room until its row says so."""
        self._at_work(self.control(place), place)

    def match(self, *, decided: bool) -> str:
        """From the control room: started, and decided there or played by stand-ins of both players."""
        self.host(starting())
        if decided:
            self.host(deciding(0))
        else:
            for seat in ("0", "1"):
                self._do("stand-in", {"seat": seat, "player": "bot", "reason": REASON})
        self.settled()
        self.winners.append(self._winner())
        return self.winners[-1]

    def enter(self) -> None:
        """Be in the season's room."""
        if not self.page.url.endswith(self.room):
            self.page.goto(self.room)

    def ids(self) -> list[str]:
        """The season's matches in the order in which they were set: any of them can be ruled about."""
        listed = self.page.locator("#act-rule [name=match] option").evaluate_all("all => all.map(it => it.value)")
        return [it for it in reversed(listed) if it]

    def control(self, place: int = -1) -> str:
        """Be in the control room of a match; gives its address."""
        self.page.goto(self.room)
        rows = self.page.get_by_role("region", name="Matches").locator("tbody tr")
        rows.nth(-1 - place if place < 0 else rows.count() - 1 - place).locator("a.way.mono").click()
        self.page.wait_for_load_state()
        return self.page.url

    def due(self) -> str:
        """The step that is due."""
        due = self.page.locator("[aria-current=step] h3")
        return due.inner_text().removesuffix("due now").strip() if due.count() else ""

    def opened(self, act: str, fields: dict[str, Any]) -> Locator:
        """The act's dialog, filled in."""
        self.page.locator(f"[data-opens=act-{act}]").first.click()
        dialog = self.page.locator(f"#act-{act}")
        for name, value in fields.items():
            fill(dialog, name, value)
        return dialog

    def send(self, dialog: Locator) -> None:
        """Press the dialog's button; the act is accepted."""
        with self.page.expect_navigation():
            dialog.locator("button.strong").click()
        expect(self.page.get_by_text("and in the record")).to_be_visible()

    def _at_work(self, room: str, place: int) -> None:
        """Until the season has heard of the match's end."""
        code = room.rstrip("/").split("/")[-2]

        def is_reported() -> bool:
            self.page.goto(self.room)
            row = self.page.locator("tr", has=self.page.get_by_role("link", name=code, exact=True))
            return row.locator("td").last.inner_text() not in _UNDER_WAY

        wait_until(is_reported, self._seconds)

    def _winner(self) -> str:
        """The id of who has won the newest match, as its row says."""
        row = self.page.get_by_role("region", name="Matches").locator("tbody tr").first.inner_text()
        name = re.search(r": (.+?) (?:won|came first)", row.rpartition("\t")[2])
        assert name, row
        return self._people[name[1]].id

    def _do(self, act: str, fields: dict[str, Any]) -> None:
        self.send(self.opened(act, fields))


def fill(dialog: Locator, name: str, value: Any) -> None:
    """Type or choose the value of a form's field, whatever it is made of."""
    match_state = dialog.locator("details:not([open])", has=dialog.page.locator(f"[name='{name}']"))
    if match_state.count():
        match_state.locator("summary").click()
    if isinstance(value, list):
        for one in value:
            dialog.locator(f"input[name={name}][value='{one}']").check()
        return
    field = dialog.locator(f"[name='{name}']")
    if field.first.get_attribute("type") == "radio":
        dialog.locator(f"input[name={name}][value='{value}']").check()
        return
    if isinstance(value, bool):
        field.set_checked(value)
    elif field.evaluate("it => it.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
