"""bench pages: size and first paint of pages, long tasks and layout shifts on a match's page, tasks of a reveal.

A browser on a machine four times slower than this one, over this machine's own network. Tasks count by the processor's
time that they took, so that other programs here do not count; a first paint is measured by the clock, so they do.
"""

import argparse
import os
import signal
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import _pages
from benchmarks.report import write
from games.contest.presets import load
from games.kernel import to_json

BARE, WITH_BOARD = 250_000, 350_000
"""Bytes that the first load of a page may have, without a board and with one."""
PAINT_MS, SHIFT = 1000, 0.02
_MOVES_BEFORE = {"pyramid_poker": 14, "pentagram": 12, "peeling_the_banana": 6, "reality_benders": 3}
_MOVES_TO_LIFT, _LIVE_MOVES = 8, 8
_REVEALED, _REVEAL_MS = 13, 5_000
"""Submissions in a reveal, and the time for which it is watched."""


def main(argv: list[str]) -> int:
    """Measure a house with its demo; return 1 if a page is heavier, later, slower or less steady than permitted."""
    from games import catalogue

    parser = argparse.ArgumentParser(prog="bench pages", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="how often each page is loaded")
    parser.add_argument("--game", choices=sorted(catalogue), action="append", help="only this game's match")
    parser.add_argument(
        "--only", choices=["reveal"], help="only the reveal of a contest of 13, in a browser like a phone's"
    )
    arguments = parser.parse_args(argv)
    from tests.journeys.house import open_house
    from tests.web.chromium import browsing

    rows: list[dict[str, Any]] = []
    with open_house("pages", stopped_by=signal.SIGINT) as house, browsing() as browser:
        stay = Stay(browser, house)
        if not arguments.game and not arguments.only:
            house.manage("demo_season", "--stop-at", 3)
            rows += [stay.page(name, path, session, arguments.runs) for name, path, session in stay.pages()]
        for game in () if arguments.only else arguments.game or sorted(catalogue):
            rows += stay.match(game, arguments.runs)
        if not arguments.game:
            _print_reveals([stay.reveal() for _ in range(arguments.runs)])
    wrong = [sentence for row in rows for sentence in _wrong(row)]
    if rows:
        _print(rows, wrong)
    return 1 if wrong else 0


