"""One ordinary request for every operation of the document; a new operation needs one here before it is tested."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from tests.api.document import OPERATIONS
from tests.api.guests import PASSWORD, Answer, Guest

SOMEBODY = "00000000-0000-4000-8000-000000000000"
TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat()
OF_NOBODY = dict.fromkeys(("season_id", "player", "account", "match"), SOMEBODY)
BODIES: dict[str, dict[str, Any]] = {
    "eraseMe": {"password": PASSWORD},
    "signUp": {"username": "somebody", "password": PASSWORD},
    "createToken": {"username": "somebody", "password": PASSWORD, "scopes": ["match:read"], "name": "mine"},
    "changeMe": {"time_zone": "Europe/Vienna", "theme": "dark"},
    "choosePortrait": {"face": 4},
    "markAccessSeen": {"entries": [1]},
    "setWebhook": {"url": "http://127.0.0.1/no"},
    "openMatch": {
        "game": "pyramid_poker",
        "seats": [{"player": None, "role": "guest"}, {"player": "bot"}],
        "options": {"base": 9},
        "priority": 0,
        "clocks": {"turn": {"base": 30, "reserve": 60, "increment": 2}},
        "approval": False,
        "spectator_delay": 0,
        "aids": "memory",
        "opens_at": None,
    },
    "joinMatch": {"invitation": "none"},
    "addNonce": {"nonce": "heads"},
    "declineMatch": {"reason": "No time."},
    "startMatch": {"reason": "All are here."},
    "sendCommand": {"type": "resign"},
    "pauseMatch": {"reason": "Tea."},
    "resumeMatch": {"reason": "Tea is over."},
    "extendTurn": {"seat": 0, "seconds": 60, "reason": "A knock at the door."},
    "voidMatch": {"reason": "The wrong table."},
    "adjudicateMatch": {"winners": [0], "reason": "The other one left."},
    "substitutePlayer": {"seat": 1, "player": "bot", "reason": "The train is late."},
    "seatStandIn": {"seat": 1, "player": "bot", "reason": "Nobody has heard of them."},
    "endStandIn": {"seat": 1, "reason": "There they are."},
    "rewindMatch": {"to_version": 4, "reason": "A slip."},
    "postRuling": {"reason": "Bricks may be looked at again."},
    "approveResult": {"reason": "Well played."},
    "openSeason": {"title": "The first season", "options": {"reward": 1}, "template": None},
    "appointStaff": {"account": SOMEBODY, "role": "host"},
    "dismissStaff": {"reason": "The job is done."},
    "enrolPlayer": {"player": SOMEBODY},
    "withdrawPlayer": {"reason": "A long journey.", "outcome": "forfeit"},
    "replacePlayer": {"newcomer": SOMEBODY, "reason": "A long journey."},
    "openEpisode": {"title": "The first episode"},
    "closeEpisode": {"reason": "Nobody goes this time."},
    "recordMainMatch": {"name": "Dice", "winners": [SOMEBODY], "candidates": [SOMEBODY], "rewards": {SOMEBODY: 1}},
    "scheduleTable": {"game": "pentagram", "options": {}, "clocks": None, "players": [SOMEBODY], "priority": 0},
    "giveToken": {"player": SOMEBODY},
    "nameCandidate": {"player": SOMEBODY},
    "nameOpponent": {"player": SOMEBODY},
    "banGame": {"game": "pentagram"},
    "scheduleDeathMatch": {
        "game": "pyramid_poker",
        "options": {},
        "clocks": None,
        "opens_at": TOMORROW,
    },
    "scheduleFinalMatch": {"game": "pyramid_poker", "options": {}, "clocks": None},
    "correctResult": {"winner": SOMEBODY, "reason": "A card was misread."},
    "correctMainMatch": {"winners": [SOMEBODY], "candidates": None, "rewards": None, "reason": "A die fell."},
    "correctToken": {"player": SOMEBODY, "reason": "It went to another one."},
    "correctCandidate": {"player": SOMEBODY, "reason": "It was another one."},
    "correctOpponent": {"player": SOMEBODY, "reason": "It was another one."},
    "correctBan": {"player": SOMEBODY, "game": "pentagram", "instead": "pyramid_poker", "reason": "A slip."},
    "annulMatch": {"reason": "A power cut."},
    "proposeTimes": {"times": [TOMORROW]},
    "acceptTime": {"opens_at": TOMORROW},
    "setMatchTime": {"opens_at": TOMORROW, "reason": "The hall is free then."},
    "checkIn": {"player": SOMEBODY},
    "decideAbsence": {"ruling": "play", "reason": "They are on their way."},
    "extendDecision": {"until": TOMORROW, "reason": "Was ill."},
    "moveGarnets": {"from": SOMEBODY, "to": SOMEBODY, "amount": 1, "reason": "A debt."},
    "postSeasonRuling": {"text": "A pass is a move.", "match": None},
    "setSeasonWebhook": {"url": "http://127.0.0.1/no"},
    "openAppeal": {"kind": "move", "text": "That was a slip."},
    "answerAppeal": {"decision": "rejected", "reason": "It stands."},
}


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
    some = {"number": "1", "key": "unused", "account_id": str(uuid4()), "slug": "pyramid_poker"}
    known = some | OF_NOBODY | names
    return Request(told.method, told.at(**known) + query, sent, headers)
