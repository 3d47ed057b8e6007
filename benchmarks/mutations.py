"""bench mutations: whether any tampering with a record passes the standalone verifier, kind by kind.

Records of all five games, ended by play, by a resignation, by a host's decision and void, each with a rewind and a
substitution in it. Who tampers knows the revealed seed and makes hashes, digests and draws anew. Each kind is tried
equally often; exit status 1 says that a tampered record held, or that a sound one didn't.
"""

import argparse
import time
from collections import Counter
from itertools import cycle, islice
from random import Random

from benchmarks import stage
from benchmarks.report import Row, tell


def main(argv: list[str]) -> int:
    """Tamper, count and tell."""
    parser = argparse.ArgumentParser(prog="bench mutations", description=__doc__)
    parser.add_argument("--mutations", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(argv)
    with stage.service():
        begun = time.perf_counter()
        tried, passed, unsound, broken = _tamper(asked.mutations, Random(asked.seed))
        spent = time.perf_counter() - begun
    for kind, count in sorted(tried.items()):
        print(f"{count:6,} {kind}: {passed[kind] or 'none'} passed")
    total, told = sum(tried.values()), sum(passed.values())
    notes = [
        f"{total:,} tampered records of {len(tried)} kinds: {told} passed, {broken:,} were broken, "
        f"{total - told - broken:,} not covered by a checkpoint",
        f"of the sound records {unsound or 'none'} didn't hold",
    ]
    tell("mutations", [Row("records made, tampered with and verified", "/s", (total / spent,))], notes)
    return int(bool(told or unsound or total < asked.mutations))


def _tamper(mutations: int, rng: Random) -> tuple[Counter[str], Counter[str], int, int]:
    """How many of each kind were tried and how many passed; how many sound records didn't hold, and how many tampered
    ones were told to be broken."""
    from tests.matches.mutations import ENDINGS, KINDS, records, status, tampered

    sound = [record for ending in ENDINGS for _, record in records(ending, rng)]
    unsound = sum(status(record.text, record.key) != 0 for record in sound)
    tried: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    broken = 0
    turns = ((kind, record) for record in cycle(sound) for kind in KINDS)
    for kind, record in islice(turns, 4 * mutations):
        text = tampered(kind, record, rng)
        if text is not None:
            found = status(text, record.key)
            tried[kind] += 1
            passed[kind] += found == 0
            broken += found == 1
        if sum(tried.values()) == mutations:
            break
    return tried, passed, unsound, broken
