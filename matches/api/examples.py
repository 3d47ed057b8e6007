"""Examples of the parameters and bodies of the API's operations, for its schema. Tests send each of them."""

import json
import shlex
from typing import Any, Final

from matches.api.contest_bodies import EXAMPLE
from matches.domain.declared import SOMEBODY
from matches.http.operations import Operation

ACCOUNT: Final = SOMEBODY
"""An example of an account's id."""

_SOME_DAY: Final = "2030-01-01T18:00:00Z"

PARAMETERS: Final[dict[str, str]] = {
    "account": ACCOUNT,
    "account_id": ACCOUNT,
    "key": "move-17",
    "claim": "1",
    "contest": "4f9d2c4e-6f0b-4f58-9c39-6c1d1f0f6b1a",
    "episode": "0",
    "link": "1",
    "match": "4f9d2c4e-6f0b-4f58-9c39-6c1d1f0f6b1a",
    "name": "4f9d2c4e-6f0b-4f58-9c39-6c1d1f0f6b1a",
    "number": "1",
    "preset": "quiet_shore",
    "push_id": "c0f2f5f4-53b5-4b54-8a4d-5d8d8b1ad5f3",
    "player": ACCOUNT,
    "secret": "Wm9zb21ldGhpbmc",
    "report": "5b1c3c52-9d0f-4d65-8a0e-2c55a1d2f9c4",
    "room": "5b1c3c52-9d0f-4d65-8a0e-2c55a1d2f9c4",
    "season_id": "9a3b7a52-2b64-4b7e-8d6e-0d5f2f1c7e10",
    "slug": "pyramid_poker",
    "thread": "spectators",
    "trial": "4f9d2c4e-6f0b-4f58-9c39-6c1d1f0f6b1a",
    "token_id": "c0f2f5f4-53b5-4b54-8a4d-5d8d8b1ad5f3",
    "Idempotency-Key": "move-17",
    "If-Match": '"v12"',
}
"""Examples of parameters in a path or header, by name."""

QUERIES: Final[dict[str, str]] = {
    "diffMatch": "from=4",
    "proveConsistency": "from=1",
    "proveMatch": "size=1",
    "readKnowledge": "of=6",
    "searchHistory": "text=brick",
}
"""Examples of the queries that an operation requires, by its id."""

