"""bench pictures: the README's pictures, taken from a running house; bin/bench pictures [--folder docs/pictures]

A match with most of its pyramid built, as one of its players sees it, and the demo season in mid-course.
With --contests FOLDER: the pages of contests at four sizes, in light and dark.
"""

import argparse
import signal
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import _contest_pictures

ROOT = Path(__file__).parents[1]
SHOWN = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light", "reduced_motion": "reduce"}
MOST_BYTES = 150_000
_EPISODE, _BRICKS, _QUALITY = 6, 20, 90


def main(argv: list[str]) -> int:
    """Start a house with its demo, play until there is something to show, and take both pictures."""
    parser = argparse.ArgumentParser(prog="bench pictures", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "pictures", help="where they go")
    parser.add_argument("--contests", type=Path, help="take the pages of contests instead, into this folder")
    arguments = parser.parse_args(argv)
    if arguments.contests:
        print(f"{_contest_pictures.take(arguments.contests)} pictures in {arguments.contests}")
        return 0
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    from tests.journeys.house import open_house
    from tests.web.chromium import browsing

    with open_house("pictures", stopped_by=signal.SIGINT) as house, browsing() as browser:
        _play_a_season(house)
        with _signed_in(browser, house, "mira") as page, _signed_in(browser, house, "tobias") as opponent:
            season, code = house.demo_guest("mira").get("/seasons")["results"][0]["id"], _play_a_match(house)
            page.goto(f"/seasons/{season}")
            _take(page, folder / "season.webp")
            for player in (opponent, page):
                player.goto(f"/m/{code}/")
                player.locator("body[data-ready]").wait_for()
            page.get_by_text("connected").nth(1).wait_for()
            _take(page, folder / "match.webp")
    return 0


def _play_a_season(house: Any) -> None:
    """Play the demo season up to the death match of an episode."""
    command = [sys.executable, str(ROOT / "manage.py"), "demo_season", "--stop-at", str(_EPISODE)]
    subprocess.run(command, check=True, env=house.beside(), stdout=subprocess.DEVNULL)


def _play_a_match(house: Any) -> str:
    """Play a match between the demo's players until so many bricks are placed and mira is to move; return its code."""
    players, rng = [house.demo_guest(name) for name in ("mira", "tobias")], Random(1)
    match = players[0].open("pyramid_poker", *players)
    players[0].send(match, {"text": "first me"})
    for brick in range(_BRICKS):
        seat = brick % 2
        players[seat].send(match, players[seat].choose(players[seat].turn(match, seat), seat, rng))
    return str(players[0].turn(match, 0)["code"])


@contextmanager
def _signed_in(browser: Any, house: Any, name: str) -> Iterator[Any]:
    context = browser.new_context(base_url=house.url, **SHOWN)
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", house.demo_passwords()[name])
    with page.expect_navigation():
        page.keyboard.press("Enter")
    yield page
    context.close()


def _take(page: Any, path: Path) -> None:
    """Store the visible page as WebP."""
    page.evaluate("document.fonts.ready.then(() => true)")
    options = {"format": "webp", "quality": _QUALITY}
    path.write_bytes(b64decode(page.context.new_cdp_session(page).send("Page.captureScreenshot", options)["data"]))
    size = path.stat().st_size
    assert size <= MOST_BYTES, f"{path} has {size} bytes."
    print(f"{size:8} bytes  {path}")
