"""Matches whose players are programs that know what their sockets tell them."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from benchmarks._lines import Line, open_line

GAME = "pyramid_poker"
"""Its draws come with the moves, so that no worker need deal between them."""


@dataclass
class Seat:
    """A player over a socket, as far as it has been told."""

    number: int
    token: str
    line: Line | None = None
    version: int = 0
    view: Any = None
    due: Any = None
    told: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, text: bytes) -> None:
        """A frame has come."""
        at = perf_counter()
        frame = json.loads(text)
        if frame["kind"] in ("hello", "events"):
            self.version = frame.get("to", frame.get("version"))
            self.view, self.due = frame.get("view", self.view), frame["due"]
            self.told[self.version] = at
            self.news.set()
        elif frame["kind"] == "refused":
            raise RuntimeError(frame["problem"]["detail"])


class Table:
    """A match whose two seats are told over sockets and play over them."""

    def __init__(self, port: int) -> None:
        self.port, self.rng = port, Random(1)
        self.match, tokens = new_match()
        self.seats = [Seat(number, token) for number, token in enumerate(tokens)]

    async def sit(self) -> None:
        """Connect both seats."""
        for seat in self.seats:
            seat.line = await open_line(self.port, self.match, seat.token, seat.take)
        await self._until(lambda: all(seat.version for seat in self.seats))

    @property
    def over(self) -> bool:
        """Whether nobody is asked any more."""
        return not self.seats[0].due["prompts"]

    @property
    def connected(self) -> int:
        """How many of its seats the house hasn't shown out, as it does when the match is over."""
        return sum(seat.line is not None and not seat.line.lost.done() for seat in self.seats)

    async def move(self) -> tuple[float, float]:
        """One move by whoever is asked; when it was sent, and the seconds until the other seat had it."""
        from games import catalogue
        from games.kernel import to_json

        asked = self.seats[self.seats[0].due["prompts"][0]["seat"]]
        other, before = self.seats[1 - asked.number], asked.version
        game = catalogue[GAME]
        command = to_json(game.bot(game.read_state(asked.view), asked.number, self.rng))
        assert asked.line is not None
        sent, key = perf_counter(), str(uuid4())
        asked.line.say(kind="command", id=key, command=command, expected=before)
        await self._until(lambda: all(seat.version > before for seat in self.seats))
        return sent, other.told[other.version] - sent

    async def _until(self, holds: Any) -> None:
        async with asyncio.timeout(60):
            while not holds():
                for seat in self.seats:
                    seat.news.clear()
                waits = [asyncio.ensure_future(seat.news.wait()) for seat in self.seats]
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                for wait in waits:
                    wait.cancel()

    def leave(self) -> None:
        """Hang up."""
        for seat in self.seats:
            if seat.line is not None:
                seat.line.transport.abort()


def new_match() -> tuple[str, list[str]]:
    """A running match without clocks, and its players' tokens."""
    from matches import services

    players = [new_player() for _ in range(2)]
    opened = services.open_match(
        opener=players[0][0], game=GAME, options={}, seats=[services.SeatRequest(id) for id, _ in players]
    )
    services.start(match_id=opened.match_id, by=players[0][0], reason="A measurement.")
    services.attend(match_id=opened.match_id)
    return str(opened.match_id), [token for _, token in players]


def new_player() -> tuple[UUID, str]:
    """An account and its token."""
    from django.utils import timezone

    from matches.http import tokens
    from matches.http.scopes import SCOPES
    from matches.models import AccessToken, Account

    account = Account.objects.create_user(f"p{uuid4().hex[:20]}")
    made = tokens.new_token()
    AccessToken.objects.create(
        account=account, prefix=made.prefix, digest=made.digest, scopes=list(SCOPES),
        expires_at=timezone.now() + timedelta(hours=2),
    )  # fmt: skip
    return account.id, made.token