BODIES: Final[dict[str, Any]] = {
    "eraseMe": {"password": "seven blue lanterns"},
    "signUp": {"username": "somebody", "password": "seven blue lanterns"},
    "createToken": {
        "username": "somebody",
        "password": "seven blue lanterns",
        "scopes": ["match:read"],
        "name": "mine",
    },
    "changeMe": {"time_zone": "Europe/Vienna", "theme": "dark"},
    "choosePortrait": {"face": 4},
    "markAccessSeen": {"entries": [1]},
    "changeReach": {
        "table": {"your_turn": {"push": True, "email": False}},
        "digest": "hourly",
        "quiet": {"begins": "22:00", "ends": "07:00"},
    },
    "chooseSeasonCalls": {"choice": "muted"},
    "setEmail": {"address": "somebody@example.org", "password": "seven blue lanterns"},
    "changeEmail": {"subscribed": True},
    "verifyEmail": {"token": "bm8tdG9rZW4"},
    "askForPassword": {"name": "somebody"},
    "resetPassword": {"token": "bm8tdG9rZW4", "password": "seven blue lanterns"},
    "addPush": {
        "endpoint": "https://hooks.example.org/push/4f9d2c4e",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
        "label": "Firefox at home",
    },
    "setWebhook": {"url": "https://hooks.example.org/croupier", "form": "standard"},
    "openMatch": {
        "game": "pyramid_poker",
        "seats": [{"player": None, "role": "guest"}, {"player": "bot"}],
        "options": {"base": 9},
        "priority": 0,
        "clocks": {"turn": {"base": 30, "reserve": 60, "increment": 2}},
        "approval": False,
        "spectator_delay": 0,
        "aids": "memory",
        "talk": "all",
        "opens_at": None,
    },
    "joinMatch": {"invitation": "none"},
    "openSeat": {"seat": 0, "open_to": "anybody"},
    "addNonce": {"nonce": "heads"},
    "keepNote": {"text": "Watch the north row.", "known": []},
    "sayRemark": {"text": "What a move.", "thread": "spectators"},
    "setTalk": {"open_to": "members"},
    "hideRemark": {"reason": "It named a brick."},
    "restoreRemark": {"reason": "The brick was open."},
    "muteAccount": {"account": ACCOUNT, "span": "ten_minutes", "reason": "Again, after a warning."},
    "liftMute": {"reason": "All is well again."},
    "setBoard": {"open_to": "members"},
    "sayOnBoard": {"text": "Who plays at eight?"},
    "hideOnBoard": {"reason": "It belongs elsewhere."},
    "restoreOnBoard": {"reason": "It does belong here."},
    "reportOnBoard": {"reason": "It insults a player."},
    "openRoom": {"kind": "private", "title": "The alliance", "members": [ACCOUNT]},
    "sayInRoom": {"text": "Shall we vote together?"},
    "hideInRoom": {"reason": "It belongs elsewhere."},
    "restoreInRoom": {"reason": "It does belong here."},
    "reportInRoom": {"reason": "It insults a player."},
    "markRoomRead": {"number": 12},
    "answerReport": {"reason": "It insults a player.", "hide": True},
    "muteInSeason": {"account": ACCOUNT, "span": "season", "reason": "Again, after a warning."},
    "liftSeasonMute": {"reason": "All is well again."},
    "declineMatch": {"reason": "No time."},
    "sendCommand": {"type": "resign"},
    "createContest": {"content": EXAMPLE},
    "saveContest": {"content": EXAMPLE},
    "checkContest": {"content": EXAMPLE},
    "tryContest": {"seats": 5, "runs": 1},
    "tryContent": {"content": EXAMPLE, "seats": 5, "runs": 1},
    "openSeason": {"title": "The first season", "options": {"reward": 1}, "template": None},
    "renamePlayer": {"name": "Annie", "reason": "As she is known on the show."},
    "enterResults": {
        "name": "Dice",
        "rows": [{"player": ACCOUNT, "match": "Table 1", "place": 1, "points": None, "tokens": None, "garnets": 2}],
    },
    "scheduleTable": {"game": "pentagram", "options": {}, "clocks": None, "players": [ACCOUNT], "priority": 0},
    "seatMainMatch": {"game": "pentagram", "options": {}, "clocks": None, "tables": [[ACCOUNT]], "draw": False},
    "enrolList": {"text": "Ann Somebody, ann@example.org", "closes_at": _SOME_DAY, "skip_faulty": False},
    "scheduleDeathMatch": {
        "game": "pyramid_poker",
        "options": {},
        "clocks": None,
        "opens_at": _SOME_DAY,
    },
    "scheduleFinalMatch": {"game": "pyramid_poker", "options": {}, "clocks": None},
    "sayAvailability": {
        "zone": "Europe/Vienna",
        "windows": [{"since": _SOME_DAY, "until": "2030-01-08T18:00:00Z", "can": False}],
        "weekly": [{"day": "fri", "since": "18:00", "until": "22:30"}],
    },
    "setSeasonWebhook": {"url": "https://hooks.example.org/croupier"},
    "makeOffer": {"kind": "pause", "minutes": 30},
    "openAppeal": {"kind": "move", "text": "That was a slip."},
}


def body_example(operation: Operation) -> Any:
    """Return the example of an operation's body: the declared one, else that of `BODIES`; None without a body."""
    return operation.example if operation.example is not None else BODIES.get(operation.id)


def command_line(declaration: Operation, method: str, path: str, *, public: bool, keyed: bool) -> str:
    """Return the request as a curl command, with the service's address, the caller's token and ids in shell variables.

    A `public` operation needs no token; a `keyed` one gets an idempotency key.
    """
    address = path.format(**{name: f"${_VARIABLES.get(name, name.upper())}" for name in PARAMETERS})
    query = f"?{QUERIES[declaration.id]}" if declaration.id in QUERIES else ""
    parts = ["curl", f'"$CROUPIER{address}{query}"']
    if method != "GET":
        parts.insert(1, f"-X {method}")
    if not public:
        parts.append('-H "Authorization: Bearer $TOKEN"')
    if keyed:
        parts.append(f'-H "Idempotency-Key: {PARAMETERS["Idempotency-Key"]}"')
    if (example := body_example(declaration)) is not None:
        parts.append(f"--json {shlex.quote(json.dumps(example))}")
    return " ".join(parts)


_VARIABLES: Final = {"name": "MATCH", "season_id": "SEASON", "account_id": "ACCOUNT", "token_id": "TOKEN_ID"}
