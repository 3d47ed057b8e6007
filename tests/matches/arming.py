"""Matches whose flags fall soon, in the database of whichever service the environment names.

python -m tests.matches.arming arm COUNT FIRST OVER     arm so many, from FIRST seconds on, over OVER seconds
python -m tests.matches.arming late                     what arm has told on standard input: how late they fell
"""

import json
import sys
from dataclasses import asdict
from uuid import UUID

import django


def main(words: list[str]) -> None:
    """Do what is asked; tell it as JSON."""
    django.setup()
    from tests.matches import fault_scenarios

    if words[0] == "arm":
        armed = fault_scenarios.arm_many(int(words[1]), float(words[2]), float(words[3]), threads=2)
        rows = [(str(match.match_id), match.player, match.base) for match in armed]
        print(json.dumps({"armed": rows, "last": fault_scenarios.seconds_until_the_last(armed)}))
    else:
        matches = [fault_scenarios.Armed(UUID(name), player, base) for name, player, base in json.load(sys.stdin)]
        print(json.dumps(asdict(fault_scenarios.how_late(matches))))


if __name__ == "__main__":
    main(sys.argv[1:])
