"""An official at a browser before the panel, who uses nothing but what stands on its pages."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.panel.season_script import Person, Step
from tests.waiting import wait_until

REASON = "As the script has it."


class Hands:
    """Runs a season by the panel alone; an actor of the script."""

    def __init__(self, page: Page, people: list[Person], seconds: float = 60) -> None:
        self.page = page
        self._people = {it.name: it for it in people}
        self._seconds = seconds
        self.room = ""
        self.winners: list[str] = []

    def open_season(self, title: str) -> str:
        """From the list, with the usual options; gives its id."""
        self.page.goto("/admin/seasons/")
        self.page.get_by_role("link", name="Open a season").click()
        self.page.wait_for_load_state()
        self.page.locator("#id_title").fill(title)
        expect(self.page.locator("#verdict")).to_contain_text("season_opened")
        self.page.get_by_role("button", name="Open the season").click()
        expect(self.page.get_by_text("The season is open.")).to_be_visible()
        self.room = re.sub(r"^https?://[^/]+", "", self.page.url)
        return self.room.rstrip("/").rpartition("/")[2]

    def act(self, step: Step) -> None:
        """The step's dialog: filled in, its preview read, sent."""
        if not self.page.url.endswith(self.room):
            self.page.goto(self.room)
        dialog = self._opened(step.act, step.fields)
        expect(dialog.locator(".foretold .kind")).to_have_text(step.brings)
        self._send(dialog)

    def match(self, *, decided: bool) -> str:
        """From the control room: started, and decided there or played by stand-ins of both players."""
        self.page.goto(self.room)
        self.page.locator(".step.due a.press").or_(self.page.locator("table a.way.mono")).first.click()
        room = self.page.url
        self._do("start", {"reason": REASON})
        if decided:
            self._do("adjudicate", {"winners": ["0"], "reason": REASON})
        else:
            for seat in ("0", "1"):
                self._do("stand-in", {"seat": seat, "player": "bot", "reason": REASON})
        self._at_work(room)
        self.winners.append(self._winner())
        return self.winners[-1]

    def due(self) -> str:
        """The step that is due."""
        due = self.page.locator("[aria-current=step] h3")
        return due.inner_text().removesuffix("due now").strip() if due.count() else ""

    def _at_work(self, room: str) -> None:
        """Until the season has heard of the match's end."""

        def heard() -> bool:
            self.page.goto(self.room)
            states = self.page.locator("table.list td").all_inner_texts()
            return not {"Scheduled", "Running", "Paused", "Over"} & set(states)

        wait_until(heard, self._seconds)

    def _winner(self) -> str:
        """The id of who has won the newest match, as its row says."""
        row = self.page.get_by_role("region", name="Matches").locator("tbody tr").first.inner_text()
        name = re.search(r": (.+?) (?:won|came first)", row.rpartition("\t")[2])
        assert name, row
        return self._people[name[1]].id

    def _do(self, act: str, fields: dict[str, Any]) -> None:
        self._send(self._opened(act, fields))

    def _opened(self, act: str, fields: dict[str, Any]) -> Locator:
        self.page.locator(f"[data-opens=act-{act}]").first.click()
        dialog = self.page.locator(f"#act-{act}")
        for name, value in fields.items():
            _fill(dialog, name, value)
        return dialog

    def _send(self, dialog: Locator) -> None:
        with self.page.expect_navigation():
            dialog.locator("button.strong").click()
        expect(self.page.get_by_text("and in the record")).to_be_visible()


def _fill(dialog: Locator, name: str, value: Any) -> None:
    match_state = dialog.locator("details:not([open])", has=dialog.page.locator(f"[name={name}]"))
    if match_state.count():
        match_state.locator("summary").click()
    if isinstance(value, list):
        for one in value:
            dialog.locator(f"input[name={name}][value='{one}']").check()
        return
    field = dialog.locator(f"[name={name}]")
    if field.evaluate("it => it.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
