"""bench fairness: response time of bots to people while one account has many matches among bots alone.

python -m benchmarks fairness                      137 matches, 100 answers
python -m benchmarks fairness --matches 500 --answers 300

Held: 99 of 100 answers within a second, while matches among bots go on too.
"""

import argparse
import os
import signal
import time
from random import Random
from statistics import quantiles
from typing import Any

from benchmarks.report import Row, print_results

MATCHES = 137
ANSWERS = 100
_PEOPLE = 3
_LONGEST = 1.0


def main(argv: list[str]) -> int:
    """Measure and print the results; return 1 if people wait too long."""
    parser = argparse.ArgumentParser(prog="bench fairness", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--answers", type=int, default=ANSWERS)
    arguments = parser.parse_args(argv)
    # The usual limits would forbid so many.
    for name in ("CROUPIER_MATCHES_PER_ACCOUNT", "CROUPIER_BOT_MATCHES_PER_ACCOUNT"):
        os.environ[name] = str(arguments.matches)
    from tests.journeys.house import open_house

    with open_house("fairness", "--no-demo", stopped_by=signal.SIGTERM) as house:
        quiet = _answers(house, arguments.answers // 4, 1)
        crowd = _crowd(house, arguments.matches)
        before = _acts(house, crowd)
        begun = time.perf_counter()
        busy = _answers(house, arguments.answers, 2)
        took = time.perf_counter() - begun
        acts = _acts(house, crowd) - before
        running = sum(house.guest("greedy").read(match)["outcome"] is None for match in crowd)
    slowest = quantiles(busy, n=100)[98]
    rows = [
        Row("an answer with nobody else there", "ms", tuple(1000 * it for it in quiet)),
        Row(f"an answer beside {arguments.matches} matches among bots", "ms", tuple(1000 * it for it in busy)),
        Row("99 of 100 of these within", "ms", (1000 * slowest,)),
    ]
    print_results("fairness", rows, [
        f"{len(busy)} answers in {took:.0f} s, in which the bots' matches came {acts} events on",
        f"matches among bots that still ran at the end: {running}",
    ])  # fmt: skip
    return int(slowest > _LONGEST or not acts)


def _crowd(house: Any, count: int) -> list[str]:
    """Open and start matches of every game among bots alone, all by one account."""
    from games import catalogue

    greedy, games = house.guest("greedy"), sorted(catalogue)
    crowd = []
    for number in range(count):
        game = games[number % len(games)]
        crowd.append(greedy.open(game, *["bot"] * catalogue[game].seats.min))
    return crowd


def _acts(house: Any, crowd: list[str]) -> int:
    return sum(house.guest("greedy").read(match)["version"] for match in crowd)


def _answers(house: Any, count: int, chance: int) -> list[float]:
    """Return the seconds from a person's move until a bot has responded, of several people in turn."""
    rng = Random(chance)
    seconds: list[float] = []
    people = [house.guest(f"person{number}") for number in range(_PEOPLE)]
    tables = [_Table(person) for person in people]
    while len(seconds) < count:
        for table in tables:
            seconds += table.move(rng)
    return seconds[:count]


class _Table:
    """A person's matches against the bot, one after another."""

    def __init__(self, person: Any) -> None:
        self.person = person
        self.match = ""

    def move(self, rng: Random) -> list[float]:
        """Make one move; return the seconds until the bot responded, if it had to."""
        from tests.journeys.guests import prompted

        document = self.person.turn(self.match, 0, 120) if self.match else None
        if document is None or document["outcome"]:
            self.match = self.person.open("pyramid_poker", self.person, "bot")
            document = self.person.turn(self.match, 0, 120)
        self.person.send(self.match, self.person.choose(document, 0, rng))
        moved = time.perf_counter()
        document = self.person.read(self.match)
        if document["outcome"] or (prompted(document, 0) and document["due"]["prompts"]):
            return []
        self.person.turn(self.match, 0, 120)
        return [time.perf_counter() - moved]
