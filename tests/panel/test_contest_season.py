"""A season of thirteen whose main matches are contests, by the pages alone to its champion; an episode in browsers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.contest.presets import load
from tests.api.guests import Answer
from tests.panel.hands import Hands
from tests.panel.paged_season import ACCEPTED, Organiser, PagedCup, PagedPlayer, code_of, inputs_of
from tests.panel.season_script import starting
from tests.seasons import champion
from tests.web.site import Visitors

EACH, EACH_TABLE, EACH_JUDGED, EACH_CORRECTION = 12, 6, 3, 2
"""Presses of buttons and links in an episode, and for each table, judged round and correction: two an act, and one
for each way from the season's room to a match's and back."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def cup() -> PagedCup:
    """The season, played to its champion."""
    cup = PagedCup(Organiser(), [PagedPlayer() for _ in range(13)], best_of=1)
    champion.play(cup)
    return cup


def test_thirteen_play_all_twelve_presets_by_the_pages_to_a_champion(cup: PagedCup) -> None:
    champion.check_champion_and_record(cup)


def test_organiser_presses_few_buttons_in_each_episode(cup: PagedCup) -> None:
    before, *episodes, final = cup.presses
    print(f"Presses of the organiser: {before} before the episodes, {episodes} in them, {final} in the final.")
    assert before <= 5 and final <= 10
    for number, (presets, presses) in enumerate(zip(champion.MAIN_MATCHES, episodes, strict=True), start=1):
        rounds = [it for preset in presets for it in load(preset).rounds]
        judged = sum(it.repeat for it in rounds if it.scheme.__struct_config__.tag == "host")
        corrected = EACH_CORRECTION if number == champion.CORRECTED_IN else 0
        assert presses <= EACH + EACH_TABLE * len(presets) + EACH_JUDGED * judged + corrected


def test_archive_of_a_season_by_the_pages_verifies_with_all_its_matches(cup: PagedCup, tmp_path: Path) -> None:
    champion.check_archive(cup, tmp_path)


class BrowserPlayer(PagedPlayer):
    """A player who submits in a browser, and does everything else like the others."""

    def __init__(self, visitors: Visitors) -> None:
        super().__init__()
        self._page = visitors.page(self.account, narrow=True, touch=True)

    def send(self, match: str, command: Any, **more: Any) -> Answer:
        if command["type"] != "submit":
            return super().send(match, command, **more)
        address = f"/m/{code_of(match)}/"
        form = self.visitor.read(address).form("/commands")
        self._page.goto(address)
        self._page.locator("body[data-ready]").wait_for()
        for name, value in inputs_of(form, command["values"]).items():
            self._fill(name, value)
        self._page.locator("button[name=choice][value=fill]").tap()
        expect(self._page.locator(".sent, #result")).to_be_visible()
        return ACCEPTED

    def _fill(self, name: str, value: Any) -> None:
        inputs = self._page.locator(f"[form=play][name='{name}']:not([type=hidden])")
        if inputs.first.get_attribute("type") not in ("radio", "checkbox"):
            inputs.fill(str(value))
            return
        for one in value if isinstance(value, list | tuple) else [value]:
            self._page.locator("label.tile", has=inputs.and_(self._page.locator(f"[value='{one}']"))).tap()


class BrowserOrganiser(Organiser):
    """An organiser at a browser."""

    def __init__(self, visitors: Visitors) -> None:
        super().__init__()
        self._page: Page = visitors.page(self.account)
        self._hands = Hands(self._page, [])

    def open_season(self, title: str, **options: Any) -> str:
        return self._hands.open_season(title, **options)

    def act(self, name: str, **fields: Any) -> None:
        self._page.goto(self._hands.room)
        dialog = self._hands.opened(name, _typed(fields))
        expect(dialog.locator("[name=expected]")).to_have_count(1)
        self._hands.send(dialog)

    def link(self, number: int) -> str:
        self._page.goto(self._hands.room)
        return self._page.locator(f"#link-{number}").input_value()

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        self._hands.host(starting())
        return Answer(200, {}, b"")

    def send(self, match: str, command: Any, **_: Any) -> Answer:
        page = self._page
        self._hands.control()
        page.locator("a[href$='/judge/']").click()
        for seat, points in command["points"].items():
            page.locator(f"[name=points-{seat}]").fill(str(points))
        page.locator("button[value=preview]").click()
        with page.expect_navigation():
            page.locator("button[value=send]").click()
        return ACCEPTED


def _typed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(it) if isinstance(it, int) and not isinstance(it, bool) else it for name, it in fields.items()}


def test_episode_of_a_contest_is_run_and_played_in_browsers(visitors: Visitors) -> None:
    organiser, player = BrowserOrganiser(visitors), BrowserPlayer(visitors)
    cup = PagedCup(organiser, [player, *(PagedPlayer() for _ in range(12))])
    champion.play_main_match(cup, ("last_line",))
    champion.play_death_match(cup)
    assert len(cup.living()) == 12
