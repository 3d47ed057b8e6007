"""bench alone: Valkey and every Celery process killed for a minute without a restart.

Meanwhile people move, late flags fall when somebody reads the match, and a host pauses, resumes, extends, rules,
rewinds, adjudicates and voids. Afterwards the supervisor continues by itself, and all work that waited for workers is
done.
"""

import argparse
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import psycopg
from rich.console import Console

from benchmarks.report import number, write

_PARTS = ("Valkey", "worker", "beat")
_SHORT: dict[str, Any] = {"choice": {"base": 5, "reserve": 0}}
_LIMIT = 30.0
"""Seconds after which all waiting work must be done."""


@dataclass
class Found:
    """Figures and faults."""

    figures: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def expect(self, holds: bool, sentence: str) -> None:
        """Note the sentence as a fault unless the condition holds."""
        if not holds:
            self.wrong.append(sentence)


def main(argv: list[str]) -> int:
    """Run the trial and print its results; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="bench alone", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they are dead")
    arguments = parser.parse_args(argv)
    from tests.journeys.house import open_house

    results = Found()
    with open_house("alone", "--no-demo", stopped_by=signal.SIGTERM) as house:
        Trial(house, results).run(arguments.seconds)
    console = Console(width=110)
    console.print(f"alone: {'FALLS SHORT' if results.wrong else 'holds'}", style="bold", highlight=False)
    for what, figure in results.figures.items():
        console.print(f"  {what:<60} {number(figure)}", highlight=False)
    for sentence in results.wrong:
        console.print(f"  {sentence}", highlight=False)
    write("alone", figures=results.figures, wrong=results.wrong)
    return 1 if results.wrong else 0


class Trial:
    """A host, two players and a house whose parts are killed."""

    def __init__(self, house: Any, results: Found) -> None:
        self.house, self.results = house, results
        self.host, self.one, self.other = (house.guest(name) for name in ("hanna", "mira", "tobias"))
        self.moves: list[float] = []

    def run(self, seconds: float) -> None:
        """Run the whole trial."""
        table = self.host.open("pyramid_poker", self.one, self.other)
        against_bot = self.host.open("pyramid_poker", self.one, "bot")
        read_matches, late_matches, unread_matches = ([self._on_the_clock() for _ in range(10)] for _ in range(3))
        begun = time.monotonic()
        with self.house.unattended():
            for part in _PARTS:
                os.kill(self.house.pid(part), signal.SIGKILL)
            self.one.send(against_bot, {"text": "first me"})
            self.one.send(against_bot, {"text": "A1"})
            self._wait_for(lambda: time.monotonic() > begun + 6, 10)
            self._flags(read_matches, late_matches)
            self._acts()
            while time.monotonic() < begun + seconds:
                table = self._move(table)
        self.results.figures["moves meanwhile"] = len(self.moves)
        self.results.figures["a move meanwhile, median, ms"] = 1000 * sorted(self.moves)[len(self.moves) // 2]
        self.results.figures["a move meanwhile, longest, ms"] = 1000 * max(self.moves)
        self._catches_up(unread_matches, against_bot)

    def _on_the_clock(self) -> str:
        match: str = self.host.open("pyramid_poker", self.one, self.other, clocks=_SHORT)
        return match

    def _flags(self, read_matches: list[str], late_matches: list[str]) -> None:
        """Read overdue matches, and send commands too late to others."""
        for match in read_matches:
            self.results.expect("flag_fallen" in self._types(match), "A read didn't let the flag fall.")
        for match in late_matches:
            answer = self.one.post(f"/matches/{match}/commands", {"text": "first me"})
            status_and_code = answer.status_code, answer.json().get("code")
            self.results.expect(status_and_code == (409, "flag_fallen"), f"A late command met {status_and_code}.")
            self.results.expect("flag_fallen" in self._types(match), "A late command didn't let the flag fall.")
        self.results.figures["late flags that fell meanwhile"] = len(read_matches) + len(late_matches)

    def _types(self, match: str) -> list[str]:
        return [event["type"] for event in self.other.get(f"/matches/{match}/events")["results"]]

    def _acts(self) -> None:
        """Perform every act of a host."""
        one = self.host.open("pyramid_poker", self.one, self.other)
        before = self.host.read(one)["version"]
        acts: list[tuple[str, dict[str, Any]]] = [
            ("pause", {}),
            ("resume", {}),
            ("extend", {"seat": 0, "seconds": 60}),
            ("rule", {}),
            ("rewind", {"to_version": before}),
            ("adjudicate", {"winners": [0]}),
        ]
        spent = [self._act(one, name, body) for name, body in acts]
        spent.append(self._act(self.host.open("pyramid_poker", self.one, self.other), "void", {}))
        self.results.figures["acts of the host meanwhile"] = len(spent)
        self.results.figures["an act of the host, longest, ms"] = 1000 * max(spent)

    def _act(self, match: str, name: str, body: dict[str, Any]) -> float:
        begun = time.perf_counter()
        answer = self.host.post(f"/matches/{match}/{name}", body | {"reason": "Nobody else is here."})
        self.results.expect(answer.status_code in (200, 201), f"{name}: {answer.status_code} {answer.text[:200]}")
        return time.perf_counter() - begun

    def _move(self, match: str) -> str:
        """Make one move of the seat that is to move; return the match to play next."""
        document = self.one.read(match)
        if document["outcome"]:
            return str(self.host.open("pyramid_poker", self.one, self.other))
        seat = document["due"]["prompts"][0]["seat"]
        player = (self.one, self.other)[seat]
        command = Random(document["version"]).choice(player.get(f"/matches/{match}/legal")["legal"])
        begun = time.perf_counter()
        player.send(match, command)
        self.moves.append(time.perf_counter() - begun)
        return match

    def _catches_up(self, unread_matches: list[str], against_bot: str) -> None:
        """Wait for flags of matches that nobody read, for the bot's move, and for every part."""
        begun = time.monotonic()
        back = self._wait_for(self.house.whole, _LIMIT)
        self.results.expect(back, "A part did not come back.")
        self.results.figures["until every part is back, s"] = time.monotonic() - begun
        moved = self._wait_for(lambda: bool(self.one.read(against_bot)["due"]["prompts"]), _LIMIT)
        self.results.expect(moved, "The bot did not move.")
        self.results.figures["until the bot has moved, s"] = time.monotonic() - begun
        fallen = self._wait_for(lambda: not self._waiting(unread_matches), _LIMIT)
        self.results.expect(fallen, f"{self._waiting(unread_matches)} flags that nobody saw did not fall.")
        self.results.figures["until the last flag that nobody saw, s"] = time.monotonic() - begun

    def _waiting(self, matches: list[str]) -> int:
        """Return how many of these still wait for a flag, according to the log: a read over HTTP would let it fall."""
        fallen = "SELECT DISTINCT stream FROM events_event WHERE type = 'flag_fallen' AND stream = ANY(%s::uuid[])"
        with psycopg.connect(self.house.services()["DATABASE_URL"]) as connection:
            rows = connection.execute(fallen, [matches]).fetchall()
        return len(matches) - len(rows)

    @staticmethod
    def _wait_for(holds: Callable[[], bool], seconds: float) -> bool:
        until = time.monotonic() + seconds
        while not (held := holds()) and time.monotonic() < until:
            time.sleep(0.1)
        return held
