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
OF_NOBODY = dict.fromkeys(("season_id", "player", "account", "match"), SOMEBODY)
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
"""What of a request can't be sent here as the document's example has it."""

BODIES: dict[str, dict[str, Any]] = {
    operation: {**told.example, **OWN.get(operation, {})} for operation, told in OPERATIONS.items() if told.example
}
"""What is sent: the example that the document gives."""


@dataclass(frozen=True)
class Request:
    """What is sent: the path is below /api/v1, headers are written with underscores."""

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
    told = OPERATIONS[operation]
    sent = None if told.body is None else {**BODIES[operation], **(body or {})}
    headers = {"Idempotency_Key": str(uuid4())} if "Idempotency-Key" in told.parameters("header") else {}
    some = {"number": "1", "link": "1", "secret": "none", "key": "unused", "slug": "pyramid_poker"}
    some |= {"account_id": str(uuid4()), "push_id": str(uuid4()), "thread": "spectators", "episode": "0"}
    known = some | OF_NOBODY | names
    return Request(told.method, told.at(**known) + query, sent, headers)
