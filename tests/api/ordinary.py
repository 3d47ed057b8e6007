"""One ordinary request for every operation of the document; a new operation needs one here before it is tested."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from matches.api.examples import PARAMETERS
from tests.api.document import OPERATIONS
from tests.api.guests import Answer, Guest

SOMEBODY = PARAMETERS["account"]
TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat()
OF_NOBODY = dict.fromkeys(("season_id", "player", "account", "match", "contest", "trial", "room", "report"), SOMEBODY)
OWN: dict[str, dict[str, Any]] = {
    "scheduleDeathMatch": {"opens_at": TOMORROW},
    "setWebhook": {"url": "http://127.0.0.1/no"},
    "addPush": {"endpoint": "https://127.0.0.1/no"},
    "proposeTimes": {"times": [TOMORROW]},
    "enrolList": {"closes_at": TOMORROW},
    "openJoiningLink": {"closes_at": TOMORROW},
    "acceptTime": {"opens_at": TOMORROW},
    "setMatchTime": {"opens_at": TOMORROW},
    "extendDecision": {"until": TOMORROW},
    "setSeasonWebhook": {"url": "http://127.0.0.1/no"},
}
"""Fields that replace those of the document's example, which can't be sent in these tests."""

BODIES: dict[str, dict[str, Any]] = {
    operation: {**promised.example, **OWN.get(operation, {})}
    for operation, promised in OPERATIONS.items()
    if promised.example
}
"""Bodies of the operations: the document's example with the fields of `OWN`."""


@dataclass(frozen=True)
class Request:
    """A request: the path is below /api/v1, headers are written with underscores."""

    method: str
    path: str
    body: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def sent_by(self, guest: Guest, **headers: str) -> Answer:
        """The answer to this guest."""
        data = b"" if self.body is None else json.dumps(self.body).encode()
        return guest.ask(self.method, self.path, data, **(self.headers | headers))


def ordinary(operation: str, *, query: str = "", body: dict[str, Any] | None = None, **names: str) -> Request:
    """The ordinary request for an operation; `names` stand in its path, `body` is laid over its own."""
    promised = OPERATIONS[operation]
    sent = None if promised.body is None else {**BODIES[operation], **(body or {})}
    headers = {"Idempotency_Key": str(uuid4())} if "Idempotency-Key" in promised.parameters("header") else {}
    if operation == "saveContest":
        headers["If_Match"] = '"v1"'
    some = {"number": "1", "link": "1", "secret": "none", "key": "unused", "slug": "pyramid_poker"}
    some |= {"preset": "quiet_shore"}
    some |= {"account_id": str(uuid4()), "push_id": str(uuid4()), "thread": "spectators", "episode": "0"}
    path_names = some | OF_NOBODY | names
    return Request(promised.method, promised.at(**path_names) + query, sent, headers)
