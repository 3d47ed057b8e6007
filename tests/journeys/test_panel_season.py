"""A season of thirteen on a running house by the panel and the players' pages alone, and the same one over REST: the
records tell no difference, and hold without the house."""

import json
import zipfile
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.journeys import thirteen
from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD, House
from tests.journeys.season_actors import Both, Pages, Rest, posted, record_of
from tests.matches.test_audit import alone
from tests.panel.season_script import Person, plain_events
from tests.web.chromium import browsing

_USUAL = 5_000
"""Milliseconds that a page is expected to take at most; two seasons at once take longer on a busy machine."""
CORRECTIONS = ("result_corrected", "main_match_corrected", "tokens_corrected", "pair_corrected", "match_reopened")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_season_by_the_panel_equals_the_season_by_rest(
    house: House, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    process = house.manage("add_account", "season boss", "--password", PASSWORD, "--organiser")
    assert process.returncode == 0, process.stderr
    guests = [house.guest(f"season player {letter}") for letter in "abcdefghijklmnop"]
    people = [Person(guest.id, guest.name) for guest in guests]
    boss = Guest.known(house.url, "season boss", PASSWORD)
    request.addfinalizer(boss.leave)
    request.addfinalizer(partial(expect.set_options, timeout=_USUAL))
    with browsing() as browser:
        pages = Pages(browser, house.url, boss.name, people)
        by_panel = pages.open_season("The season", **thirteen.OPTIONS)
        by_rest = posted(boss, "/seasons", {"title": "The season", "options": thirteen.OPTIONS})["season"]
        rest = Rest(by_rest, boss, {it.id: it for it in guests}, pages.winners)
        thirteen.play(Both(pages, rest), thirteen.Cast(people))
        pages.enter()
        assert pages.due() == ""
        assert "Champion" in pages.page.locator(".step.done").last.inner_text()

    names = {boss.id: "organiser", **{it.id: it.name for it in people}}
    panels, rests = (plain_events(record_of(boss, f"/seasons/{it}"), names) for it in (by_panel, by_rest))
    assert panels[-1]["type"] == "season_finished"
    assert panels == rests
    for season in (by_panel, by_rest):
        holds_offline(house, boss, season, tmp_path)


def holds_offline(house: House, boss: Guest, season: str, folder: Path) -> None:
    """The season's archive, with its corrections, by the verifier alone and by the rules."""
    file = folder / f"{season}.zip"
    file.write_bytes(boss.ask(f"/seasons/{season}/archive").content)
    with zipfile.ZipFile(file) as archive:
        record = archive.read(f"seasons/{season}.ndjson").decode().splitlines()
    kinds = Counter(json.loads(line).get("type") for line in record)
    assert all(kinds[it] for it in CORRECTIONS), kinds
    # Without the house's key: what has happened since its newest checkpoint isn't signed yet.
    held = alone(file, cwd=folder)
    assert (held.returncode, held.stderr) == (0, ""), held.stdout
    assert "counts the results that its matches' records have" in held.stdout
    ruled = house.manage("verify", file, "--rules")
    assert ruled.returncode == 0, ruled.stdout + ruled.stderr
