"""Guests at the REST door, and the matches they open; each answer is held against the OpenAPI document."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.test import Client

from games import catalogue
from matches.models import Account
from matches.services import playing
from tests.api import doors
from tests.api.document import check_answer
from tests.api.doors import InProcess
from tests.table_setting import new_account, new_token

PASSWORD = "seven blue lanterns"


@dataclass(frozen=True)
class Answer:
    """A response: status, headers and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body's document."""
        return json.loads(self.body)

    @property
    def lines(self) -> list[str]:
        """The lines of an export."""
        return self.body.decode().removesuffix("\n").split("\n")

    @property
    def refusal(self) -> tuple[int, str]:
        """Status and code of a problem."""
        return self.status, self.json["code"] if self.status >= 400 else ""


class Guest:
    """Somebody who asks over REST."""

    def __init__(self, token: str | None = None, account: Account | None = None, client: Client | None = None) -> None:
        self.token = token
        self.id = str(account.id) if account else ""
        self.name = account.username if account else ""
        self._own = InProcess(client or Client(headers={"host": "localhost"}))
        self._stays = client is not None

    def ask(
        self, method: str, path: str, data: bytes = b"", media_type: str = "application/json", **headers: str
    ) -> Answer:
        """Any request below /api/v1; headers are written with underscores."""
        url = f"/api/v1{path}"
        sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent_headers.setdefault("Authorization", f"Bearer {self.token}")
        elsewhere = None if self._stays else doors.for_request(url, sent_headers)
        status, headers, body = (elsewhere or self._own).ask(
            method, url, data, {"Content-Type": media_type, **sent_headers}
        )
        check_answer(method, url, status, headers, body)
        return Answer(status, headers, body)

    def get(self, path: str, query: Mapping[str, Any] | None = None, **headers: str) -> Answer:
        """Read."""
        return self.ask("GET", f"{path}?{urlencode(query)}" if query else path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """Act."""
        return self.ask("POST", path, b"" if body is None else json.dumps(body).encode(), **headers)

    def send(self, match: str, command: Any, *, key: str = "", dry_run: bool = False, **headers: str) -> Answer:
        """A command, as a dict or in notation."""
        body = {"text": command} if isinstance(command, str) else command
        path = f"/matches/{match}/commands{'?dry_run=1' if dry_run else ''}"
        return self.post(path, body, Idempotency_Key=key or str(uuid4()), **headers)


def guest(**rights: bool) -> Guest:
    """A new account with a token that may do everything."""
    account = new_account(**rights)
    return Guest(new_token(account), account)


def opened(opener: Guest, game: str, *players: Guest | str | None, **more: Any) -> str:
    """The id of a new match; a player is a guest, `bot`, or None for an open seat."""
    seats = [{"player": player.id if isinstance(player, Guest) else player} for player in players]
    answer = opener.post("/matches", {"game": game, "seats": seats, **more})
    assert answer.status == 201, answer.body
    return str(answer.json["id"])


def started(game: str, *players: Guest | str, opener: Guest | None = None, **more: Any) -> str:
    """A running match, dealt as far as it can be; opened by the first player, if nobody else does."""
    host = opener or next(player for player in players if isinstance(player, Guest))
    match = opened(host, game, *players, **more)
    assert host.post(f"/matches/{match}/start").status == 200
    house(match)
    return match


def house(match: str) -> None:
    """What a worker does once it hears of a move: the dealer's duties and the bots' moves."""
    playing.attend(match_id=UUID(match))


def advance(match: str, players: Sequence[Guest], moves: int, rng: Random) -> int:
    """Programs in the players' places, each moving from its own view over REST; gives how many moves they made."""
    for number in range(moves):
        view = players[0].get(f"/matches/{match}").json
        if view["outcome"] is not None:
            return number
        seat = rng.choice(view["due"]["prompts"])["seat"]
        own_view = view if seat == 0 else players[seat].get(f"/matches/{match}").json
        command = chosen(own_view, seat, rng)
        answer = players[seat].send(match, command, If_Match=f'"v{view["version"]}"')
        assert answer.status == 201, answer.body
        house(match)
    return moves


def chosen(view: Mapping[str, Any], seat: int, rng: Random) -> str:
    """A program's command, in notation, from the match as its seat was told it."""
    game = catalogue[view["game"]]
    return game.notation.form(game.bot(game.read_state(view["view"]), seat, rng))
