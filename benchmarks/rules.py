"""bench rules: random matches through Table, a game at a time, in milliseconds of computing."""

import argparse
import random
import time
from collections import defaultdict

from benchmarks.report import Row, print_results
from games import catalogue
from games.kernel import Chance, Game, Table

LIMITS = defaultdict(lambda: 15, {"peeling_the_banana": 60})
"""Milliseconds that a random match may take; for higher_or_lower its playing part, after the set-up."""


def main(argv: list[str]) -> int:
    """Play and print the results."""
    parser = argparse.ArgumentParser(prog="bench rules", description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--game", choices=sorted(catalogue))
    arguments = parser.parse_args(argv)
    rows, notes = [], []
    for slug in [arguments.game] if arguments.game else sorted(catalogue):
        row = _measure(catalogue[slug], arguments.matches)
        rows += [row, Row(f"{slug}, matches a second", "/s", tuple(1000 / ms for ms in row.samples))]
        verdict = "within" if row.median <= LIMITS[slug] else "OVER"
        notes.append(f"{slug}: {row.median:.2f} ms, {verdict} the limit of {LIMITS[slug]} ms")
    print_results("rules", rows, notes)
    return 0


def _measure(game: Game, matches: int) -> Row:
    part = ", playing part" if game.slug == "higher_or_lower" else ", whole match"
    samples = tuple(_play(game, seed) for seed in range(matches))
    return Row(f"{game.slug}{part}", "ms", samples)


def _play(game: Game, seed: int) -> float:
    """Play one random match; return its milliseconds without what is played on the clocks `setup` and
    `choice` first."""
    rng = random.Random(seed)
    table = Table(game, {}, game.seats.min, chance=Chance(seed.to_bytes(32, "big")))
    if game.slug == "higher_or_lower":
        while table.outcome is None and _setting_up(table):
            _step(table, rng)
    begun = time.thread_time()
    while table.outcome is None:
        _step(table, rng)
    return (time.thread_time() - begun) * 1000


def _setting_up(table: Table) -> bool:
    return table.due.dealer or any(prompt.clock in ("setup", "choice") for prompt in table.due.prompts)


def _step(table: Table, rng: random.Random) -> None:
    if table.due.dealer:
        table.deal()
        return
    seat = rng.choice(table.due.prompts).seat
    table.act(seat, table.sample(seat, rng))