class Stay:
    """Two players of the demo, one of them at a browser."""

    def __init__(self, browser: Any, house: Any) -> None:
        self.browser, self.house = browser, house
        self.players = [house.demo_guest(name) for name in ("mira", "tobias")]
        self.session = _pages.signed_in(browser, house.url, "mira", house.demo_passwords()["mira"])

    def pages(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the pages without a board of their own: name, path, session."""
        season = self.players[0].get("/seasons")["results"][0]["id"]
        yield from (("front", "/", None), ("lobby", "/", self.session), ("matches", "/matches", self.session))
        yield from (("games", "/games", None), ("rules", "/games/pentagram", None), ("seasons", "/seasons", None))
        yield from (("season", f"/seasons/{season}", None), ("account", "/account", self.session))

    def page(self, name: str, path: str, session: Any, runs: int, *, most: int = BARE) -> dict[str, Any]:
        """Measure the first load of a page so many times."""
        sights = [_pages.first_sight(self.browser, self.house.url, path, session) for _ in range(runs)]
        paint = [sight.paint for sight in sights]
        weight = max(sight.weight for sight in sights)
        return {"page": name, "weight": weight, "most": most, "requests": sights[0].requests, "paint": paint}

    def match(self, game: str, runs: int) -> Iterator[dict[str, Any]]:
        """Yield measurements of a match's page, of a drag and live moves on it, and of its replay."""
        rng = Random(7)
        match = self.players[0].open(game, *self.players)
        code = self.players[0].read(match)["code"]
        path = f"/m/{code}/"
        with _pages.page_of(self.browser, self.house.url, self.session) as (page, _):
            page.goto(path)
            page.locator("body[data-ready]").wait_for()
            shift, jumps = _pages.shifted(page, lambda: self._play(match, rng, _LIVE_MOVES))
        for _ in self._play(match, rng, max(0, _MOVES_BEFORE.get(game, 0) - _LIVE_MOVES)):
            pass
        row = self.page(game, path, self.session, runs, most=WITH_BOARD)
        yield row | {"shift": shift, "jumps": jumps, "drag": self._drag(game, rng)}
        yield self.page(f"{game}, replay", f"{path}replay/", self.session, runs, most=WITH_BOARD)

    def reveal(self) -> list[float]:
        """Return the tasks of a phone's page while it shows the 13 submissions of a round."""
        guests = [self.house.guest(f"reveal {number}") for number in range(_REVEALED - 1)]
        players, rng = [self.players[0], *guests], Random(7)
        content = to_json(load("quiet_shore"))
        match = players[0].open("contest", *players, options={"content": content}, clocks=None)
        for _ in self._play(match, rng, _REVEALED - 1, players):
            pass
        path = f"/m/{players[0].read(match)['code']}/"
        with _pages.page_of(self.browser, self.house.url, self.session, is_phone=True) as (page, _):
            page.goto(path)
            page.locator("body[data-ready]").wait_for()
            page.locator("#connection[data-state=live]").wait_for(state="attached")
            page.wait_for_timeout(500)

            def show() -> None:
                for _ in self._play(match, rng, 1, players):
                    pass
                page.locator(".envelope").nth(_REVEALED - 1).wait_for(state="attached")
                page.wait_for_timeout(_REVEAL_MS)

            return _pages.tasks_during(self.browser, page, show)

    def _drag(self, game: str, rng: Random) -> list[float] | None:
        """Return the tasks of a drag, in a match of its own that is played until something is movable."""
        match = self.players[0].open(game, *self.players)
        for _ in self._play(match, rng, _MOVES_BEFORE.get(game, 0)):
            pass
        for _ in range(_MOVES_TO_LIFT):
            document = self._until(match)
            with _pages.page_of(self.browser, self.house.url, self.session) as (page, wire):
                page.goto(f"/m/{document['code']}/")
                page.locator("body[data-ready]").wait_for()
                page.wait_for_timeout(500)
                tasks = _pages.dragged(self.browser, page, wire)
            if tasks is not None or document["outcome"]:
                return tasks
            for _ in self._play(match, rng, 1):
                pass
        return None

    def _until(self, match: str) -> dict[str, Any]:
        """Play until it is the turn of the player at the browser; return the match."""
        rng = Random(1)
        while not (document := self.players[0].read(match))["outcome"]:
            if any(prompt["seat"] == 0 for prompt in document["due"]["prompts"]):
                break
            for _ in self._play(match, rng, 1):
                pass
        return dict(document)

    def _play(self, match: str, rng: Random, moves: int, players: Sequence[Any] = ()) -> Iterator[int]:
        """Make so many moves over REST; yield the version after each."""
        players, count = players or self.players, 0
        while count < moves and not (document := players[0].read(match))["outcome"]:
            prompts = document["due"]["prompts"]
            if not prompts:
                players[0].get(f"/matches/{match}/events", after=document["version"], wait=20)
                continue
            seat = prompts[0]["seat"]
            player = players[seat]
            player.send(match, player.choose(player.read(match), seat, rng))
            count += 1
            yield document["version"] + 1


def _wrong(row: dict[str, Any]) -> Iterator[str]:
    if row["weight"] > row["most"]:
        yield f"{row['page']} weighs more than {row['most']:,} bytes."
    if median(row["paint"]) > PAINT_MS:
        yield f"{row['page']} is first seen later than after {PAINT_MS} ms."
    if any(task > _pages.LONG_MS for task in row.get("drag") or ()):
        yield f"{row['page']} has a task over {_pages.LONG_MS} ms in a drag."
    if row.get("shift", 0) > SHIFT:
        yield f"{row['page']} jumps: {max(row['jumps'])[1]}."


def _print_reveals(runs: list[list[float]]) -> None:
    """Print the longest tasks of each run."""
    console = Console(width=110)
    console.print(f"reveal of {_REVEALED} submissions on a phone: the longest tasks in ms", highlight=False)
    for tasks in runs:
        longest = ", ".join(f"{it:.0f}" for it in tasks[:8])
        over = sum(it > _pages.LONG_MS for it in tasks)
        console.print(f"  {longest}; {over} over {_pages.LONG_MS} ms, {sum(tasks):.0f} in all", highlight=False)


def _print(rows: list[dict[str, Any]], wrong: list[str]) -> None:
    table = Table(title="bench pages", title_justify="left")
    for heading in ("page", "KB", "requests", "first paint, ms", "in a drag: over 50 ms", "longest, ms", "shift"):
        table.add_column(heading, justify="left" if heading == "page" else "right")
    for row in rows:
        paint, tasks = row["paint"], row.get("drag")
        table.add_row(
            row["page"],
            f"{row['weight'] / 1000:.0f}",
            str(row["requests"]),
            f"{median(paint):.0f} ({min(paint):.0f} - {max(paint):.0f})",
            "" if tasks is None else str(sum(task > _pages.LONG_MS for task in tasks)),
            "" if tasks is None else f"{max(tasks, default=0):.0f}",
            f"{row['shift']:.3f}" if "shift" in row else "",
        )
    console = Console(width=110)
    console.print(table)
    load = os.getloadavg()[0]
    console.print(f"  load of this machine at the end: {load:.1f} on {os.cpu_count()} processors", highlight=False)
    for sentence in wrong:
        console.print(f"  {sentence}", highlight=False)
    kept = [{**row, "drag": (row.get("drag") or [])[:20]} for row in rows]
    write("pages", rows=kept, wrong=wrong, load=load)
