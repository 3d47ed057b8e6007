"""bench mutations: checks that no tampering with a record passes the standalone verifier, kind by kind.

Records of all five games, ended by play, by a resignation, by a host's decision and void, each with a rewind and a
substitution in it. The attacker knows the revealed seed and makes hashes, digests and draws anew. Each kind is tried
equally often; exit status 1 means that a tampered record passed, or that a sound one did not.
"""

import argparse
import time
from collections import Counter
from itertools import cycle, islice
from random import Random

from benchmarks import stage
from benchmarks.report import Row, print_results


def main(argv: list[str]) -> int:
    """Tamper, count and print the results."""
    parser = argparse.ArgumentParser(prog="bench mutations", description=__doc__)
    parser.add_argument("--mutations", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    with stage.service():
        begun = time.perf_counter()
        tried, passed, unsound, broken = _tamper(arguments.mutations, Random(arguments.seed))
        spent = time.perf_counter() - begun
    for kind, count in sorted(tried.items()):
        print(f"{count:6,} {kind}: {passed[kind] or 'none'} passed")
    total, passed_count = sum(tried.values()), sum(passed.values())
    notes = [
        f"{total:,} tampered records of {len(tried)} kinds: {passed_count} passed, {broken:,} were broken, "
        f"{total - passed_count - broken:,} not covered by a checkpoint",
        f"of the sound records {unsound or 'none'} didn't hold",
    ]
    print_results("mutations", [Row("records made, tampered with and verified", "/s", (total / spent,))], notes)
    return int(bool(passed_count or unsound or total < arguments.mutations))


def _tamper(mutations: int, rng: Random) -> tuple[Counter[str], Counter[str], int, int]:
    """Return how many of each kind were tried and how many passed; how many sound records did not pass, and how many
    tampered ones were reported as broken."""
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
            exit_status = status(text, record.key)
            tried[kind] += 1
            passed[kind] += exit_status == 0
            broken += exit_status == 1
        if sum(tried.values()) == mutations:
            break
    return tried, passed, unsound, broken
