"""The API with no broker and no worker: moves, late flags and the host's acts, printed as JSON.

python -m tests.matches.alone
"""

import json
import sys
import time
from typing import Any
from uuid import UUID

import django


def decisions() -> dict[str, Any]:
    """Return the decisions, and the matches that are left overdue for a later worker."""
    from matches.services import hosting
    from tests.matches.fault_scenarios import FIRST, GRACE, arm, armed_flag, unfallen_of
    from tests.table_setting import api, new_account, wait_until

    host, guest, official = new_account(), new_account(), new_account()
    player = api(host)
    paused = arm(3, (host.id, guest.id))
    hosting.pause(match_id=paused.match_id, by=official.id, reason="A trial.")
    paused_until = database_time() + paused.base + GRACE
    late, read, *left = (arm(1, (host.id, guest.id)) for _ in range(5))
    in_time, extended = (arm(60, (host.id, guest.id)) for _ in range(2))

    def choose(match_id: UUID) -> Any:
        return player.post(f"matches/{match_id}/commands", FIRST, idempotency_key="first")

    def happened(match_id: UUID) -> list[str]:
        events = player.get(f"matches/{match_id}/events").json()["results"]
        return [event["type"] for event in events if event["type"] in ("flag_fallen", "first_chosen")]

    accepted = choose(in_time.match_id)
    before = armed_flag(extended.match_id)
    hosting.extend(match_id=extended.match_id, by=official.id, seat=0, seconds=300, reason="A trial.")
    after = armed_flag(extended.match_id)
    wait_until(lambda: unfallen_of([late, read, *left]) == 5 and database_time() > paused_until)
    refused = choose(late.match_id)
    decided = {
        "skew": round(time.time() - database_time()),
        "in time": (accepted.status_code, happened(in_time.match_id)),
        "late": (refused.status_code, happened(late.match_id)),
        "refused as": refused.json()["code"],
        "read": happened(read.match_id),
        "paused": (happened(paused.match_id), armed_flag(paused.match_id)),
        "extended": ((after - before).total_seconds(), happened(extended.match_id)),
        "left": [str(match.match_id) for match in left],
    }
    hosting.resume(match_id=paused.match_id, by=official.id, reason="A trial.")
    return decided | {"resumed": armed_flag(paused.match_id) is not None}


def database_time() -> float:
    """The database's clock, as a unix time."""
    from tests.matches.fault_scenarios import query

    return float(query("SELECT extract(epoch FROM clock_timestamp())::float8")[0][0])


def main() -> None:
    """Be a process of the service, and tell."""
    django.setup()
    json.dump(decisions(), sys.stdout, default=str)


if __name__ == "__main__":
    main()
