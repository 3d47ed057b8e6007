"""Deliveries whose process dies: killed before and after each of its round trips, and then tried again.

python -m tests.seasons.killed CONSUMER STREAM kills one delivery after another, each at a later point, until one comes
through with no point left, and tells how many died. Each is a fork of this process, which never touches the database
itself; a killed one ends by os._exit, its transaction with its connection.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any
from uuid import UUID

import django

from tests.matches.killed import DEAD, DONE, WRONG, in_a_child


def delivery(consumer: str, stream: UUID, point: int, after: bool) -> Callable[[], int]:
    """A delivery that dies at its round trip of this number, before or after it."""

    def work() -> int:
        from events import appending, outbox, store

        roundtrip, attempts = store.roundtrip, 0

        def dying_at(act: Callable[..., Any]) -> Callable[..., Any]:
            def run(*details: Any) -> Any:
                nonlocal attempts
                attempts += 1
                if attempts <= point:
                    return act(*details)
                if after:
                    act(*details)
                os._exit(DEAD)

            return run

        store.roundtrip = outbox.roundtrip = appending.roundtrip = dying_at(roundtrip)
        outbox.deliver(consumer, stream, store.LAST_VERSION)
        return DONE

    return work


def main(argv: list[str]) -> None:
    """Kill, try again, tell."""
    django.setup()
    from django.db import connections

    # A pool's threads would take longer to start than the delivery that a child lives for.
    connections.settings["default"]["OPTIONS"].pop("pool", None)
    consumer, stream, kills, point, codes = argv[0], UUID(argv[1]), 0, 0, [DEAD]
    while DEAD in codes:
        codes = [in_a_child(delivery(consumer, stream, point, after)) for after in (False, True)]
        kills, point = kills + codes.count(DEAD), point + 1
    code = DONE if set(codes) == {DONE} else WRONG
    json.dump({"kills": kills, "code": code}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
